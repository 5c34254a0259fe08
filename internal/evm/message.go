package evm

import "bytes"

// A message is one reply of a batch, with its members as they stand in the
// answer. Results may be megabytes of hex, which encoding/json would go over
// several times; here only the ends of values are looked for, and whoever uses
// one finds out whether it is valid.
type message struct {
	id, result, fault []byte // nil: not there
}

// messages reads an array of them. If it is none, short says whether that is
// because the text ends too early.
func messages(text []byte) (all []message, short, ok bool) {
	c := cursor{text}
	ok = c.each('[', ']', func() bool {
		var m message
		defer func() { all = append(all, m) }()
		if c.peek() != '{' {
			return c.value() != nil // null from some nodes
		}
		return c.members(func(key string, value []byte) {
			switch key {
			case `"id"`:
				m.id = value
			case `"result"`:
				m.result = value
			case `"error"`:
				m.fault = value
			}
		})
	})
	short = len(c.rest) == 0
	return all, short, ok && c.peek() == 0 // and nothing behind it
}

// A cursor walks over JSON text.
type cursor struct{ rest []byte }

// peek is the next byte that is no space, 0 at the end.
func (c *cursor) peek() byte {
	if c.rest = bytes.TrimLeft(c.rest, " \t\r\n"); len(c.rest) == 0 {
		return 0
	}
	return c.rest[0]
}

// eat passes over the next byte if it is b.
func (c *cursor) eat(b byte) bool {
	if c.peek() != b {
		return false
	}
	c.rest = c.rest[1:]
	return true
}

// each calls item at every item between two brackets.
func (c *cursor) each(open, end byte, item func() bool) bool {
	if !c.eat(open) {
		return false
	}
	if c.eat(end) {
		return true
	}
	for item() {
		if c.eat(end) {
			return true
		}
		if !c.eat(',') {
			return false
		}
	}
	return false
}

// members calls member for every member of an object; keys have their quotes.
func (c *cursor) members(member func(key string, value []byte)) bool {
	return c.each('{', '}', func() bool {
		key := c.value()
		if key == nil || !c.eat(':') {
			return false
		}
		value := c.value()
		member(string(key), value)
		return value != nil
	})
}

// value passes over a value and returns it; nil if there is none.
func (c *cursor) value() []byte {
	n := 0
	switch c.peek() {
	case '"':
		n = quoted(c.rest)
	case '{', '[':
		n = nested(c.rest)
	default:
		n = bytes.IndexAny(c.rest, ",:[]{}\" \t\r\n")
	}
	if n < 0 {
		c.rest = nil
	}
	if n <= 0 {
		return nil
	}
	v := c.rest[:n:n]
	c.rest = c.rest[n:]
	return v
}

// quoted is the length of the string that text begins with, -1 if it does not end.
func quoted(text []byte) int {
	for end := 1; ; {
		n := bytes.IndexByte(text[end:], '"')
		if n < 0 {
			return -1
		}
		end += n + 1
		escapes := 0
		for text[end-2-escapes] == '\\' {
			escapes++
		}
		if escapes%2 == 0 {
			return end
		}
	}
}

// nested is the length of the object or array that text begins with, likewise.
func nested(text []byte) int {
	depth := 0
	for i := 0; i < len(text); i++ {
		switch text[i] {
		case '"':
			n := quoted(text[i:])
			if n < 0 {
				return -1
			}
			i += n - 1
		case '{', '[':
			depth++
		case '}', ']':
			if depth--; depth == 0 {
				return i + 1
			}
		}
	}
	return -1
}
