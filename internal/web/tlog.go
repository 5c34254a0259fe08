package web

import (
	"context"
	"errors"
	"net/http"

	"petsupply/internal/supply/tlog"
)

// TLog is the log of what is published. *tlog.Keeper is one.
type TLog interface {
	// Latest returns the newest log, with its checkpoint; nil before there is one.
	Latest() *tlog.Log
	// Tile returns a tile of it, as far as it is signed; tlog.ErrNone beyond.
	Tile(ctx context.Context, t tlog.Tile) ([]byte, error)
	// Include shows that the leaf with this hash, in hex, is in it (C2SP
	// tlog-proof); tlog.ErrNone if it is not, or not yet.
	Include(ctx context.Context, leaf string) (string, error)
}

// latestLog returns the log, or why there is none to answer from.
func (s *supplyAPI) latestLog() (*tlog.Log, error) {
	if s.tlog == nil {
		return nil, notFound("there is no log here")
	}
	if l := s.tlog.Latest(); l != nil {
		return l, nil
	}
	return nil, &httpError{status: http.StatusServiceUnavailable, detail: "the log has no checkpoint yet", retry: defaultRetry}
}

// checkpoint serves the signed head of the log.
func (s *supplyAPI) checkpoint(*request) (*response, error) {
	l, err := s.latestLog()
	if err != nil {
		return nil, err
	}
	return &response{media: textType, body: l.Signed, cache: cachePolicy{maxAge: listPolicy.maxAge}}, nil
}

// verifierKey serves the key by which checkpoints are checked.
func (s *supplyAPI) verifierKey(*request) (*response, error) {
	l, err := s.latestLog()
	if err != nil {
		return nil, err
	}
	return &response{media: textType, body: []byte(l.VerifierKey + "\n"), cache: cachePolicy{maxAge: listPolicy.maxAge}}, nil
}

// tile serves a piece of the log.
func (s *supplyAPI) tile(q *request) (*response, error) {
	if _, err := s.latestLog(); err != nil {
		return nil, err
	}
	parts := make([]string, len(q.args))
	for i, p := range q.args {
		parts[i] = lower(p)
	}
	t, err := tlog.ParseTile(parts)
	if err != nil {
		return nil, errNoPath
	}
	if err := s.limit.take(q, 1); err != nil {
		return nil, err
	}
	body, err := s.tlog.Tile(q.Context(), t)
	if errors.Is(err, tlog.ErrNone) {
		return nil, notFound("the log does not have this tile; how large it is says its checkpoint")
	}
	if err != nil {
		return nil, unavailable(err)
	}
	r := &response{media: "application/octet-stream", body: body, cache: steadyPolicy, compress: t.Level == tlog.Entries}
	if t.Full() {
		r.cache = tilePolicy
	}
	return r, nil
}
