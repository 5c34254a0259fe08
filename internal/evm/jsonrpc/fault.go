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

// An outcome is how one conversation with a provider ended. The set is closed:
// it labels metrics.
type Outcome string

const (
	Answered  Outcome = "ok"
	TimedOut  Outcome = "timeout"
	Transport Outcome = "transport" // refused, reset, cut, not resolved
	Status    Outcome = "status"    // an HTTP status that is not 200
	Limited   Outcome = "limited"   // too many requests
	Malformed Outcome = "malformed" // not the JSON that was asked for
	TooLong   Outcome = "too_long"
	Refused   Outcome = "refused"  // a JSON-RPC error
	Absent    Outcome = "absent"   // the node does not have the block: no fault of its own
	Moved     Outcome = "moved"    // the node has another block there: likewise
	Pruned    Outcome = "pruned"   // the node has the block, but no longer its state: likewise
	Mismatch  Outcome = "mismatch" // another chain, another block
	Outvoted  Outcome = "outvoted" // a quorum of others answered otherwise
	Cancelled Outcome = "cancelled"
)

var Outcomes = []Outcome{Answered, TimedOut, Transport, Status, Limited, Malformed, TooLong, Refused, Absent, Moved, Pruned, Mismatch, Outvoted, Cancelled}

// A fault is why one provider gave no usable answer, in words that may be
// logged. It never wraps the error it was made from: those quote URLs.
type Fault struct {
	Kind Outcome
	Text string
	Own  string        // the same in our own words alone, where Text quotes the node
	Wait time.Duration // what Retry-After asked for
	code int           // of a JSON-RPC error, or an HTTP status
	raw  string        // its message in lower case, to be recognised by; not to be printed
	data any
	page bool // HTML instead of JSON
}

func (f *Fault) Error() string { return f.Text }

func Faultf(kind Outcome, format string, args ...any) *Fault {
	return &Fault{Kind: kind, Text: fmt.Sprintf(format, args...)}
}

// transient reports whether a second try is likely to help at once.
func (f *Fault) transient() bool {
	return f.Kind == Transport || f.page || f.Kind == Status && f.code >= 500 && f.Wait == 0
}

// asFault is err as a fault. Whatever is not one yet came from our own code.
func AsFault(err error) *Fault {
	var f *Fault
	switch {
	case errors.As(err, &f):
		return f
	case errors.Is(err, context.DeadlineExceeded):
		return Faultf(TimedOut, "no answer in time")
	case errors.Is(err, context.Canceled):
		return Faultf(Cancelled, "cancelled")
	}
	return Faultf(Malformed, "%v", err)
}

// networkFault says in our own words why there was no HTTP answer. The error's
// text is not used: it names hosts.
func networkFault(ctx context.Context, err error) *Fault {
	var timeout net.Error
	var errno syscall.Errno
	var dns *net.DNSError
	var cert *tls.CertificateVerificationError
	switch {
	case errors.Is(ctx.Err(), context.Canceled):
		return Faultf(Cancelled, "cancelled")
	case ctx.Err() != nil, errors.As(err, &timeout) && timeout.Timeout():
		return Faultf(TimedOut, "no answer in time")
	case errors.As(err, &errno):
		return Faultf(Transport, "%s", errno.Error())
	case errors.As(err, &dns):
		return Faultf(Transport, "host name does not resolve")
	case errors.As(err, &cert):
		return Faultf(Transport, "certificate is not valid")
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		return Faultf(Transport, "answer was cut short")
	}
	return Faultf(Transport, "connection broke")
}
