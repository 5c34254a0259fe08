package main

import (
	"context"
	"crypto/rand"
	"encoding/base64"
	"fmt"
	"net/http"
	"slices"
	"time"

	"petsupply/internal/app"
	"petsupply/internal/webhook"
)

type webhookCmd struct {
	Test   webhookTestCmd   `cmd:"" help:"Send a signed example to a receiver, and print its answer."`
	Resend webhookResendCmd `cmd:"" help:"Send again the events that a receiver refused for a day."`
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
	if a.RetryAfter > 0 {
		fmt.Fprintf(p.stdout, "The receiver wants no requests for %s.\n", a.RetryAfter.Round(time.Second))
	}
	if body := a.Body[:min(len(a.Body), 1000)]; len(body) > 0 {
		fmt.Fprintf(p.stdout, "%s\n", body)
	}
	if !a.Taken() {
		return errReported
	}
	return nil
}

// hook returns the webhook that Receiver names, or a new one if Receiver is an address.
func (c *webhookTestCmd) hook(p *program) (*webhook.Hook, error) {
	if !isAddress(c.Receiver) {
		_, hook, err := loadHook(p, c.configFlags, c.Receiver)
		return hook, err
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

// loadHook returns the webhook with this name in the configuration.
func loadHook(p *program, f configFlags, name string) (*app.Settings, *webhook.Hook, error) {
	s, err := f.loadExisting(p)
	if err != nil {
		return nil, nil, err
	}
	if s.Demo {
		return nil, nil, usage("the demo has no webhooks; give the configuration with --config FILE")
	}
	i := slices.IndexFunc(s.Webhooks, func(h webhook.Hook) bool { return h.Name == name })
	if i < 0 {
		return nil, nil, usage("%s has no webhook named %q", f.Config, name)
	}
	return s, &s.Webhooks[i], nil
}

// meaning says what would happen to an event after such an answer.
func meaning(a *webhook.Answer) string {
	switch {
	case a.Taken():
		return "An event would be delivered."
	case a.Status == http.StatusGone:
		return "After this answer to an event, the webhook would send nothing until its address changes."
	case a.Refused():
		return "An event would count as refused. It would be sent again for a day, and then set aside."
	}
	return "An event would be sent again until it is accepted."
}

type webhookResendCmd struct {
	Name string `arg:"" help:"The name of the webhook."`
	configFlags
}

// Run sends the events in order, and ends at the first one that the receiver does not accept. An
// accepted event is no longer set aside.
func (c *webhookResendCmd) Run(ctx context.Context, p *program) error {
	s, hook, err := loadHook(p, c.configFlags, c.Name)
	if err != nil {
		return err
	}
	db, err := s.OpenStore(ctx, nil)
	if err != nil {
		return err
	}
	defer db.Close()
	list, err := db.WebhookAside(ctx, hook.Name)
	if err != nil {
		return err
	}
	fmt.Fprintf(p.stdout, "Events of %s that are set aside in the store %s: %d.\n", hook.Name, s.StoreName(), len(list))
	for i := range list {
		m := &list[i]
		a, err := hook.Send(ctx, m)
		if err != nil {
			return fmt.Errorf("sending %s, which stays set aside: %w", m.ID, err)
		}
		if !a.Taken() {
			fmt.Fprintf(p.stdout, "%s: the receiver answered %d. This event and the later ones stay set aside.\n", m.ID,
				a.Status)
			return errReported
		}
		if err := db.DropWebhookAside(ctx, hook.Name, m.ID); err != nil {
			return err
		}
		fmt.Fprintf(p.stdout, "%s: delivered\n", m.ID)
	}
	return nil
}
