package webhook

import (
	"fmt"
	"net/netip"
	"strings"
	"testing"
	"time"
)

// The test vector comes from the reference libraries of Standard Webhooks.
func TestSignature(t *testing.T) {
	secret := parseSecret(t, testSecret)
	got := secret.sign("msg_p5jXN8AQM9LWM0D4loKWxJek", time.Unix(1614265330, 0), []byte(`{"test": 2432232314}`))
	if want := "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE="; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	// While a secret is replaced, either of the two verifies a request.
	both := Secrets{parseSecret(t, "whsec_"+strings.Repeat("AAAA", 8)), secret}
	old, last, _ := strings.Cut(both.sign("msg_p5jXN8AQM9LWM0D4loKWxJek", time.Unix(1614265330, 0),
		[]byte(`{"test": 2432232314}`)), " ")
	if last != got || old == got || !strings.HasPrefix(old, "v1,") {
		t.Errorf("signed by two: %s and %s", old, last)
	}
	if told := fmt.Sprintf("%v %+v %#v %s", secret, secret, Hook{Secret: both}, secret); strings.Contains(told, "49") {
		t.Errorf("the secret prints: %s", told)
	}
}

func TestInvalidSecrets(t *testing.T) {
	for _, text := range []string{"", "whsec_", "MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw", "whsec_c2hvcnQ=", "whsec_!",
		"whsec_" + strings.Repeat("AAAA", 22)} {
		t.Run(text, func(t *testing.T) {
			var s Secret
			if err := s.UnmarshalText([]byte(text)); err != errSecret || s.key != nil {
				t.Errorf("the secret was accepted, or the error is wrong: %v", err)
			}
		})
	}
}

func TestCheckHooks(t *testing.T) {
	good := Hook{Name: "game", URL: "https://a/b?c", Secret: Secrets{parseSecret(t, testSecret)},
		Events: []string{"supply", "pet.moved"}}
	for _, test := range []struct {
		name   string
		change func(*Hook)
		want   string // the path of the fault; "" if there is none
	}{
		{"good", func(*Hook) {}, ""},
		{"no name", func(h *Hook) { h.Name = "" }, "webhooks[0].name"},
		{"a capital", func(h *Hook) { h.Name = "A" }, "webhooks[0].name"},
		{"a space", func(h *Hook) { h.Name = "a b" }, "webhooks[0].name"},
		{"a hyphen first", func(h *Hook) { h.Name = "-a" }, "webhooks[0].name"},
		{"a long name", func(h *Hook) { h.Name = strings.Repeat("a", 41) }, "webhooks[0].name"},
		{"no address", func(h *Hook) { h.URL = "" }, "webhooks[0].url"},
		{"FTP", func(h *Hook) { h.URL = "ftp://a" }, "webhooks[0].url"},
		{"no host", func(h *Hook) { h.URL = "https://" }, "webhooks[0].url"},
		{"a password", func(h *Hook) { h.URL = "https://u:p@a" }, "webhooks[0].url"},
		{"a fragment", func(h *Hook) { h.URL = "https://a#b" }, "webhooks[0].url"},
		{"no URL", func(h *Hook) { h.URL = "https://%zz" }, "webhooks[0].url"},
		{"plain HTTP", func(h *Hook) { h.URL = "http://a" }, "webhooks[0].url"},
		{"plain HTTP to a private address", func(h *Hook) { h.URL, h.Private = "http://a", true }, ""},
		{"no secret", func(h *Hook) { h.Secret = nil }, "webhooks[0].secret"},
		{"an unknown event", func(h *Hook) { h.Events = []string{"pet", "pet.sold"} }, "webhooks[0].events[1]"},
	} {
		t.Run(test.name, func(t *testing.T) {
			h, found := good, ""
			test.change(&h)
			CheckHooks([]Hook{h}, func(path, _ string, _ ...any) { found += path })
			if found != test.want {
				t.Errorf("faults at %q, want %q", found, test.want)
			}
		})
	}
	twice := ""
	CheckHooks([]Hook{good, good}, func(path, _ string, _ ...any) { twice += path })
	if twice != "webhooks[1].name" {
		t.Errorf("a name twice: %q", twice)
	}
}

func TestPublicAddresses(t *testing.T) {
	for text, want := range map[string]bool{
		"93.184.216.34": true, "2606:2800:220:1::1": true, "127.0.0.1": false, "10.1.2.3": false, "192.168.0.1": false,
		"172.16.0.1":      false,
		"169.254.169.254": false, "100.64.0.1": false, "0.0.0.0": false, "255.255.255.255": false, "224.0.0.1": false,
		"::1": false, "::": false,
		"fd00::1": false, "fe80::1%eth0": false, "::ffff:10.0.0.1": false, "64:ff9b::a00:1": false,
		"2002:a00:1::": false,
		"::7f00:1":     false,
	} {
		t.Run(text, func(t *testing.T) {
			if got := public(netip.MustParseAddr(text)); got != want {
				t.Errorf("public is %t", got)
			}
		})
	}
}
