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

// TLog has the current log of publications, and the logs before it. *tlog.Keeper is one.
type TLog interface {
	// Find returns the log with this address. Its field Signed is the newest checkpoint. An empty
	// address means the current log. The error is tlog.ErrNone if there is no such log.
	Find(ctx context.Context, address string) (*tlog.Log, error)
	// Tile returns a tile of a log. The error is tlog.ErrNone if the tile is beyond the signed
	// part.
	Tile(ctx context.Context, l *tlog.Log, t merkle.Tile) ([]byte, error)
	// Include proves that the leaf with this hash, in hex, is in a log (C2SP tlog-proof). It prefers
	// the current log. The error is tlog.ErrNone if no log has the leaf, or if the leaf is not
	// signed yet.
	Include(ctx context.Context, leaf string) (string, error)
}

// ofLog returns a handler that finds the log that a request names, or the current log, and lets the
// function "answers" make the response.
func (s *supplyAPI) ofLog(answers func(*answer.Request, *tlog.Log) (*answer.Response, error)) answer.Handler {
	return func(q *answer.Request) (*answer.Response, error) {
		if s.tlog == nil {
			return nil, answer.NotFound("this service has no log")
		}
		address := ""
		if len(q.Args) > 0 {
			address = answer.Lower(q.Args[0])
		}
		if err := q.Pay(0); err != nil {
			return nil, err
		}
		l, err := s.tlog.Find(q.Context(), address)
		switch {
		case err == nil:
			return answers(q, l)
		case !errors.Is(err, tlog.ErrNone):
			return nil, unavailable(err)
		case address != "":
			return nil, answer.NotFound("there is no such log here")
		}
		return nil, &answer.Problem{
			Status: http.StatusServiceUnavailable, Detail: "the log has no checkpoint yet", Retry: retryLater}
	}
}

// checkpoint serves the signed head of a log.
func (s *supplyAPI) checkpoint(q *answer.Request, l *tlog.Log) (*answer.Response, error) {
	return &answer.Response{Media: answer.TextType, Body: l.Signed, Cache: q.Route.Cache}, nil
}

// verifierKey serves the key that verifies checkpoints of a log.
func (s *supplyAPI) verifierKey(q *answer.Request, l *tlog.Log) (*answer.Response, error) {
	return &answer.Response{Media: answer.TextType, Body: []byte(l.VerifierKey + "\n"), Cache: q.Route.Cache}, nil
}

// tile serves a piece of a log.
func (s *supplyAPI) tile(q *answer.Request, l *tlog.Log) (*answer.Response, error) {
	path := "tile/" + answer.Lower(strings.Join(q.Args[1:], "/"))
	t, err := torchwood.ParseTilePath(path)
	if err != nil || torchwood.TilePath(t) != path { // ParseTilePath also accepts tile/data for tile/entries
		return nil, answer.ErrNoPath
	}
	body, err := s.tlog.Tile(q.Context(), l, t)
	if errors.Is(err, tlog.ErrNone) {
		return nil, answer.NotFound("the log does not have this tile; its checkpoint says how large the log is")
	}
	if err != nil {
		return nil, unavailable(err)
	}
	r := &answer.Response{
		Media: "application/octet-stream", Body: body, Cache: q.Route.Cache, Compress: t.L == tlog.Entries}
	if t.W == torchwood.TileWidth {
		r.Cache = versionPolicy
	}
	return r, nil
}
