package supply

import (
	"bytes"
	"encoding/json"
	"flag"
	"os"
	"reflect"
	"testing"
	"time"
)

var update = flag.Bool("update", false, "write testdata anew")

// TestStoredAndPublishedBytesStay: what stores hold and what callers hash was
// written by earlier versions, so its form must not change with the code.
func TestStoredAndPublishedBytesStay(t *testing.T) {
	token, first, second := bridged(t, CountSource)
	maximum, declared, six := Whole(5000, 18), Whole(7, 0), 6
	token.MaxSupply = &maximum
	token.Ledger = append(token.Ledger,
		Entry{Label: "Dead", Bucket: Burned, Chain: "first", ERC20: addr("coin"), Holder: addr("dead")},
		Entry{Label: "Locked", Bucket: Locked, Chain: "first", Call: "lockOf(address,string,bytes3,int16,bool)", To: addr("coin"),
			Args: []string{addr("x"), "season one", "0x010203", "-2", "true"}, Decimals: &six, Reason: "Vesting", Since: "2024-01-01"},
		Entry{Label: "Treasury", Bucket: Reserved, Chain: "second", Native: addr("treasury")},
		Entry{Label: "Promised", Bucket: Reserved, Amount: &declared})
	first.set(t, token.Ledger[3], "10", 18)
	first.set(t, token.Ledger[4], "50", 6)
	second.set(t, token.Ledger[5], "3", 18)
	chains := map[string]Chain{"first": first, "second": second}
	record, _, err := Record{Token: "coin"}.Judge(&token, measured(t, token, chains, day), 5)
	if err != nil {
		t.Fatal(err)
	}
	for range 2 {
		first.advance(1)
		first.set(t, token.Ledger[0], "2000", 18)
		if record, _, err = record.Judge(&token, measured(t, token, chains, first.head.Time), 5); err != nil {
			t.Fatal(err)
		}
	}
	earlier := token
	earlier.Ledger = token.Ledger[:3]
	since := day.Add(-time.Hour)
	version := earlier.CurrentLedger()
	version.Since = &since
	board := NewBoard([]Token{token}, AgePolicy{}, false)
	board.Set(Update{Record: record, Ledgers: []Ledger{version}})
	state := board.Now().States[0]
	got, err := json.MarshalIndent(map[string]any{
		"record": record, "document": state.Document(), "ledger": state.Ledger, "point": record.Snapshot.Point(),
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
