package app

import (
	"context"
	"time"

	"petsupply/internal/web/site"
	"petsupply/internal/webhook"
)

// newWebhooks prepares the sender of events, if the configuration has webhooks.
func (v *Service) newWebhooks() {
	if hooks := v.Settings.Webhooks; len(hooks) > 0 {
		v.webhooks = webhook.New(webhook.Config{Hooks: hooks, Store: v.Store, Log: v.log})
	}
}

// webhookStatus is what the webhooks took and what waits for them, in the order
// of the file.
func (v *Service) webhookStatus() (out []site.WebhookStatus) {
	if v.webhooks == nil {
		return nil
	}
	ctx, cancel := context.WithTimeout(context.Background(), time.Second)
	defer cancel()
	backlogs, _ := v.Store.WebhookBacklogs(ctx) // without the store the page shows the rest
	failing := v.webhooks.Failing()
	for _, h := range v.Settings.Webhooks {
		line := site.WebhookStatus{Name: h.Name, Failing: failing[h.Name].Round(time.Second)}
		for _, b := range backlogs {
			if b.Name == h.Name {
				line.Waiting, line.Delivered = uint64(max(0, b.Waiting)), b.Delivered
			}
		}
		out = append(out, line)
	}
	return out
}
