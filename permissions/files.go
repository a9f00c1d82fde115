package permissions

import (
	"slices"
	"strings"
)

// files adds the file arguments of known readers and writers.
func (c *command) files(base string, args []word) {
	if c.fed {
		args = append(slices.Clip(args), word{dynamic: true})
	}
	if output, ok := outputs[base]; ok {
		c.each(pseudoWrite, output.values(args), false)
	}
	use := fileUses[base]
	if use == usesNone {
		return
	}
	ops := operands(args)
	switch use {
	case usesRead:
		c.reads(base, args, ops)
	case usesPattern:
		c.search(base, args, ops)
	case usesWrite:
		c.each(pseudoWrite, ops, anyHas(args, "R", "--recursive"))
	case usesTree:
		c.each(pseudoWrite, ops, anyHas(args, "rRd", "--recursive", "--dir") || anyDynamic(args))
	case usesPair:
		c.each(pseudoRead, ops, false)
		c.each(pseudoWrite, ops[min(1, len(ops)):], false)
	case usesPatch:
		c.each(pseudoWrite, append(slices.Clip(ops), word{dynamic: true}), false)
	default:
		c.filesApart(use, base, args)
	}
}

// filesApart are those of programs that read and write, each in its own way.
func (c *command) filesApart(use fileUse, base string, args []word) {
	ops := operands(args)
	switch use {
	case usesCopy:
		c.copies(base, args, ops)
	case usesMove:
		c.moves(args, ops)
	case usesBlocks:
		c.blocks(args)
	case usesStream:
		c.stream(args, ops)
	case usesArchive:
		c.archive(args, ops)
	case usesListing:
		c.listing(args, ops)
	case usesRevisions:
		c.behind(":", ops)
	case usesUploads:
		ops = append(ops, values(args, "TK", "--upload-file", "--config")...)
		c.behind("@", ops)
		c.behind("<", ops)
		c.downloads(slices.ContainsFunc(args, namesNoFile))
	case usesDownload:
		c.each(pseudoRead, ops, false)
		c.downloads(!anyHas(args, "O", "--output-document"))
	case usesBoth:
		c.each(pseudoRead, ops, false)
		c.each(pseudoWrite, ops, false)
	default:
	}
}

// behind reads words, and what stands behind a mark in one.
func (c *command) behind(mark string, ws []word) {
	c.each(pseudoRead, ws, false)
	for _, w := range ws {
		if i := strings.LastIndex(w.text, mark); i >= 0 && !w.dynamic {
			w.text = w.text[i+len(mark):]
			c.file(pseudoRead, w, false)
		}
	}
}

// downloads writes a file that the other side may name.
func (c *command) downloads(unnamed bool) {
	if unnamed {
		c.file(pseudoWrite, word{dynamic: true}, false)
	}
}

// namesNoFile knows curl's -O and -J, not among the letters of a value: -XPOST.
func namesNoFile(w word) bool {
	const valueless = "fgIikJlLMnNOsSvZq0123456#"
	return hasOption(w, "OJ", "--remote-name", "--remote-header-name", "--remote-name-all", "--output-dir") &&
		(strings.HasPrefix(w.text, "--") || strings.Trim(w.text[1:], valueless) == "")
}

// archive: what is packed and what is unpacked can't be told apart for all
// programs, so operands are read and written, and unpacking writes anything.
func (c *command) archive(args, ops []word) {
	c.each(pseudoRead, ops, true)
	c.each(pseudoWrite, ops, false)
	if len(args) > 0 && !strings.HasPrefix(args[0].text, "-") || anyHas(args, "xAru", "--extract", "--get") {
		c.file(pseudoWrite, word{dynamic: true}, false)
	}
}

// listing: ls -R shows all that is below.
func (c *command) listing(args, ops []word) {
	if !anyHas(args, "R", "--recursive") {
		return
	}
	c.each(pseudoRead, orHere(ops), true)
}

func anyDynamic(ws []word) bool {
	return slices.ContainsFunc(ws, func(w word) bool { return w.dynamic })
}

// reads: a list of names is a file whose files nobody sees.
func (c *command) reads(base string, args, ops []word) {
	c.each(pseudoRead, ops, base == "diff")
	if anyHas(args, "", "--files0-from") {
		c.file(pseudoRead, word{dynamic: true}, false)
	}
}

// search reads files after a pattern; recursively, also all below them.
func (c *command) search(base string, args, ops []word) {
	files := afterPattern(args, ops)
	tree := base == "rg" || base == "rgrep" || !isAwk(base) &&
		anyHas(args, "rRd", "--recursive", "--dereference-recursive", "--directories")
	if tree {
		files = orHere(files)
	}
	c.each(pseudoRead, files, tree)
	if base == "yq" && anyHas(args, "i", "--inplace", "--in-place") {
		c.each(pseudoWrite, files, false)
	}
}

// orHere adds the working directory where no word names one; what is attached
// to an option is none.
func orHere(ws []word) []word {
	if slices.ContainsFunc(ws, func(w word) bool { return !strings.HasPrefix(w.raw, "-") }) {
		return ws
	}
	return append(slices.Clip(ws), here)
}

// here is the working directory.
var here = word{raw: ".", text: "."}

func (c *command) each(pseudo string, ws []word, tree bool) {
	for _, w := range ws {
		c.file(pseudo, w, tree)
	}
}

// operands are the words that may name files: all but options, and of options
// their values, attached or not.
func operands(args []word) []word {
	var out []word
	for i, w := range args {
		if w.text == "--" && !w.dynamic {
			return append(out, args[i+1:]...)
		}
		if value, ok := optionValue(w); ok {
			out = append(out, value)
		}
	}
	return out
}

// optionValue is the part of a word that may name a file.
func optionValue(w word) (word, bool) {
	if w.dynamic || len(w.text) < 2 || w.text[0] != '-' {
		return w, w.dynamic || w.text != "-"
	}
	if _, value, ok := strings.Cut(w.text, "="); ok {
		w.text = value
		return w, true
	}
	if strings.HasPrefix(w.text, "--") || len(w.text) == 2 {
		return w, false
	}
	w.text = w.text[2:]
	return w, true
}

// afterPattern drops the first operand unless an option gives the pattern.
func afterPattern(args, ops []word) []word {
	if anyHas(args, "ef", "--regexp", "--file", "--from-file", "--expression") {
		return ops
	}
	for i, w := range ops {
		if !strings.HasPrefix(w.raw, "-") {
			return append(ops[:i:i], ops[i+1:]...)
		}
	}
	return ops
}
