package jsonrpc

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

// An Outcome is how one conversation with a provider ended. The set is closed,
// because it labels metrics.
type Outcome string

const (
	Answered  Outcome = "ok"
	timedOut  Outcome = "timeout"
	transport Outcome = "transport" // refused, reset, cut, not resolved
	status    Outcome = "status"    // an HTTP status that is not 200
	Limited   Outcome = "limited"   // too many requests
	Malformed Outcome = "malformed" // not the JSON that was asked for
	tooLong   Outcome = "too_long"
	Refused   Outcome = "refused"  // a JSON-RPC error
	Absent    Outcome = "absent"   // the node does not have the block: no fault of its own
	Moved     Outcome = "moved"    // the node has another block there: likewise
	Pruned    Outcome = "pruned"   // the node has the block, but no longer its state: likewise
	Mismatch  Outcome = "mismatch" // another chain, another block
	Outvoted  Outcome = "outvoted" // a quorum of others answered otherwise
	Cancelled Outcome = "cancelled"
)

// Outcomes lists all outcomes.
var Outcomes = []Outcome{
	Answered, timedOut, transport, status, Limited, Malformed, tooLong, Refused, Absent, Moved, Pruned, Mismatch, Outvoted, Cancelled,
}

// A Fault is why one provider gave no usable answer, in words that may be logged.
// It never wraps the error it was made from, which may quote the URL.
type Fault struct {
	Kind Outcome
	Text string
	Wait time.Duration // what Retry-After asked for
	code int           // of a JSON-RPC error, or an HTTP status
	raw  string        // its message in lower case, to recognise it by; never printed
	page bool          // HTML instead of JSON
}

func (f *Fault) Error() string { return f.Text }

// Unreachable reports whether the node did not answer at all.
func (f *Fault) Unreachable() bool { return f.Kind == transport || f.Kind == timedOut }

// Faultf returns a fault with a formatted text.
func Faultf(kind Outcome, format string, args ...any) *Fault {
	return &Fault{Kind: kind, Text: fmt.Sprintf(format, args...)}
}

// transient reports whether a second try is likely to help at once.
func (f *Fault) transient() bool {
	return f.Kind == transport || f.page || f.Kind == status && f.code >= 500 && f.Wait == 0
}

// AsFault returns err as a fault. An error that is none came from our own code.
func AsFault(err error) *Fault {
	if f, ok := errors.AsType[*Fault](err); ok {
		return f
	}
	switch {
	case errors.Is(err, context.DeadlineExceeded):
		return Faultf(timedOut, "no answer in time")
	case errors.Is(err, context.Canceled):
		return Faultf(Cancelled, "cancelled")
	}
	return Faultf(Malformed, "%v", err)
}

// networkFault returns why there was no HTTP answer. It does not use the error's
// text, which names hosts.
func networkFault(ctx context.Context, err error) *Fault {
	timeout, _ := errors.AsType[net.Error](err)
	errno, isErrno := errors.AsType[syscall.Errno](err)
	_, isDNS := errors.AsType[*net.DNSError](err)
	_, isCertificate := errors.AsType[*tls.CertificateVerificationError](err)
	switch {
	case errors.Is(ctx.Err(), context.Canceled):
		return Faultf(Cancelled, "cancelled")
	case ctx.Err() != nil, timeout != nil && timeout.Timeout():
		return Faultf(timedOut, "no answer in time")
	case isErrno:
		return Faultf(transport, "%s", errno.Error())
	case isDNS:
		return Faultf(transport, "host name does not resolve")
	case isCertificate:
		return Faultf(transport, "certificate is not valid")
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		return Faultf(transport, "answer was cut short")
	}
	return Faultf(transport, "connection broke")
}
