package pet

import (
	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/crypto"

	"petsupply/internal/evm"
)

func topic(signature string) common.Hash { return crypto.Keccak256Hash([]byte(signature)) }

var (
	// ranges are the events that name the first and the last of several ids.
	ranges = map[common.Hash]bool{
		topic("BatchMetadataUpdate(uint256,uint256)"):                           true,
		topic("TraitUpdatedRange(bytes32,uint256,uint256)"):                     true,
		topic("TraitUpdatedRangeUniformValue(bytes32,uint256,uint256,bytes32)"): true,
	}
	transfer = topic("Transfer(address,address,uint256)")
	// Approvals change nothing that is published.
	approval       = topic("Approval(address,address,uint256)")
	approvalForAll = topic("ApprovalForAll(address,address,bool)")
)

// TransferID returns the word with the id in an ERC-721 Transfer event, or nil for other events.
func TransferID(l evm.Log) []byte {
	if len(l.Topics) != 4 || l.Topics[0] != transfer {
		return nil
	}
	return l.Topics[3][:]
}

// A Span is a range of ids, including both ends.
type Span struct {
	From uint64 `json:"from"`
	To   uint64 `json:"to"`
}

// wide is the number of ids above which a batch update is read in steps, because it may span the
// whole collection.
const wide = 256

// Touched returns the ids, or the span of ids, that a log reports as changed. In an unknown event
// every indexed number that may be an id counts as one, because a needless read is cheap and a
// missed change is not. Numbers that cannot be ids are ignored, and so are approvals, logs of other
// contracts, and logs without topics.
func (rg *Registry) Touched(r Realm, l evm.Log) (ids []uint64, span *Span) {
	if l.Address != r.Contract || len(l.Topics) == 0 {
		return nil, nil
	}
	if l.Topics[0] == approval || l.Topics[0] == approvalForAll {
		return nil, nil
	}
	if ranges[l.Topics[0]] {
		return batch(l.Data)
	}
	word, known := rg.Collection.EventID(l.Topics, l.Data)
	if word != nil {
		return appendID(nil, word), nil
	}
	for _, t := range l.Topics[1:] {
		ids = appendID(ids, t[:])
	}
	if known && len(l.Data) >= 32 { // the id is not at its declared place; it may be the first word
		ids = appendID(ids, l.Data[:32])
	}
	return ids, nil
}

func appendID(ids []uint64, word []byte) []uint64 {
	if n, ok := DecodeUint(word); ok && n <= MaxID {
		return append(ids, n)
	}
	return ids
}

// batch returns the ids that a batch update names by its two ends, or a span if there are many. An
// end above MaxID counts as MaxID.
func batch(data []byte) ([]uint64, *Span) {
	if len(data) < 64 {
		return nil, nil
	}
	end := func(word []byte) uint64 {
		if n, ok := DecodeUint(word); ok {
			return min(n, MaxID)
		}
		return MaxID
	}
	from := end(data[:32])
	to := end(data[32:64])
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
