package jsonrpc

import "bytes"

// A message is one reply of a batch, with raw JSON members. Results may be megabytes of hex, which
// encoding/json would read several times. The scanner only finds the ends of values; the code that
// uses a value checks it.
type message struct {
	id, result, fault []byte // nil if missing
}

// messages reads an array of at most limit messages. If ok is false, short reports whether the text
// was cut off.
func messages(text []byte, limit int) (all []message, short, ok bool) {
	s := Scan(text)
	ok = s.each('[', ']', func() bool {
		if len(all) == limit {
			return false
		}
		var m message
		defer func() { all = append(all, m) }()
		if s.peek() != '{' {
			return s.value() != nil // some nodes send null
		}
		return s.Members(func(key, value []byte) bool {
			switch string(key) {
			case `"id"`:
				m.id = value
			case `"result"`:
				m.result = value
			case `"error"`:
				m.fault = value
			}
			return true
		})
	})
	short = len(s.rest) == 0
	return all, short, ok && s.peek() == 0 // nothing may follow the array
}

// A scanner walks over JSON text.
type scanner struct{ rest []byte }

// Scan returns a scanner for text.
func Scan(text []byte) *scanner { return &scanner{text} }

// peek returns the next byte that is not a space, or 0 at the end.
func (s *scanner) peek() byte {
	s.rest = bytes.TrimLeft(s.rest, " \t\r\n")
	if len(s.rest) == 0 {
		return 0
	}
	return s.rest[0]
}

// eat skips the next byte if it is b.
func (s *scanner) eat(b byte) bool {
	if s.peek() != b {
		return false
	}
	s.rest = s.rest[1:]
	return true
}

// each calls item for every item between two brackets, the bytes open and end. It returns false if
// item returns false, or if the JSON is not valid.
func (s *scanner) each(open, end byte, item func() bool) bool {
	if !s.eat(open) {
		return false
	}
	if s.eat(end) {
		return true
	}
	for item() {
		if s.eat(end) {
			return true
		}
		if !s.eat(',') {
			return false
		}
	}
	return false
}

// Members calls member for each member of an object until member returns false. Keys include their
// quotes.
func (s *scanner) Members(member func(key, value []byte) bool) bool {
	return s.each('{', '}', func() bool {
		key := s.value()
		if key == nil || !s.eat(':') {
			return false
		}
		value := s.value()
		return value != nil && member(key, value)
	})
}

// Items calls item for each item of an array until item returns false. most is the largest number
// of items: Items returns false if the array has more. A null counts as an empty array.
func (s *scanner) Items(most int, item func(value []byte) bool) bool {
	if string(s.rest) == "null" {
		return true
	}
	n := 0
	return s.each('[', ']', func() bool {
		value := s.value()
		n++
		return value != nil && n <= most && item(value)
	})
}

// value skips a value and returns it, or nil if there is none.
func (s *scanner) value() []byte {
	n := 0
	switch s.peek() {
	case '"':
		n = quoted(s.rest)
	case '{', '[':
		n = nested(s.rest)
	default:
		n = bytes.IndexAny(s.rest, ",:[]{}\" \t\r\n")
	}
	if n < 0 {
		s.rest = nil
	}
	if n <= 0 {
		return nil
	}
	v := s.rest[:n:n]
	s.rest = s.rest[n:]
	return v
}

// quoted returns the length of the string at the start of text, or -1 if it does not end.
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

// nested returns the length of the object or array at the start of text, or -1 if it does not end.
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
