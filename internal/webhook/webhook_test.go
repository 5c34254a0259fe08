package webhook

import (
	"fmt"
	"net/netip"
	"strings"
	"testing"
	"time"
)

// The vector is that of the reference libraries of Standard Webhooks.
func TestSignature(t *testing.T) {
	secret, err := ParseSecret(testSecret)
	if err != nil {
		t.Fatal(err)
	}
	got := secret.Sign("msg_p5jXN8AQM9LWM0D4loKWxJek", time.Unix(1614265330, 0), []byte(`{"test": 2432232314}`))
	if want := "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE="; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	if told := fmt.Sprintf("%v %+v %#v %s", secret, secret, Hook{Secret: secret}, secret); strings.Contains(told, "49") {
		t.Errorf("the secret prints: %s", told)
	}
}

func TestWhatIsNoSecretNameAddressOrEvent(t *testing.T) {
	for _, s := range []string{"", "whsec_", "MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw", "whsec_c2hvcnQ=", "whsec_!", "whsec_" + strings.Repeat("AAAA", 22)} {
		if _, err := ParseSecret(s); err == nil || s != "" && strings.Contains(err.Error(), strings.TrimPrefix(s, "whsec_")) && len(s) > 6 && s != "whsec_!" {
			t.Errorf("secret %q: %v", s, err)
		}
	}
	for _, s := range []string{"", "A", "a b", "-a", strings.Repeat("a", 41)} {
		if CheckName(s) == nil {
			t.Errorf("the name %q is taken", s)
		}
	}
	for _, s := range []string{"", "ftp://a", "https://", "https://u:p@a", "https://a#b", "http://a", "https://%zz"} {
		if CheckURL(s, false) == nil {
			t.Errorf("the address %q is taken", s)
		}
	}
	for s, private := range map[string]bool{"https://a/b?c": false, "http://a": true} {
		if err := CheckURL(s, private); err != nil {
			t.Errorf("%s: %v", s, err)
		}
	}
	if CheckEvent("pet.sold") == nil || CheckEvent("supply") != nil {
		t.Error("events are not told apart")
	}
}

func TestPublicAddresses(t *testing.T) {
	for text, want := range map[string]bool{
		"93.184.216.34": true, "2606:2800:220:1::1": true, "127.0.0.1": false, "10.1.2.3": false, "192.168.0.1": false, "172.16.0.1": false,
		"169.254.169.254": false, "100.64.0.1": false, "0.0.0.0": false, "255.255.255.255": false, "224.0.0.1": false, "::1": false, "::": false,
		"fd00::1": false, "fe80::1%eth0": false, "::ffff:10.0.0.1": false, "64:ff9b::a00:1": false, "2002:a00:1::": false, "::7f00:1": false,
	} {
		if got := public(netip.MustParseAddr(text)); got != want {
			t.Errorf("%s: %t", text, got)
		}
	}
}
