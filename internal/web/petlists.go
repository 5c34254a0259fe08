package web

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"strings"

	"github.com/ethereum/go-ethereum/common"

	"petsupply/internal/pet"
	"petsupply/internal/web/answer"
)

// maxIDs is how many pets the parameter ids may list.
const maxIDs = 100

// listParams are the parameters of a listing besides the collection's filters, and "ids", which no
// other may accompany.
var listParams = []string{"ids", "realm", "owner", "cursor", "limit"}

// PetListings lists pets. *directory.Directory is one.
type PetListings interface {
	// List returns a page of pets, or pet.ErrBadPageToken if the page token of q does not come from
	// List.
	List(ctx context.Context, q pet.Query) (pet.Page, error)
	// Refuses says why a listing cannot have a parameter that callers may expect, or returns "".
	Refuses(param string) string
	// History returns the known changes of one pet, oldest first.
	History(ctx context.Context, id uint64) ([]pet.Change, error)
	// Changes returns up to limit changes of all pets, in order. It begins after the change whose
	// number is *since, or with the oldest change if since is nil. The error is a pet.OutsideFeed
	// if some of these changes are no longer kept, or if *since is larger than the number of every
	// change.
	Changes(ctx context.Context, since *uint64, limit int) ([]pet.Change, error)
}

// tokens serves many documents: those of the given ids, or a page of a listing.
func (p *petAPI) tokens(q *answer.Request) (*answer.Response, error) {
	query := q.Query()
	ids, named := query.Text("ids")
	for _, param := range q.Route.Query {
		if _, given := query.Text(param); named && given && param != "ids" {
			query.Fail(param, "not allowed together with the parameter ids")
		}
	}
	if query.Err != nil {
		return nil, query.Err
	}
	if named {
		return p.batch(q, ids)
	}
	return p.list(q)
}

// A missingPet is a requested id without a document.
type missingPet struct {
	ID    string `json:"id"` // as requested, because it may be too large for a number
	Error string `json:"error"`
}

// batch serves the documents of several pets. The argument text has their ids, separated by commas,
// and the answer has the same order.
func (p *petAPI) batch(q *answer.Request, text string) (*answer.Response, error) {
	words := strings.Split(text, ",")
	if len(words) > maxIDs {
		return nil, answer.Malformed("ids", fmt.Sprintf("a list of more than %d ids", maxIDs))
	}
	ids, beyond, err := readIDs(words)
	if err != nil {
		return nil, err
	}
	if err := q.Pay(len(ids) + p.notInMemory(ids)); err != nil { // looking one up costs as much as writing one
		return nil, err
	}
	found, err := p.pets.Pets(q.Context(), ids)
	if err != nil {
		return nil, unavailable(err)
	}
	if err := q.Turn(); err != nil {
		return nil, err
	}
	doc := newPage(len(words))
	for _, word := range words {
		err := beyond[word]
		if err == nil {
			f := found[0]
			found = found[1:]
			if f.Err == nil {
				p.addTo(doc, f.Pet)
				continue
			}
			err = f.Err
		}
		doc.Missing = append(doc.Missing, missingPet{word, p.describe(err).Detail})
	}
	if len(doc.Missing) > 0 {
		return doc.response(answer.CachePolicy{}) // a missing pet may be minted in the next second
	}
	return doc.response(q.Route.Cache)
}

// readIDs parses each of words as an id. The map beyond has an error for each number that is too
// large for an id.
func readIDs(words []string) (ids []uint64, beyond map[string]error, err error) {
	beyond = map[string]error{}
	for _, w := range words {
		id, err := pet.ParseID(w)
		switch {
		case errors.Is(err, pet.ErrBadID):
			return nil, nil, answer.Malformed("ids", "not a list of ids separated by commas")
		case err != nil:
			beyond[w] = err
		default:
			ids = append(ids, id)
		}
	}
	return ids, beyond, nil
}

