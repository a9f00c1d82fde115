package stream

import (
	"errors"
	"fmt"
	"strings"
)

// ErrBadFilter says that a list of event types can't be read.
var ErrBadFilter = errors.New("malformed list of event types")

const (
	// maxPrefixes bounds the comparisons that one event costs per reader.
	maxPrefixes = 16
	// maxPrefix is longer than any event type.
	maxPrefix = 64
)

// Filter chooses events by prefixes of their type. The zero value passes all.
type Filter struct {
	prefixes []string
}

// ParseFilter reads a `types` parameter: event types or prefixes of them,
// parted by commas. Nothing is no filter; anything malformed is ErrBadFilter.
func ParseFilter(s string) (Filter, error) {
	if s == "" {
		return Filter{}, nil
	}
	if len(s) > maxPrefixes*(maxPrefix+1) || strings.Count(s, ",") >= maxPrefixes {
		return Filter{}, fmt.Errorf("parse types: %w: more than %d", ErrBadFilter, maxPrefixes)
	}
	prefixes := strings.Split(s, ",")
	for i, p := range prefixes {
		if len(p) > maxPrefix || !isType(p) {
			return Filter{}, fmt.Errorf("parse types: %w: entry %d", ErrBadFilter, i+1)
		}
	}
	return Filter{prefixes: prefixes}, nil
}

// Active says that the filter may hold events back.
func (f Filter) Active() bool { return len(f.prefixes) > 0 }

// Pass says whether events of this type are sent. What the stream says about
// itself (reset, snapshot, error) is not asked: it passes every filter.
func (f Filter) Pass(typ string) bool {
	if !f.Active() {
		return true
	}
	for _, p := range f.prefixes {
		if strings.HasPrefix(typ, p) {
			return true
		}
	}
	return false
}

// isType says whether s could be an event type or the beginning of one.
func isType(s string) bool {
	for _, c := range []byte(s) {
		if (c < 'a' || c > 'z') && (c < '0' || c > '9') && c != '.' && c != '_' {
			return false
		}
	}
	return s != ""
}
