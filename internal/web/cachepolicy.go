package web

import (
	"time"

	"petsupply/internal/web/answer"
)

// How long caches may keep answers. CachePolicy.Within shortens these times for an answer with a
// figure, so that it expires before the service refuses the figure. supplyPolicy has no IfError.
// The service answers 503 for a withdrawn figure, and with IfError a cache would show that figure
// instead of the 503.
var (
	supplyPolicy  = answer.CachePolicy{MaxAge: 30 * time.Second, WhileRevalidate: time.Minute}
	petPolicy     = answer.CachePolicy{MaxAge: time.Minute, WhileRevalidate: 5 * time.Minute, IfError: 24 * time.Hour}
	picturePolicy = answer.CachePolicy{MaxAge: time.Minute, WhileRevalidate: 10 * time.Minute, IfError: 24 * time.Hour}
	versionPolicy = answer.CachePolicy{MaxAge: 365 * 24 * time.Hour, Immutable: true}
	listPolicy    = answer.CachePolicy{MaxAge: 5 * time.Second, WhileRevalidate: 30 * time.Second, IfError: time.Hour}
	logPolicy     = answer.CachePolicy{MaxAge: 5 * time.Second} // a log may grow
	steadyPolicy  = answer.CachePolicy{MaxAge: 5 * time.Minute, WhileRevalidate: time.Hour, IfError: 24 * time.Hour}
	fixedPolicy   = answer.CachePolicy{MaxAge: time.Hour}       // an earlier state, which may still be corrected
	youngPolicy   = answer.CachePolicy{MaxAge: 5 * time.Second} // a recent moment, whose state may still change
)
