package web

import (
	"errors"
	"fmt"
	"net/http"
	"strconv"

	"petsupply/internal/pet"
	"petsupply/internal/web/answer"
)

// Limits of a page of changes.
const (
	defaultChanges = 100
	maxChanges     = 1000
)

// A changeFeed is a part of all changes, in order.
type changeFeed struct {
	Changes []pet.FeedChange `json:"changes"`
	Next    uint64           `json:"next"` // since of the part after
}

// changes serves what changed in all pets after a change that the caller knows.
func (l *petLists) changes(q *answer.Request) (*answer.Response, error) {
	query := answer.Query{Raw: q.URL.RawQuery}
	since := sequence(&query, "since")
	limit := query.Number("limit", defaultChanges, 1, maxChanges)
	if query.Err != nil {
		return nil, query.Err
	}
	if err := l.limit.Take(q, (limit+defaultChanges-1)/defaultChanges); err != nil {
		return nil, err
	}
	list, err := l.listings.Changes(q.Context(), since, limit)
	if kept := (pet.OutsideFeed{}); errors.As(err, &kept) {
		return nil, outsideFeed(kept, *since)
	}
	if err != nil {
		return nil, answer.Unavailable(err)
	}
	doc := changeFeed{Changes: make([]pet.FeedChange, len(list))}
	if since != nil {
		doc.Next = *since
	}
	for i, c := range list {
		doc.Changes[i], doc.Next = pet.FeedChange{Seq: c.Seq, Change: c}, c.Seq
	}
	return answer.JSON(doc, listPolicy)
}

// outsideFeed says which changes there are to somebody who asked for others.
func outsideFeed(kept pet.OutsideFeed, since uint64) error {
	if since > kept.Newest {
		return answer.Malformed("since", fmt.Sprintf("beyond the newest change, which is %d", kept.Newest))
	}
	return &answer.Problem{Status: http.StatusGone, Param: "since", Detail: fmt.Sprintf(
		"changes before %d are no longer kept: go on with since=%d, and look at every pet anew that matters to you", kept.Oldest, kept.Oldest-1)}
}

// sequence reads the number of a change, nil if there is none.
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
