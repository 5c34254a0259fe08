package supply

import (
	"bytes"
	"encoding/json"
	"flag"
	"os"
	"reflect"
	"testing"
	"time"

	"petsupply/internal/supply/ledger"
)

var update = flag.Bool("update", false, "write the files of testdata")

// TestStoredAndPublishedBytesStay: stores have these bytes and clients hash them, so they must not
// change with the code.
func TestStoredAndPublishedBytesStay(t *testing.T) {
	token, first, second := bridged(t, ledger.CountSource)
	maximum, declared, six := ledger.Whole(5000, 18), ledger.Whole(7, 0), 6
	token.MaxSupply = &maximum
	token.Ledger = append(token.Ledger,
		ledger.Entry{Label: "Dead", Bucket: ledger.Burned, Chain: "first", ERC20: addr("coin"), Holder: addr("dead")},
		ledger.Entry{Label: "Locked", Bucket: ledger.Locked, Chain: "first",
			Call: "lockOf(address,string,bytes3,int16,bool)", To: addr("coin"),
			Args: []string{addr("x"), "season one", "0x010203", "-2", "true"}, Decimals: &six, Reason: "Vesting",
			Since: "2024-01-01"},
		ledger.Entry{Label: "Treasury", Bucket: ledger.Reserved, Chain: "second", Native: addr("treasury")},
		ledger.Entry{Label: "Promised", Bucket: ledger.Reserved, Amount: &declared})
	first.set(t, token.Ledger[3], "10", 18)
	first.set(t, token.Ledger[4], "50", 6)
	second.set(t, token.Ledger[5], "3", 18)
	chains := map[string]Chain{"first": first, "second": second}
	record, _, err := Record{Token: "coin"}.Judge(&token, measured(t, token, chains, day), five)
	if err != nil {
		t.Fatal(err)
	}
	for range 2 {
		first.advance(1)
		first.set(t, token.Ledger[0], "2000", 18)
		if record, _, err = record.Judge(&token, measured(t, token, chains, first.head.Time), five); err != nil {
			t.Fatal(err)
		}
	}
	earlier := token
	earlier.Ledger = token.Ledger[:3]
	since := day.Add(-time.Hour)
	version := earlier.CurrentLedger()
	version.Since = &since
	board := NewBoard([]ledger.Token{token}, AgePolicy{}, false)
	record.Ledgers = []ledger.Version{version}
	board.Set(record)
	state := board.Now().States[0]
	got, err := json.MarshalIndent(map[string]any{
		"record": record, "document": state.Document(), "ledger": state.Ledger,
	}, "", "\t")
	if err != nil {
		t.Fatal(err)
	}
	got = append(got, '\n')
	const file = "testdata/published.json"
	if *update {
		if err := os.WriteFile(file, got, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Errorf("%s would be\n%s", file, got)
	}
	var stored struct {
		Record Record          `json:"record"`
		Ledger json.RawMessage `json:"ledger"`
	}
	if err := json.Unmarshal(want, &stored); err != nil {
		t.Fatal(err)
	}
	again, _ := json.Marshal(stored.Record)
	whole, _ := json.Marshal(record)
	if !bytes.Equal(again, whole) || !reflect.DeepEqual(stored.Record.Snapshot.Blocks, record.Snapshot.Blocks) {
		t.Errorf("a stored record reads as\n%s\nwant\n%s", again, whole)
	}
}