// notInMemory counts the pets that are not in memory.
func (p *petAPI) notInMemory(ids []uint64) int {
	n := 0
	for _, id := range ids {
		if _, ok := p.pets.Peek(id); !ok {
			n++
		}
	}
	return n
}

// A page is the answer to a batch, or a part of a listing. Its documents are appended as JSON,
// because encoding/json would parse each of them again.
type page struct {
	body    []byte       // the answer up to its last document
	Missing []missingPet `json:"missing"`
	Next    *string      `json:"next"` // cursor of the next page; null on the last one
}

const pageStart = `{"tokens":[`

// newPage returns a page with room for a number of documents.
func newPage(documents int) *page {
	return &page{
		body: append(make([]byte, 0, 256+documents*documentSize), pageStart...), Missing: []missingPet{},
	}
}

func (p *petAPI) addTo(doc *page, one pet.Pet) {
	if len(doc.body) > len(pageStart) {
		doc.body = append(doc.body, ',')
	}
	doc.body = p.documents.append(doc.body, p.documents.writer.Prepare(one))
}

func (doc *page) response(cache answer.CachePolicy) (*answer.Response, error) {
	rest, err := answer.JSON(doc, cache)
	if err == nil {
		rest.Body = append(append(doc.body, "],"...), rest.Body[1:]...)
	}
	return rest, err
}

// list serves a page of the pets that match all filters.
func (p *petAPI) list(q *answer.Request) (*answer.Response, error) {
	query := q.Query()
	want := p.query(query)
	if query.Err != nil {
		return nil, query.Err
	}
	if err := q.Pay(cmp.Or(want.Limit, pet.MaxLimit/2)); err != nil {
		return nil, err
	}
	if n := len(want.Traits); n > 1 || n == 1 && (want.Realms != nil || want.Owner != nil) {
		if err := q.Charge(walkUnits, 0); err != nil {
			return nil, err
		}
	}
	found, err := p.listings.List(q.Context(), want)
	if err != nil {
		return nil, unavailable(err)
	}
	if err := q.Turn(); err != nil {
		return nil, err
	}
	doc := newPage(len(found.Pets))
	for _, one := range found.Pets {
		p.addTo(doc, one)
	}
	if found.Next != "" {
		doc.Next = &found.Next
	}
	r, err := doc.response(q.Route.Cache)
	if err != nil {
		return nil, err
	}
	if found.Next != "" {
		next := q.URL.Query()
		next.Set("cursor", found.Next)
		r.SetHeader("Link", "<"+p.base.URL+"/tokens?"+next.Encode()+`>; rel="next"`)
	}
	return r, nil
}

// query reads the filters of a listing.
func (p *petAPI) query(q *answer.Query) pet.Query {
	want := pet.Query{Traits: map[string][]int{}}
	for _, f := range p.filters {
		text, given := q.Text(f.Key)
		if !given {
			continue
		}
		n, ok := p.words.FieldNumber(f, text)
		if !ok {
			q.Fail(f.Key, "not a number or name that this trait can have")
		}
		want.Traits[f.Key] = []int{int(n)}
	}
	if key, given := q.Text("realm"); given {
		want.Realms = []string{p.realm(q, key)}
	}
	if owner, given := q.Text("owner"); given {
		if !strings.HasPrefix(owner, "0x") || !common.IsHexAddress(owner) {
			q.Fail("owner", "not an address of 0x and 40 hexadecimal digits")
		}
		a := common.HexToAddress(owner)
		want.Owner = &a
	}
	want.PageToken, _ = q.Text("cursor")
	want.Limit = q.Number("limit", 0, 1, pet.MaxLimit)
	return want
}

// realm returns the key of a realm as it is configured. The given key may be in upper or lower
// case. If no realm has it, realm calls q.Fail and returns "".
func (p *petAPI) realm(q *answer.Query, key string) string {
	var keys []string
	for _, r := range p.realms {
		if answer.EqualFold(key, r.Key) {
			return r.Key
		}
		keys = append(keys, r.Key)
	}
	q.Fail("realm", "not one of "+strings.Join(keys, ", "))
	return ""
}

