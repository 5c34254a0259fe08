package main

import (
	"bytes"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"strings"
	"text/tabwriter"
	"time"
)

type checkCmd struct {
	URL     []string      `arg:"" name:"url" help:"Base addresses of a deployed service: its supply, its pets, or its site."`
	Pet     uint64        `help:"The pet to ask for; by default the first of the listing."`
	Timeout time.Duration `default:"10s" help:"How long to wait for one answer."`
}

func (c *checkCmd) Help() string {
	return `Each address is called as its consumers call it: CoinMarketCap and CoinGecko
read bare figures, Coinranking asks for JSON and must not be refused, Blockscout
sends HEAD for a picture, OpenSea reads metadata, a browser comes from another
origin. One line for each demand; exit code 1 if one of them is not met.`
}

func (c *checkCmd) Run(p *program) error {
	k := &inspection{ctx: p.ctx, pet: c.Pet, client: &http.Client{
		Timeout:       c.Timeout,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}}
	for _, base := range c.URL {
		u, err := url.Parse(base)
		if err != nil || u.Host == "" || (u.Scheme != "http" && u.Scheme != "https") {
			return usageError{fmt.Errorf("%q is not an address; write it like https://supply.example.com", base)}
		}
		k.service(strings.TrimRight(base, "/"))
	}
	return k.report(p.stdout)
}

// An inspection calls a service and keeps a verdict for each demand.
type inspection struct {
	ctx      context.Context
	client   *http.Client
	pet      uint64
	verdicts []verdict
}

type verdict struct {
	who, demand string
	err         error
	took        time.Duration
}

// demand records whether a consumer's demand is met; check says why not.
func (k *inspection) demand(who, what string, check func() error) {
	start := time.Now()
	err := check()
	k.verdicts = append(k.verdicts, verdict{who, what, err, time.Since(start)})
}

// service finds out what lives at base and inspects it.
func (k *inspection) service(base string) {
	found := false
	for _, at := range []string{base, base + "/supply"} {
		if a, err := k.get(at + "/"); err == nil && a.status == http.StatusOK && bytes.HasPrefix(a.body, []byte("[")) {
			k.supply(at)
			found = true
			break
		}
	}
	for _, at := range []string{base, base + "/pets"} {
		if a, err := k.get(at + "/contract"); err == nil && a.status == http.StatusOK && a.is("application/json") {
			k.pets(at)
			found = true
			break
		}
	}
	if strings.HasPrefix(base, "https:") {
		k.demand("everyone", "certificate is valid for a week more: "+base, func() error { return k.certificate(base) })
	}
	if !found {
		k.demand("everyone", "a supply or pets interface answers at "+base, func() error {
			a, err := k.get(base + "/")
			if err != nil {
				return err
			}
			return fmt.Errorf("answered %d %s: neither a supply nor a pets interface%s", a.status, a.kind(), a.challenge())
		})
	}
}

func (k *inspection) certificate(base string) error {
	u, _ := url.Parse(base)
	host := u.Host
	if u.Port() == "" {
		host += ":443"
	}
	d := tls.Dialer{NetDialer: &net.Dialer{Timeout: k.client.Timeout}}
	conn, err := d.DialContext(k.ctx, "tcp", host)
	if err != nil {
		return err
	}
	defer conn.Close()
	leaf := conn.(*tls.Conn).ConnectionState().PeerCertificates[0]
	if time.Until(leaf.NotAfter) < 7*24*time.Hour {
		return fmt.Errorf("it ends on %s", leaf.NotAfter.Format(time.DateOnly))
	}
	return nil
}

// report prints the table; its error is errNo if a demand is not met.
func (k *inspection) report(out io.Writer) error {
	w := tabwriter.NewWriter(out, 0, 8, 2, ' ', 0)
	failed := 0
	for _, v := range k.verdicts {
		word, detail := "ok", ""
		if v.err != nil {
			word, detail = "FAIL", v.err.Error()
			failed++
		}
		fmt.Fprintf(w, "%s\t%s\t%s\t%s\t%s\n", word, v.who, v.demand, v.took.Round(100*time.Microsecond), detail)
	}
	w.Flush()
	fmt.Fprintf(out, "%d passed, %d failed\n", len(k.verdicts)-failed, failed)
	if failed > 0 {
		return errNo
	}
	return nil
}

// An answered is a whole answer.
type answered struct {
	status int
	header http.Header
	body   []byte
}

// maxAnswer bounds what a service under inspection may send.
const maxAnswer = 16 << 20

func (k *inspection) get(url string, header ...string) (*answered, error) {
	return k.call(http.MethodGet, url, header...)
}

func (k *inspection) call(method, url string, header ...string) (*answered, error) {
	req, err := http.NewRequestWithContext(k.ctx, method, url, nil)
	if err != nil {
		return nil, err
	}
	req.Header.Set("User-Agent", "petsupply-check/"+versionText())
	for i := 0; i+1 < len(header); i += 2 {
		req.Header.Set(header[i], header[i+1])
	}
	res, err := k.client.Do(req)
	if err != nil {
		return nil, err
	}
	defer res.Body.Close()
	body, err := io.ReadAll(io.LimitReader(res.Body, maxAnswer+1))
	if err != nil {
		return nil, fmt.Errorf("reading the answer: %w", err)
	}
	if len(body) > maxAnswer {
		return nil, errors.New("the answer is larger than 16 MB")
	}
	return &answered{res.StatusCode, res.Header, body}, nil
}

func (a *answered) kind() string {
	kind, _, _ := strings.Cut(a.header.Get("Content-Type"), ";")
	return strings.TrimSpace(kind)
}

func (a *answered) is(kind string) bool { return strings.EqualFold(a.kind(), kind) }

// challenge says whether the answer looks like a wall against robots.
func (a *answered) challenge() string {
	if a.is("text/html") && (a.status == 403 || a.status == 429 || a.status == 503 ||
		a.header.Get("Cf-Mitigated") != "" || bytes.Contains(a.body, []byte("challenge"))) {
		return "; a bot challenge stands in front of it, and price aggregators cannot pass one"
	}
	return ""
}

// want reports a wrong status or media type.
func (a *answered) want(status int, kind string) error {
	if a.status != status {
		return fmt.Errorf("status %d, want %d%s", a.status, status, a.challenge())
	}
	if kind != "" && !a.is(kind) {
		return fmt.Errorf("type %q, want %s", a.kind(), kind)
	}
	return nil
}
