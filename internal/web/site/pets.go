package site

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"github.com/ethereum/go-ethereum/common"

	artcard "petsupply/internal/art/card"
	"petsupply/internal/pet"
)

// picture is the address of a pet's picture as lists show it: each of the
// grid's pixels once, which browsers then enlarge without loss.
func (s *Site) picture(p pet.Pet) string {
	return fmt.Sprintf("%s/image/%d?size=%d&v=%s", s.PetsURL, p.ID, s.pixels(1), s.version(p))
}

// pixels is a picture's width at a scale; 0 is the pack's own.
func (s *Site) pixels(scale int) int {
	if scale == 0 {
		scale = s.Pack.Scale()
	}
	return s.Pack.Grid() * scale
}

func (s *Site) sizes() []int {
	out := make([]int, 12)
	for i := range out {
		out[i] = s.pixels(i + 1)
	}
	return out
}

// version is the hash in the address of a pet's picture.
func (s *Site) version(p pet.Pet) string { return s.Pack.PictureVersion(s.Pack.LookOf(p)) }

// unfold makes a link show a pet's card.
func (s *Site) unfold(c *card, p pet.Pet) {
	page := fmt.Sprintf("%s/pet/%d", s.SiteURL, p.ID)
	c.Image = page + "/card.png?v=" + artcard.NewPet(s.Pack, p, s.Realms, artcard.Foot(page, s.Demo)).Version()
	c.Width, c.Height = artcard.Width, artcard.Height
}

// census is how many pets there are of each kind, nil where that cannot be said
// now.
func (s *Site) census(ctx context.Context) *pet.Census {
	c, err := s.Census(ctx)
	if err != nil {
		return nil
	}
	return c
}

// A called is a pet's name with the number at its end apart, so that a long name can be
// cut and its number stays.
type called struct{ Name, Number string }

func splitName(name string) called {
	if i := strings.LastIndex(name, " #"); i > 0 {
		return called{name[:i], name[i+1:]}
	}
	return called{Name: name}
}

// homeRealm is the name of the realm that a number counts in, "" where there is just
// one. Pages show it with a pet's name: every realm has a number 42.
func (s *Site) homeRealm(id uint64) string {
	name, own := "", 0
	for _, r := range s.Realms {
		if r.Offset != nil {
			own++
		}
		if r.Native(id) {
			name = r.Name
		}
	}
	if own < 2 {
		return ""
	}
	return name
}

// fullName is a pet's name with its realm, as titles have it.
func (s *Site) fullName(p *pet.Pet) string { return about(s.Words.Name(p), s.homeRealm(p.ID)) }

// ownerLink is the address of the gallery with the pets of an owner.
func (s *Site) ownerLink(a common.Address) string { return s.base + "/gallery?owner=" + a.Hex() }

func (s *Site) goToPet(id uint64) *page {
	return &page{redirect: s.base + "/pet/" + strconv.FormatUint(id, 10)}
}
