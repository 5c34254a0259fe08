package evm

import (
	"context"
	"crypto/tls"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"regexp"
	"sort"
	"strings"
	"syscall"
	"time"
	"unicode"

	"github.com/ethereum/go-ethereum/rpc"
)

// An outcome is how one conversation with a provider ended. The set is closed:
// it labels metrics.
type outcome string

const (
	fine      outcome = "ok"
	timedOut  outcome = "timeout"
	transport outcome = "transport" // refused, reset, cut, not resolved
	status    outcome = "status"    // an HTTP status that is not 200
	limited   outcome = "limited"   // too many requests
	malformed outcome = "malformed" // not the JSON that was asked for
	tooLong   outcome = "too_long"
	refused   outcome = "refused"  // a JSON-RPC error
	absent    outcome = "absent"   // the node does not have the block: no fault of its own
	moved     outcome = "moved"    // the node has another block there: likewise
	mismatch  outcome = "mismatch" // another chain, another block
	odd       outcome = "odd"      // outvoted by a quorum
	cancelled outcome = "cancelled"
)

var outcomes = []outcome{fine, timedOut, transport, status, limited, malformed, tooLong, refused, absent, moved, mismatch, odd, cancelled}

// A fault is why one provider gave no usable answer, in words that may be
// logged. It never wraps the error it was made from: those quote URLs.
type fault struct {
	kind outcome
	text string
	own  string        // the same in our own words alone, where text quotes the node
	wait time.Duration // what Retry-After asked for
	code int           // of a JSON-RPC error, or an HTTP status
	raw  string        // its message in lower case, to be recognised by; not to be printed
	data any
}

func (f *fault) Error() string { return f.text }

func faultf(kind outcome, format string, args ...any) *fault {
	return &fault{kind: kind, text: fmt.Sprintf(format, args...)}
}

// asFault is err as a fault. Whatever is not one yet came from our own code.
func asFault(err error) *fault {
	var f *fault
	switch {
	case errors.As(err, &f):
		return f
	case errors.Is(err, context.DeadlineExceeded):
		return faultf(timedOut, "no answer in time")
	case errors.Is(err, context.Canceled):
		return faultf(cancelled, "cancelled")
	}
	return faultf(malformed, "%v", err)
}

// A redactor rewrites errors so that nothing of a provider's URL is in them.
type redactor func(string) string

var anyURL = regexp.MustCompile(`[a-zA-Z][a-zA-Z0-9+.-]*://\S+`)

// newRedactor hides the URL and every part of it that might be a key.
func newRedactor(raw string) redactor {
	parts := []string{raw}
	if u, err := url.Parse(raw); err == nil {
		parts = append(parts, u.Host, u.Hostname(), u.Path, u.RawQuery, u.User.Username())
		if pass, ok := u.User.Password(); ok {
			parts = append(parts, pass)
		}
		parts = append(parts, strings.Split(u.Path, "/")...)
		for k, vs := range u.Query() {
			parts = append(append(parts, k), vs...)
		}
	}
	sort.Slice(parts, func(i, j int) bool { return len(parts[i]) > len(parts[j]) })
	var pairs []string
	for _, p := range parts {
		if len(p) >= 6 || p != "" && p == parts[0] {
			pairs = append(pairs, p, "…")
		}
	}
	hide := strings.NewReplacer(pairs...)
	return func(s string) string {
		s = strings.Map(func(r rune) rune {
			if unicode.IsPrint(r) {
				return r
			}
			return ' '
		}, hide.Replace(anyURL.ReplaceAllString(s, "…")))
		if r := []rune(s); len(r) > 200 {
			s = string(r[:200]) + "…"
		}
		return strings.Join(strings.Fields(s), " ")
	}
}

// call makes a fault of an error of a whole batch.
func (hide redactor) call(ctx context.Context, err error) *fault {
	var se *statusError
	var ne net.Error
	switch {
	case errors.Is(ctx.Err(), context.Canceled):
		return faultf(cancelled, "cancelled")
	case errors.Is(err, context.DeadlineExceeded), ctx.Err() != nil, errors.As(err, &ne) && ne.Timeout():
		return faultf(timedOut, "no answer in time")
	case errors.As(err, &se):
		return hide.status(se)
	case errors.Is(err, errTooLong), strings.Contains(err.Error(), "read limit exceeded"):
		return faultf(tooLong, "answer is longer than %d MB", maxAnswer>>20)
	case errors.Is(err, errNotJSON), errors.Is(err, errEmptyAns):
		return faultf(malformed, "answer is empty or not JSON")
	}
	var syntax *json.SyntaxError
	var shape *json.UnmarshalTypeError
	if errors.As(err, &syntax) || errors.As(err, &shape) {
		return faultf(malformed, "answer is not valid JSON-RPC")
	}
	return faultf(transport, "%s", broken(err))
}

func (hide redactor) status(se *statusError) *fault {
	if se.node != nil {
		f := hide.node(se.node)
		f.wait = se.wait
		if se.status == http.StatusTooManyRequests {
			f.kind = limited
		}
		return f
	}
	f := faultf(status, "HTTP status %d", se.status)
	f.wait, f.code = se.wait, se.status
	if se.status == http.StatusTooManyRequests {
		f.kind = limited
	}
	return f
}

// broken says in our own words how a connection broke. The error's text is
// not used: it names hosts.
func broken(err error) string {
	var errno syscall.Errno
	var dns *net.DNSError
	var cert *tls.CertificateVerificationError
	switch {
	case errors.As(err, &errno):
		return errno.Error()
	case errors.As(err, &dns):
		return "host name does not resolve"
	case errors.As(err, &cert):
		return "certificate is not valid"
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		return "answer was cut short"
	}
	return "connection broke"
}

// node makes a fault of the error of one request in a batch.
func (hide redactor) node(err error) *fault {
	var re rpc.Error
	if !errors.As(err, &re) {
		return faultf(malformed, "answer lacks a reply, or has one that is not valid")
	}
	f := &fault{code: re.ErrorCode(), raw: strings.ToLower(re.Error())}
	f.own = fmt.Sprintf("node error %d", f.code)
	f.text = f.own + ": " + hide(re.Error())
	var de rpc.DataError
	if errors.As(err, &de) {
		f.data = de.ErrorData()
	}
	f.kind = f.recognise()
	return f
}
