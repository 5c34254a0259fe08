package answer

import (
	"net/http"
	"strconv"
	"strings"
	"testing"
)

func TestNoParserTakesARefusalForANumber(t *testing.T) {
	for _, p := range []*Problem{
		ErrNoPath, errNoRoot, errBadPath, errTooLong, errHost, errMethod,
		{Status: 503, Detail: "figures are being loaded"}, {Status: 500, Detail: "internal error"}, {Status: 429},
		{Status: 400, Detail: "query parameter format is not json"},
	} {
		t.Run(strconv.Itoa(p.Status), func(t *testing.T) {
			r, _ := http.NewRequest(http.MethodGet, "http://x/supply/jewel/totalsupply", nil)
			body := string(p.response(&Request{Request: r, Route: &Route{Row: Row{Text: true}}}).Body)
			// Lenient parsers take the longest prefix that is a number.
			for end := 1; end <= min(len(body), 24); end++ {
				if f, err := strconv.ParseFloat(strings.TrimSpace(body[:end]), 64); err == nil {
					t.Errorf("%q begins with the number %v", body, f)
				}
			}
		})
	}
}
