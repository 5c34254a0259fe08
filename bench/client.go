package main

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"strconv"
	"time"
)

// A client sends requests over one connection and uses little CPU, because the server runs on the
// same machine.
type client struct {
	net.Conn
	in   *bufio.Reader
	host string
	more string // further header lines of every request
	out  []byte
}

func dial(address string) (*client, error) {
	conn, err := net.Dial("tcp", address)
	if err != nil {
		return nil, err
	}
	return &client{Conn: conn, in: bufio.NewReaderSize(conn, 16<<10), host: address}, nil
}

// body returns the body of a 200 with a Content-Length.
func (c *client) body(target string) ([]byte, error) {
	status, body, err := c.get(target)
	if err == nil && status != 200 {
		err = fmt.Errorf("status %d: %s", status, body)
	}
	return body, err
}

// get returns an answer that has a Content-Length or no body.
func (c *client) get(target string) (status int, body []byte, err error) {
	if err := c.SetDeadline(time.Now().Add(30 * time.Second)); err != nil {
		return 0, nil, err
	}
	c.out = append(append(append(append(c.out[:0], "GET "...), target...), " HTTP/1.1\r\nHost: "...),
		c.host+"\r\n"+c.more+"\r\n"...)
	if _, err := c.Write(c.out); err != nil {
		return 0, nil, err
	}
	size := -1
	for first := true; ; first = false {
		line, err := c.in.ReadSlice('\n')
		if err != nil {
			return 0, nil, err
		}
		line = bytes.TrimSpace(line)
		if first {
			if len(line) < 12 {
				return 0, nil, fmt.Errorf("%q is not a status line", line)
			}
			if status, err = strconv.Atoi(string(line[9:12])); err != nil {
				return 0, nil, fmt.Errorf("%q is not a status line: %w", line, err)
			}
			continue
		}
		if len(line) == 0 {
			break
		}
		if text, ok := bytes.CutPrefix(line, []byte("Content-Length: ")); ok {
			if size, err = strconv.Atoi(string(text)); err != nil {
				return 0, nil, err
			}
		}
	}
	if status == http.StatusNotModified {
		return status, nil, nil
	}
	if size < 0 {
		return 0, nil, errors.New("the answer has no Content-Length")
	}
	body = make([]byte, size)
	_, err = io.ReadFull(c.in, body)
	return status, body, err
}
