package sessions

import (
	"strconv"

	"github.com/session-gateway/gateway/sessions/store"
)

// The sizes of pages.
const (
	DefaultPage = 50
	MaxPage     = store.MaxPage
	// maxListPages is how many pages of an index one request looks through for
	// what passes its filter; the rest is left to the next request.
	maxListPages = 10
)

func pageSize(limit int) int {
	if limit <= 0 {
		return DefaultPage
	}
	return min(limit, MaxPage)
}

// listing is one request for a page of an index, which has a name for cursors.
type listing struct {
	name   string
	cursor string
	store.List
}

// The indexes of a tenant.
const (
	listOfSessions  = "sessions"
	listOfApprovals = "approvals"
)

// collect reads an index until a page is full of what look lets pass. It never
// reads more entries than still fit, so that the index's own position is where
// the next page begins.
func collect[T any](
	l listing, read func(store.List) (store.Page, error), look func(store.Item) (T, bool, error),
) (Page[T], error) {
	out, in := Page[T]{Data: []T{}}, l.List
	size := in.Limit
	var err error
	if in.After, err = PositionOf(l.name, l.cursor); err != nil {
		return out, err
	}
	for range maxListPages {
		in.Limit = size - len(out.Data)
		page, err := read(in)
		if err != nil {
			return out, storeProblem(err)
		}
		for _, item := range page.Items {
			v, ok, err := look(item)
			if err != nil {
				return out, err
			}
			if ok {
				out.Data = append(out.Data, v)
			}
		}
		out.NextCursor, in.After = CursorOf(l.name, page.Next), page.Next
		if page.Next == "" || len(out.Data) == size {
			break
		}
	}
	return out, nil
}

// numbered is a list of things of one session that are numbered from 1 on.
type numbered struct {
	name           string // for cursors
	oldest, newest uint64 // that are kept
}

// descending is a page of numbers, the newest first, and the cursor of the next
// page; nil is the end.
func (l numbered) descending(limit int, cursor string) (numbers []uint64, next *string, _ error) {
	newest, err := l.from(cursor)
	if err != nil {
		return nil, nil, err
	}
	for n := newest; n >= l.oldest; n-- {
		if len(numbers) == limit {
			return numbers, CursorOf(l.name, strconv.FormatUint(n, 10)), nil
		}
		numbers = append(numbers, n)
	}
	return numbers, nil, nil
}

// from is the number that the page begins with.
func (l numbered) from(cursor string) (uint64, error) {
	position, err := PositionOf(l.name, cursor)
	if err != nil || position == "" {
		return l.newest, err
	}
	n, err := strconv.ParseUint(position, 10, 64)
	if err != nil || n == 0 {
		return 0, errBadCursor()
	}
	return min(l.newest, n), nil
}
