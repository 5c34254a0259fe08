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

// findLog returns the log that q asks for, and the other arguments of q. If addressed is true, the
// first argument is the log's address. Otherwise q asks for the current log.
func (s *supplyAPI) findLog(q *answer.Request, addressed bool) (*tlog.Log, []string, error) {
	if s.tlog == nil {
		return nil, nil, answer.NotFound("this service has no log")
	}
	address, args := "", q.Args
	if addressed {
		address, args = answer.Lower(args[0]), args[1:]
	}
	if len(q.Args) > 0 { // tiles and earlier logs may have to be read from the store
		if err := q.Pay(tileCost, 0); err != nil {
			return nil, nil, err
		}
	}
	l, err := s.tlog.Find(q.Context(), address)
	switch {
	case err == nil:
		return l, args, nil
	case !errors.Is(err, tlog.ErrNone):
		return nil, nil, unavailable(err)
	case addressed:
		return nil, nil, answer.NotFound("there is no such log here")
	}
	return nil, nil, &answer.Problem{
		Status: http.StatusServiceUnavailable, Detail: "the log has no checkpoint yet", Retry: retryLater}
}

// logRoute returns a handler that finds a log and lets the function "answers" make the response.
// See findLog for the argument addressed.
func (s *supplyAPI) logRoute(addressed bool,
	answers func(*answer.Request, *tlog.Log, []string) (*answer.Response, error),
) answer.Handler {
	return func(q *answer.Request) (*answer.Response, error) {
		l, args, err := s.findLog(q, addressed)
		if err != nil {
			return nil, err
		}
		return answers(q, l, args)
	}
}

// checkpoint serves the signed head of a log.
func (s *supplyAPI) checkpoint(_ *answer.Request, l *tlog.Log, _ []string) (*answer.Response, error) {
	return logText(l.Signed), nil
}

// verifierKey serves the key that verifies checkpoints of a log.
func (s *supplyAPI) verifierKey(_ *answer.Request, l *tlog.Log, _ []string) (*answer.Response, error) {
	return logText([]byte(l.VerifierKey + "\n")), nil
}

// logText returns an answer that may change as the log grows.
func logText(body []byte) *answer.Response {
	return &answer.Response{Media: answer.TextType, Body: body, Cache: answer.CachePolicy{MaxAge: listPolicy.MaxAge}}
}

// tile serves a piece of a log.
func (s *supplyAPI) tile(q *answer.Request, l *tlog.Log, args []string) (*answer.Response, error) {
	path := "tile/" + answer.Lower(strings.Join(args, "/"))
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
		Media: "application/octet-stream", Body: body, Cache: steadyPolicy, Compress: t.L == tlog.Entries}
	if t.W == torchwood.TileWidth {
		r.Cache = versionPolicy
	}
	return r, nil
}
