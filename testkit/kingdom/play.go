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
func (rg *Kingdom) play(ctx context.Context, r *round) error {
	if len(rg.pets) == 0 || rg.chance(8) {
		rg.hatch(r, rg.Realms[rg.dice.IntN(3)])
		return nil
	}
	b := rg.pets[rg.dice.IntN(len(rg.pets))]
	if r.touched[b.id] {
		return nil
	}
	r.touched[b.id] = true
	if b.away != nil {
		rg.arrive(r, b)
		return nil
	}
	if rg.chance(20) {
		return rg.depart(ctx, r, b)
	}
	rg.care(r, b)
	return nil
}

// care makes a change that an owner or a friend would make.
func (rg *Kingdom) care(r *round, b *petState) {
	id := new(big.Int).SetUint64(b.id)
	do := func(method string, args ...any) {
		r.do(b.at.Chain, anvil.Tx{To: b.at.Contract, Method: method, Args: args})
	}
	switch dice := rg.dice.IntN(10); {
	case b.hidden && dice < 6:
		do("reveal", id, new(big.Int).SetUint64(rg.dice.Uint64()))
		b.hidden = false
		r.say("pet %d is revealed", b.id)
	case dice < 4:
		r.do(b.at.Chain, anvil.Tx{From: rg.person(b.at), To: b.at.Contract, Method: "feed",
			Args: []any{id, uint8(1 + rg.dice.IntN(4))}})
		r.say("pet %d is fed", b.id)
	case dice < 6:
		name := names[rg.dice.IntN(len(names))]
		do("rename", id, name)
		r.say("pet %d is now called %q", b.id, name)
	case dice < 7:
		do("equip", id, big.NewInt(rg.dice.Int64N(1e12)))
		r.say("pet %d has found a hero", b.id)
	case dice < 9:
		to := rg.person(b.at)
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
func (rg *Kingdom) depart(ctx context.Context, r *round, b *petState) error {
	pet, err := rg.Read(ctx, b.at, b.id)
	if err != nil {
		return err
	}
	to := rg.Realms[rg.dice.IntN(len(rg.Realms))]
	if home := rg.home(b.id); home != b.at && rg.chance(50) {
		to = home
	}
	if to == b.at {
		return nil
	}
	b.away = &voyage{pet: pet, to: to, left: 1 + rg.dice.IntN(3)}
	r.do(b.at.Chain, anvil.Tx{To: b.at.Contract, Method: "send", Args: []any{new(big.Int).SetUint64(b.id),
		new(big.Int).SetUint64(to.Chain.ID)}})
	r.say("pet %d leaves %s for %s", b.id, b.at.Name, to.Name)
	return nil
}

// arrive ends the journey of a pet, once it has lasted long enough.
func (rg *Kingdom) arrive(r *round, b *petState) {
	if b.away.left--; b.away.left > 0 {
		return
	}
	to := b.away.to
	b.owner = rg.person(to)
	r.do(to.Chain, anvil.Tx{To: to.Contract, Method: "arrive", Args: []any{b.owner, b.away.pet}})
	r.say("pet %d arrives in %s", b.id, to.Name)
	b.at, b.away = to, nil
}

// home returns the realm that an id belongs to.
func (rg *Kingdom) home(id uint64) *Realm {
	return rg.Realms[id/1e12]
}
