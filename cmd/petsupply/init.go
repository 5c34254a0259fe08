package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"petsupply/internal/art"
	"petsupply/internal/config"
	"petsupply/internal/pet/collection"
	"petsupply/internal/probe"
)

// initCmd writes a first configuration from the answers of nodes and contracts.
type initCmd struct {
	RPC   []string `name:"rpc" sep:"none" placeholder:"URL" help:"Address of a node, or $$NAME to read it from the environment. Repeat the flag for more nodes, of one chain or several."`
	Token []string `sep:"none" placeholder:"ADDRESS" help:"Contract of a token. Repeat the flag for more."`
	Pets  []string `sep:"none" placeholder:"ADDRESS" help:"Contract of pets, or of any ERC-721 collection. Repeat the flag for more."`
	ABI   string   `name:"abi" placeholder:"FILE" help:"ABI of your own collection's contract, as JSON. It is used to find the traits."`
	Out   string   `short:"o" default:"petsupply.yaml" placeholder:"FILE" help:"The file to write; - for standard output. Default: petsupply.yaml."`
	Force bool     `help:"Overwrite an existing file."`
}

func (c *initCmd) Help() string {
	return `Reads the nodes and contracts: chain id, decimals, name, supply, balances of dead
addresses, how far back state and logs go, and a pet. Then writes a small
configuration. Each line gives its reason, and asks a question where you must decide.
For an ERC-721 contract that does not fit the default collection, init also drafts a
collection file and a pack of placeholder pictures beside the configuration.
On a terminal it asks for values that no flag gives. It writes nothing before it has
read everything, and overwrites nothing without --force.`
}

// Run inspects everything before it writes anything.
func (c *initCmd) Run(ctx context.Context, p *program) error {
	if err := c.checkTarget(); err != nil {
		return err
	}
	f := &probe.Facts{Print: func(format string, args ...any) { fmt.Fprintf(p.stderr, format+"\n", args...) }}
	defer f.Close()
	if err := c.inspect(ctx, p, f); err != nil {
		if ctx.Err() != nil {
			return errors.New("nothing was written")
		}
		return fmt.Errorf("%w; nothing was written", err)
	}
	return c.write(p, f)
}

// write writes the drafts: the collection file and its pack first, so that the configuration never
// names missing files.
func (c *initCmd) write(p *program, f *probe.Facts) error {
	text := f.Draft(time.Now())
	cfg, err := config.Load(c.Out, text, p.getenv)
	if err != nil {
		return fmt.Errorf("the draft is not a valid configuration, which is a bug in petsupply: %w", err)
	}
	name, pack, described := f.Collection()
	if c.Out == "-" && name == "" {
		_, err := p.stdout.Write(text)
		return err
	}
	if c.Out == "-" {
		return usage("this contract needs a collection file beside the configuration, " +
			"so name a file with -o FILE; nothing was written")
	}
	if name != "" {
		dir := filepath.Dir(c.Out)
		if err := c.writeCollection(p, cfg, filepath.Join(dir, name), filepath.Join(dir, pack), described); err != nil {
			return err
		}
	}
	if err := writeNew(c.Out, text, c.Force); err != nil {
		return fmt.Errorf("writing the configuration: %w", err)
	}
	fmt.Fprintf(p.stdout, "Wrote %[1]s. Read it, answer its questions, then run:\n"+
		"  petsupply config check %[1]s --online\n  petsupply serve --config %[1]s\n", c.Out)
	return nil
}

