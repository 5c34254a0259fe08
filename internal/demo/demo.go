// Package demo is an invented kingdom: three tokens and the pets of three realms, on model chains
// (package world). Everything in it is a function of the time, so the same moment always gives the
// same kingdom, and the program contains no data of it. The command serve measures the kingdom when
// there is no configuration. Begin with NewWorld.
package demo

import (
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
// arguments: their FNV-1a hash, mixed so that all bits of the result depend on all bits of the
// arguments. A demo that starts tosses a hundred thousand times.
func toss(topic string, at ...uint64) uint64 {
	const prime = 1099511628211
	hash := uint64(14695981039346656037)
	for i := range len(topic) {
		hash = (hash ^ uint64(topic[i])) * prime
	}
	for _, n := range at {
		hash = mix(hash ^ n)
	}
	return mix(hash)
}

// mix is the finalizer of SplitMix64.
func mix(x uint64) uint64 {
	x += 0x9e3779b97f4a7c15
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
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
