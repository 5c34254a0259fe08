package simulate

import (
	"bytes"
	"context"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"hash/fnv"
	"io"
	"math/big"
	"net/http"
	"slices"
	"strconv"
	"sync/atomic"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"

	"petsupply/internal/world"
)

// A node is one provider of a chain, with its faults. It implements http.RoundTripper.
type node struct {
	*kingdom
	chain, provider int
	asked           *atomic.Int64
}

// An exchange is one request to a node.
type exchange struct {
	asked []world.Request
	batch bool
	key   uint64 // the seed of everything random about it
	view  time.Time
	node  world.Node
	http  int // status
	wait  int64
	cut   bool // half of the answer is lost
	up    int64
}

// RoundTrip answers after a while, with the current faults.
func (n *node) RoundTrip(r *http.Request) (*http.Response, error) {
	n.asked.Add(1)
	defer r.Body.Close()
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return nil, err
	}
	x := &exchange{}
	x.asked, x.batch = world.ReadRequests(body)
	x.key = n.draw(x.asked)
	latency := 20*time.Millisecond + time.Duration(x.key%uint64(280*time.Millisecond))
	for _, f := range n.faults() {
		switch f.Kind {
		case "hang":
			latency = time.Hour
		case "slow", "slowchain":
			latency += time.Duration(f.Amount) * time.Millisecond
		}
	}
	if err := sleep(r.Context(), latency/2); err != nil {
		return nil, err
	}
	answer, err := n.answer(r, x)
	if err != nil {
		return nil, err
	}
	if err := sleep(r.Context(), latency-latency/2); err != nil {
		return nil, err
	}
	return answer, nil
}

// draw returns a hash of the scenario's seed, the node, the time and the request. It leaves out the
// request's ids, which depend on the order of calls.
func (n *node) draw(asked []world.Request) uint64 {
	h := fnv.New64a()
	for _, v := range []uint64{n.Seed, uint64(n.chain), uint64(n.provider), uint64(time.Since(n.start))} {
		h.Write(binary.BigEndian.AppendUint64(nil, v))
	}
	for _, r := range asked {
		h.Write([]byte(r.Method))
		for _, p := range r.Params {
			h.Write(p)
		}
	}
	return mix(h.Sum64())
}

// mix spreads a hash over all bits.
func mix(x uint64) uint64 {
	x ^= x >> 30
	x *= 0xbf58476d1ce4e5b9
	x ^= x >> 27
	x *= 0x94d049bb133111eb
	return x ^ x>>31
}