// writeCollection writes a collection file and a starter pack for it. It leaves an existing pack as
// it is.
func (c *initCmd) writeCollection(p *program, cfg *config.Config, file, pack string, text []byte) error {
	drafted, err := collection.Parse(file, text)
	if err != nil {
		return fmt.Errorf("the draft is not a valid collection file, which is a bug in petsupply: %w", err)
	}
	if faults := cfg.SetCollection(drafted); len(faults) > 0 {
		return fmt.Errorf("the drafts do not fit each other, which is a bug in petsupply: %s", faults[0].Text)
	}
	if _, err := os.Lstat(file); err == nil && !c.Force {
		return usage("%s exists; add --force to overwrite it, or write into another directory with -o; "+
			"nothing was written", file)
	}
	_, err = os.Lstat(pack)
	fresh := errors.Is(err, fs.ErrNotExist)
	if fresh {
		starter := art.Starter{ID: filepath.Base(pack), Collection: drafted}
		if err := starter.Write(pack); err != nil {
			return fmt.Errorf("writing the pack: %w; nothing else was written", err)
		}
	}
	if err := writeNew(file, text, c.Force); err != nil {
		if fresh {
			os.RemoveAll(pack)
		}
		return fmt.Errorf("writing the collection file: %w", err)
	}
	made := "a pack of placeholders to paint over"
	if !fresh {
		made = "an existing pack, which is unchanged"
	}
	fmt.Fprintf(p.stdout, "Wrote %s, which describes the collection; its pictures are in %s, %s.\n", file, pack, made)
	return nil
}

// checkTarget refuses a file that exists, unless --force is given, and a file that cannot be
// written. It is called before any question is asked.
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

// inspect inspects the given nodes and contracts, and asks for missing ones.
func (c *initCmd) inspect(ctx context.Context, p *program, f *probe.Facts) error {
	contracts := len(c.Token)+len(c.Pets) > 0
	if !p.interactive && (len(c.RPC) == 0 || !contracts) {
		return usage("give nodes with --rpc URL, and contracts with --token ADDRESS or --pets ADDRESS; " +
			"on a terminal init asks for them")
	}
	addNode := func(written string) error {
		url := written
		if name, ok := strings.CutPrefix(written, "$"); ok {
			url = p.getenv(strings.Trim(name, "{}"))
			if url == "" {
				return usage("the environment has no value for %s", written)
			}
		}
		return f.AddNode(ctx, written, url)
	}
	addToken := func(address string) error { return f.AddToken(ctx, address) }
	abi, err := c.abi()
	if err != nil {
		return err
	}
	addPets := func(address string) error { return f.AddPets(ctx, address, abi) }
	ask := &asker{p: p, lines: make(chan string)}
	err = each(c.RPC, addNode)
	if len(c.RPC) == 0 {
		err = ask.each(ctx, "Address of a node", true, addNode)
	}
	if err != nil {
		return err
	}
	if err := f.ReadChains(ctx); err != nil {
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

// maxABI bounds the size of an ABI's file.
const maxABI = 8 << 20

// abi reads the contract's ABI, if one was given.
func (c *initCmd) abi() (probe.ABI, error) {
	if c.ABI == "" {
		return nil, nil
	}
	info, err := os.Stat(c.ABI)
	if err == nil && info.Size() > maxABI {
		return nil, usage("%s is larger than %d MB, so it is not an ABI", c.ABI, maxABI>>20)
	}
	text, err := os.ReadFile(c.ABI)
	if err != nil {
		return nil, usageError{fmt.Errorf("reading the ABI: %w", err)}
	}
	abi, err := probe.ParseABI(text)
	if err != nil {
		return nil, usage("%s: %w", c.ABI, err)
	}
	return abi, nil
}

// each calls the function do with each value, until do fails.
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

// each asks a question, and calls do with every answer until an empty one. If do fails, each prints
// the error and asks again. If needed is set, an empty answer ends the questions only after do has
// accepted at least one answer.
func (a *asker) each(ctx context.Context, question string, needed bool, do func(string) error) error {
	for {
		more := " (empty to continue)"
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

// ask asks one question and waits for the answer, until ctx ends.
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
			return "", errors.New("the input ended before all questions were answered")
		}
		return strings.TrimSpace(line), nil
	}
}

// read reads lines until the input ends, or a line has more than 64 kB. When the program ends, read
// may still be waiting for a line.
func (a *asker) read() {
	defer close(a.lines)
	for in := bufio.NewScanner(a.p.stdin); in.Scan(); {
		a.lines <- in.Text()
	}
}

// writeNew writes a complete file or none. Only the file's owner can read it, since addresses of
// nodes may contain keys. writeNew overwrites an existing file only if force is set.
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
