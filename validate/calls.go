package validate

import (
	"context"
	"slices"

	"github.com/session-gateway/gateway/client"
)

// probeCalls lets the host run each sample alone, and all of them in one batch.
func (r *run) probeCalls(ctx context.Context) ([]Violation, error) {
	if len(r.samples) == 0 {
		return nil, notShown("the session declares no read-only tool whose arguments could be made up; name one")
	}
	s := r.main()
	var alone []string
	for _, sample := range r.samples {
		b, err := s.play(ctx, r.call(sample))
		if err != nil {
			return s.found, err
		}
		if why := reasonOf(b.Calls[0].Result); !ranByHost(why) {
			return s.found, notShown("a call of %s ended as %s", sample.tool, why)
		}
		r.ran = b
		alone = append(alone, b.Calls[0].Result.Output)
	}
	return s.found, s.together(ctx, alone)
}

// ranByHost says whether a call came to its host and back.
func ranByHost(why client.Reason) bool {
	return slices.Contains([]client.Reason{"", client.ReasonHostError, client.ReasonHostTimeout, client.ReasonHostLost}, why)
}

// together sends the samples in one batch, where the host may mix up which
// output is whose.
func (s *stage) together(ctx context.Context, alone []string) error {
	calls := make([]client.NativeCall, 0, len(s.samples))
	for _, sample := range s.samples {
		calls = append(calls, s.call(sample))
	}
	b, err := s.play(ctx, calls...)
	if err != nil || len(calls) < maxSamples {
		return err
	}
	first, second := b.Calls[0].Result.Output, b.Calls[1].Result.Output
	if alone[0] != alone[1] && first == alone[1] && second == alone[0] {
		s.breach(CodeResultsSwapped, b, 0, "it has the output of %s, and that one its", s.samples[1].tool)
	}
	return nil
}
