package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"petsupply/internal/config"
	"petsupply/internal/survey"
)

// initCmd writes a first configuration from what nodes and contracts say.
type initCmd struct {
	RPC   []string `name:"rpc" sep:"none" placeholder:"URL" help:"Address of a node, or $$NAME for one that stands in the environment. Again for more nodes, of one chain or several."`
	Token []string `sep:"none" placeholder:"ADDRESS" help:"Contract of a token. Again for more."`
	Pets  []string `sep:"none" placeholder:"ADDRESS" help:"Contract of pets. Again for more."`
	Out   string   `short:"o" default:"petsupply.yaml" placeholder:"FILE" help:"Where to; - for standard output. Default: petsupply.yaml."`
	Force bool     `help:"Write over a file that is there."`
}

func (c *initCmd) Help() string {
	return `It looks at the nodes and contracts (chain id, decimals, name, supply, what dead
addresses hold, how far back state and logs go, a pet) and writes a small
configuration with a reason on every line, and a question where you must decide.
On a terminal, what is not given by flags is asked for. Nothing is written until
all is seen, and nothing is overwritten without --force.`
}

// Run looks first and writes last.
func (c *initCmd) Run(ctx context.Context, p *program) error {
	if err := c.checkTarget(); err != nil {
		return err
	}
	s := &survey.Survey{Print: func(format string, args ...any) { fmt.Fprintf(p.stderr, format+"\n", args...) }}
	defer s.Close()
	if err := c.inspect(ctx, p, s); err != nil {
		if ctx.Err() != nil {
			return errors.New("interrupted; nothing was written")
		}
		return fmt.Errorf("%w; nothing was written", err)
	}
	text := s.Draft(time.Now())
	if _, err := config.Load(c.Out, text, p.getenv); err != nil {
		return fmt.Errorf("what would be written is not a configuration, which is a fault of this program: %w", err)
	}
	if c.Out == "-" {
		_, err := p.stdout.Write(text)
		return err
	}
	if err := writeNew(c.Out, text, c.Force); err != nil {
		return fmt.Errorf("writing the configuration: %w", err)
	}
	fmt.Fprintf(p.stdout, "%s is written. Read it, decide what it asks, then:\n  petsupply config check %s --online\n  petsupply serve --config %s\n", c.Out, c.Out, c.Out)
	return nil
}

// checkTarget refuses a place that cannot be written before anything is asked.
func (c *initCmd) checkTarget() error {
	if c.Out == "-" {
		return nil
	}
	switch info, err := os.Lstat(c.Out); {
	case err == nil && info.IsDir():
		return usage("%s is a directory; say which file with -o FILE", c.Out)
	case err == nil && !c.Force:
		return usage("%s is there already; choose another file with -o FILE, or add --force to write over it", c.Out)
	}
	f, err := os.CreateTemp(filepath.Dir(c.Out), ".petsupply-*")
	if err != nil {
		return usage("nothing can be written in %s: %w", filepath.Dir(c.Out), errors.Unwrap(err))
	}
	f.Close()
	return os.Remove(f.Name())
}

// inspect looks at everything that was given, and asks for what was not.
func (c *initCmd) inspect(ctx context.Context, p *program, s *survey.Survey) error {
	ask := &asker{p: p, lines: make(chan string)}
	if !p.interactive && (len(c.RPC) == 0 || len(c.Token)+len(c.Pets) == 0) {
		return usage("give nodes with --rpc URL, and contracts with --token ADDRESS or --pets ADDRESS; on a terminal they are asked for")
	}
	nodes := func(written string) error {
		url := written
		if name, ok := strings.CutPrefix(written, "$"); ok {
			if url = p.getenv(strings.Trim(name, "{}")); url == "" {
				return usage("the environment has no %s", written)
			}
		}
		return s.AddNode(ctx, written, url)
	}
	if err := ask.each(ctx, c.RPC, "Address of a node", true, nodes); err != nil {
		return err
	}
	if err := s.InspectChains(ctx); err != nil {
		return err
	}
	given := len(c.Token)+len(c.Pets) > 0
	tokens := func(address string) error { return s.AddToken(ctx, address) }
	if err := ask.each(ctx, c.Token, "Contract of a token", false, tokens, given); err != nil {
		return err
	}
	return ask.each(ctx, c.Pets, "Contract of pets", false, func(address string) error { return s.AddPets(ctx, address) }, given)
}

// An asker asks a person on a terminal.
type asker struct {
	p       *program
	lines   chan string
	started bool
}

// each does something with every value that was given, or, where none was and
// nothing else was either, with every answer until an empty one. What is wrong
// with an answer is said, and the question put again.
func (a *asker) each(ctx context.Context, given []string, what string, needed bool, do func(string) error, others ...bool) error {
	for _, value := range given {
		if err := do(value); err != nil {
			return err
		}
	}
	if len(given) > 0 || len(others) > 0 && others[0] {
		return nil
	}
	for done := 0; ; {
		more := ""
		if done > 0 || !needed {
			more = " (nothing for no more)"
		}
		answer, err := a.ask(ctx, what+more+": ")
		switch {
		case err != nil:
			return err
		case answer == "" && (done > 0 || !needed):
			return nil
		case answer == "":
			continue
		}
		if err := do(answer); ctx.Err() != nil {
			return ctx.Err()
		} else if err != nil {
			fmt.Fprintln(a.p.stderr, err)
			continue
		}
		done++
	}
}

// ask puts one question; a signal ends the wait.
func (a *asker) ask(ctx context.Context, question string) (string, error) {
	if !a.started {
		a.started = true
		go a.read()
	}
	fmt.Fprint(a.p.stderr, question)
	select {
	case <-ctx.Done():
		return "", ctx.Err()
	case line, ok := <-a.lines:
		if !ok {
			return "", errors.New("the answers ended before the questions")
		}
		return strings.TrimSpace(line), nil
	}
}

// maxAnswer bounds a line that is typed in.
const maxAnswer = 4096

// read reads lines until the input ends. It is left waiting for one when the
// program ends.
func (a *asker) read() {
	defer close(a.lines)
	var line []byte
	for one := make([]byte, 1); ; {
		n, err := a.p.stdin.Read(one)
		if n == 1 && one[0] != '\n' && len(line) < maxAnswer {
			line = append(line, one[0])
		} else if n == 1 {
			a.lines <- string(line)
			line = nil
		}
		if err != nil {
			if err == io.EOF && len(line) > 0 {
				a.lines <- string(line)
			}
			return
		}
	}
}

// writeNew writes a file whole or not at all, for its owner alone: addresses of
// nodes hold keys. One that is there is only written over by force.
func writeNew(name string, text []byte, force bool) error {
	f, err := os.CreateTemp(filepath.Dir(name), ".petsupply-*")
	if err != nil {
		return err
	}
	defer os.Remove(f.Name()) // gone already if it was renamed
	_, err = f.Write(text)
	if err := errors.Join(err, f.Sync(), f.Close()); err != nil {
		return err
	}
	if !force {
		err := os.Link(f.Name(), name) // unlike renaming it refuses a file that came meanwhile
		if err == nil || errors.Is(err, fs.ErrExist) {
			return err
		}
		if _, there := os.Lstat(name); there == nil {
			return fs.ErrExist
		}
	}
	return os.Rename(f.Name(), name)
}
