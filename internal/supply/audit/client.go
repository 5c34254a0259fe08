package audit

import (
	"bufio"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
)

// A server may take a second for each answer, and another second for each progressBytes of it. Time
// beyond that adds up over all answers, and faster answers reduce the sum. The audit fails when the
// sum reaches ten seconds (patience). It also fails when it has taken an hour (longest), because a
// log may grow without end.
const (
	patience      = 10 * time.Second
	progressBytes = 64 << 10
	longest       = time.Hour
	maxWait       = 60 // seconds, the longest Retry-After that is obeyed
	maxTries      = 5  // of one request
)

var (
	errSlow = fmt.Errorf("the answers come too slowly: %s passed without enough progress", patience)
	errTail = errors.New("more bytes follow the end of the gzip stream: some readers see them, and others do not")
	errLong = errors.New("the answers take more than an hour; audit a frozen copy, which has no such limit")
)

// NewClient returns a client for a server that may be hostile. It ends a request that makes no
// progress. It follows no redirects, because not every reader follows them. A reader who does not
// sees the redirect's own body, which may differ from the audited one.
func NewClient() *http.Client {
	next := http.DefaultTransport.(*http.Transport).Clone()
	next.MaxResponseHeaderBytes = 64 << 10
	return &http.Client{
		Transport: &pacer{next: next, left: patience, ends: time.Now().Add(longest)},
		CheckRedirect: func(next *http.Request, via []*http.Request) error {
			return fmt.Errorf("%s redirects to %.200s; if that is the service, give its address",
				via[0].URL.Redacted(), next.URL.Redacted())
		},
	}
}

// A pacer is a transport that limits the time of all its requests together (see patience).
type pacer struct {
	next http.RoundTripper
	ends time.Time
	mu   sync.Mutex
	left time.Duration
}

// add adds time for progress, or subtracts elapsed time, and returns the time that is left.
func (p *pacer) add(d time.Duration) time.Duration {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.left = min(p.left+d, patience)
	return p.left
}

// RoundTrip sends a request. After an answer of 429 it makes the pause that Retry-After asks for,
// and sends the request again. It returns the 429 after maxTries tries, or if Retry-After is not a
// number of seconds up to maxWait.
func (p *pacer) RoundTrip(q *http.Request) (*http.Response, error) {
	for try := 1; ; try++ {
		resp, err := p.send(q)
		if err != nil || resp.StatusCode != http.StatusTooManyRequests || try == maxTries {
			return resp, err
		}
		seconds, err := strconv.Atoi(resp.Header.Get("Retry-After"))
		if err != nil || seconds < 0 || seconds > maxWait {
			return resp, nil
		}
		refusal, err := readRefusal(q.URL.RequestURI(), resp)
		if err == nil {
			err = refusal.carries(nil)
		}
		if err != nil {
			return nil, err
		}
		select {
		case <-q.Context().Done():
			return nil, q.Context().Err()
		case <-time.After(time.Duration(seconds) * time.Second):
		}
	}
}

// send sends a request once. When the time is used up, send or the reading of its answer fails with
// errSlow or errLong.
func (p *pacer) send(q *http.Request) (*http.Response, error) {
	bounded, end := context.WithDeadlineCause(q.Context(), p.ends, errLong)
	ctx, cancel := context.WithCancelCause(bounded)
	b := &pacedBody{pacer: p, ctx: ctx, since: time.Now()}
	b.timer = time.AfterFunc(p.add(0), func() { cancel(errSlow) })
	b.stop = sync.OnceFunc(func() { b.timer.Stop(); cancel(nil); end(); b.took() })
	q = q.Clone(ctx)
	q.Header.Set("Accept-Encoding", "gzip") // keeps the transport from decoding gzip itself; see oneGzip
	resp, err := p.next.RoundTrip(q)
	if err != nil {
		err = b.cause(err)
		b.stop()
		return nil, err
	}
	for name := range resp.Header {
		if strings.ContainsAny(name, " \t") || name == "Content-Range" && resp.StatusCode == http.StatusOK {
			resp.Body.Close()
			b.stop()
			return nil, fault(q.URL.RequestURI(), "its header %.40q makes other programs read another body", name)
		}
	}
	if slices.Equal(resp.Header.Values("Content-Encoding"), []string{"gzip"}) {
		resp.Header.Del("Content-Encoding")
		resp.ContentLength = -1
		resp.Body = &oneGzip{Closer: resp.Body, in: bufio.NewReader(resp.Body)}
	}
	b.ReadCloser, resp.Body = resp.Body, b
	return resp, nil
}

// A oneGzip decodes a body of one gzip stream. It rejects a body with more bytes after the stream,
// because many readers ignore them.
type oneGzip struct {
	io.Closer
	in  *bufio.Reader
	out *gzip.Reader
}

func (z *oneGzip) Read(to []byte) (n int, err error) {
	if z.out == nil {
		out, err := gzip.NewReader(z.in)
		if err != nil {
			return 0, err
		}
		z.out = out
		z.out.Multistream(false)
	}
	if n, err = z.out.Read(to); err == io.EOF {
		if _, err = z.in.ReadByte(); err == nil {
			err = errTail
		}
	}
	return n, err
}

// A pacedBody is the body of an answer.
type pacedBody struct {
	io.ReadCloser
	pacer *pacer
	ctx   context.Context // context of the request
	since time.Time       // the time up to this moment is already subtracted from pacer.left
	timer *time.Timer
	stop  func()
}

// took subtracts the time since b.since from pacer.left, and returns what is left.
func (b *pacedBody) took() time.Duration {
	passed := time.Since(b.since)
	b.since = b.since.Add(passed)
	return b.pacer.add(-passed)
}

// cause returns why the request ended.
func (b *pacedBody) cause(err error) error {
	if cause := context.Cause(b.ctx); errors.Is(cause, errSlow) || errors.Is(cause, errLong) {
		return cause
	}
	return err
}

func (b *pacedBody) Read(to []byte) (int, error) {
	n, err := b.ReadCloser.Read(to)
	progress := time.Duration(n) * time.Second / progressBytes
	if err == io.EOF {
		progress += time.Second
	}
	b.took()
	left := b.pacer.add(progress)
	switch {
	case err == io.EOF:
		b.stop()
	case err != nil:
		err = b.cause(err)
	default:
		b.timer.Reset(left)
	}
	return n, err
}

func (b *pacedBody) Close() error {
	b.stop()
	return b.ReadCloser.Close()
}