func sleep(ctx context.Context, d time.Duration) error {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// faults returns the node's current faults.
func (n *node) faults() (list []Fault) {
	for _, f := range n.Faults {
		if f.at(time.Since(n.start)) && f.befalls(n.chain, n.provider) {
			list = append(list, f)
		}
	}
	return list
}

// answer answers at the current time.
func (n *node) answer(r *http.Request, x *exchange) (*http.Response, error) {
	x.view = time.Now().Add(-time.Duration(n.Chains[n.chain].Delays[n.provider]) * time.Millisecond)
	chain := *n.chains[n.chain]
	x.node.Chain = &chain
	x.http = http.StatusOK
	if n.closed[n.chain].Load() {
		return nil, errors.New("no such host")
	}
	for _, f := range n.faults() {
		if err := x.apply(n, f, &chain); err != nil {
			return nil, err
		}
	}
	if x.http != http.StatusOK {
		return response(r, x.http, x.wait, []byte("no")), nil
	}
	x.node.Now = func() time.Time { return x.view }
	text := x.node.Answers(x.asked, x.batch)
	if x.up > 0 {
		text = claim(x.asked, text, x.up)
	}
	if x.cut {
		text = text[:len(text)/2]
	}
	return response(r, http.StatusOK, 0, text), nil
}

// apply changes how the node answers, according to a fault.
func (x *exchange) apply(n *node, f Fault, chain *world.Chain) error {
	since := n.start.Add(time.Duration(f.From) * time.Second)
	odd := mix(x.key^0x5ca1ab1e)%100 < 50
	switch f.Kind {
	case "dead":
		return errors.New("connection refused")
	case "flaky":
		if int64(mix(x.key+1)%100) < f.Amount {
			x.http = http.StatusServiceUnavailable
		}
	case "limit":
		x.http = http.StatusTooManyRequests
		x.wait = f.Amount
	case "truncate":
		x.cut = true
	case "lag", "behind":
		x.view = x.view.Add(-time.Duration(f.Amount) * time.Second)
	case "flap":
		if odd {
			x.view = x.view.Add(-time.Duration(f.Amount) * time.Second)
		}
	case "stick":
		if since.Before(x.view) {
			x.view = since
		}
	case "claim":
		x.up = f.Amount
		if f.Amount >= 1000 { // it does not even have the newest existing blocks
			x.view = x.view.Add(-time.Minute)
		}
	case "lie":
		chain.State = lyingState{State: chain.State, by: big.NewInt(f.Amount)}
	case "forget":
		x.node.Keeps = uint64(f.Amount)
	case "garble":
		chain.State = garbledState{chain.State}
	}
	return nil
}

// A lyingState adds something to each balance of a token and to each owner of a pet, changes a field
// of each pet, and hides events.
type lyingState struct {
	world.State
	by *big.Int
}

func (s lyingState) Call(at world.Block, to common.Address, data []byte) ([]byte, bool) {
	out, ok := s.State.Call(at, to, data)
	switch {
	case !ok || len(data) <= 4:
	case len(out) == 32:
		out = world.Word(new(big.Int).Add(new(big.Int).SetBytes(out), s.by))
	case len(out) > 32*5: // a struct: change its fourth field
		out[32*5-1] ^= 1
	}
	return out, ok
}

func (s lyingState) Logs(world.Block) []world.Log { return nil }

// A garbledState cuts the struct of some pets, which nobody can read then.
type garbledState struct{ world.State }

func (s garbledState) Call(at world.Block, to common.Address, data []byte) ([]byte, bool) {
	out, ok := s.State.Call(at, to, data)
	if ok && garbled(data) && len(out) > 32*5 {
		out = out[:32*4]
	}
	return out, ok
}

func garbled(data []byte) bool { return len(data) > 4 && data[len(data)-1]%3 == 0 }

// claim replaces each block in an answer that was asked for by a tag, such as latest, with a later
// one that does not exist.
func claim(asked []world.Request, text []byte, up int64) []byte {
	var answers []map[string]json.RawMessage
	alone := !bytes.HasPrefix(text, []byte("["))
	if alone {
		text = fmt.Appendf(nil, "[%s]", text)
	}
	if json.Unmarshal(text, &answers) != nil || len(answers) != len(asked) {
		return text
	}
	for i, r := range asked {
		if r.Method != "eth_getBlockByNumber" || bytes.HasPrefix(r.Params[0], []byte(`"0x`)) {
			continue
		}
		var header map[string]any
		if json.Unmarshal(answers[i]["result"], &header) != nil {
			continue
		}
		number, _ := hexutil.DecodeUint64(header["number"].(string))
		header["number"] = hexutil.Uint64(number + uint64(up))
		header["hash"] = common.BigToHash(new(big.Int).SetUint64(mix(number + uint64(up))))
		answers[i]["result"], _ = json.Marshal(header)
	}
	text, _ = json.Marshal(answers)
	if alone {
		text = text[1 : len(text)-1]
	}
	return text
}

func response(r *http.Request, status int, wait int64, text []byte) *http.Response {
	header := http.Header{"Content-Type": {"application/json"}}
	if wait > 0 {
		header.Set("Retry-After", strconv.FormatInt(wait, 10))
	}
	return &http.Response{Status: http.StatusText(status), StatusCode: status, Proto: "HTTP/1.1", ProtoMajor: 1,
		ProtoMinor: 1, Request: r, Header: header, ContentLength: int64(len(text)),
		Body: io.NopCloser(bytes.NewReader(text))}
}

// befalls reports whether a fault affects this provider.
func (f Fault) befalls(chain, provider int) bool {
	if f.Chain != chain {
		return false
	}
	if slices.Contains(ofProviders, f.Kind) {
		return f.Provider == provider
	}
	return slices.Contains([]string{"slowchain", "behind", "garble"}, f.Kind)
}
