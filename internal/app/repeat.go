package app

import (
	"context"
	"log/slog"
	"time"
)

// repeat returns a loop that takes a step at once and then at every interval, until its context
// ends. The argument doing names the step in log lines. The loop logs when a fault begins, changes
// or ends.
func repeat(
	every time.Duration, doing string, log *slog.Logger, step func(context.Context) error,
) func(context.Context) error {
	return func(ctx context.Context) error {
		tick := time.NewTicker(every)
		defer tick.Stop()
		failed := ""
		for {
			err := step(ctx)
			switch {
			case ctx.Err() != nil:
				return nil
			case err != nil && err.Error() != failed:
				log.Error(doing+" fails", "error", err)
				failed = err.Error()
			case err == nil && failed != "":
				log.Info(doing + " works again")
				failed = ""
			}
			select {
			case <-ctx.Done():
				return nil
			case <-tick.C:
			}
		}
	}
}
