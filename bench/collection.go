package main

import (
	"bufio"
	"context"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"time"

	"golang.org/x/sync/errgroup"
)

// collectionSize is how many pets the big collection has.
const collectionSize = 100_000

func (h *harness) collectionSize() int {
	if h.quick {
		return collectionSize / 10
	}
	return collectionSize
}

// petLine returns pet id as petsupply import reads it. Looks vary from pet to pet. Every tenth pet
// has a name.
func petLine(id int) string {
	name := ""
	if id%10 == 0 {
		name = fmt.Sprintf("Pet %d", id)
	}
	return fmt.Sprintf(`{"id":%d,"originid":0,"name":%q,"season":1,"eggtype":%d,"rarity":%d,"element":%d,"bonuscount":2,"profbonus":%d,"profbonusscalar":%d,`+
		`"craftbonus":%d,"craftbonusscalar":%d,"combatbonus":%d,"combatbonusscalar":%d,"appearance":%d,"background":%d,"shiny":%d,"hungryat":"%d","equippableat":"%d","equippedto":"%d",`+
		`"fedby":"0x%040x","foodtype":%d,"owner":"0x%040x","block":%d,"at":1700000000}`,
		id, name, id%5, id/5%5, id/25%8, bonus(id), id%20, bonus(id/3), id%15, bonus(id/7), id%25, 1+id%24, id%11, id%17/16,
		1_700_000_000+id, 1_700_000_000+id/2, id%1000,
		7*id, id%8, petOwner(uint64(id)), 1_000_000+id)
}

// petOwner returns the owner of pet id, as a number. Each owner has a dozen pets.
func petOwner(id uint64) uint64 { return 4096 + id/12 }

// bonus returns the id of a bonus with one to three stars, or 0 for no bonus.
func bonus(n int) int {
	if n %= 37; n == 0 {
		return 0
	}
	return (n-1)/12*80 + (n-1)%12 + max(0, 1-(n-1)/12)
}

// importCollection imports the collection into a separate database, and returns the configuration
// file.
func (h *harness) importCollection(ctx context.Context, database string) (string, error) {
	pg, err := h.postgres()
	if err != nil {
		return "", err
	}
	store, err := pg.Database(database)
	if err != nil {
		return "", err
	}
	config, err := h.importPets(ctx, database, store, h.collectionSize())
	if err != nil {
		return "", err
	}
	return config, pg.Execute(database, "VACUUM ANALYZE")
}

// importPets makes a configuration with one closed realm, and imports this many pets into its
// store. It returns the configuration file.
func (h *harness) importPets(ctx context.Context, name, store string, pets int) (string, error) {
	file := filepath.Join(h.dir, name+".jsonl")
	out, err := os.Create(file)
	if err != nil {
		return "", err
	}
	defer os.Remove(file)
	defer out.Close()
	w := bufio.NewWriter(out)
	for id := 1; id <= pets; id++ {
		fmt.Fprintln(w, petLine(id))
	}
	if err := w.Flush(); err != nil {
		return "", err
	}
	config := filepath.Join(h.dir, name+".yaml")
	text := fmt.Sprintf("store: %q\nrealms:\n  - {key: first, name: First Realm, offset: 0, getter: v2, contract: "+
		"\"0x00000000000000000000000000000000000000aa\", closed: true}\n", store)
	if err := os.WriteFile(config, []byte(text), 0o644); err != nil {
		return "", err
	}
	if out, err := exec.CommandContext(ctx, h.binary, "import", "--config", config, file).CombinedOutput(); err != nil {
		return "", fmt.Errorf("importing the collection: %w: %s", err, out)
	}
	return config, nil
}

// collectionStage is the big collection beside nginx, which serves all metadata as files.
func (h *harness) collectionStage(ctx context.Context) (*stage, error) {
	if h.collection != nil {
		return h.collection, nil
	}
	s := &stage{site: site{root: filepath.Join(h.dir, "collection-files")}}
	var err error
	if h.collectionConfig, err = h.importCollection(ctx, "collection"); err != nil {
		return nil, err
	}
	if s.ours, err = h.serve(ctx, "--config", h.collectionConfig); err != nil {
		return nil, err
	}
	header, err := s.copyAll(ctx, h.collectionPaths())
	if err != nil {
		return nil, fmt.Errorf("copying the collection for nginx: %w", err)
	}
	s.site.locations = []location{{match: "/pets/token/", media: "application/json", header: headersOf(header)}}
	if s.peer, err = h.nginx(ctx, &s.site); err != nil {
		return nil, err
	}
	h.collection = s
	return s, nil
}

func (h *harness) collectionPaths() []string {
	paths := make([]string, h.collectionSize())
	for i := range paths {
		paths[i] = "/pets/token/" + strconv.Itoa(i+1)
	}
	return paths
}

// copyAll saves our answer at each path as a file.
func (s *stage) copyAll(ctx context.Context, paths []string) (http.Header, error) {
	const workers = 8
	headers := make([]http.Header, workers)
	group, ctx := errgroup.WithContext(ctx)
	for w := range workers {
		group.Go(func() error {
			conn, err := net.Dial("tcp", s.ours.address)
			if err != nil {
				return err
			}
			defer conn.Close()
			for i := w; i < len(paths) && ctx.Err() == nil; i += workers {
				a, err := ask(conn, s.ours.address, paths[i], nil)
				if err != nil {
					return err
				}
				if err := keep(s.file(paths[i]), a); err != nil {
					return fmt.Errorf("%s: %w", paths[i], err)
				}
				headers[w] = a.header
			}
			return ctx.Err()
		})
	}
	err := group.Wait()
	return headers[0], err
}

// hotMetadata compares our answers to repeated requests for the metadata of a hundred thousand pets
// with a file server that has the same answers in files.
func hotMetadata(ctx context.Context, h *harness) ([]row, error) {
	s, err := h.collectionStage(ctx)
	if err != nil {
		return nil, err
	}
	paths := h.collectionPaths()
	targets, err := h.targetFile("collection", paths)
	if err != nil {
		return nil, err
	}
	ours, peer := s.many(targets, paths)
	for range 2 { // a warm-up: everything is requested before the first round
		if _, err := h.runWrk(ctx, ours.Process, ours.load, max(h.span, 4*time.Second)); err != nil {
			return nil, err
		}
	}
	cpu, slow, err := h.takeTurns(ctx, "hot metadata", 1, ours, peer)
	return []row{cpu, slow}, err
}
