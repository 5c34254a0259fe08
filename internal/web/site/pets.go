package site

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"github.com/ethereum/go-ethereum/common"

	"petsupply/internal/pet"
)

// picture returns the address of a pet's picture for lists. The picture has one pixel for each cell
// of the grid, and browsers enlarge it without loss.
func (s *Site) picture(p pet.Pet) string {
	return fmt.Sprintf("%s/image/%d?size=%d&v=%s", s.PetsURL, p.ID, s.pixels(1), s.version(p))
}

// pixels returns a picture's width at a scale; 0 means the pack's own scale.
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

// version returns the hash in the address of a pet's picture.
func (s *Site) version(p pet.Pet) string { return s.Pack.PictureVersion(s.Pack.LookOf(p)) }

// previewSize is the largest width of the picture that previews of a link show.
const previewSize = 720

// unfold makes previews of a link show a pet's picture.
func (s *Site) unfold(c *card, p pet.Pet) {
	size := s.pixels(max(previewSize/s.Pack.Grid(), 1))
	c.Image = fmt.Sprintf("%s/image/%d?size=%d&v=%s", s.PetsURL, p.ID, size, s.version(p))
	c.Width = size
	c.Height = size
}

// census returns the counts of pets, or nil if they are not known now.
func (s *Site) census(ctx context.Context) *pet.Census {
	c, err := s.Census(ctx)
	if err != nil {
		return nil
	}
	return c
}

// nameParts are a pet's name and the number at its end. Pages can shorten a long name and still
// show the whole number.
type nameParts struct{ Name, Number string }

func (n nameParts) String() string { return strings.TrimSuffix(n.Name+" "+n.Number, " ") }

// nameParts returns the parts of a pet's name. To a name that the owner gave, it adds the pet's
// number, because several pets can have the same given name.
func (s *Site) nameParts(p pet.Pet) nameParts {
	name := s.Words.Name(&p)
	if p.Name != "" && name == pet.Clean(p.Name) {
		home, _ := pet.HomeRealm(s.Realms, p.ID)
		return nameParts{name, "#" + strconv.FormatUint(home.Number(p.ID), 10)}
	}
	if i := strings.LastIndex(name, " #"); i > 0 {
		return nameParts{name[:i], name[i+1:]}
	}
	return nameParts{Name: name}
}

// homeRealm returns the name of the native realm of an id, or "" if only one realm has native pets.
// Pages show this name with a pet's name, because pets of several realms can have the same number.
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

// where says in which realm a pet is and which realm its number belongs to. It is "" if only one
// realm has native pets.
func (s *Site) where(p pet.Pet) string {
	home, now := s.homeRealm(p.ID), s.realmName(p.Realm)
	switch {
	case home == "":
		return ""
	case p.InTransit && home != now:
		return home + ", in transit from " + now
	case p.InTransit:
		return "In transit from " + now
	case home != now:
		return now + ", from " + home
	}
	return home
}

// fullName returns a pet's name with its number and its realm, for titles.
func (s *Site) fullName(p *pet.Pet) string { return about(s.nameParts(*p).String(), s.homeRealm(p.ID)) }

// ownerName returns the short address of an owner. If it is a bridge, the name says so.
func (s *Site) ownerName(a common.Address) string {
	if bridge := s.bridge(a); bridge != "" {
		return bridge + ", " + short(a.Hex())
	}
	return short(a.Hex())
}

// ownerLink returns the address of the gallery with the pets of an owner.
func (s *Site) ownerLink(a common.Address) string { return s.base + "/gallery?owner=" + a.Hex() }

func (s *Site) goToPet(id uint64) *page {
	return &page{redirect: s.base + "/pet/" + strconv.FormatUint(id, 10)}
}
