// Package demo is an invented kingdom: three tokens and the pets of three realms, on model chains
// (package world). Everything in it is a function of the time, so the same moment always gives the
// same kingdom, and the program contains no data of it. The command serve measures the kingdom when
// there is no configuration. Begin with NewWorld.
package demo

import (
	"encoding/binary"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/crypto"
)

// The demo's pets hatch between Start and End, and change only after End. Amounts grow from Start
// on, also after End.
var (
	End   = time.Date(2026, 11, 1, 0, 0, 0, 0, time.UTC)
	Start = End.AddDate(0, 0, -120)
)

// toss is the kingdom's only source of chance. It returns a number that depends only on the
// arguments, and is the same in every version of the program.
func toss(topic string, at ...uint64) uint64 {
	buf := []byte("petsupply demo kingdom/" + topic)
	for _, n := range at {
		buf = binary.BigEndian.AppendUint64(buf, n)
	}
	return binary.BigEndian.Uint64(crypto.Keccak256(buf))
}

// address invents an address for a name.
func address(name string) common.Address {
	return common.BytesToAddress(crypto.Keccak256([]byte("petsupply demo kingdom/address/" + name))[12:])
}

// weighted picks an index with the given odds. n is a random number.
func weighted(n uint64, odds ...uint64) int {
	var sum uint64
	for _, o := range odds {
		sum += o
	}
	n %= sum
	i := 0
	for ; n >= odds[i]; i++ {
		n -= odds[i]
	}
	return i
}

// Origin is the name of the demo's log.
const Origin = "petsupply-demo.invalid/log"

// LogKey returns the key that signs the demo's log. It is not secret, because everything that it
// signs is invented.
func LogKey() [32]byte { return crypto.Keccak256Hash([]byte("petsupply demo kingdom/log key")) }
