package pet

import (
	"errors"
	"fmt"
	"math"
	"math/big"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/ethereum/go-ethereum/common"
	"github.com/google/go-cmp/cmp"
	"github.com/holiman/uint256"

	"petsupply/internal/evm"
	"petsupply/internal/pet/collection"
	"petsupply/testkit/contracts"
)

func at64(n uint64) *uint64 { return &n }

var pets = collection.Pets()

// maxName is how many bytes of a name are kept.
const maxName = 16 << 10

// testRegistry has the realms of the tests.
var testRegistry = &Registry{Collection: pets, Realms: testRealms}

var testRealms = []Realm{
	{Key: "first", Name: "First Realm", Offset: at64(0), Getter: "v1", Closed: true,
		Custody: []common.Address{{0xb1}}},
	{Key: "second", Name: "Second Realm", Offset: at64(Band), Chain: "second", Contract: common.Address{2},
		Getter: "v2", Custody: []common.Address{{0xb1}}},
	{Key: "third", Name: "Third Realm", Offset: at64(2 * Band), Chain: "third", Contract: common.Address{3},
		Getter: "v2", Custody: []common.Address{{0xb1}}},
	{Key: "arena", Name: "Arena", Chain: "third", Contract: common.Address{4}, Getter: "v2",
		Custody: []common.Address{{0xb1}}},
}

func TestParseID(t *testing.T) {
	for text, want := range map[string]struct {
		id  uint64
		err error
	}{
		"0": {0, nil}, "1": {1, nil}, "2000000000001": {2000000000001, nil}, "9007199254740991": {MaxID, nil},
		"9007199254740992": {0, ErrNotFound}, "18446744073709551616": {0, ErrNotFound},
		strings.Repeat("9", 500): {0, ErrNotFound},
		"":                       {0, ErrBadID}, "00": {0, ErrBadID}, "01": {0, ErrBadID}, "+1": {0, ErrBadID},
		"-1":  {0, ErrBadID},
		"1.0": {0, ErrBadID},
		"0x1": {0, ErrBadID}, "1e3": {0, ErrBadID}, " 1": {0, ErrBadID}, "1 ": {0, ErrBadID}, "1_0": {0, ErrBadID},
		"١": {0, ErrBadID}, "1\x00": {0, ErrBadID},
		"0" + strings.Repeat("9", 500): {0, ErrBadID},
	} {
		id, err := ParseID(text)
		if id != want.id || !errors.Is(err, want.err) {
			t.Errorf("ParseID(%.30q) = %d, %v", text, id, err)
		}
	}
}

func FuzzParseID(f *testing.F) {
	for _, s := range []string{"0", "1", "01", "2000000000001", "-1", "18446744073709551616"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		id, err := ParseID(s)
		if err == nil && (strconv.FormatUint(id, 10) != s || id > MaxID) {
			t.Errorf("ParseID(%q) = %d", s, id)
		}
		if err != nil && !errors.Is(err, ErrBadID) && !errors.Is(err, ErrNotFound) {
			t.Errorf("ParseID(%q): %v", s, err)
		}
		if n, ok := new(big.Int).SetString(s, 10); errors.Is(err, ErrNotFound) && (!ok || n.String() != s) {
			t.Errorf("ParseID(%q) calls a malformed id not found", s)
		}
	})
}

func TestBands(t *testing.T) {
	for id, want := range map[uint64]string{
		0: "first", 1: "first", Band - 1: "first", Band: "second", 2*Band - 1: "second", 2 * Band: "third",
		3*Band - 1: "third", 3 * Band: "", MaxID: "",
	} {
		if r, ok := HomeRealm(testRealms, id); r.Key != want || ok != (want != "") {
			t.Errorf("pet %d is native to %q", id, r.Key)
		}
	}
	if n := testRealms[2].Number(2*Band + 7); n != 7 {
		t.Errorf("number %d", n)
	}
	for answer, want := range map[uint64]uint64{1: 1, 50: 50, 2 * Band: 0, 2*Band + 50: 50, 5 * Band: Band} {
		word := uint256.NewInt(answer).Bytes32()
		if n := testRegistry.NextNumber(testRealms[2], word[:]); n != want {
			t.Errorf("nextPetId %d is number %d, want %d", answer, n, want)
		}
	}
}

