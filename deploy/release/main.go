// Command release builds the program for every platform and packs each binary with its
// documents and the licences of its modules. Beside each archive it writes the list of these
// modules. All files are the same, byte for byte, wherever it runs:
//
//	go run ./deploy/release -version v1.2.3 -commit HASH -date 2026-01-31T12:00:00Z -o dist
//
// make release takes these values from git.
package main

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"context"
	"crypto/sha256"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"os/signal"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// A release has the values that are stamped into a binary, and the directory for the archives.
type release struct {
	source, out           string
	version, commit, date string
	made                  time.Time // the same as date; every file in the archives has this time
}

// beside are the files and folders that are packed with a binary: the documents, and the files that
// they link to.
var beside = []string{"LICENSE", "README.md", "CHANGELOG.md", "CONTRIBUTING.md", "SECURITY.md", "Dockerfile",
	"compose.yaml", "deploy/grafana", "deploy/kubernetes", "deploy/nginx.conf", "deploy/prometheus", "deploy/systemd",
	"docs", "examples", "internal/pet/collection/pets.yaml", "testkit/README.md", "testkit/verifier/verify.mjs"}

// platforms are what a release is built for.
var platforms = []string{"linux/amd64", "linux/arm64", "darwin/amd64", "darwin/arm64", "windows/amd64", "windows/arm64"}

func main() {
	var r release
	flag.StringVar(&r.source, "source", ".", "the sources")
	flag.StringVar(&r.out, "o", "dist", "where the archives go")
	flag.StringVar(&r.version, "version", "", "of the release")
	flag.StringVar(&r.commit, "commit", "", "commit that it is built from")
	flag.StringVar(&r.date, "date", "", "date of the commit, such as 2026-01-31T12:00:00Z")
	wanted := flag.String("platforms", strings.Join(platforms, " "), "platforms to build for")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := r.run(ctx, strings.Fields(*wanted)); err != nil {
		fmt.Fprintln(os.Stderr, "release:", err)
		os.Exit(1)
	}
}

// run writes all archives and lists of modules, and their checksums.
func (r *release) run(ctx context.Context, platforms []string) (err error) {
	if r.version == "" || strings.ContainsAny(r.version, " /'\"") {
		return fmt.Errorf("-version %q is not a version", r.version)
	}
	if r.made, err = time.Parse(time.RFC3339, r.date); err != nil {
		return fmt.Errorf("-date: %w", err)
	}
	if err := os.MkdirAll(r.out, 0o755); err != nil {
		return err
	}
	var sums bytes.Buffer
	for _, platform := range platforms {
		goos, goarch, _ := strings.Cut(platform, "/")
		files, err := r.archive(ctx, goos, goarch)
		if err != nil {
			return fmt.Errorf("%s: %w", platform, err)
		}
		for _, f := range files {
			if err := os.WriteFile(filepath.Join(r.out, f.name), f.data, 0o644); err != nil {
				return err
			}
			fmt.Fprintf(&sums, "%x  %s\n", sha256.Sum256(f.data), f.name)
			fmt.Println(filepath.Join(r.out, f.name))
		}
	}
	return os.WriteFile(filepath.Join(r.out, "SHA256SUMS"), sums.Bytes(), 0o644)
}

// archive builds the program for a platform. It returns the archive, which is a zip for Windows and
// a tarball for the rest, and the list of modules.
func (r *release) archive(ctx context.Context, goos, goarch string) ([]packed, error) {
	dir := fmt.Sprintf("petsupply-%s-%s-%s", r.version, goos, goarch)
	binary, ending, pack := "petsupply", ".tar.gz", r.tarball
	if goos == "windows" {
		binary, ending, pack = "petsupply.exe", ".zip", r.zip
	}
	built, err := r.build(ctx, goos, goarch)
	if err != nil {
		return nil, err
	}
	modules, err := r.modules(ctx, built)
	if err != nil {
		return nil, err
	}
	list, err := r.sbom(modules)
	if err != nil {
		return nil, err
	}
	files := []packed{{dir + "/" + binary, 0o755, built}}
	documents, err := r.documents(dir)
	if err != nil {
		return nil, err
	}
	licences, err := licenceFiles(modules, dir)
	if err != nil {
		return nil, err
	}
	archive, err := pack(slices.Concat(files, documents, licences))
	return []packed{{name: dir + ending, data: archive}, {name: dir + ".cdx.json", data: list}}, err
}

// documents returns the files of beside, except Go code.
func (r *release) documents(dir string) (files []packed, err error) {
	source := os.DirFS(r.source)
	for _, root := range beside {
		err := fs.WalkDir(source, root, func(name string, entry fs.DirEntry, err error) error {
			if err != nil || entry.IsDir() || path.Ext(name) == ".go" {
				return err
			}
			text, err := fs.ReadFile(source, name)
			files = append(files, packed{dir + "/" + name, 0o644, text})
			return err
		})
		if err != nil {
			return nil, err
		}
	}
	return files, nil
}

// build returns the stripped and stamped binary. It stamps the commit itself, so that a build from
// an archive of the sources is the same.
func (r *release) build(ctx context.Context, goos, goarch string) ([]byte, error) {
	tmp, err := os.MkdirTemp("", "release-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(tmp)
	at := filepath.Join(tmp, "petsupply")
	flags := fmt.Sprintf("-s -w -buildid= -X main.version=%s -X main.commit=%s -X main.date=%s",
		r.version, r.commit, r.date)
	cmd := exec.CommandContext(ctx, "go", "build", "-trimpath", "-buildvcs=false", "-ldflags", flags, "-o", at,
		"./cmd/petsupply")
	cmd.Dir = r.source
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0", "GOFLAGS=", "GOOS="+goos, "GOARCH="+goarch)
	if out, err := cmd.CombinedOutput(); err != nil {
		return nil, fmt.Errorf("building: %w\n%s", err, out)
	}
	return os.ReadFile(at)
}

// A packed file is part of an archive, or of the release.
type packed struct {
	name string
	mode os.FileMode
	data []byte
}

func (r *release) tarball(files []packed) ([]byte, error) {
	var out bytes.Buffer
	squeeze := gzip.NewWriter(&out)
	w := tar.NewWriter(squeeze)
	for _, f := range files {
		header := &tar.Header{Name: f.name, Mode: int64(f.mode), Size: int64(len(f.data)), ModTime: r.made,
			Format: tar.FormatPAX}
		if err := w.WriteHeader(header); err != nil {
			return nil, err
		}
		if _, err := w.Write(f.data); err != nil {
			return nil, err
		}
	}
	if err := w.Close(); err != nil {
		return nil, err
	}
	err := squeeze.Close()
	return out.Bytes(), err
}

func (r *release) zip(files []packed) ([]byte, error) {
	var out bytes.Buffer
	w := zip.NewWriter(&out)
	for _, f := range files {
		h := &zip.FileHeader{Name: f.name, Method: zip.Deflate, Modified: r.made.UTC()}
		h.SetMode(f.mode)
		part, err := w.CreateHeader(h)
		if err != nil {
			return nil, err
		}
		if _, err := part.Write(f.data); err != nil {
			return nil, err
		}
	}
	err := w.Close()
	return out.Bytes(), err
}
