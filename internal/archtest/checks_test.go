package archtest

import (
	"fmt"
	"path"
	"slices"
	"strings"
)

// checkArrows finds imports that no arrow allows, and packages without one.
func checkArrows(files []file) []string {
	var wrong []string
	for _, f := range files {
		if f.test() {
			continue
		}
		a, ok := arrowOf(f.dir())
		if !ok {
			wrong = append(wrong, f.path+": no arrow starts at this package; add one with its reason")
			continue
		}
		for _, to := range f.ours() {
			if !a.allows(to) {
				wrong = append(wrong, fmt.Sprintf("%s imports %s; %s: %s", f.path, to, a.from, a.why))
			}
		}
	}
	return wrong
}

// arrowOf is the arrow with the longest path that a package lies under.
func arrowOf(pkg string) (arrow, bool) {
	var best arrow
	for _, a := range arrows {
		if under(pkg, a.from) && len(a.from) > len(best.from) {
			best = a
		}
	}
	return best, best.from != ""
}

// allows says whether the arrow's package may import another: what lies
// beneath itself, and what the arrow names with all beneath it.
func (a arrow) allows(to string) bool {
	return under(to, a.from) || slices.ContainsFunc(a.to, func(allowed string) bool {
		return allowed == anything || under(to, allowed)
	})
}

// checkTestOnly finds programs that import what is for tests.
func checkTestOnly(files []file) []string {
	var wrong []string
	for _, f := range files {
		for _, to := range f.ours() {
			if !f.test() && slices.Contains(testOnly, to) && !slices.Contains(testOnly, f.dir()) {
				wrong = append(wrong, f.path+" imports "+to+", which is for tests")
			}
		}
	}
	return wrong
}

// checkPurity finds what would let the outside into a pure package.
func checkPurity(files []file) []string {
	var wrong []string
	for _, f := range files {
		if f.test() || !slices.ContainsFunc(pure, func(p string) bool { return under(f.dir(), p) }) {
			continue
		}
		for _, p := range f.imports() {
			if why, ok := impure[p]; ok {
				wrong = append(wrong, f.path+" imports "+p+": "+why)
			}
		}
		for _, use := range f.uses("time", clock) {
			wrong = append(wrong, f.path+" uses "+use+": the time is an argument")
		}
	}
	return wrong
}

// checkEnvironment finds reads of the environment outside the Config struct.
func checkEnvironment(files []file) []string {
	var wrong []string
	for _, f := range files {
		if _, may := mayReadEnvironment[f.dir()]; may || f.test() {
			continue
		}
		for _, use := range f.uses("os", environment) {
			wrong = append(wrong, f.path+" uses "+use+": settings come from cmd/gateway's Config")
		}
	}
	return wrong
}

// checkSleeps finds programs and tests that wait by the clock. In packages
// whose tests run in synctest bubbles the clock is a fake one.
func checkSleeps(files []file) []string {
	fake := make(map[string]bool)
	for _, f := range files {
		fake[f.dir()] = fake[f.dir()] || slices.Contains(f.imports(), "testing/synctest")
	}
	var wrong []string
	for _, f := range files {
		if f.test() && fake[f.dir()] {
			continue
		}
		for _, use := range f.uses("time", []string{"Sleep"}) {
			wrong = append(wrong, f.path+" uses "+use+": wait for what is awaited")
		}
	}
	return wrong
}

// checkNames finds folders whose name says nothing.
func checkNames(files []file) []string {
	var wrong []string
	for _, f := range files {
		for name := range strings.SplitSeq(f.dir(), "/") {
			if slices.Contains(shapeless, name) {
				wrong = append(wrong, f.path+": a folder named "+name+" says nothing about what is inside")
			}
		}
	}
	return wrong
}

// checkDocs finds packages without a package comment.
func checkDocs(files []file) []string {
	documented := make(map[string]bool)
	for _, f := range files {
		if !f.test() {
			documented[f.dir()] = documented[f.dir()] || f.ast.Doc != nil && saysWhatItIs(f)
		}
	}
	var wrong []string
	for dir, ok := range documented {
		if !ok {
			wrong = append(wrong, dir+": no file has a comment that starts with Package "+path.Base(dir)+" or Command")
		}
	}
	return wrong
}

func saysWhatItIs(f file) bool {
	text := f.ast.Doc.Text()
	return strings.HasPrefix(text, "Package "+f.ast.Name.Name+" ") || strings.HasPrefix(text, "Command ")
}
