package main

import (
	"context"
	"fmt"
	"net/http"
	"net/url"

	"go.opentelemetry.io/contrib/instrumentation/net/http/otelhttp"
	"go.opentelemetry.io/otel/exporters/otlp/otlptrace/otlptracehttp"
	"go.opentelemetry.io/otel/sdk/resource"
	"go.opentelemetry.io/otel/sdk/trace"
	semconv "go.opentelemetry.io/otel/semconv/v1.43.0"
)

// traced sends a span of every request to the collector at address, and
// returns how to flush what is left. A collector that is away costs nothing
// but the spans.
func traced(ctx context.Context, address string, handler http.Handler) (http.Handler, func(context.Context) error, error) {
	u, err := url.Parse(address)
	if err != nil {
		return nil, nil, fmt.Errorf("the address of the trace collector: %w", err)
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
	provider := trace.NewTracerProvider(trace.WithBatcher(exporter), trace.WithResource(resource.NewSchemaless(
		semconv.ServiceName("petsupply"), semconv.ServiceVersion(versionText()))))
	return otelhttp.NewHandler(handler, "petsupply", otelhttp.WithTracerProvider(provider)), provider.Shutdown, nil
}
