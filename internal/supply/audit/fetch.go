package audit

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptrace"
	"net/textproto"
	"regexp"
	"strings"

	"filippo.io/torchwood"
	merkle "golang.org/x/mod/sumdb/tlog"

	"petsupply/internal/supply/proof"
	"petsupply/internal/supply/tlog"
)

// errStatus is an answer other than 200.
type errStatus struct {
	path   string
	code   int
	status string
	coding string // see Encoding
	body   []byte // at most maxRefusal + 1 bytes
}

// maxRefusal limits the body of a refusal, in bytes. It is enough for the error pages of proxies.
const maxRefusal = 256 << 10

func (e *errStatus) Error() string { return fmt.Sprintf("the service answers %.80q", e.status) }

// answersNothing reports whether err is an answer of 404, or of 410 for something withdrawn.
func answersNothing(err error) bool {
	e, ok := errors.AsType[*errStatus](err)
	return ok && (e.code == http.StatusNotFound || e.code == http.StatusGone)
}

// get reads the service's answer at a path. most limits the bytes of the answer. The error is a
// *Fault if the answer exceeds the limit, has an unusual encoding, or is a refusal such as 404. It
// is an unread error if the service cannot answer now, or may refuse only this caller.
func (a *auditor) get(ctx context.Context, path string, most int64) ([]byte, error) {
	body, _, err := a.fetch(ctx, path, most)
	return body, err
}

func (a *auditor) fetch(ctx context.Context, path string, most int64) ([]byte, http.Header, error) {
	early := http.Header{} // fields of answers before the answer itself, such as 103
	answers := 0
	resp, err := a.open(httptrace.WithClientTrace(ctx, &httptrace.ClientTrace{
		Got1xxResponse: func(_ int, header textproto.MIMEHeader) error {
			if answers++; answers > maxEarly {
				return fmt.Errorf("more than %d informational answers came before the answer", maxEarly)
			}
			for name, values := range header {
				early[name] = append(early[name], values...)
			}
			return nil
		},
	}), path)
	if err != nil {
		return nil, nil, err
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(io.LimitReader(resp.Body, most+1))
	if err = notRead(err); err == nil && int64(len(body)) > most {
		err = fault(path, "the answer is longer than %d bytes: %w", most, proof.ErrLarge)
	}
	for _, fields := range []http.Header{early, resp.Trailer} { // some programs add them to the header
		for name, values := range fields {
			resp.Header[name] = append(resp.Header[name], values...)
		}
	}
	return body, resp.Header, err
}

// maxEarly limits the answers before an answer. The transport limits only the size of each of them.
const maxEarly = 10

// has checks that the answer at a path is body. It does not keep the answer, because tiles of
// leaves are large.
func (a *auditor) has(ctx context.Context, path string, body []byte) error {
	resp, err := a.open(ctx, path)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	rest, part := body, make([]byte, 32<<10)
	for {
		n, err := resp.Body.Read(part)
		same := n <= len(rest) && bytes.Equal(part[:n], rest[:n])
		if !same || err == io.EOF && len(rest) > n {
			return fault(path, "its content differs from that of another address: %w", errDiffers)
		}
		rest = rest[n:]
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return notRead(err)
		}
	}
}

// notRead returns an unread error for err, unless err is nil or a *Fault.
func notRead(err error) error {
	if err == nil || errors.As(err, new(*Fault)) {
		return err
	}
	return &unread{err}
}

// open requests a path. If the status is not 200, the error contains an *errStatus.
func (a *auditor) open(ctx context.Context, path string) (*http.Response, error) {
	if a.Copy {
		path = fileOf(path)
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, a.URL+path, nil)
	if err != nil {
		return nil, err
	}
	resp, err := a.Client.Do(req)
	if err != nil {
		return nil, notRead(err)
	}
	code := Encoding(resp.Header)
	if a.Copy && latinType.MatchString(code) {
		code = "" // a file server may add this charset by default
	}
	if strings.HasPrefix(path, current) && strings.Contains(path, "/tile/") {
		code = coding(resp.Header) // tiles are no text, whatever a file server takes them for
	}
	if resp.StatusCode == http.StatusOK && code == "" {
		return resp, nil
	}
	if resp.StatusCode == http.StatusOK {
		resp.Body.Close()
		return nil, fault(path, "its encoding is %.80q, which other readers may decode differently", code)
	}
	refusal, err := readRefusal(path, resp)
	if err != nil {
		return nil, notRead(err)
	}
	if refusal.code < http.StatusInternalServerError && !refusesCaller(refusal.code) {
		return nil, fault(path, "%w", refusal)
	}
	return nil, notRead(fmt.Errorf("%s: %w", path, refusal))
}

// readRefusal reads an answer whose status is not 200, and closes it.
func readRefusal(path string, resp *http.Response) (*errStatus, error) {
	defer resp.Body.Close()
	code := Encoding(resp.Header)
	if latinType.MatchString(code) {
		code = "" // the error page of a proxy may have this charset
	}
	body, err := io.ReadAll(io.LimitReader(resp.Body, maxRefusal+1))
	return &errStatus{path, resp.StatusCode, resp.Status, code, body}, err
}

