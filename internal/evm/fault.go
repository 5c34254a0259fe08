package evm

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"net"
	"syscall"
	"time"
)

// An outcome is how one conversation with a provider ended. The set is closed:
// it labels metrics.
type outcome string

const (
	answered  outcome = "ok"
	timedOut  outcome = "timeout"
	transport outcome = "transport" // refused, reset, cut, not resolved
	status    outcome = "status"    // an HTTP status that is not 200
	limited   outcome = "limited"   // too many requests
	malformed outcome = "malformed" // not the JSON that was asked for
	tooLong   outcome = "too_long"
	refused   outcome = "refused"  // a JSON-RPC error
	absent    outcome = "absent"   // the node does not have the block: no fault of its own
	moved     outcome = "moved"    // the node has another block there: likewise
	pruned    outcome = "pruned"   // the node has the block, but no longer its state: likewise
	mismatch  outcome = "mismatch" // another chain, another block
	outvoted  outcome = "outvoted" // a quorum of others answered otherwise
	cancelled outcome = "cancelled"
)

var outcomes = []outcome{answered, timedOut, transport, status, limited, malformed, tooLong, refused, absent, moved, pruned, mismatch, outvoted, cancelled}

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
	page bool // HTML instead of JSON
}

func (f *fault) Error() string { return f.text }

func faultf(kind outcome, format string, args ...any) *fault {
	return &fault{kind: kind, text: fmt.Sprintf(format, args...)}
}

// transient reports whether a second try is likely to help at once.
func (f *fault) transient() bool {
	return f.kind == transport || f.page || f.kind == status && f.code >= 500 && f.wait == 0
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

// networkFault says in our own words why there was no HTTP answer. The error's
// text is not used: it names hosts.
func networkFault(ctx context.Context, err error) *fault {
	var timeout net.Error
	var errno syscall.Errno
	var dns *net.DNSError
	var cert *tls.CertificateVerificationError
	switch {
	case errors.Is(ctx.Err(), context.Canceled):
		return faultf(cancelled, "cancelled")
	case ctx.Err() != nil, errors.As(err, &timeout) && timeout.Timeout():
		return faultf(timedOut, "no answer in time")
	case errors.As(err, &errno):
		return faultf(transport, "%s", errno.Error())
	case errors.As(err, &dns):
		return faultf(transport, "host name does not resolve")
	case errors.As(err, &cert):
		return faultf(transport, "certificate is not valid")
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		return faultf(transport, "answer was cut short")
	}
	return faultf(transport, "connection broke")
}
