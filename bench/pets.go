package main

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"

	"golang.org/x/sync/errgroup"

	"petsupply/testkit/postgres"
)

// collectionSize is how many pets the collection has that is requested.
func (h *harness) collectionSize() int {
	if h.quick {
		return 10_000
	}
	return 100_000
}

// hotMetadata compares our answers to repeated requests for the metadata of a hundred thousand pets
// with a file server that has the same answers in files.
func hotMetadata(ctx context.Context, h *harness) (row, error) {
	s, err := h.collectionStage(ctx)
	if err != nil {
		return row{}, err
	}
	ours, peer, err := h.many(s, "hot", h.collectionPaths())
	if err != nil {
		return row{}, err
	}
	for range 3 { // everything is requested before the first round
		if _, err := h.wrk(ctx, ours, 64); err != nil {
			return row{}, err
		}
	}
	return h.versusSides(ctx, "hot metadata", 1, ours, peer, (*harness).wrkCost)
}

// coldMetadata requests each pet once, so that every answer is read from the store. It compares the
// rate with pgbench's own reads by key.
func coldMetadata(ctx context.Context, h *harness) (row, error) {
	s, err := h.collectionStage(ctx)
	if err != nil {
		return row{}, err
	}
	pg, err := h.postgres()
	if err != nil {
		return row{}, err
	}
	if _, err := pg.Database("pgbench"); err != nil {
		return row{}, err
	}
	// At scale 1 its table has as many rows as the collection has pets.
	if _, err := pgbench(ctx, pg, "-i", "-q", "-s", "1", "pgbench"); err != nil {
		return row{}, err
	}
	const unit = "µs for an answer (ours) or a read (peer)"
	rounds, err := h.takeTurns(unit,
		func() (float64, error) { return h.askOnce(ctx, s) },
		func() (float64, error) {
			out, err := pgbench(ctx, pg, "-n", "-S", "-M", "prepared", "-c", strconv.Itoa(pgClients), "-j", "2", "-T",
				strconv.Itoa(int(h.span.Seconds())), "pgbench")
			if err != nil {
				return 0, err
			}
			rate, err := parsePgbench(out)
			return 1e6 / rate, err
		})
	return compare("cold metadata from PostgreSQL", unit, "pgbench, select-only", 0.45, rounds), err
}

// askOnce requests different pets from a service that has read none of them, on as many connections
// as pgbench has, and returns the microseconds for each.
func (h *harness) askOnce(ctx context.Context, s *stage) (float64, error) {
	fresh, err := h.serve(ctx, "--config", h.collectionConfig)
	if err != nil {
		return 0, err
	}
	defer fresh.Stop()
	if _, err := get(ctx, fresh.url+"/pets/image/1", nil); err != nil { // waits until the art pack is loaded
		return 0, err
	}
	ours, _, err := h.many(s, "cold", h.collectionPaths())
	if err != nil {
		return 0, err
	}
	ours.Process = fresh.Process
	ours.url = fresh.url
	ours.bodies = func(path string) ([]byte, error) {
		body, err := os.ReadFile(s.file(path))
		return moved(body, s.ours, fresh), err
	}
	got, err := h.wrk(ctx, ours, pgClients)
	if err == nil && !h.quick && got.Requests > int64(h.collectionSize()) {
		err = fmt.Errorf("%d answers in %s: some pets were asked for twice", got.Requests, h.span)
	}
	return 1e6 / got.rate(), err
}

// moved returns a body in which the address of one service is replaced by that of another.
func moved(body []byte, from, to *service) []byte {
	_, a, _ := net.SplitHostPort(from.address)
	_, b, _ := net.SplitHostPort(to.address)
	return bytes.ReplaceAll(body, []byte("localhost:"+a), []byte("localhost:"+b))
}

// pgClients is the number of connections that pgbench opens to PostgreSQL.
const pgClients = 16

func pgbench(ctx context.Context, pg *postgres.Server, args ...string) ([]byte, error) {
	program, err := postgres.Program("pgbench")
	if err != nil {
		return nil, err
	}
	args = append([]string{"-h", pg.Dir, "-U", "petsupply"}, args...)
	out, err := exec.CommandContext(ctx, program, args...).CombinedOutput()
	if err != nil {
		return nil, fmt.Errorf("running pgbench: %w: %s", err, out)
	}
	return out, nil
}

var tps = regexp.MustCompile(`(?m)^tps = ([0-9.]+) \(without initial connection time\)`)

func parsePgbench(out []byte) (float64, error) {
	found := tps.FindSubmatch(out)
	if found == nil {
		return 0, fmt.Errorf("pgbench printed no rate: %s", out)
	}
	return strconv.ParseFloat(string(found[1]), 64)
}

