package pet

import (
	"strings"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/crypto"
	"github.com/holiman/uint256"

	"petsupply/internal/evm"
)

func topic(signature string) common.Hash { return crypto.Keccak256Hash([]byte(signature)) }

// structTypes are the types of a struct's fields, as event signatures spell them.
func structTypes(s Struct) string {
	types := []string{"uint256"} // the id
	for _, f := range s.Fields() {
		types = append(types, f.solidityType())
	}
	return "(" + strings.Join(types, ",") + ")"
}

// idIn says where in an event its pet's id stands: the index of a topic, or in
// the first word of the data.
type idIn int

const inData idIn = 0

// events are those that name a pet in a place of their own. Of any other event
// of the contract, every indexed number that may be an id is taken for one:
// reading a pet in vain is cheap, missing its change is not.
var events = map[common.Hash]idIn{
	topic("Transfer(address,address,uint256)"):                     3,
	topic("PetHatched(address,uint256," + structTypes(V1) + ")"):   2,
	topic("PetHatchedV2(address,uint256," + structTypes(V2) + ")"): 2,
	topic("PetUpdated(address,uint256," + structTypes(V1) + ")"):   2,
	topic("PetUpdatedV2(address,uint256," + structTypes(V2) + ")"): 2,
	topic("PetFed(address,uint256,uint8,uint64)"):                  inData,
	topic("PetRerolled(uint256," + structTypes(V1) + ")"):          1,
	topic("PetSent(uint256,uint256)"):                              1,
	topic("PetArrived(uint256,uint256)"):                           1,
	topic("MetadataUpdate(uint256)"):                               inData,
}

var (
	batchUpdate = topic("BatchMetadataUpdate(uint256,uint256)")
	// approvals change nothing that is published.
	approval       = topic("Approval(address,address,uint256)")
	approvalForAll = topic("ApprovalForAll(address,address,bool)")
)

// A Span is a range of ids, both ends included.
type Span struct {
	From uint64 `json:"from"`
	To   uint64 `json:"to"`
}

// wide is the length from which a batch update is owed instead of being read
// at once; it may span the whole collection.
const wide = 256

// Touched returns the ids and spans that a log says have changed. Numbers that
// cannot be ids are left out; a log of another contract, or one without
// topics, says nothing.
func (r Realm) Touched(l evm.Log) (ids []uint64, span *Span) {
	if l.Address != r.Contract || len(l.Topics) == 0 {
		return nil, nil
	}
	if l.Topics[0] == approval || l.Topics[0] == approvalForAll {
		return nil, nil
	}
	if l.Topics[0] == batchUpdate {
		return batch(l.Data)
	}
	at, known := events[l.Topics[0]]
	switch {
	case known && at != inData && len(l.Topics) > int(at):
		return appendID(nil, l.Topics[at][:]), nil
	case known && at == inData && len(l.Data) >= 32:
		return appendID(nil, l.Data[:32]), nil
	}
	for _, t := range l.Topics[1:] {
		ids = appendID(ids, t[:])
	}
	if known && len(l.Data) >= 32 { // declared with other fields indexed
		ids = appendID(ids, l.Data[:32])
	}
	return ids, nil
}

func appendID(ids []uint64, word []byte) []uint64 {
	if n := new(uint256.Int).SetBytes(word); n.IsUint64() && n.Uint64() <= MaxID {
		return append(ids, n.Uint64())
	}
	return ids
}

// batch reads the two ends of a batch update, which may be any numbers.
func batch(data []byte) ([]uint64, *Span) {
	if len(data) < 64 {
		return nil, nil
	}
	end := func(word []byte) uint64 {
		if n := new(uint256.Int).SetBytes(word); n.IsUint64() {
			return min(n.Uint64(), MaxID)
		}
		return MaxID
	}
	from, to := end(data[:32]), end(data[32:64])
	if to < from {
		return nil, nil
	}
	if to-from >= wide {
		return nil, &Span{from, to}
	}
	var ids []uint64
	for id := from; id <= to; id++ {
		ids = append(ids, id)
	}
	return ids, nil
}
