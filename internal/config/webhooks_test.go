package config

import (
	"strings"
	"testing"
)

func TestWebhooks(t *testing.T) {
	const good = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"
	_, err := Load("p.yaml", []byte("webhooks:\n  - {name: game, url: https://game.example.com/hidden, secret: "+good+", events: [pet, supply.held]}\n"+
		"  - {name: own, url: http://127.0.0.1:9/, secret: "+good+", private: true}\n"), env)
	if err != nil {
		t.Fatal(err)
	}
	two, err := Load("p.yaml", []byte("webhooks: [{name: a, url: https://a.example.com, secret: ["+good+", $OTHER_SECRET]}]"),
		func(string) string { return good })
	if err != nil || len(two.Webhooks[0].Secret) != 2 {
		t.Errorf("of two secrets: %v", err)
	}
	for _, test := range []struct{ file, want string }{
		{"{name: a, url: https://a.example.com, secret: [" + good + ", " + good + ", " + good + "]}",
			"webhooks[0].secret: want one secret, or two"},
		{"{name: a, url: https://a.example.com, secret: []}", "webhooks[0].secret: want whsec_"},
		{"{name: a, url: https://a.example.com, secret: [" + good + ", '']}",
			"webhooks[0].secret[1]: the value does not fit"},
		{"{name: a, url: https://a.example.com, secret: [" + good[6:] + ", x" + good[6:] + "]}",
			"webhooks[0].secret[1]: want whsec_"},
		{"{name: a, url: https://a.example.com, secret: [\n    " + good + "x,\n    $NONE]}",
			"webhooks[0].secret[0]: want whsec_"},
		{"{url: https://a.example.com, secret: " + good + "}", "webhooks[0].name: is missing"},
		{"{name: a, secret: " + good + "}", "webhooks[0].url: is missing"},
		{"{name: a, url: http://a.example.com/MfKQ9r8, secret: " + good + "}", "webhooks[0].url: want https"},
		{"{name: a, url: https://a.example.com}", "webhooks[0].secret: is missing"},
		{"{name: a, url: https://a.example.com, secret: MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw}",
			"webhooks[0].secret: want whsec_"},
		{"{name: a, url: https://a.example.com, secret: " + good + ", events: [pet.sold]}",
			"webhooks[0].events[0]: \"pet.sold\" is not an event"},
		{"{name: a, url: https://a.example.com, secret: " + good + "}\n  - {name: a, url: https://b.example.com, secret: " +
			good + "}", "webhooks[1].name: another webhook"},
	} {
		t.Run(test.want, func(t *testing.T) {
			_, err := Load("p.yaml", []byte("webhooks:\n  - "+test.file+"\n"), env)
			if err == nil || !strings.Contains(err.Error(), test.want) || strings.Contains(err.Error(), "MfKQ9r8") {
				t.Errorf("%s:\n%v", test.file, err)
			}
		})
	}
}
