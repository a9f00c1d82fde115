package sessions

import (
	"context"
	"errors"
	"regexp"
	"unicode/utf8"

	"github.com/session-gateway/gateway/scheduler"
	"github.com/session-gateway/gateway/sessions/store"
	"github.com/session-gateway/gateway/stream"
	"github.com/session-gateway/gateway/tenants"
)

var outputRef = regexp.MustCompile(`^out_[1-9][0-9]{0,18}_[0-9]{1,5}$`)

// outputPages are the pages that a command's read_output calls ask for.
type outputPages map[scheduler.ReadOutputArguments]scheduler.Page

// Page is the page that was fetched for exactly these arguments.
func (p outputPages) Page(ref string, offset, limit int) (scheduler.Page, bool) {
	page, ok := p[scheduler.ReadOutputArguments{Ref: ref, Offset: offset, Limit: limit}]
	return page, ok
}

// fetch reads the pages before the command, so that deciding stays pure. What
// was stored never changes.
func (s *Service) fetch(ctx context.Context, t stream.Topic, reads []scheduler.ReadOutputArguments) (outputPages, error) {
	if len(reads) == 0 {
		return nil, nil
	}
	pages := outputPages{}
	for _, r := range reads {
		page, err := s.page(ctx, t, r)
		if errors.Is(err, store.ErrNotFound) {
			continue
		}
		if err != nil {
			return nil, err
		}
		pages[r] = page
	}
	return pages, nil
}

func (s *Service) page(ctx context.Context, t stream.Topic, r scheduler.ReadOutputArguments) (scheduler.Page, error) {
	if !outputRef.MatchString(r.Ref) {
		return scheduler.Page{}, store.ErrNotFound
	}
	text, err := s.store.Output(ctx, t, r.Ref)
	if err != nil {
		return scheduler.Page{}, err
	}
	return scheduler.CutPage(string(text), r.Offset, r.Limit, utf8.RuneCount(text)), nil
}

// Output is a page of a stored output. limit 0 takes the default.
func (s *Service) Output(ctx context.Context, c tenants.Caller, sid, ref string, offset, limit int) (OutputPage, error) {
	d, err := s.readable(ctx, c, sid)
	if err != nil {
		return OutputPage{}, err
	}
	if limit == 0 {
		limit = scheduler.DefaultPageChars
	}
	page, err := s.page(ctx, d.topic, scheduler.ReadOutputArguments{Ref: ref, Offset: offset, Limit: limit})
	if errors.Is(err, store.ErrNotFound) {
		return OutputPage{}, refuse(CodeNotFound, "no such output; a session keeps its newest %d, up to %d MiB",
			maxOutputs, maxOutputBytes>>20)
	}
	if err != nil {
		return OutputPage{}, storeProblem(err)
	}
	out := OutputPage{Text: page.Text, Offset: page.Offset, Total: page.Total}
	if page.Next > 0 {
		out.NextOffset = &page.Next
	}
	return out, nil
}
