package frozen

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"os"
	"path/filepath"

	"petsupply/internal/art"
	"petsupply/internal/store"
	"petsupply/internal/supply"
)

// A Writer writes the published files of a copy that Take began. It skips files that are already
// correct, so finishing an interrupted copy is faster.
type Writer struct {
	Dir  string
	Head *Head
	// Base is the address where the copy will be served; "" means the service's address.
	Base string

	// Answers, Pack and Store are those of a service that was restored from the data in the copy. It
	// has the addresses of the service that is copied, not Base.
	Answers http.Handler
	Pack    *art.Pack
	Store   *store.Store
	// Progress is called with the number of files just finished, from several goroutines.
	Progress func(n int)
}

// Write writes all files, provenance.json last. It returns the provenance and the SHA-256 of
// its file in hexadecimal.
func (w *Writer) Write(ctx context.Context) (p *Provenance, hash string, err error) {
	defer func() {
		if err != nil {
			err = fmt.Errorf("writing the copy in %s: %w", w.Dir, err)
		}
	}()
	p = newProvenance(w.Head)
	p.Pack = packOrigin{ID: w.Pack.ID(), Version: w.Pack.Version()}
	part := provenanceFile + ".part"
	for _, name := range []string{provenanceFile, part} {
		if err := os.Remove(w.name(name)); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return nil, "", err
		}
	}
	err = w.writeSupply(ctx, p)
	if err == nil {
		err = w.writeLog(ctx, p)
	}
	if err == nil && len(w.Head.Realms) > 0 {
		err = w.writePets(ctx, p)
	}
	if err == nil {
		p.Root, err = writeSums(ctx, w.Dir)
	}
	if err == nil {
		err = writeJSON(w.name(part), p)
	}
	if err != nil {
		return nil, "", err
	}
	text, err := os.ReadFile(w.name(part))
	if err != nil {
		return nil, "", err
	}
	return p, fmt.Sprintf("%x", sha256.Sum256(text)), os.Rename(w.name(part), w.name(provenanceFile))
}

// writeSupply writes the published documents and figures of every token, and adds the figures to p.
func (w *Writer) writeSupply(ctx context.Context, p *Provenance) error {
	if len(w.Head.Tokens) == 0 {
		return nil
	}
	base := w.Head.SupplyURL
	all, _, err := w.save(ctx, base+"/", "supply/index.json")
	if err != nil {
		return err
	}
	var documents []struct{ Snapshot *string } // in the order of the tokens
	if err := json.Unmarshal(all, &documents); err != nil {
		return fmt.Errorf("reading the document of all tokens: %w", err)
	}
	if len(documents) != len(w.Head.Tokens) {
		return fmt.Errorf("the document of all tokens has %d of %d tokens", len(documents), len(w.Head.Tokens))
	}
	for i, t := range w.Head.Tokens {
		at, dir := base+"/"+t.Path, "supply/"+t.Path+"/"
		if _, _, err := w.save(ctx, at+"/ledger", dir+"ledger.json"); err != nil {
			return err
		}
		if documents[i].Snapshot == nil {
			continue // the token has no figure
		}
		document, found, err := w.save(ctx, at, dir+"index.json")
		if err == nil && found {
			err = p.addFigures(t.Path, document)
		}
		if err != nil {
			return err
		}
		files := [][2]string{
			{"/evidence", "evidence.json"},
			{"/proof", "proof.json"},
			{fmt.Sprintf("/history?from=0&to=%d&points=2000", w.Head.AsOf.Unix()+1), "history.json"},
		}
		for _, name := range supply.FigureNames {
			files = append(files,
				[2]string{"/" + name, name},
				[2]string{"/" + name + "?format=json", name + ".json"})
		}
		for _, f := range files {
			if _, _, err := w.save(ctx, at+f[0], dir+f[1]); err != nil {
				return err
			}
		}
	}
	return nil
}

// save writes the restored service's answer at an address to a file. found is false if the service
// has no such answer.
func (w *Writer) save(ctx context.Context, address, file string) (body []byte, found bool, err error) {
	body, found, err = w.get(ctx, address)
	if err == nil && found {
		err = w.put(file, body)
	}
	return body, found, err
}

func (w *Writer) name(file string) string { return filepath.Join(w.Dir, filepath.FromSlash(file)) }

// put writes a file unless it already has this content.
func (w *Writer) put(file string, content []byte) error {
	name := w.name(file)
	if old, err := os.ReadFile(name); err == nil && bytes.Equal(old, content) {
		w.Progress(1)
		return nil
	}
	err := os.WriteFile(name, content, 0o644)
	if errors.Is(err, fs.ErrNotExist) {
		if err = os.MkdirAll(filepath.Dir(name), 0o755); err == nil {
			err = os.WriteFile(name, content, 0o644)
		}
	}
	if err == nil {
		w.Progress(1)
	}
	return err
}

// errUnavailable means that the service answered 503, because it has nothing to serve at the
// address.
var errUnavailable = errors.New("not available")

// get sends a request to the restored service. found is false if the service answers 404 or 410.
// The error is errUnavailable if it answers 503.
func (w *Writer) get(ctx context.Context, address string) (body []byte, found bool, err error) {
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
	if err != nil {
		return nil, false, err
	}
	a := record(w.Answers, r)
	switch a.status {
	case http.StatusOK:
		return a.body.Bytes(), true, nil
	case http.StatusNotFound, http.StatusGone:
		return nil, false, ctx.Err()
	case http.StatusServiceUnavailable:
		if err := ctx.Err(); err != nil {
			return nil, false, err
		}
		return nil, false, fmt.Errorf("%w: %s", errUnavailable, &a.body)
	}
	return nil, false, fmt.Errorf("requesting %s: %d %s", address, a.status, &a.body)
}

// Transport sends requests to a handler in this process.
type Transport struct{ http.Handler }

// RoundTrip returns the handler's response.
func (t Transport) RoundTrip(r *http.Request) (*http.Response, error) {
	a := record(t.Handler, r.Clone(r.Context()))
	return &http.Response{StatusCode: a.status, Status: fmt.Sprint(a.status, " ", http.StatusText(a.status)),
		Header: a.header, Body: io.NopCloser(&a.body), Request: r}, r.Context().Err()
}

// A recorder stores one response.
type recorder struct {
	header http.Header
	status int
	body   bytes.Buffer
}

// record returns the response of a handler.
func record(h http.Handler, r *http.Request) *recorder {
	r.RequestURI = r.URL.RequestURI()
	a := &recorder{header: http.Header{}}
	h.ServeHTTP(a, r)
	return a
}

func (a *recorder) Header() http.Header { return a.header }

func (a *recorder) WriteHeader(status int) {
	if a.status == 0 {
		a.status = status
	}
}

func (a *recorder) Write(b []byte) (int, error) {
	a.WriteHeader(http.StatusOK)
	return a.body.Write(b)
}
