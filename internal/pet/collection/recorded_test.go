package collection

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"encoding/hex"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/ethereum/go-ethereum/common"
	"github.com/google/go-cmp/cmp"
)

// A recording is a pet and its document as it was published.
type recording struct {
	ID        uint64          `json:"id"`
	Name      string          `json:"name"` // hex
	Realm     string          `json:"realm"`
	Owner     common.Address  `json:"owner"`
	InTransit bool            `json:"inTransit"`
	Block     uint64          `json:"block"`
	At        int64           `json:"at"`
	Version   string          `json:"version"`
	Document  json.RawMessage `json:"document"`
}

const recorded = "testdata/recorded.jsonl.gz"

func recordings(t testing.TB) []recording {
	t.Helper()
	file, err := os.Open(recorded)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	z, err := gzip.NewReader(file)
	if err != nil {
		t.Fatal(err)
	}
	var out []recording
	lines := bufio.NewScanner(z)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var r recording
		if err := json.Unmarshal(lines.Bytes(), &r); err != nil {
			t.Fatal(err)
		}
		out = append(out, r)
	}
	if err := lines.Err(); err != nil || len(out) < 300 {
		t.Fatalf("%d recordings, %v", len(out), err)
	}
	return out
}

func dictionary(t testing.TB) map[string]Table {
	t.Helper()
	text, err := os.ReadFile("testdata/dictionary.json")
	if err != nil {
		t.Fatal(err)
	}
	var tables map[string]Table
	if err := json.Unmarshal(text, &tables); err != nil {
		t.Fatal(err)
	}
	return tables
}

// rawValues returns a document's rawData as texts, by the names of the fields.
func rawValues(t testing.TB, document []byte) map[string]string {
	t.Helper()
	var d struct {
		RawData map[string]json.RawMessage `json:"rawData"`
	}
	if err := json.Unmarshal(document, &d); err != nil {
		t.Fatal(err)
	}
	out := map[string]string{}
	for key, raw := range d.RawData {
		var s string
		if json.Unmarshal(raw, &s) != nil {
			s = string(raw)
		}
		out[Pets().RawField(key).Name] = s
	}
	return out
}

var realmNames = map[string]string{"first": `First \"Realm\"`, "second": "Second", "third": "Third & Last",
	"guest": "Guests"}

// token returns the token of a recording.
func (r *recording) token(t testing.TB, c *Collection) *Token {
	t.Helper()
	raw := rawValues(t, r.Document)
	v, _, err := c.FromTexts(raw)
	if err != nil {
		t.Fatalf("pet %d: %v", r.ID, err)
	}
	x := &Token{ID: r.ID, Number: r.ID % 1e12, Value: v, Realm: realmNames[r.Realm], Owner: r.Owner,
		Casings:   c.Casings(nil, r.Owner, v),
		InTransit: r.InTransit, Closed: r.Realm == "first", Block: r.Block, ChangedAt: r.At}
	if x.Realm == "" {
		x.Realm = r.Realm
	}
	switch r.ID / 1e12 {
	case 0, 1, 2:
		x.NativeRealm = realmNames[[]string{"first", "second", "third"}[r.ID/1e12]]
	default:
		x.NativeRealm, x.Number = "Unknown", r.ID
	}
	var d struct{ Name string }
	if err := json.Unmarshal(r.Document, &d); err != nil {
		t.Fatal(err)
	}
	given, _ := hex.DecodeString(r.Name)
	if len(given) > 0 && !strings.HasSuffix(d.Name, fmt.Sprintf(" #%d", x.Number)) {
		x.Name = JSONText(d.Name) // names are cleaned elsewhere
	}
	return x
}

var record = flag.Bool("record", false, "write the recorded documents again, after a change that is wanted")

// The default collection publishes the same documents as before.
func TestDocumentsAreAsRecorded(t *testing.T) {
	c := Pets()
	texts, err := c.Texts(dictionary(t), JSONText)
	if err != nil {
		t.Fatal(err)
	}
	list := recordings(t)
	for i := range list {
		r := &list[i]
		_, rest, _ := bytes.Cut(r.Document, []byte(`","image":`))
		links, _, _ := bytes.Cut(rest, []byte(`,"attributes":`))
		_, rawRest, _ := bytes.Cut(r.Document, []byte(`"rawData":{`))
		_, rawName, _ := bytes.Cut(rawRest, []byte(`"name":`))
		rawName, _, _ = bytes.Cut(rawName, []byte(`,"season":`))
		got := texts.AppendDocument(nil, r.token(t, c), string(rawName), append([]byte(`"image":`), links...))
		if *record {
			r.Document = got
		}
		if diff := cmp.Diff(string(r.Document), string(got)); diff != "" {
			t.Fatalf("pet %d: %s", r.ID, diff)
		}
	}
	if *record {
		writeRecordings(t, list)
	}
}

func writeRecordings(t *testing.T, list []recording) {
	t.Helper()
	var out bytes.Buffer
	z, _ := gzip.NewWriterLevel(&out, gzip.BestCompression)
	lines := json.NewEncoder(z)
	lines.SetEscapeHTML(false)
	for i := range list {
		if err := lines.Encode(&list[i]); err != nil {
			t.Fatal(err)
		}
	}
	if err := errors.Join(z.Close(), os.WriteFile(recorded, out.Bytes(), 0o644)); err != nil {
		t.Fatal(err)
	}
}
