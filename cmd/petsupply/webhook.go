package main

import (
	"context"
	"crypto/rand"
	"encoding/base64"
	"fmt"
	"net/http"
	"slices"
	"time"

	"petsupply/internal/webhook"
)

type webhookCmd struct {
	Test webhookTestCmd `cmd:"" help:"Send a signed example to a receiver, and print its answer."`
}

type webhookTestCmd struct {
	Receiver string `arg:"" help:"The address of a receiver, or the name of a webhook in the configuration."`
	Secret   string `placeholder:"whsec_…" help:"If the receiver is given as an address: the secret to sign with. Default: a new one, which is printed."`
	configFlags
}

// Run sends one request. The exit code is 1 unless the receiver accepts the example.
func (c *webhookTestCmd) Run(ctx context.Context, p *program) error {
	hook, err := c.hook(p)
	if err != nil {
		return err
	}
	m, err := webhook.Example(time.Now())
	if err != nil {
		return err
	}
	fmt.Fprintf(p.stdout, "Sending event %s: %s\n", m.ID, m.Body)
	begun := time.Now()
	a, err := hook.Send(ctx, &m)
	if err != nil {
		return fmt.Errorf("sending an example: %w", err)
	}
	fmt.Fprintf(p.stdout, "Answered %d %s after %d ms. %s\n", a.Status, http.StatusText(a.Status),
		time.Since(begun).Milliseconds(), meaning(a))
	if !a.Accepted() && a.RetryAfter > 0 {
		fmt.Fprintf(p.stdout, "The receiver wants no requests for %s.\n", a.RetryAfter.Round(time.Second))
	}
	if body := a.Body[:min(len(a.Body), 1000)]; len(body) > 0 {
		fmt.Fprintf(p.stdout, "%s\n", body)
	}
	if !a.Accepted() {
		return errReported
	}
	return nil
}

// hook returns the webhook that Receiver names, or a new one if Receiver is an address.
func (c *webhookTestCmd) hook(p *program) (*webhook.Hook, error) {
	if !isAddress(c.Receiver) {
		return c.configured(p)
	}
	if c.Secret == "" {
		key := make([]byte, 32)
		_, _ = rand.Read(key) // it never fails
		c.Secret = "whsec_" + base64.StdEncoding.EncodeToString(key)
		fmt.Fprintf(p.stdout, "Signed with %s, which was made for this test.\n", c.Secret)
	}
	hook := webhook.Hook{Name: "test", URL: c.Receiver, Private: true}
	if err := hook.Secret.SetScalar(c.Secret); err != nil {
		return nil, usage("--secret: %w", err)
	}
	var fault error
	webhook.CheckHooks([]webhook.Hook{hook}, func(_, format string, args ...any) { fault = usage(format, args...) })
	return &hook, fault
}

// configured returns the webhook that Receiver names in the configuration.
func (c *webhookTestCmd) configured(p *program) (*webhook.Hook, error) {
	s, err := c.loadReal(p)
	if err != nil {
		return nil, err
	}
	i := slices.IndexFunc(s.Webhooks, func(h webhook.Hook) bool { return h.Name == c.Receiver })
	if i < 0 {
		return nil, usage("%s has no webhook named %q", c.Config, c.Receiver)
	}
	return &s.Webhooks[i], nil
}

// meaning says what would happen to an event after such an answer.
func meaning(a *webhook.Answer) string {
	switch {
	case a.Accepted():
		return "An event would be delivered."
	case a.Refused():
		return "An event would count as refused. It would be sent again for a day, and then skipped."
	}
	return "An event would be sent again until it is accepted."
}
