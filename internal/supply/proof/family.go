package proof

import (
	"fmt"
	"slices"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/rlp"
	"github.com/holiman/uint256"
)

// A family is a kind of client: the fields of its headers, and the form of accounts and storage
// keys in its state trie.
type family struct {
	name     string
	required int // number of fields that every header has, including the base fee
	fields   []field
	account  func(leaf []byte) (*types.StateAccount, error)
	// slotKey returns the key of a contract's slot in the trie.
	slotKey func(common.Hash) common.Hash
	// extra returns the part of a header's extraData that the block's hash covers.
	extra func([]byte) ([]byte, error)
	// proposer says that headers determine the results of COINBASE and GASLIMIT.
	proposer bool
}

// A field is a field of a header, by its JSON name. size is its length in bytes. If the length
// varies, size is quantity or text.
type field struct {
	name string
	size int
}

const (
	quantity = 0  // a number of at most 31 bytes, so that it cannot be mistaken for a hash
	text     = -1 // of any length
)

var ethereumFields = []field{
	{"parentHash", 32}, {"sha3Uncles", 32}, {"miner", 20}, {"stateRoot", 32}, {"transactionsRoot", 32},
	{"receiptsRoot", 32}, {"logsBloom", 256}, {"difficulty", quantity}, {"number", quantity}, {"gasLimit", quantity},
	{"gasUsed", quantity}, {"timestamp", quantity}, {"extraData", text}, {"mixHash", 32}, {"nonce", 8},
}

var avalancheFields = []field{
	{"blobGasUsed", quantity}, {"excessBlobGas", quantity}, {"parentBeaconBlockRoot", 32},
	{"timestampMilliseconds", quantity}, {"minDelayExcess", quantity},
}

// families are tried in this order. No header fits two of them.
var families = []*family{
	{
		name: "ethereum", required: len(ethereumFields) + 1, account: decodeAccount, slotKey: plainSlot,
		extra: plainExtra, proposer: true,
		fields: slices.Concat(ethereumFields, []field{
			{"baseFeePerGas", quantity}, {"withdrawalsRoot", 32}, {"blobGasUsed", quantity},
			{"excessBlobGas", quantity}, {"parentBeaconBlockRoot", 32}, {"requestsHash", 32},
			{"blockAccessListHash", 32}, {"slotNumber", quantity},
		}),
	},
	{
		name: "subnet-evm", required: len(ethereumFields) + 2, account: decodeAccount, slotKey: plainSlot,
		extra: plainExtra, proposer: true,
		fields: slices.Concat(ethereumFields, []field{{"baseFeePerGas", quantity}, {"blockGasCost", quantity}},
			avalancheFields),
	},
	{
		name: "coreth", required: len(ethereumFields) + 2, account: decodeCorethAccount, slotKey: corethSlot,
		extra: plainExtra, proposer: true,
		fields: slices.Concat(ethereumFields, []field{
			{"extDataHash", 32}, {"baseFeePerGas", quantity}, {"extDataGasUsed", quantity}, {"blockGasCost", quantity},
		}, avalancheFields),
	},
	{
		name: "kaia", required: 15, account: decodeKaiaAccount, slotKey: plainSlot, extra: kaiaExtra,
		fields: []field{
			{"parentHash", 32}, {"reward", 20}, {"stateRoot", 32}, {"transactionsRoot", 32}, {"receiptsRoot", 32},
			{"logsBloom", 256}, {"blockScore", quantity}, {"number", quantity}, {"gasUsed", quantity},
			{"timestamp", quantity}, {"timestampFoS", quantity}, {"extraData", text}, {"governanceData", text},
			{"voteData", text}, {"baseFeePerGas", quantity}, {"randomReveal", 96}, {"mixHash", 32},
			{"blobGasUsed", quantity}, {"excessBlobGas", quantity}, {"vrank", text},
		},
	},
}

// decodeAccount reads the four fields of Ethereum's accounts.
func decodeAccount(leaf []byte) (*types.StateAccount, error) {
	a := &types.StateAccount{}
	if err := rlp.DecodeBytes(leaf, a); err != nil {
		return nil, err
	}
	return checkedAccount(a)
}

// decodeCorethAccount reads five fields. The last says whether the account has other assets too.
func decodeCorethAccount(leaf []byte) (*types.StateAccount, error) {
	var a struct {
		Nonce     uint64
		Balance   *uint256.Int
		Root      common.Hash
		CodeHash  []byte
		MultiCoin bool
	}
	if err := rlp.DecodeBytes(leaf, &a); err != nil {
		return nil, err
	}
	return checkedAccount(&types.StateAccount{Nonce: a.Nonce, Balance: a.Balance, Root: a.Root, CodeHash: a.CodeHash})
}

// kaiaCommon is the beginning of all of Kaia's typed accounts. Key has many forms and does not
// matter here.
type kaiaCommon struct {
	Nonce         uint64
	Balance       *uint256.Int
	HumanReadable bool
	KeyType       uint64
	Key           rlp.RawValue
}

// decodeKaiaAccount reads an account after its type byte: 1 for an externally owned account, 2 for
// a contract. An account without a type byte has Ethereum's old form.
func decodeKaiaAccount(leaf []byte) (*types.StateAccount, error) {
	if len(leaf) == 0 {
		return nil, rlp.EOL
	}
	switch leaf[0] {
	case 1:
		var c kaiaCommon
		if err := rlp.DecodeBytes(leaf[1:], &c); err != nil {
			return nil, err
		}
		return checkedAccount(&types.StateAccount{Nonce: c.Nonce, Balance: c.Balance, Root: types.EmptyRootHash,
			CodeHash: types.EmptyCodeHash[:]})
	case 2:
		var a struct {
			Common   kaiaCommon
			Root     common.Hash
			CodeHash []byte
			CodeInfo uint8
		}
		if err := rlp.DecodeBytes(leaf[1:], &a); err != nil {
			return nil, err
		}
		return checkedAccount(&types.StateAccount{Nonce: a.Common.Nonce, Balance: a.Common.Balance, Root: a.Root,
			CodeHash: a.CodeHash})
	}
	return decodeAccount(leaf)
}

func checkedAccount(a *types.StateAccount) (*types.StateAccount, error) {
	if a.Balance == nil || len(a.CodeHash) != 32 {
		return nil, fmt.Errorf("its code hash has %d bytes, not 32", len(a.CodeHash))
	}
	return a, nil
}

func plainSlot(key common.Hash) common.Hash { return key }

// corethSlot clears the lowest bit of the first byte. In coreth, this bit is 0 in keys of slots, and
// 1 in keys of balances of other assets.
func corethSlot(key common.Hash) common.Hash {
	key[0] &^= 1
	return key
}

func plainExtra(extra []byte) ([]byte, error) { return extra, nil }

// kaiaVanity is how many bytes of Kaia's extra data come before the validators.
const kaiaVanity = 32

// kaiaExtra removes the committed seals, which are not part of the hash.
func kaiaExtra(extra []byte) ([]byte, error) {
	if len(extra) < kaiaVanity {
		return extra, nil
	}
	var council struct {
		Validators []common.Address
		Seal       []byte
		Committed  [][]byte
	}
	if err := rlp.DecodeBytes(extra[kaiaVanity:], &council); err != nil {
		return nil, fmt.Errorf("validators in extraData: %w", err)
	}
	council.Committed = [][]byte{}
	rest, err := rlp.EncodeToBytes(council)
	return append(extra[:kaiaVanity:kaiaVanity], rest...), err
}