func TestCheckRealms(t *testing.T) {
	CheckRealms(testRealms, []string{"second", "third"}, func(path, format string, args ...any) {
		t.Errorf("good realms: %s: %s", path, fmt.Sprintf(format, args...))
	})
	bad := []Realm{
		{},
		{Key: "a", Offset: at64(5), Getter: "v3", Chain: "nowhere", Contract: common.Address{1}},
		{Key: "a", Offset: at64(Band), Getter: "v1", Chain: "second", Contract: common.Address{1}},
		{Key: "b", Offset: at64(math.MaxUint64), Getter: "v1", Closed: true},
		{Key: "c", Getter: "v1", Closed: true},
	}
	var got []string
	(&Registry{pets, bad}).CheckGetters(func(path, format string, args ...any) {
		got = append(got, path+": "+fmt.Sprintf(format, args...))
	})
	CheckRealms(bad, []string{"second"}, func(path, format string, args ...any) {
		got = append(got, path+": "+fmt.Sprintf(format, args...))
	})
	want := []string{
		"realms[0]: getter is missing; set it to v1 or v2",
		`realms[1].getter: the collection has no getter "v3"; it has v1 or v2`,
		"realms[0]: key is missing",
		"realms[0]: chain is missing; configured chains: second. If the chain of this realm is gone, set closed: true",
		"realms[0]: contract is missing",
		"realms[1].chain: there is no chain nowhere; configured chains: second",
		"realms[2].key: another realm has the key a too",
		"realms[2].offset: the ids overlap those of a; offsets must be at least 1000000000000 apart",
		"realms[3].offset: 18446744073709551615 is too large; the highest ids would not be exact in JavaScript",
		"realms[4].closed: a realm without an offset only hosts pets of other realms; it cannot be closed",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

// highest has every field at its maximum.
func highest(id uint64) contracts.Pet {
	full := new(big.Int).Sub(new(big.Int).Lsh(big.NewInt(1), 256), big.NewInt(1))
	return contracts.Pet{
		Id: new(big.Int).SetUint64(id), OriginId: 255, Name: strings.Repeat("é", 6000), Season: 255, EggType: 255,
		Rarity: 255, Element: 255,
		BonusCount: 255, ProfBonus: 255, ProfBonusScalar: 255, CraftBonus: 255, CraftBonusScalar: 255,
		CombatBonus: 255, CombatBonusScalar: 255,
		Appearance: math.MaxUint16, Background: 255, Shiny: 255, HungryAt: math.MaxUint64,
		EquippableAt: math.MaxUint64, EquippedTo: full,
		FedBy: common.MaxAddress, FoodType: 255,
	}
}

// TestDecodeTraitsSpoilt changes an answer byte by byte. go-ethereum must agree about each result.
func TestDecodeTraitsSpoilt(t *testing.T) {
	h := highest(7)
	h.Name = "Burr"
	good, err := structV2.Pack(h)
	if err != nil {
		t.Fatal(err)
	}
	for i := range good {
		for _, value := range []byte{0, 1, 0x20, 0x7f, 0xe0, 0xff} {
			data := slices.Clone(good)
			data[i] = value
			for _, structure := range []string{"v1", "v2"} {
				got, err := decode(structure, 7, data)
				if want, fault := unpackTraits(structure, 7, data); got != want || (err == nil) != (fault == nil) {
					t.Fatalf("byte %d is %#x: %v, but go-ethereum: %v\n%s", i, value, err, fault, cmp.Diff(want, got))
				}
			}
		}
	}
}

func FuzzDecodeTraits(f *testing.F) {
	h := highest(7)
	h.Name = "Burr"
	data, _ := structV2.Pack(h)
	f.Add(data, true)
	data, _ = structV1.Pack(h)
	f.Add(data, false)
	f.Fuzz(func(t *testing.T, data []byte, second bool) {
		structure := "v1"
		if second {
			structure = "v2"
		}
		got, err := decode(structure, 7, data)
		if err == nil && (len(got.name) > maxName || pets.Has(got.value, pets.FieldNamed("foodType")) != second) {
			t.Errorf("a name of %d bytes, second struct %v", len(got.name), second)
		}
		if want, fault := unpackTraits(structure, 7, data); got != want || (err == nil) != (fault == nil) {
			t.Errorf("%v, but go-ethereum: %v\n%s", err, fault, cmp.Diff(want, got))
		}
	})
}

func TestSightings(t *testing.T) {
	r := testRealms[1]
	owner := common.LeftPadBytes(common.MaxAddress[:], 32)
	pack := func(id uint64) []byte {
		b, err := structV2.Pack(highest(id))
		if err != nil {
			t.Fatal(err)
		}
		return b
	}
	seen, odd, err := testRegistry.Observations(r, []uint64{1, 2, 3, 4, 5, 6, 7}, [][]byte{
		owner, pack(1), nil, nil, make([]byte, 32), nil, {}, {}, owner, nil, owner, pack(6), owner, pack(7)})
	if err != nil || len(seen) != 5 || !cmp.Equal(odd.IDs, []uint64{4, 5}) {
		t.Fatalf("%d seen, odd %v, %v", len(seen), odd, err)
	}
	if seen[0].Owner != common.MaxAddress || seen[1].Owner != (common.Address{}) ||
		seen[2].Owner != (common.Address{}) {
		t.Errorf("owners: %v %v %v", seen[0].Owner, seen[1].Owner, seen[2].Owner)
	}
	if _, _, err := testRegistry.Observations(r, []uint64{1, 2}, [][]byte{{}, {}, {}, {}}); err == nil {
		t.Error("a node that answers nothing is accepted")
	}
	if _, _, err := testRegistry.Observations(r, []uint64{1, 2}, [][]byte{owner, pack(1)}); err == nil {
		t.Error("a short answer is accepted")
	}
}

func TestTouched(t *testing.T) {
	r := testRealms[1]
	id := func(n uint64) common.Hash { return uint256.NewInt(n).Bytes32() }
	word := func(ns ...uint64) (data []byte) {
		for _, n := range ns {
			h := id(n)
			data = append(data, h[:]...)
		}
		return data
	}
	who := common.BytesToHash(common.MaxAddress[:])
	huge := common.MaxHash
	batchUpdate := topic("BatchMetadataUpdate(uint256,uint256)")
	transfer, fed, update := topic("Transfer(address,address,uint256)"),
		topic("PetFed(address,uint256,uint8,uint64)"), topic("MetadataUpdate(uint256)")
	hatched := topic("PetHatchedV2(address,uint256,(uint256,uint8,string,uint8,uint8,uint8,uint8,uint8,uint8,uint8,uint8,uint8,uint8,uint8,uint16,uint8,uint8,uint64,uint64,uint256,address,uint8))")
	for name, test := range map[string]struct {
		log  evm.Log
		ids  []uint64
		span *Span
	}{
		"transfer":   {evm.Log{Topics: []common.Hash{transfer, who, who, id(5)}}, []uint64{5}, nil},
		"hatched":    {evm.Log{Topics: []common.Hash{hatched, who, id(6)}}, []uint64{6}, nil},
		"fed":        {evm.Log{Topics: []common.Hash{fed, who}, Data: word(7, 1, 2)}, []uint64{7}, nil},
		"updated":    {evm.Log{Topics: []common.Hash{update}, Data: word(8)}, []uint64{8}, nil},
		"batch":      {evm.Log{Topics: []common.Hash{batchUpdate}, Data: word(8, 10)}, []uint64{8, 9, 10}, nil},
		"wide batch": {evm.Log{Topics: []common.Hash{batchUpdate}, Data: word(8, 8+wide)}, nil, &Span{8, 8 + wide}},
		"batch of all": {evm.Log{Topics: []common.Hash{batchUpdate}, Data: append(word(0), huge[:]...)}, nil,
			&Span{0, MaxID}},
		"backward batch":   {evm.Log{Topics: []common.Hash{batchUpdate}, Data: word(9, 8)}, nil, nil},
		"short batch":      {evm.Log{Topics: []common.Hash{batchUpdate}, Data: word(9)}, nil, nil},
		"unknown event":    {evm.Log{Topics: []common.Hash{{9}, who, id(5), id(6)}}, []uint64{5, 6}, nil},
		"approval":         {evm.Log{Topics: []common.Hash{approval, who, who, id(5)}}, nil, nil},
		"odd transfer":     {evm.Log{Topics: []common.Hash{transfer, who, who}, Data: word(5)}, []uint64{5}, nil},
		"fed, indexed":     {evm.Log{Topics: []common.Hash{fed, who, id(5)}}, []uint64{5}, nil},
		"cut data":         {evm.Log{Topics: []common.Hash{update}, Data: []byte{1}}, nil, nil},
		"id beyond bounds": {evm.Log{Topics: []common.Hash{transfer, who, who, huge}}, nil, nil},
		"no topics":        {evm.Log{Data: word(5)}, nil, nil},
		"another address": {evm.Log{Address: common.Address{66}, Topics: []common.Hash{transfer, who, who, id(5)}},
			nil, nil},
	} {
		if test.log.Address == (common.Address{}) {
			test.log.Address = r.Contract
		}
		ids, span := testRegistry.Touched(r, test.log)
		if !cmp.Equal(ids, test.ids) || !cmp.Equal(span, test.span) {
			t.Errorf("%s touches ids %v and span %v", name, ids, span)
		}
	}
}

func TestClean(t *testing.T) {
	for in, want := range map[string]string{
		"":                                 "",
		"Burr":                             "Burr",
		"  two\t\nwords  ":                 "two words",
		"a\x00b\x1b[31mc\x7f":              "ab[31mc",
		"\u202eevil\u2066\u200b":           "evil",
		"👩\u200d🚀":                         "👩\u200d🚀",
		"مرحبا":                            "مرحبا",
		"\xff\xfe":                         "",
		"<b>&\"'":                          "<b>&\"'",
		"\ufeff\u00ad\ue000":               "",
		"\u200d":                           "", // an invisible name is no name
		"\u3164 \u3164":                    "",
		"\u2800":                           "",
		"\ufe0f\u115f\u1160\uffa0":         "",
		"\u034f\U000e0100":                 "",
		strings.Repeat("\u3164", 64) + "x": "",
		"\u2764\ufe0f":                     "\u2764\ufe0f",
		strings.Repeat("x", 64):            strings.Repeat("x", 64),
		strings.Repeat("x", 99):            strings.Repeat("x", 64) + "…",
		strings.Repeat(" ", 99):            "",
	} {
		if got := Clean(in); got != want {
			t.Errorf("Clean(%.20q) = %q, want %q", in, got, want)
		}
	}
}

func FuzzClean(f *testing.F) {
	f.Add("Søren ✨")
	f.Add("\u202e\x00\xff")
	f.Fuzz(func(t *testing.T, s string) {
		got := Clean(s)
		if !utf8.ValidString(got) || utf8.RuneCountInString(got) > maxShown+1 ||
			Clean(got) != got && utf8.RuneCountInString(got) <= maxShown {
			t.Errorf("Clean(%q) = %q", s, got)
		}
		for _, r := range got {
			if unicode.IsControl(r) || r >= '\u202a' && r <= '\u202e' || r >= '\u2066' && r <= '\u2069' {
				t.Errorf("Clean(%q) keeps %U", s, r)
			}
		}
	})
}

// A pet hatches on one fork, and later on the next. Only the last hatching counts. If that hatching
// is undone too, the pet never existed.
func TestAPetThatHatchedOnTwoForksIsForgotten(t *testing.T) {
	realm := testRealms[0]
	seen := Observation{ID: *realm.Offset + 51, Owner: common.Address{7}}
	gone := Observation{ID: seen.ID}
	at := func(n uint64) ObservedAt {
		return ObservedAt{Realm: realm, Block: n, Time: time.Unix(int64(n), 0), Event: true}
	}
	undo := func(places []Place, n uint64) []Place {
		last := evm.Block{Number: n, Hash: common.Hash{1}, Time: time.Unix(int64(n), 0)}
		after, _ := testRegistry.Undo(places, realm, last)
		after, _ = testRegistry.Apply(after, gone,
			ObservedAt{Realm: realm, Block: n + 1, Time: time.Unix(int64(n)+1, 0)})
		return after
	}
	places, _ := testRegistry.Apply(nil, seen, at(58))
	places = undo(places, 55)
	places, _ = testRegistry.Apply(places, seen, at(60))
	if places = undo(places, 58); len(places) != 0 {
		t.Errorf("it is still there: %+v", places)
	}
	// A read from the start shows the pet there, regardless of earlier forks.
	places, _ = testRegistry.Apply(nil, seen, at(58))
	first := at(62)
	first.First = true
	places, _ = testRegistry.Apply(places, seen, first)
	if places = undo(places, 60); len(places) != 0 {
		t.Errorf("after a read from the start, it is still there: %+v", places)
	}
}

// If a pet's return to a realm is undone, its first stay there still counts.
func TestAReturnThatIsUndoneLeavesTheFirstStay(t *testing.T) {
	home, host := testRealms[1], testRealms[2]
	id := *home.Offset + 51
	at := func(r Realm, n uint64) ObservedAt {
		return ObservedAt{Realm: r, Block: n, Time: time.Unix(int64(n), 0), Event: true}
	}
	places, _ := testRegistry.Apply(nil, Observation{ID: id, Owner: home.Custody[0]}, at(home, 5))
	places, _ = testRegistry.Apply(places, Observation{ID: id, Owner: common.Address{7}}, at(host, 10))
	places, _ = testRegistry.Apply(places, Observation{ID: id}, at(host, 20))
	places, _ = testRegistry.Apply(places, Observation{ID: id, Owner: common.Address{7}}, at(host, 40))
	places, _ = testRegistry.Undo(places, host, evm.Block{Number: 35, Hash: common.Hash{1}, Time: time.Unix(35, 0)})
	places, _ = testRegistry.Apply(places, Observation{ID: id}, at(host, 36))
	if len(places) != 2 || Published(places) == nil {
		t.Errorf("after its return was undone: %+v", places)
	}
}
