// Package express answers plain GETs ahead of net/http. Make a Lane with New on an open listener,
// with or without TLS, give the Lane to http.Server.Serve and its ConnContext to the server, and
// call its Shutdown before the server's own.
//
// The package does not know what the answers are about: an Owner prepares them.
package express

import (
	"context"
	"net"
	"time"
)

// Owner prepares the answers and counts them. *web.Server is one. Its methods
// are called by many goroutines at once.
type Owner interface {
	// Lookup finds the answer to a request. It returns nil to leave the whole connection to
	// net/http. If wait is true, a second call with q.Wait set may find an answer. Only the second
	// call may block; its ctx ends if the client leaves. Lookup must keep neither q nor its
	// strings. The answer may be in q.Scratch; it is then valid until the next Lookup with that
	// Scratch.
	Lookup(ctx context.Context, q *Request) (a *Answer, wait bool)
	// Answered notes that the answer a was sent with this status. The argument took is the time
	// since the request was read.
	Answered(a *Answer, status int, took time.Duration)
	// Reserve reserves memory for answers that the client at remote has not taken yet, and reports
	// whether there is enough. Release gives the memory back.
	Reserve(remote net.Addr, bytes int) bool
	Release(remote net.Addr, bytes int)
	// HandedOn notes that a connection was handed to net/http.
	HandedOn()
	// Panicked notes that a connection was closed because of a panic. p is the value from recover.
	// Panicked is called on the panicking goroutine.
	Panicked(p any)
}

// A Request is a plain GET or HEAD. Its strings are in the connection's buffer, which is
// overwritten after the answer.
type Request struct {
	Target         string
	Host           string
	AcceptEncoding string // "" if not sent
	At             time.Time
	Remote         net.Addr
	Wait           bool // this is the second Lookup for the request; only the second may block
	// Scratch points to a value that Owner.Lookup can use as it likes. The value is nil at first,
	// and later what an earlier Lookup left there, perhaps for another connection. Only one Lookup
	// at a time uses it.
	Scratch *any

	head        bool     // HEAD, not GET
	once        bool     // the connection closes after this request is answered
	old         bool     // HTTP/1.0
	tags, dates []string // the values of If-None-Match and If-Modified-Since: empty, or tag[:] and date[:]
	tag, date   [1]string
}

// An Answer is a prepared 200, with its 304.
type Answer struct {
	// Head and Head304 are the heads as net/http would write them, except that they end with
	// "Date: ". The lane adds the date and the end of the head.
	Head, Head304 []byte
	ETag          []byte    // quoted
	Modified      time.Time // zero if not known
	Body          []byte
	Shared        bool // the body is kept for all clients, so sending it takes no more memory
	Label         any  // a value that Owner.Lookup sets for Owner.Answered
}

// Limits are the timeouts of the http.Server behind a Lane, which the Lane applies too. Zero means
// none.
type Limits struct {
	Header time.Duration // for the client to send the head of a request
	Idle   time.Duration // between two requests
	Write  time.Duration // for the client to take an answer
}
