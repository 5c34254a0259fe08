package main

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"net/http"
	"strings"
	"time"

	"petsupply/internal/terminal"
)

// healthCmd asks a running service whether it is ready, for supervisors that have no HTTP client.
type healthCmd struct {
	URL     string   `arg:"" optional:"" name:"url" default:"http://127.0.0.1:9090" help:"Address of the service's --ops listener. Default: http://127.0.0.1:9090."`
	Timeout duration `default:"3s" help:"How long to wait for the answer."`
}

// Run prints the answer of the service. The exit code is 1 if the service is not ready.
func (c *healthCmd) Run(ctx context.Context, p *program) error {
	if !isAddress(c.URL) {
		return usage("%q is not an address; write it like http://127.0.0.1:9090", c.URL)
	}
	ctx, cancel := context.WithTimeout(ctx, time.Duration(c.Timeout))
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, strings.TrimSuffix(c.URL, "/")+"/readyz", nil)
	if err != nil {
		return usageError{err}
	}
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		return err
	}
	defer res.Body.Close()
	body, err := io.ReadAll(io.LimitReader(res.Body, 4<<10))
	if err != nil {
		return fmt.Errorf("reading the answer: %w", err)
	}
	fmt.Fprintln(p.stdout, terminal.OneLine(cmp.Or(strings.TrimSpace(string(body)), res.Status)))
	if res.StatusCode != http.StatusOK {
		return errReported
	}
	return nil
}