// Limits of a page of changes.
const (
	defaultChanges = 100
	maxChanges     = 1000
)

// A changeFeed is a part of the feed of changes, in order.
type changeFeed struct {
	Changes []pet.FeedChange `json:"changes"`
	Next    uint64           `json:"next"`           // the value of the parameter "since" for the next part
	Mark    string           `json:"mark,omitempty"` // FeedChange.Mark of change number Next; "" if not known
}

// changes serves changes of all pets, beginning after the last change that the caller has seen.
func (p *petAPI) changes(q *answer.Request) (*answer.Response, error) {
	query := q.Query()
	since := sequence(query, "since")
	mark, marked := query.Text("mark")
	if marked && (since == nil || mark == "") {
		query.Fail("mark", "only allowed together with the parameter since; take both from the same answer")
	}
	limit := query.Number("limit", defaultChanges, 1, maxChanges)
	if query.Err != nil {
		return nil, query.Err
	}
	if err := q.Pay(limit); err != nil {
		return nil, err
	}
	list, err := p.changesAfter(q.Context(), since, mark, limit)
	if kept, ok := errors.AsType[pet.OutsideFeed](err); ok {
		return nil, outsideFeed(kept, *since)
	}
	if errors.Is(err, pet.ErrFeedReset) {
		return nil, &answer.Problem{Status: http.StatusGone, Param: "mark",
			Detail: fmt.Sprintf("change %d does not have this mark, because a backup was restored: "+
				"read again all data that you need, and continue without the parameter mark", *since)}
	}
	if err != nil {
		return nil, unavailable(err)
	}
	if err := q.Turn(); err != nil {
		return nil, err
	}
	doc := changeFeed{Changes: make([]pet.FeedChange, len(list)), Mark: mark}
	if since != nil {
		doc.Next = *since
	}
	for i, c := range list {
		doc.Changes[i] = c.InFeed()
		doc.Next = c.Seq
	}
	if n := len(list); n > 0 {
		doc.Mark = doc.Changes[n-1].Mark()
	}
	return answer.JSON(doc, q.Route.Cache)
}

// changesAfter returns the changes after the change whose number is *since. If mark is not empty
// and that change no longer has this mark, the error is pet.ErrFeedReset.
func (p *petAPI) changesAfter(ctx context.Context, since *uint64, mark string, limit int) ([]pet.Change, error) {
	if mark == "" {
		return p.listings.Changes(ctx, since, limit)
	}
	before := max(*since, 1) - 1
	list, err := p.listings.Changes(ctx, &before, limit+1)
	if kept, ok := errors.AsType[pet.OutsideFeed](err); ok && *since > kept.Newest {
		return nil, pet.ErrFeedReset
	}
	if err != nil {
		return nil, err
	}
	if len(list) == 0 || list[0].Seq != *since || list[0].InFeed().Mark() != mark {
		return nil, pet.ErrFeedReset
	}
	return list[1:], nil
}

// outsideFeed returns the problem that tells a caller which changes are kept.
func outsideFeed(kept pet.OutsideFeed, since uint64) error {
	if since > kept.Newest {
		return answer.Malformed("since", fmt.Sprintf("beyond the newest change, which is %d", kept.Newest))
	}
	return &answer.Problem{Status: http.StatusGone, Param: "since", Detail: fmt.Sprintf(
		"changes before %d are no longer kept: read again all data that you need, and continue with since=%d",
		kept.Oldest, kept.Oldest-1)}
}

// sequence reads the number of a change from the query parameter called name. It returns nil if
// there is no such parameter. If the number is malformed, it returns nil and reports a fault to q.
func sequence(q *answer.Query, name string) *uint64 {
	s, given := q.Text(name)
	if !given {
		return nil
	}
	n, err := strconv.ParseUint(s, 10, 63)
	if err != nil || strconv.FormatUint(n, 10) != s {
		q.Fail(name, "not the number of a change")
		return nil
	}
	return &n
}
