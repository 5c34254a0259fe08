// Command petsupply publishes the supply of tokens and the metadata and pictures of pets over HTTP.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/alecthomas/kong"

	"petsupply/internal/terminal"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	context.AfterFunc(ctx, stop) // a second signal ends the process at once
	os.Exit(run(ctx, os.Args[1:], os.Getenv, os.Stdin, os.Stdout, os.Stderr))
}

// commands is the command line. Each command is a struct of its flags with a method
// Run(context.Context, *program) error, in a file of its own. The context ends with SIGINT or SIGTERM.
type commands struct {
	Serve   serveCmd   `cmd:"" help:"Serve both interfaces and the site. Without a configuration, serve the embedded demo kingdom."`
	Init    initCmd    `cmd:"" help:"Look at nodes and contracts, and write a first configuration."`
	Config  configCmd  `cmd:"" help:"Check a configuration file, or print its schema."`
	Measure measureCmd `cmd:"" help:"Measure a token now and print every entry. Nothing is published."`
	Audit   auditCmd   `cmd:"" help:"Read the whole log of a service and check everything in it."`
	Verify  verifyCmd  `cmd:"" help:"Check a published figure yourself, with a proof or with nodes of your choice."`
	Release releaseCmd `cmd:"" help:"Publish a figure that is held."`
	Correct correctCmd `cmd:"" help:"State in the log that a published figure was wrong."`
	Import  importCmd  `cmd:"" help:"Import traits of pets, or all pets of a realm whose chain is gone."`
	Reindex reindexCmd `cmd:"" help:"Apply a changed collection file to the store, and read realms from the start."`
	Store   storeCmd   `cmd:"" help:"Copy or move a store."`
	Freeze  freezeCmd  `cmd:"" help:"Write what is published into files for any web server."`
	Check   checkCmd   `cmd:"" help:"Call a deployed service as its consumers do, and check its answers."`
	Health  healthCmd  `cmd:"" help:"Ask a running service whether it is ready, for containers and supervisors."`
	Webhook webhookCmd `cmd:"" help:"Try a webhook's receiver."`
	Pack    packCmd    `cmd:"" help:"Make and check art packs."`
	Version versionCmd `cmd:"" help:"Print the version, the commit and the date."`
	Help    struct{}   `cmd:"" help:"Print the commands, or the flags of one: help serve."`
}

// run is the program. It does not exit the process and uses only its arguments, so that a test can
// call it.
func run(ctx context.Context, args []string, getenv func(string) string, stdin io.Reader, stdout, stderr io.Writer,
) int {
	p := &program{
		getenv: getenv, stdin: stdin, interactive: terminal.Is(stdin),
		stdout: terminal.Escaper{Writer: stdout}, stderr: terminal.Escaper{Writer: stderr},
	}
	helped := false // set when kong wants to exit, after --help
	k, err := newParser(ctx, p, stdout, stderr, func(int) { helped = true })
	if err != nil {
		return p.exit(ctx, err)
	}
	command, err := k.Parse(spelledOut(args))
	if helped {
		return exitOK
	}
	if err != nil {
		fmt.Fprintf(p.stderr, "petsupply: %v\n%s\n", err, helpHint(err))
		return exitUsage
	}
	return p.exit(ctx, runUntil(ctx, func() error { return command.Run() }))
}

// newParser makes the parser of the command line. Its commands run with p.
func newParser(ctx context.Context, p *program, stdout, stderr io.Writer, exit func(int)) (*kong.Kong, error) {
	k, err := kong.New(new(commands),
		kong.Name("petsupply"),
		kong.Description("Token supply, pet metadata and pet pictures over HTTP, measured on EVM chains.\n\n"+
			"Every flag can also be set by an environment variable: --log-format is PETSUPPLY_LOG_FORMAT.\n"+
			"Exit codes: 0 success, 1 the command ran and the answer is no, "+
			"2 the command line or the configuration is wrong,\n"+
			"3 something could not be reached, 130 interrupted."),
		kong.Writers(stdout, stderr),
		kong.Exit(exit),
		kong.ConfigureHelp(kong.HelpOptions{Compact: true, FlagsLast: true}),
		kong.Resolvers(fromEnvironment(p.getenv)),
		kong.BindTo(ctx, (*context.Context)(nil)),
		kong.Bind(p),
	)
	if err == nil {
		addExamples(k.Model.Node)
	}
	return k, err
}

// spelledOut replaces common ways to ask for help and the version with those that the parser knows.
func spelledOut(args []string) []string {
	switch {
	case len(args) == 0:
		return []string{"--help"}
	case args[0] == "--version":
		return []string{"version"}
	case args[0] == "help":
		return append(slices.Clone(args[1:]), "--help")
	}
	return args
}

// fromEnvironment reads a flag from the environment if the command line does not have it. The flag
// --name is the variable PETSUPPLY_NAME.
func fromEnvironment(getenv func(string) string) kong.Resolver {
	return kong.ResolverFunc(func(_ *kong.Context, _ *kong.Path, flag *kong.Flag) (any, error) {
		value := getenv("PETSUPPLY_" + strings.ToUpper(strings.ReplaceAll(flag.Name, "-", "_")))
		if value == "" || flag.Name == "help" {
			return nil, nil
		}
		return value, nil
	})
}

// helpHint says how to get help for the command that could not be parsed.
func helpHint(err error) string {
	words := []string{"petsupply"}
	if at, ok := errors.AsType[*kong.ParseError](err); ok && at.Context != nil {
		for _, step := range at.Context.Path {
			if step.Command != nil {
				words = append(words, step.Command.Name)
			}
		}
	}
	what := "its flags"
	if len(words) == 1 {
		what = "the commands"
	}
	return fmt.Sprintf("Run %s --help for %s.", strings.Join(words, " "), what)
}

// stopTime is how long a command may take to end after a signal. The service needs up to 7 seconds:
// it finishes its requests and gives up the lease.
const stopTime = 8 * time.Second

// runUntil runs a command to its end. After ctx ends, it waits at most for stopTime, because a
// command may hang while it reads a file or a device.
func runUntil(ctx context.Context, command func() error) error {
	ended := make(chan error, 1)
	go func() { ended <- command() }()
	select {
	case err := <-ended:
		return err
	case <-ctx.Done():
	}
	select {
	case err := <-ended:
		return err
	case <-time.After(stopTime):
		return errors.New("the command did not end; it may be reading a file or device that does not answer")
	}
}
