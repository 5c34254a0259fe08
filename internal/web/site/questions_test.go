package site

import (
	"html"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

// questions are questions that visitors of Etherscan, OpenSea or DiceBear have, with the page of
// ours that answers them.
var questions = []struct{ who, question, path, answer string }{
	{"holder", "How much circulates now?", "/token/jewel", "<dt>Circulating</dt>"},
	{"holder", "What is the maximum?", "/token/jewel", "<dt>Maximum</dt>"},
	{"holder", "Where is the contract, and how many decimals has it?", "/token/jewel", "18 decimals"},
	{"holder", "How much is locked or reserved, and at which address?", "/token/jewel", `<span class="bucket reserved">`},
	{"holder", "What is the whole address of the treasury?", "/token/jewel", `class="js tiny" data-copy="0x`},
	{"holder", "Why did the supply change?", "/token/jewel?days=all", "Why did it change?"},
	{"holder", "How much was there on a given day?", "/token/jewel", "View as of (UTC)"},
	{"holder", "Can I have the history as a table?", "/token/jewel?days=all", "history.csv"},
	{"holder", "How old is the figure, and when is the next one?", "/status", "data-due"},
	{"holder", "When is a held figure published?", "/token/jewel", "measurements in a row confirm the new one"},
	{"holder", "When is the next unlock?", "/token/jewel", "dates of unlocks are not recorded"},
	{"holder", "What does a token cost, and who holds most?", "/token/jewel", "Prices, and holders without an entry, are not recorded"},
	{"holder", "Was a figure ever wrong or late?", "/status", "Incidents of the last 90 days"},
	{"holder", "Who decides what circulates, and who runs this?", "/about", "The operator decides"},

	{"collector", "Whose is it?", "/pet/1", `<th scope="row">Owner</th>`},
	{"collector", "What else does the owner have?", "/pet/1", "all pets of this owner"},
	{"collector", "Which traits does it have?", "/pet/1", `<th scope="row">Rarity</th>`},
	{"collector", "Which others have the same trait?", "/pet/1", `href="/gallery?rarity=`},
	{"collector", "Is it equipped?", "/pet/1", `<th scope="row">Equipped to</th>`},
	{"collector", "Contract, standard and token id?", "/pet/1", `<th scope="row">Token id</th>`},
	{"collector", "What happened to it?", "/pet/1", `id="history"`},
	{"collector", "Who had it before?", "/pet/1", `Owner: <bdi><a href="/gallery?owner=0x`},
	{"collector", "For how much was it sold?", "/pet/1", "Prices are not recorded"},
	{"collector", "What is the floor price?", "/gallery", "Prices are not recorded"},
	{"collector", "In which block did it change?", "/pet/1", `<a href="https://explorer.example/block/7"`},
	{"collector", "Where is it now?", "/gallery", "Emberreach, from Greenhollow"},
	{"collector", "What is a realm?", "/gallery", "Each realm is a contract on a chain."},
	{"collector", "May I use the picture?", "/pet/1", "licenses/CC0-1.0.html"},
	{"collector", "Can the picture change later?", "/pet/1", "The picture may change when the pet does"},
	{"collector", "Which kinds are there?", "/gallery/kinds", "Pebble"},
	{"collector", "What happened in the collection lately?", "/gallery/recent", "New owner in"},

	{"developer", "What is the address of a picture?", "/pet/1", "http://localhost/pets/image/1"},
	{"developer", "Which sizes and formats are there?", "/pet/1", "Animated PNG"},
	{"developer", "How do I embed it?", "/pet/1", "Copy HTML"},
	{"developer", "How do I leave the frame out?", "/api", "<code>frame</code>"},
	{"developer", "Do I need a key?", "/api", "need no key"},
	{"developer", "What does an error look like?", "/api", "RFC 9457"},
	{"developer", "Will it still work next year?", "/api", "<dt>Compatibility</dt>"},
	{"developer", "How often may I ask?", "/api", "Retry-After"},
	{"developer", "How long may I keep an answer?", "/api", "If-None-Match"},
	{"developer", "Is there a specification?", "/api", "/pets/openapi.json"},
	{"developer", "Can I try the endpoints of the log?", "/api", "/log/0a1b2c3d/key\""},
	{"developer", "How do I learn of changes?", "/api", "<dt>Feed</dt>"},
}

func TestPagesAnswerVisitorsQuestions(t *testing.T) {
	s := demoSite(t)
	for _, q := range questions {
		t.Run(q.who+": "+q.question, func(t *testing.T) {
			w := httptest.NewRecorder()
			s.ServeHTTP(w, httptest.NewRequest(http.MethodGet, q.path, nil))
			if body := html.UnescapeString(w.Body.String()); w.Code != http.StatusOK || !strings.Contains(body, q.answer) {
				t.Errorf("%s: %d without %q", q.path, w.Code, q.answer)
			}
		})
	}
}