// refusesCaller reports whether a status may be meant for this caller alone, or come from a
// firewall. Other callers may then get another answer.
func refusesCaller(code int) bool {
	switch code {
	case http.StatusBadRequest, http.StatusNotFound, http.StatusGone: // every caller gets these
		return false
	}
	return code >= 400 && code < 500 || code == http.StatusNetworkAuthenticationRequired
}

// Encoding returns "" if a body with this header can be read as plain UTF-8. Otherwise it returns
// the content encoding or the media type. It accepts only the usual forms of a media type, because
// programs disagree about unusual ones.
func Encoding(header http.Header) string {
	if code := coding(header); code != "" {
		return code
	}
	media := strings.Join(header.Values("Content-Type"), ", ")
	if media == "" || plainType.MatchString(media) {
		return ""
	}
	return media
}

// coding returns the content encoding, or "" if there is none. The client removes this header if it
// decodes the body.
func coding(header http.Header) string {
	code := strings.Join(header.Values("Content-Encoding"), ", ")
	if code == "identity" {
		return ""
	}
	return code
}

// Media types of texts in which digits are the same as in UTF-8.
var (
	plainType = regexp.MustCompile(`(?i)^[a-z0-9.+-]+/[a-z0-9.+-]+(; ?charset="?(utf-8|utf8|us-ascii)"?)?$`)
	latinType = regexp.MustCompile(`(?i)^[a-z0-9.+-]+/[a-z0-9.+-]+; ?charset="?(iso-8859-1|windows-1252)"?$`)
)

// fileOf returns the file in a frozen copy that has the answer at a path. See package frozen.
func fileOf(path string) string {
	path, query, _ := strings.Cut(path, "?")
	parts := strings.Split(strings.Trim(path, "/"), "/")
	switch {
	case path == "/":
		return "/index.json"
	case parts[0] == "log":
		return path
	case len(parts) == 1:
		return "/" + parts[0] + "/index.json"
	case query != "", parts[1] == "evidence", parts[1] == "ledger", parts[1] == "proof":
		return path + ".json"
	}
	return path
}

// maxTiles limits the tiles that are remembered. Leaves are read in order, so few tiles are needed
// again.
const maxTiles = 500

// A tileReader reads tiles of hashes. It remembers verified tiles above the lowest level, because
// every leaf needs them.
type tileReader struct {
	ctx   context.Context
	get   func(ctx context.Context, path string, most int64) ([]byte, error)
	known map[merkle.Tile][]byte
}

func (r *tileReader) Height() int { return torchwood.TileHeight }

func (r *tileReader) ReadTiles(tiles []merkle.Tile) ([][]byte, error) {
	out := make([][]byte, len(tiles))
	for i, t := range tiles {
		if data, ok := r.known[t]; ok {
			out[i] = data
			continue
		}
		path := torchwood.TilePath(t)
		data, err := r.get(r.ctx, path, merkle.HashSize*torchwood.TileWidth)
		if err != nil {
			return nil, err
		}
		if len(data) != merkle.HashSize*t.W {
			return nil, fmt.Errorf("%s has %d bytes, not %d", path, len(data), merkle.HashSize*t.W)
		}
		out[i] = data
	}
	return out, nil
}

func (r *tileReader) SaveTiles(tiles []merkle.Tile, data [][]byte) {
	if len(r.known) > maxTiles {
		clear(r.known)
	}
	for i, t := range tiles {
		if t.L > 0 {
			r.known[t] = data[i]
		}
	}
}

// bundle reads the leaves of one tile. first is the index of the tile's first leaf. Each leaf must
// be the one that the tree has at its index.
func (a *auditor) bundle(first int64) ([][]byte, error) {
	count := int(min(torchwood.TileWidth, a.head.N-first))
	path := torchwood.TilePath(merkle.Tile{
		H: torchwood.TileHeight, L: tlog.Entries, N: first / torchwood.TileWidth, W: count})
	rest, err := a.tiles.get(a.tiles.ctx, path, torchwood.TileWidth*(tlog.MaxLeaf+2))
	if err != nil {
		return nil, err
	}
	leaves, indexes := make([][]byte, count), make([]int64, count)
	for i := range leaves {
		if leaves[i], rest, err = torchwood.ReadTileEntry(rest); err != nil {
			return nil, fault(path, "entry %d of %d: %w", i, count, err)
		}
		indexes[i] = merkle.StoredHashIndex(0, first+int64(i))
	}
	if len(rest) > 0 {
		return nil, fault(path, "it has more than %d entries", count)
	}
	hashes, err := a.hashes().ReadHashes(indexes)
	if err != nil {
		return nil, fault(fmt.Sprintf("leaves from %d on", first),
			"the tiles do not lead to the root of the checkpoint: %w", err)
	}
	for i, leaf := range leaves {
		if own := merkle.RecordHash(leaf); own != hashes[i] {
			return nil, fault(fmt.Sprintf("leaf %d", first+int64(i)),
				"it was rewritten, swapped or removed: its hash is %s, the log has %s there", own, hashes[i])
		}
	}
	return leaves, nil
}

// hashes returns a reader of the tree's hashes, which checks them against the root.
func (a *auditor) hashes() merkle.HashReader {
	return merkle.TileHashReader(a.head.Tree, a.tiles)
}
