package scheduler

import (
	"errors"
	"fmt"
)

// The page sizes of read_output, in characters.
const (
	DefaultPageChars = 20_000
	MaxPageChars     = 100_000 // a page is never spilled again, so this bounds what one call may bring
)

// ReadOutputArguments are the arguments of read_output.
type ReadOutputArguments struct {
	Ref    string
	Offset int
	Limit  int
}

// ParseReadOutput reads the arguments of a read_output call.
func ParseReadOutput(arguments string) (ReadOutputArguments, error) {
	args := ReadOutputArguments{Limit: DefaultPageChars}
	members := map[string]any{"ref": &args.Ref, "offset": &args.Offset, "limit": &args.Limit}
	if err := readMembers(arguments, members); err != nil {
		return args, errors.New("ref is a text, offset and limit are whole numbers")
	}
	switch {
	case args.Ref == "":
		return args, errors.New("ref is missing")
	case args.Offset < 0:
		return args, errors.New("offset is negative")
	case args.Limit < 1 || args.Limit > MaxPageChars:
		return args, fmt.Errorf("limit is not between 1 and %d", MaxPageChars)
	default:
		return args, nil
	}
}

// PendingReads are the outputs that the open batch's read_output calls, and
// those of calls about to be submitted, will ask for.
func PendingReads(s State, tools *Registry, submitted []Input) []ReadOutputArguments {
	var reads []ReadOutputArguments
	add := func(name, arguments string) {
		if tools.Canonical(name) != ToolReadOutput {
			return
		}
		if args, err := ParseReadOutput(arguments); err == nil {
			reads = append(reads, args)
		}
	}
	if s.Batch != nil {
		for i := range s.Batch.Calls {
			if c := &s.Batch.Calls[i]; c.State != StateDone {
				add(c.Name, c.Arguments)
			}
		}
	}
	for _, in := range submitted {
		add(in.Name, in.Arguments)
	}
	return reads
}

// CutPage takes a page out of a stored output.
func CutPage(text string, offset, limit, total int) Page {
	from := runeOffset(text, offset)
	rest := text[from:]
	page := rest[:runeOffset(rest, limit)]
	p := Page{Text: page, Offset: min(offset, total), Total: total}
	if from+len(page) < len(text) {
		p.Next = offset + limit
	}
	return p
}
