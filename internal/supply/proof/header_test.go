package proof

import (
	"bytes"
	"encoding/json"
	"os"
	"testing"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/rlp"
)

// A recordedBlock is a block as a real client returned it.
type recordedBlock struct {
	Client, Recording string
	Block             json.RawMessage
}

func (r recordedBlock) hash(t *testing.T) common.Hash {
	var b struct{ Hash common.Hash }
	if err := json.Unmarshal(r.Block, &b); err != nil {
		t.Fatal(err)
	}
	return b.Hash
}

// parseHeader reads the header with that hash from a node's JSON.
func parseHeader(block json.RawMessage, hash common.Hash) (*header, error) {
	encoding, err := EncodeHeader(block, hash)
	if err != nil {
		return nil, err
	}
	return decodeHeader(encoding)
}

func (r recordedBlock) header(t *testing.T) *header {
	h, err := parseHeader(r.Block, r.hash(t))
	if err != nil {
		t.Fatal(err)
	}
	return h
}

func load[T any](t testing.TB, name string) (v T) {
	t.Helper()
	data, err := os.ReadFile("testdata/" + name)
	if err == nil {
		err = json.Unmarshal(data, &v)
	}
	if err != nil {
		t.Fatal(err)
	}
	return v
}

var clientFamilies = map[string]string{"geth": "ethereum", "geth-hash": "ethereum", "coreth": "coreth",
	"subnet-evm": "subnet-evm", "kaia": "kaia"}

func TestEveryRecordedHeaderHashesToItsBlock(t *testing.T) {
	seen := map[string]int{}
	for _, r := range load[[]recordedBlock](t, "headers.json") {
		t.Run(r.Client+"/"+r.Recording, func(t *testing.T) {
			var said struct {
				Number, Timestamp     hexutil.Uint64
				ParentHash, StateRoot common.Hash
				Reward                *common.Address
			}
			if err := json.Unmarshal(r.Block, &said); err != nil {
				t.Fatal(err)
			}
			if r.Client == "kaia" && said.Reward == nil {
				if _, err := parseHeader(r.Block, r.hash(t)); err == nil {
					t.Error("eth_getBlockByNumber of Kaia lacks fields of the header, and passed")
				}
				return
			}
			h := r.header(t)
			if h.family.name != clientFamilies[r.Client] {
				t.Errorf("family %s", h.family.name)
			}
			if h.Number != uint64(said.Number) || h.Parent != said.ParentHash || h.root != said.StateRoot ||
				h.Time.Unix() != int64(said.Timestamp) {
				t.Errorf("block %+v, root %s: the node said %+v", h.Block, h.root, said)
			}
			seen[h.family.name]++
		})
	}
	for _, f := range families {
		if seen[f.name] == 0 {
			t.Errorf("no header of %s was recorded", f.name)
		}
	}
}

// The hash of a header covers every field.
func TestAlteredHeaderIsRefused(t *testing.T) {
	for _, r := range load[[]recordedBlock](t, "headers.json") {
		hash := r.hash(t)
		var fields map[string]json.RawMessage
		if err := json.Unmarshal(r.Block, &fields); err != nil {
			t.Fatal(err)
		}
		if r.Client == "kaia" && fields["reward"] == nil {
			continue
		}
		for _, f := range r.header(t).family.fields {
			was, ok := fields[f.name]
			if !ok {
				continue
			}
			for _, altered := range []json.RawMessage{alterHex(was), nil} {
				fields[f.name] = altered
				text, _ := json.Marshal(fields)
				if _, err := parseHeader(text, hash); err == nil {
					t.Errorf("%s %s: %s altered to %s passed", r.Client, r.Recording, f.name, altered)
				}
			}
			fields[f.name] = was
		}
	}
}

// alterHex changes a digit of a hex string: the last one, or the fifth of a long string, because
// Kaia's hash does not cover the end of its extra data.
func alterHex(raw json.RawMessage) json.RawMessage {
	out := bytes.Clone(raw)
	last := &out[min(len(out)-2, 7)]
	switch *last {
	case 'x': // empty
		return json.RawMessage(`"0x01"`)
	case '1':
		*last = '2'
	default:
		*last = '1'
	}
	return out
}

// go-ethereum's own type checks its family, with the fields of every fork.
func TestHeadersOfEveryForkOfEthereum(t *testing.T) {
	h := types.Header{Difficulty: common.Big0, Number: common.Big1, Time: 1700000000, Extra: []byte("x"),
		GasLimit: 30e6}
	root, zero := common.HexToHash("0x1"), uint64(0)
	forks := []struct {
		fork fork
		add  func()
	}{
		{london, func() { h.BaseFee = common.Big2 }},
		{shanghai, func() { h.WithdrawalsHash = &root }},
		{cancun, func() { h.BlobGasUsed, h.ExcessBlobGas, h.ParentBeaconRoot = &zero, &zero, &root }},
		{prague, func() { h.RequestsHash = &root }},
		{amsterdam, func() { h.BlockAccessListHash, h.SlotNumber = &root, &zero }},
	}
	for _, f := range forks {
		t.Run(f.fork.String(), func(t *testing.T) {
			f.add()
			text, _ := json.Marshal(&h)
			got, err := parseHeader(text, h.Hash())
			if err != nil {
				t.Fatal(err)
			}
			if got.family.name != "ethereum" || got.oldestFork() != f.fork {
				t.Errorf("family %s, fork %s, want %s", got.family.name, got.oldestFork(), f.fork)
			}
		})
	}
}

func TestStrangeHeadersAreRefused(t *testing.T) {
	good := load[[]recordedBlock](t, "headers.json")[0].header(t)
	var items []rlp.RawValue
	if err := rlp.DecodeBytes(good.encoding, &items); err != nil {
		t.Fatal(err)
	}
	encode := func(items []rlp.RawValue) []byte {
		out, err := rlp.EncodeToBytes(items)
		if err != nil {
			t.Fatal(err)
		}
		return out
	}
	with := func(i int, v rlp.RawValue) []byte {
		changed := append([]rlp.RawValue{}, items...)
		changed[i] = v
		return encode(changed)
	}
	for name, encoding := range map[string][]byte{
		"nothing":             {},
		"not a list":          {0x80},
		"too few fields":      encode(items[:14]),
		"too many fields":     encode(append(items[:len(items):len(items)], items[15], items[15], items[15])),
		"a list for a field":  with(0, rlp.RawValue{0xc0}),
		"a short hash":        with(3, rlp.RawValue{0x80}),
		"a number that is 00": with(8, rlp.RawValue{0x00}),
		"a huge number":       with(8, append(rlp.RawValue{0x89}, bytes.Repeat([]byte{1}, 9)...)),
		"a huge gas limit":    with(9, append(rlp.RawValue{0x89}, bytes.Repeat([]byte{1}, 9)...)),
		"spare bytes":         append(bytes.Clone(good.encoding), 0),
		"too long":            append(bytes.Clone(good.encoding), make([]byte, maxHeader)...),
	} {
		t.Run(name, func(t *testing.T) {
			if h, err := decodeHeader(encoding); err == nil {
				t.Errorf("read as a header of %s", h.family.name)
			}
		})
	}
}
