package config

import "testing"

func TestWebhooks(t *testing.T) {
	const good = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"
	_, err := Load("p.yaml", []byte("webhooks:\n"+
		"  - {name: game, url: https://game.example.com/hidden, secret: "+good+", events: [pet, supply.held]}\n"+
		"  - {name: own, url: http://127.0.0.1:9/, secret: "+good+", private: true}\n"), env)
	if err != nil {
		t.Fatal(err)
	}
	text := "webhooks: [{name: a, url: https://a.example.com, secret: [" + good + ", $OTHER_SECRET]}]"
	two, err := Load("p.yaml", []byte(text), func(string) string { return good })
	if err != nil || len(two.Webhooks[0].Secret) != 2 {
		t.Errorf("of two secrets: %v", err)
	}
}
