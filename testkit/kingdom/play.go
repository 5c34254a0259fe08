package kingdom

import (
	"context"
	"math/big"

	"petsupply/testkit/anvil"
)

// names are names of pets. Some of them are hard to print.
var names = []string{
	"Bramble", "Pip", "Tuffet", "Marrow", "Quillon", "Oddment", "Sable", "Nettle", "Dumpling", "Thimble",
	"Old Moss", "Fernanda", "Kettle", "Brindle", "Sir Hops", "Wick", "Plum", "Juniper", "Cobble", "Halo",
	"Éclair", "Žofka", "さくら", "🌿 Sprig", "<b>Bold</b>", "O'Malley", "a \"quoted\" one", "line\nbreak", "",
}

// play hatches a pet, or changes one that has not changed in this round.
func (k *Kingdom) play(ctx context.Context, r *round) error {
	if len(k.pets) == 0 || k.chance(8) {
		k.hatch(r, k.Realms[k.dice.IntN(3)])
		return nil
	}
	b := k.pets[k.dice.IntN(len(k.pets))]
	if r.touched[b.id] {
		return nil
	}
	r.touched[b.id] = true
	if b.away != nil {
		k.arrive(r, b)
		return nil
	}
	if k.chance(20) {
		return k.depart(ctx, r, b)
	}
	k.care(r, b)
	return nil
}

// care makes a change that an owner or a friend would make.
func (k *Kingdom) care(r *round, b *petState) {
	id := new(big.Int).SetUint64(b.id)
	do := func(method string, args ...any) {
		r.do(b.at.Chain, anvil.Tx{To: b.at.Contract, Method: method, Args: args})
	}
	switch dice := k.dice.IntN(10); {
	case b.hidden && dice < 6:
		do("reveal", id, new(big.Int).SetUint64(k.dice.Uint64()))
		b.hidden = false
		r.say("pet %d is revealed", b.id)
	case dice < 4:
		r.do(b.at.Chain, anvil.Tx{From: k.person(b.at), To: b.at.Contract, Method: "feed",
			Args: []any{id, uint8(1 + k.dice.IntN(4))}})
		r.say("pet %d is fed", b.id)
	case dice < 6:
		name := names[k.dice.IntN(len(names))]
		do("rename", id, name)
		r.say("pet %d is now called %q", b.id, name)
	case dice < 7:
		do("equip", id, big.NewInt(k.dice.Int64N(1e12)))
		r.say("pet %d has found a hero", b.id)
	case dice < 9:
		to := k.person(b.at)
		do("transferFrom", b.owner, to, id)
		b.owner = to
		r.say("pet %d has a new owner", b.id)
	default:
		do("reroll", id)
		b.hidden = true
		r.say("pet %d is rerolled", b.id)
	}
}

// depart sends a pet towards another realm; guests go home half of the time.
func (k *Kingdom) depart(ctx context.Context, r *round, b *petState) error {
	pet, err := k.Read(ctx, b.at, b.id)
	if err != nil {
		return err
	}
	to := k.Realms[k.dice.IntN(len(k.Realms))]
	if home := k.home(b.id); home != b.at && k.chance(50) {
		to = home
	}
	if to == b.at {
		return nil
	}
	b.away = &voyage{pet: pet, to: to, left: 1 + k.dice.IntN(3)}
	r.do(b.at.Chain, anvil.Tx{To: b.at.Contract, Method: "send", Args: []any{new(big.Int).SetUint64(b.id),
		new(big.Int).SetUint64(to.Chain.ID)}})
	r.say("pet %d leaves %s for %s", b.id, b.at.Name, to.Name)
	return nil
}

// arrive ends the journey of a pet, once it has lasted long enough.
func (k *Kingdom) arrive(r *round, b *petState) {
	if b.away.left--; b.away.left > 0 {
		return
	}
	to := b.away.to
	b.owner = k.person(to)
	r.do(to.Chain, anvil.Tx{To: to.Contract, Method: "arrive", Args: []any{b.owner, b.away.pet}})
	r.say("pet %d arrives in %s", b.id, to.Name)
	b.at, b.away = to, nil
}

// home returns the realm that an id belongs to.
func (k *Kingdom) home(id uint64) *Realm {
	return k.Realms[id/1e12]
}
