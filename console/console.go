package console

import (
	"embed"
	"fmt"
	"io/fs"
	"net/http"
	"path"
	"strconv"
	"strings"
)

// Prefix is where the console is served. The built pages refer to themselves
// by it.
const Prefix = "/console"

const (
	// page is what every address without a file of its own is answered with: the
	// page finds out itself what to show.
	page = "index.html"
	// hashed is the folder of the files that have their content's hash in their
	// names and so never change.
	hashed = "assets/"
)

// policy lets a page use nothing but what this origin serves. Trusted types
// without any policy make the browser refuse every text that would become HTML.
const policy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; " +
	"manifest-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; " +
	"require-trusted-types-for 'script'; trusted-types 'none'"

// kinds are the types of all files there are; the system's table of them may
// say something else on every machine.
var kinds = map[string]string{
	".html": "text/html; charset=utf-8",
	".js":   "text/javascript; charset=utf-8",
	".css":  "text/css; charset=utf-8",
	".svg":  "image/svg+xml",
}

//go:embed all:dist
var dist embed.FS

// file is one file, ready to be sent.
type file struct {
	body  []byte
	kind  string // Content-Type
	cache string // Cache-Control
}

// Handler serves the console under [Prefix], to GET and HEAD.
func Handler() (http.Handler, error) {
	built, err := fs.Sub(dist, "dist")
	if err != nil {
		return nil, fmt.Errorf("open the console's files: %w", err)
	}
	return handler(built)
}

// handler reads all files at once: they are few and small, and whoever asks
// for one needs nothing of the file system then.
func handler(built fs.FS) (http.Handler, error) {
	files := map[string]file{}
	err := fs.WalkDir(built, ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		if kinds[path.Ext(name)] == "" {
			return fmt.Errorf("%s is of no known type", name)
		}
		body, err := fs.ReadFile(built, name)
		files[name] = file{body: body, kind: kinds[path.Ext(name)], cache: cacheOf(name)}
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("read the console's files: %w", err)
	}
	if _, ok := files[page]; !ok {
		return nil, fmt.Errorf("read the console's files: %s: %w", page, fs.ErrNotExist)
	}
	return pages(files), nil
}

// cacheOf keeps what is named for its content for ever, and has the rest asked
// for each time, so that a new gateway's pages are seen at once.
func cacheOf(name string) string {
	if strings.HasPrefix(name, hashed) {
		return "public, max-age=31536000, immutable"
	}
	return "no-cache"
}

// pages are the files by name.
type pages map[string]file

// ServeHTTP answers with a file, with the page for any other address, and
// with 404 for a file that isn't there any more: a page in a script's place
// would only be misunderstood.
func (p pages) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	name := strings.TrimPrefix(strings.TrimPrefix(r.URL.Path, Prefix), "/")
	f, ok := p[name]
	if !ok && strings.HasPrefix(name, hashed) {
		http.NotFound(w, r)
		return
	}
	if !ok {
		f = p[page]
	}
	send(w, f)
}

// send writes the file; net/http leaves the body of a HEAD out.
func send(w http.ResponseWriter, f file) {
	h := w.Header()
	h.Set("Content-Type", f.kind)
	h.Set("Content-Length", strconv.Itoa(len(f.body)))
	h.Set("Cache-Control", f.cache)
	h.Set("Content-Security-Policy", policy)
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("X-Frame-Options", "DENY")
	h.Set("Referrer-Policy", "no-referrer")
	h.Set("Cross-Origin-Opener-Policy", "same-origin")
	h.Set("Cross-Origin-Resource-Policy", "same-origin")
	_, _ = w.Write(f.body) // whoever asked has gone; there is nobody to tell
}
