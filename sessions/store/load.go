package store

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/redis/go-redis/v9"
)

// Load reads a session, in one round trip and as of one moment: whole, or with
// some fields of its document only. A session that does not exist is ErrNotFound.
func (s *Store) Load(ctx context.Context, ref Ref) (*Record, error) {
	k := sessionKeys(ref.Topic)
	pipe := s.client.TxPipeline()
	doc := readDoc(ctx, pipe, ref)
	open := pipe.HGetAll(ctx, k.open())
	memory := readMemory(ctx, pipe, ref)
	mode := pipe.Get(ctx, k.mode())
	lease := pipe.Get(ctx, k.lease())
	ancestors := readAncestors(ctx, pipe, ref)
	if err := exec(ctx, pipe, "load session"); err != nil {
		return nil, err
	}
	r, err := newRecord(doc(), mode.Val())
	if err != nil {
		return nil, fmt.Errorf("load session: %w", err)
	}
	if r.Lease, err = decodeLease(lease.Val()); err != nil {
		return nil, fmt.Errorf("load session: %w: %w", ErrUnavailable, err)
	}
	r.Open, r.Memory, r.Ancestors = open.Val(), memory(), ancestors()
	return r, nil
}

// readDoc queues the document; the function it answers collects it.
func readDoc(ctx context.Context, pipe redis.Pipeliner, ref Ref) func() Fields {
	key := sessionKeys(ref.Topic).doc()
	if len(ref.Fields) == 0 {
		all := pipe.HGetAll(ctx, key)
		return func() Fields { return all.Val() }
	}
	names := append([]string{fieldHead, fieldSchema}, ref.Fields...)
	some := pipe.HMGet(ctx, key, names...)
	return func() Fields { return picked(names, some.Val()) }
}

// readMemory queues the look-ups; the function it answers collects them.
func readMemory(ctx context.Context, pipe redis.Pipeliner, ref Ref) func() [2]Fields {
	var found [2]*redis.SliceCmd
	if len(ref.Recall) > 0 {
		for g := range found {
			found[g] = pipe.HMGet(ctx, sessionKeys(ref.Topic).memory(uint64(g)), ref.Recall...)
		}
	}
	return func() [2]Fields {
		var out [2]Fields
		for g, cmd := range found {
			if cmd != nil {
				out[g] = picked(ref.Recall, cmd.Val())
			}
		}
		return out
	}
}

// newRecord parts the document from the store's own fields.
func newRecord(doc Fields, mode string) (*Record, error) {
	if len(doc) == 0 {
		return nil, ErrNotFound
	}
	head, err := decodeID(doc[fieldHead])
	if err != nil {
		return nil, fmt.Errorf("read head: %w: %w", ErrUnavailable, err)
	}
	schema, err := strconv.Atoi(doc[fieldSchema])
	if err != nil {
		return nil, fmt.Errorf("read schema: %w: %w", ErrUnavailable, err)
	}
	r := &Record{Head: head, Mode: mode, Doc: Fields{}, Newer: schema > Schema}
	for name, value := range doc {
		if !strings.HasPrefix(name, "@") {
			r.Doc[name] = value
		}
	}
	return r, nil
}

// readAncestors queues the reads; the function it answers collects them.
func readAncestors(ctx context.Context, pipe redis.Pipeliner, ref Ref) func() []Ancestor {
	modes := make([]*redis.StringCmd, len(ref.Ancestors))
	docs := make([]*redis.SliceCmd, len(ref.Ancestors))
	for i, sid := range ref.Ancestors {
		k := sessionKeys(ref.Topic).of(sid)
		modes[i] = pipe.Get(ctx, k.mode())
		if len(ref.AncestorFields) > 0 {
			docs[i] = pipe.HMGet(ctx, k.doc(), ref.AncestorFields...)
		}
	}
	return func() []Ancestor {
		out := make([]Ancestor, len(ref.Ancestors))
		for i, sid := range ref.Ancestors {
			out[i] = Ancestor{Session: sid, Mode: modes[i].Val(), Missing: absent(modes[i].Err()), Doc: Fields{}}
			if docs[i] != nil {
				out[i].Doc = picked(ref.AncestorFields, docs[i].Val())
			}
		}
		return out
	}
}

// picked names the values of an HMGET; absent ones are left out.
func picked(names []string, values []any) Fields {
	f := make(Fields, len(names))
	for i, v := range values {
		if text, ok := v.(string); ok {
			f[names[i]] = text
		}
	}
	return f
}

const (
	// maxPipelined is how many commands one pipeline carries, so that a long
	// list neither blocks a node nor buffers without bound.
	maxPipelined = 512
	// docsPage is the same in sessions, which are two commands or more.
	docsPage = 128
)

// Docs reads some fields of many sessions for a list, in pages of docsPage. One that does not exist is nil. Open and
// Memory are not read; each session is as of its own moment.
func (s *Store) Docs(ctx context.Context, refs []Ref, fields ...string) ([]*Record, error) {
	out := make([]*Record, 0, len(refs))
	for len(refs) > 0 {
		n := min(len(refs), docsPage)
		page, err := s.docs(ctx, refs[:n], fields)
		if err != nil {
			return nil, err
		}
		out, refs = append(out, page...), refs[n:]
	}
	return out, nil
}

func (s *Store) docs(ctx context.Context, refs []Ref, fields []string) ([]*Record, error) {
	names := append([]string{fieldHead, fieldSchema}, fields...)
	pipe := s.client.Pipeline()
	docs := make([]*redis.SliceCmd, len(refs))
	modes := make([]*redis.StringCmd, len(refs))
	ancestors := make([]func() []Ancestor, len(refs))
	for i, ref := range refs {
		k := sessionKeys(ref.Topic)
		docs[i], modes[i] = pipe.HMGet(ctx, k.doc(), names...), pipe.Get(ctx, k.mode())
		ancestors[i] = readAncestors(ctx, pipe, ref)
	}
	if err := exec(ctx, pipe, "load documents"); err != nil {
		return nil, err
	}
	out := make([]*Record, len(refs))
	for i := range refs {
		r, err := newRecord(picked(names, docs[i].Val()), modes[i].Val())
		if errors.Is(err, ErrNotFound) {
			continue
		} else if err != nil {
			return nil, fmt.Errorf("load documents: %w", err)
		}
		r.Ancestors = ancestors[i]()
		out[i] = r
	}
	return out, nil
}
