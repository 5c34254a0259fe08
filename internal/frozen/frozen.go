// Package frozen writes what a service publishes into files that any web server can serve. Each
// file has the bytes that the service answers:
//
//	supply/           index.json, the documents and bare figures of each token, and the log in log/
//	pets/             contract.json, which describes the collection
//	pets/token/       a document for each pet
//	pets/image/       a picture of each pet
//	SHA256SUMS        the SHA-256 of every file, in the form of sha256sum
package frozen

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"time"

	"golang.org/x/sync/errgroup"

	"petsupply/internal/pet"
	"petsupply/internal/supply"
)

// A Source is the service to copy. Nothing in it changes while Write runs.
type Source struct {
	Answers            http.Handler // the public handler
	SupplyURL, PetsURL string
	Tokens             []string  // paths of tokens
	At                 time.Time // the moment of the figures
	// ListPets lists all pets in pages, as store.Store does; nil if there are none.
	ListPets func(context.Context, pet.Query, pet.PagePosition) ([]pet.Pet, pet.PagePosition, error)
}

// Write writes all files to a folder that does not exist yet. It first writes to DIR.part and
// renames it at the end, so that an interrupted copy does not look complete. It calls progress with
// the number of files just written, from several goroutines. It returns the number of pets, and the
// root of the copy: the SHA-256 of SHA256SUMS.
func Write(ctx context.Context, s Source, dir string, progress func(int)) (pets int, root string, err error) {
	defer func() {
		if err != nil {
			err = fmt.Errorf("writing the copy in %s: %w", dir, err)
		}
	}()
	dir = filepath.Clean(dir)
	w := &writer{Source: s, dir: dir + ".part", progress: progress}
	w.sums.list = map[string][sha256.Size]byte{}
	if err := os.RemoveAll(w.dir); err != nil { // left by an interrupted copy
		return 0, "", err
	}
	if err := w.writeSupply(ctx); err != nil {
		return 0, "", err
	}
	pets, err = w.writePets(ctx)
	if err != nil {
		return 0, "", err
	}
	root, err = w.sums.write(w.dir)
	if err != nil {
		return 0, "", err
	}
	return pets, root, os.Rename(w.dir, dir)
}

// A writer writes the files of one copy.
type writer struct {
	Source
	dir      string
	progress func(int)
	sums     sums
}

// writeSupply writes the documents and figures of every token, and the logs.
func (w *writer) writeSupply(ctx context.Context) error {
	if len(w.Tokens) == 0 {
		return nil
	}
	at := "at=" + url.QueryEscape(w.At.UTC().Format(time.RFC3339Nano))
	if _, _, err := w.save(ctx, w.SupplyURL+"/?"+at, "supply/index.json"); err != nil {
		return err
	}
	for _, token := range w.Tokens {
		addresses := []string{"?", "/ledger?", "/evidence?", "/proof?"}
		for _, name := range supply.FigureNames {
			addresses = append(addresses, "/"+name+"?", "/"+name+"?format=json&")
		}
		for _, a := range addresses {
			address, err := url.Parse("/" + token + a + at)
			if err != nil {
				return err
			}
			file := "supply" + supplyFile(address.Path, address.Query())
			if _, _, err := w.save(ctx, w.SupplyURL+address.String(), file); err != nil {
				return err
			}
		}
		history := "/" + token + "/history"
		query := "?from=0&points=2000&to=" + strconv.FormatInt(w.At.Unix()+1, 10)
		if _, _, err := w.save(ctx, w.SupplyURL+history+query, "supply"+history+".json"); err != nil {
			return err
		}
	}
	return w.writeLogs(ctx)
}

// pageSize is the number of pets in memory at a time.
const pageSize = 1000

// writePets writes the description of the collection, and a document and a picture of each pet. It
// returns the number of pets.
func (w *writer) writePets(ctx context.Context) (pets int, err error) {
	if w.ListPets == nil {
		return 0, nil
	}
	if _, _, err := w.save(ctx, w.PetsURL+"/contract", "pets/contract.json"); err != nil {
		return 0, err
	}
	from := pet.PagePosition{}
	for {
		list, next, err := w.ListPets(ctx, pet.Query{Limit: pageSize}, from)
		if err != nil {
			return 0, err
		}
		pets += len(list)
		group, ctx := errgroup.WithContext(ctx)
		group.SetLimit(runtime.GOMAXPROCS(0))
		for _, p := range list {
			group.Go(func() error { return w.writePet(ctx, strconv.FormatUint(p.ID, 10)) })
		}
		if err := group.Wait(); err != nil {
			return 0, err
		}
		if next == (pet.PagePosition{}) {
			return pets, nil
		}
		from = next
	}
}

func (w *writer) writePet(ctx context.Context, id string) error {
	_, found, err := w.save(ctx, w.PetsURL+"/token/"+id, "pets/token/"+id+".json")
	if err != nil || !found { // a burned pet has no document
		return err
	}
	_, _, err = w.save(ctx, w.PetsURL+"/image/"+id, "pets/image/"+id+".png")
	return err
}

// save writes the answer at an address to a file. found is false if there is no such answer.
func (w *writer) save(ctx context.Context, address, file string) (body []byte, found bool, err error) {
	body, found, err = w.get(ctx, address)
	if err == nil && found {
		err = w.put(file, body)
	}
	return body, found, err
}

// put writes a file.
func (w *writer) put(file string, content []byte) error {
	name := filepath.Join(w.dir, filepath.FromSlash(file))
	err := os.WriteFile(name, content, 0o644)
	if errors.Is(err, os.ErrNotExist) {
		err = os.MkdirAll(filepath.Dir(name), 0o755)
		if err == nil {
			err = os.WriteFile(name, content, 0o644)
		}
	}
	if err != nil {
		return err
	}
	w.sums.add(file, content)
	w.progress(1)
	return nil
}

// get requests an address. found is false if the service answers 404 or 410, because it has nothing
// there.
func (w *writer) get(ctx context.Context, address string) (body []byte, found bool, err error) {
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
	if err != nil {
		return nil, false, err
	}
	r.RequestURI = r.URL.RequestURI()
	a := &recorder{header: http.Header{}}
	w.Answers.ServeHTTP(a, r)
	switch {
	case ctx.Err() != nil:
		return nil, false, ctx.Err()
	case a.status == http.StatusOK:
		return a.body.Bytes(), true, nil
	case a.status == http.StatusNotFound, a.status == http.StatusGone:
		return nil, false, nil
	}
	return nil, false, fmt.Errorf("requesting %s: %d %s", address, a.status, &a.body)
}

// A recorder stores one response.
type recorder struct {
	header http.Header
	status int
	body   bytes.Buffer
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
