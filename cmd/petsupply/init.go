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

// initCmd writes a first configuration from the answers of nodes and contracts.
type initCmd struct {
	RPC   []string `name:"rpc" sep:"none" placeholder:"URL" help:"Address of a node, or $$NAME for one in the environment. Repeat it for more nodes, of one chain or several."`
	Token []string `sep:"none" placeholder:"ADDRESS" help:"Contract of a token. Repeat it for more."`
	Pets  []string `sep:"none" placeholder:"ADDRESS" help:"Contract of pets. Repeat it for more."`
	Out   string   `short:"o" default:"petsupply.yaml" placeholder:"FILE" help:"The file to write; - for standard output. Default: petsupply.yaml."`
	Force bool     `help:"Overwrite an existing file."`
}

func (c *initCmd) Help() string {
	return `It looks at the nodes and contracts (chain id, decimals, name, supply, the balances
of dead addresses, how far back state and logs go, a pet) and writes a small
configuration with a reason on every line, and a question where you must decide.
On a terminal it asks for what no flag gives. It writes nothing before it has seen
everything, and overwrites nothing without --force.`
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
			return errors.New("nothing was written")
		}
		return fmt.Errorf("%w; nothing was written", err)
	}
	text := s.Draft(time.Now())
	if _, err := config.Load(c.Out, text, p.getenv); err != nil {
		return fmt.Errorf("the draft is not a valid configuration, which is a bug in petsupply: %w", err)
	}
	if c.Out == "-" {
		_, err := p.stdout.Write(text)
		return err
	}
	if err := writeNew(c.Out, text, c.Force); err != nil {
		return fmt.Errorf("writing the configuration: %w", err)
	}
	fmt.Fprintf(p.stdout, "Wrote %[1]s. Read it, answer its questions, then run:\n"+
		"  petsupply config check %[1]s --online\n  petsupply serve --config %[1]s\n", c.Out)
	return nil
}

// checkTarget refuses a file that cannot be written, before any question.
func (c *initCmd) checkTarget() error {
	if c.Out == "-" {
		return nil
	}
	switch info, err := os.Lstat(c.Out); {
	case err == nil && info.IsDir():
		return usage("%s is a directory; name a file with -o FILE", c.Out)
	case err == nil && !c.Force:
		return usage("%s exists; choose another file with -o FILE, or add --force to overwrite it", c.Out)
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
	contracts := len(c.Token)+len(c.Pets) > 0
	if !p.interactive && (len(c.RPC) == 0 || !contracts) {
		return usage("give nodes with --rpc URL, and contracts with --token ADDRESS or --pets ADDRESS; " +
			"on a terminal init asks for them")
	}
	addNode := func(written string) error {
		url := written
		if name, ok := strings.CutPrefix(written, "$"); ok {
			if url = p.getenv(strings.Trim(name, "{}")); url == "" {
				return usage("the environment has no %s", written)
			}
		}
		return s.AddNode(ctx, written, url)
	}
	addToken := func(address string) error { return s.AddToken(ctx, address) }
	addPets := func(address string) error { return s.AddPets(ctx, address) }
	ask := &asker{p: p, lines: make(chan string)}
	err := each(c.RPC, addNode)
	if len(c.RPC) == 0 {
		err = ask.each(ctx, "Address of a node", true, addNode)
	}
	if err != nil {
		return err
	}
	if err := s.InspectChains(ctx); err != nil {
		return err
	}
	if contracts {
		if err := each(c.Token, addToken); err != nil {
			return err
		}
		return each(c.Pets, addPets)
	}
	if err := ask.each(ctx, "Contract of a token", false, addToken); err != nil {
		return err
	}
	return ask.each(ctx, "Contract of pets", false, addPets)
}

// each calls do with the values until it fails.
func each(values []string, do func(string) error) error {
	for _, v := range values {
		if err := do(v); err != nil {
			return err
		}
	}
	return nil
}

// An asker asks a person on a terminal.
type asker struct {
	p       *program
	lines   chan string
	started bool
}

// each asks, and calls do with every answer until an empty one. If do fails, it prints
// the error and asks again. It insists on one answer that do accepts if needed is set.
func (a *asker) each(ctx context.Context, question string, needed bool, do func(string) error) error {
	for {
		more := " (empty to go on)"
		if needed {
			more = ""
		}
		answer, err := a.ask(ctx, question+more+": ")
		switch {
		case err != nil:
			return err
		case answer == "" && !needed:
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
		needed = false
	}
}

// ask asks one question and waits for the answer, or until ctx ends.
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

// maxAnswer bounds the length of an answer.
const maxAnswer = 4096

// read reads lines until the input ends. It may still wait for one when the program
// ends.
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

// writeNew writes a complete file or none. Only its owner may read it, since addresses
// of nodes contain keys. It overwrites an existing file only if force is set.
func writeNew(name string, text []byte, force bool) error {
	f, err := os.CreateTemp(filepath.Dir(name), ".petsupply-*")
	if err != nil {
		return err
	}
	defer os.Remove(f.Name()) // does nothing after a rename
	_, err = f.Write(text)
	if err := errors.Join(err, f.Sync(), f.Close()); err != nil {
		return err
	}
	if !force {
		err := os.Link(f.Name(), name) // unlike Rename it never replaces a file
		if err == nil || errors.Is(err, fs.ErrExist) {
			return err
		}
		if _, there := os.Lstat(name); there == nil {
			return fs.ErrExist
		}
	}
	return os.Rename(f.Name(), name)
}
