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

// An Outcome says how one conversation with a provider ended. The set is closed, because outcomes
// label metrics.
type Outcome string

const (
	Answered  Outcome = "ok"
	timedOut  Outcome = "timeout"
	transport Outcome = "transport" // connection refused, reset or cut; host not found
	status    Outcome = "status"    // an HTTP status that is not 200
	Limited   Outcome = "limited"   // too many requests
	Malformed Outcome = "malformed" // not the expected JSON
	tooLong   Outcome = "too_long"
	Refused   Outcome = "refused"  // a JSON-RPC error
	Absent    Outcome = "absent"   // the node does not have the block; not its fault
	Moved     Outcome = "moved"    // the node has another block at this height; not its fault
	Pruned    Outcome = "pruned"   // the node has dropped the block's state; not its fault
	Mismatch  Outcome = "mismatch" // answered for another chain or block
	Outvoted  Outcome = "outvoted" // a quorum gave a different answer
	Cancelled Outcome = "cancelled"
)

// Outcomes lists all outcomes.
var Outcomes = []Outcome{
	Answered, timedOut, transport, status, Limited, Malformed, tooLong, Refused, Absent, Moved, Pruned, Mismatch,
	Outvoted, Cancelled,
}

// A Fault says why one provider gave no usable answer, in words that are safe to log. It never
// wraps the original error, which may quote the URL.
type Fault struct {
	Kind Outcome
	Text string
	Wait time.Duration // the pause that Retry-After asks for
	code int           // JSON-RPC error code, or HTTP status
	raw  string        // message in lower case, to recognise the error; never printed
	page bool          // HTML instead of JSON
}

func (f *Fault) Error() string { return f.Text }

// Unreachable reports whether the node did not answer at all.
func (f *Fault) Unreachable() bool { return f.Kind == transport || f.Kind == timedOut }

// Faultf returns a fault with a formatted text.
func Faultf(kind Outcome, format string, args ...any) *Fault {
	return &Fault{Kind: kind, Text: fmt.Sprintf(format, args...)}
}

// transient reports whether trying again at once is likely to help.
func (f *Fault) transient() bool {
	return f.Kind == transport || f.page || f.Kind == status && f.code >= 500 && f.Wait == 0
}

// AsFault returns err as a fault. An error of another type, such as a context's, becomes a new
// fault.
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

// networkFault says why there was no HTTP answer. It does not use the error's text, which contains
// host names.
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
