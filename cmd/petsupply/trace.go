package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/url"
	"sync/atomic"
	"time"

	"go.opentelemetry.io/contrib/instrumentation/net/http/otelhttp"
	"go.opentelemetry.io/otel/exporters/otlp/otlptrace/otlptracehttp"
	"go.opentelemetry.io/otel/sdk/resource"
	"go.opentelemetry.io/otel/sdk/trace"
	semconv "go.opentelemetry.io/otel/semconv/v1.43.0"
)

// flushTime bounds the sending of the last spans.
const flushTime = 2 * time.Second

// traced sends a span of every request to the collector at address, if there
// is one, and returns how to flush what is left. A collector that is away
// costs nothing but the spans.
func traced(ctx context.Context, address string, handler http.Handler, log *slog.Logger) (http.Handler, func(), error) {
	if address == "" {
		return handler, func() {}, nil
	}
	u, err := url.Parse(address)
	if err != nil {
		return nil, nil, errors.New("the address of the trace collector is not usable") // err would repeat it
	}
	opts := []otlptracehttp.Option{otlptracehttp.WithEndpoint(u.Host)}
	if u.Scheme == "http" {
		opts = append(opts, otlptracehttp.WithInsecure())
	}
	if u.Path != "" && u.Path != "/" {
		opts = append(opts, otlptracehttp.WithURLPath(u.Path))
	}
	exporter, err := otlptracehttp.New(ctx, opts...)
	if err != nil {
		return nil, nil, fmt.Errorf("opening the trace exporter: %w", err)
	}
	provider := trace.NewTracerProvider(trace.WithBatcher(&discreet{SpanExporter: exporter, log: log}), trace.WithResource(resource.NewSchemaless(
		semconv.ServiceName("petsupply"), semconv.ServiceVersion(versionText()))))
	flush := func() {
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), flushTime)
		defer cancel()
		if err := provider.Shutdown(ctx); err != nil {
			log.Warn("the last traces could not be sent in time")
		}
	}
	return otelhttp.NewHandler(handler, "petsupply", otelhttp.WithTracerProvider(provider)), flush, nil
}

// A discreet exporter keeps its errors, which name the collector's address and
// whatever key is in it, to itself: it says only that spans are lost, and when
// they are sent again.
type discreet struct {
	trace.SpanExporter
	log  *slog.Logger
	lost atomic.Bool
}

func (d *discreet) ExportSpans(ctx context.Context, spans []trace.ReadOnlySpan) error {
	err := d.SpanExporter.ExportSpans(ctx, spans)
	switch was := d.lost.Swap(err != nil); {
	case err != nil && !was:
		d.log.Warn("the trace collector does not take spans; they are lost until it does")
	case err == nil && was:
		d.log.Info("the trace collector takes spans again")
	}
	return nil
}
