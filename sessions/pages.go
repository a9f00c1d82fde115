package sessions

import "github.com/session-gateway/gateway/sessions/store"

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

// collect reads an index until a page is full of what look lets pass. It never
// reads more entries than still fit, so that the index's own position is where
// the next page begins.
func collect[T any](
	in store.List, read func(store.List) (store.Page, error), look func(store.Item) (T, bool, error),
) (Page[T], error) {
	out, size := Page[T]{Data: []T{}}, in.Limit
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
		out.NextCursor, in.After = optional(page.Next), page.Next
		if page.Next == "" || len(out.Data) == size {
			break
		}
	}
	return out, nil
}
