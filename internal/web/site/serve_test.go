package site

import (
	"strings"
	"testing"
)

func TestThePolicyKeepsAnOriginThatBeginsLikeAnother(t *testing.T) {
	policy := contentPolicy("https://pets.example.com", "https://pets.example", "https://pets.example:8443")
	for _, origin := range []string{"https://pets.example.com", "https://pets.example", "https://pets.example:8443"} {
		if !strings.Contains(policy, " "+origin+" ") {
			t.Errorf("%s is missing: %s", origin, policy)
		}
	}
	if again := contentPolicy("https://a.example/x", "https://a.example/y"); strings.Count(again, "https://a.example") != 2 { // img-src, connect-src
		t.Errorf("an origin is listed twice: %s", again)
	}
}
