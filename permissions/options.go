package permissions

import "strings"

// hasOption reports whether a word is a cluster with one of the short options,
// or one of the long ones, shortened or with a value.
func hasOption(w word, short string, long ...string) bool {
	if len(w.text) < 2 || w.text[0] != '-' {
		return false
	}
	if w.text[1] != '-' {
		return strings.ContainsAny(w.text[1:], short)
	}
	name, _, _ := strings.Cut(w.text, "=")
	for _, l := range long {
		if len(name) > len("--") && strings.HasPrefix(l, name) {
			return true
		}
	}
	return false
}

// values are what options are given, attached or as the next word. Which of a
// cluster's letters is an option can't be known for every program, so the first
// that is one of these counts.
func values(args []word, short string, long ...string) []word {
	var out []word
	for i, w := range args {
		if !hasOption(w, short, long...) {
			continue
		}
		if v := attached(w, short); v.text != "" {
			out = append(out, v)
		} else if i+1 < len(args) {
			out = append(out, args[i+1])
		}
	}
	return out
}

// attached is the value within an option's own word; its text may be empty.
func attached(w word, short string) word {
	if strings.HasPrefix(w.text, "--") {
		_, w.text, _ = strings.Cut(w.text, "=")
		return w
	}
	w.text = w.text[1+strings.IndexAny(w.text[1:], short)+1:]
	return w
}

// anyHas reports whether one of the words is an option of these.
func anyHas(args []word, short string, long ...string) bool {
	for _, w := range args {
		if hasOption(w, short, long...) {
			return true
		}
	}
	return false
}