// collectionStage is the collection beside nginx, which serves all metadata as files.
func (h *harness) collectionStage(ctx context.Context) (*stage, error) {
	if h.collection != nil {
		return h.collection, nil
	}
	s := &stage{site: site{root: filepath.Join(h.dir, "collection-files")}}
	var err error
	h.collectionConfig, err = h.importPets(ctx, "collection", h.collectionSize())
	if err != nil {
		return nil, err
	}
	s.ours, err = h.serve(ctx, "--config", h.collectionConfig)
	if err != nil {
		return nil, err
	}
	if err := s.copyAll(ctx, h.collectionPaths(), 8); err != nil {
		return nil, fmt.Errorf("copying the collection for nginx: %w", err)
	}
	first, err := get(ctx, s.ours.url+"/pets/token/1", nil)
	if err != nil {
		return nil, err
	}
	s.site.locations = []location{{match: "/pets/token/", media: "application/json", header: headersOf(first.header)}}
	s.peer, err = h.nginx(ctx, &s.site)
	if err != nil {
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

// copyAll saves our answer at each path as a file, with this many requests at once.
func (s *stage) copyAll(ctx context.Context, paths []string, workers int) error {
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
				if err == nil {
					err = keep(s.file(paths[i]), a)
				}
				if err != nil {
					return fmt.Errorf("%s: %w", paths[i], err)
				}
			}
			return ctx.Err()
		})
	}
	return group.Wait()
}

// importPets makes a configuration with a token, one closed realm and its own database, and imports this many
// pets into it. It returns the configuration file.
func (h *harness) importPets(ctx context.Context, database string, pets int) (string, error) {
	pg, err := h.postgres()
	if err != nil {
		return "", err
	}
	store, err := pg.Database(database)
	if err != nil {
		return "", err
	}
	file := filepath.Join(h.dir, database+".jsonl")
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
	config := filepath.Join(h.dir, database+".yaml")
	text := declared + fmt.Sprintf("store: %q\nrealms:\n  - {key: first, name: First Realm, offset: 0, getter: v2, contract: "+
		"\"0x00000000000000000000000000000000000000aa\", closed: true}\n", store)
	if err := os.WriteFile(config, []byte(text), 0o644); err != nil {
		return "", err
	}
	if out, err := exec.CommandContext(ctx, h.binary, "import", "--config", config, file).CombinedOutput(); err != nil {
		return "", fmt.Errorf("importing the collection: %w: %s", err, out)
	}
	return config, pg.Execute(database, "VACUUM ANALYZE")
}

// petLine returns pet id as petsupply import reads it. Looks vary from pet to pet. Every tenth pet
// has a name. Each owner has a dozen pets.
func petLine(id int) string {
	name := ""
	if id%10 == 0 {
		name = fmt.Sprintf("Pet %d", id)
	}
	return fmt.Sprintf(`{"id":%d,"originid":0,"name":%q,"season":1,"eggtype":%d,"rarity":%d,"element":%d,"bonuscount":2,`+
		`"profbonus":%d,"profbonusscalar":%d,"craftbonus":%d,"craftbonusscalar":%d,"combatbonus":%d,"combatbonusscalar":%d,`+
		`"appearance":%d,"background":%d,"shiny":%d,"hungryat":"%d","equippableat":"%d","equippedto":"%d",`+
		`"fedby":"0x%040x","foodtype":%d,"owner":"0x%040x","block":%d,"at":1700000000}`,
		id, name, id%5, id/5%5, id/25%8, bonus(id), id%20, bonus(id/3), id%15, bonus(id/7), id%25, 1+id%24, id%11, id%17/16,
		1_700_000_000+id, 1_700_000_000+id/2, id%1000, 7*id, id%8, 4096+id/12, 1_000_000+id)
}

// bonus returns the id of a bonus with one to three stars, or 0 for no bonus.
func bonus(n int) int {
	n %= 37
	if n == 0 {
		return 0
	}
	return (n-1)/12*80 + (n-1)%12 + max(0, 1-(n-1)/12)
}

// hotPictures compares pictures in memory with the same pictures as files.
func hotPictures(ctx context.Context, h *harness) (row, error) {
	s, err := h.demoStage(ctx)
	if err != nil {
		return row{}, err
	}
	ours, peer, err := h.many(s, "pictures", picturePaths())
	if err != nil {
		return row{}, err
	}
	return h.versusSides(ctx, "hot picture", 1, ours, peer, (*harness).wrkCost)
}

// picturePaths are pictures of the demo that are small enough to stay in memory together.
func picturePaths() (paths []string) {
	for id := range 500 {
		paths = append(paths, "/pets/image/"+strconv.Itoa(1+id))
	}
	return paths
}

// copyPictures makes nginx serve the pictures of the demo's pets.
func (s *stage) copyPictures(ctx context.Context) error {
	paths := picturePaths()
	if err := s.copyAll(ctx, paths, 1); err != nil {
		return err
	}
	a, err := get(ctx, s.ours.url+paths[0], nil)
	if err == nil && a.status != http.StatusOK {
		err = fmt.Errorf("%s: status %d", paths[0], a.status)
	}
	s.site.locations = append(s.site.locations, location{match: "/pets/image/", media: "image/png",
		header: headersOf(a.header)})
	return err
}
