package web

import (
	"context"
	"errors"
	"net/http"
	"strings"

	"filippo.io/torchwood"
	merkle "golang.org/x/mod/sumdb/tlog"

	"petsupply/internal/supply/tlog"
	"petsupply/internal/web/answer"
)

// TLog is the log of what is published. *tlog.Keeper is one.
type TLog interface {
	// Latest returns the newest log, with its checkpoint; nil before there is one.
	Latest() *tlog.Log
	// Tile returns a tile of it, as far as it is signed; tlog.ErrNone beyond.
	Tile(ctx context.Context, t merkle.Tile) ([]byte, error)
	// Include shows that the leaf with this hash, in hex, is in it (C2SP
	// tlog-proof); tlog.ErrNone if it is not, or not yet.
	Include(ctx context.Context, leaf string) (string, error)
}

// latestLog returns the log, or why there is none to answer from.
func (s *supplyAPI) latestLog() (*tlog.Log, error) {
	if s.tlog == nil {
		return nil, answer.NotFound("there is no log here")
	}
	if l := s.tlog.Latest(); l != nil {
		return l, nil
	}
	return nil, &answer.Problem{Status: http.StatusServiceUnavailable, Detail: "the log has no checkpoint yet", Retry: retryLater}
}

// checkpoint serves the signed head of the log.
func (s *supplyAPI) checkpoint(*answer.Request) (*answer.Response, error) {
	l, err := s.latestLog()
	if err != nil {
		return nil, err
	}
	return logText(l.Signed), nil
}

// verifierKey serves the key by which checkpoints are checked.
func (s *supplyAPI) verifierKey(*answer.Request) (*answer.Response, error) {
	l, err := s.latestLog()
	if err != nil {
		return nil, err
	}
	return logText([]byte(l.VerifierKey + "\n")), nil
}

// logText is a text that may change with the log.
func logText(body []byte) *answer.Response {
	return &answer.Response{Media: answer.TextType, Body: body, Cache: answer.CachePolicy{MaxAge: listPolicy.MaxAge}}
}

// tile serves a piece of the log.
func (s *supplyAPI) tile(q *answer.Request) (*answer.Response, error) {
	if _, err := s.latestLog(); err != nil {
		return nil, err
	}
	path := "tile/" + answer.Lower(strings.Join(q.Args, "/"))
	t, err := torchwood.ParseTilePath(path)
	if err != nil || torchwood.TilePath(t) != path { // it also reads tile/data
		return nil, answer.ErrNoPath
	}
	if err := s.limit.Take(q, 1); err != nil {
		return nil, err
	}
	body, err := s.tlog.Tile(q.Context(), t)
	if errors.Is(err, tlog.ErrNone) {
		return nil, answer.NotFound("the log does not have this tile; its checkpoint says how large it is")
	}
	if err != nil {
		return nil, unavailable(err)
	}
	r := &answer.Response{
		Media: "application/octet-stream", Body: body, Cache: steadyPolicy, Compress: t.L == tlog.Entries}
	if t.W == torchwood.TileWidth {
		r.Cache = tilePolicy
	}
	return r, nil
}
