package api

import (
	"errors"
	"strings"

	"github.com/session-gateway/gateway/sessions"
)

// maxPointer bounds how much of a client's own field names is told back.
const maxPointer = 256

var pointerEscapes = strings.NewReplacer("~", "~0", "/", "~1")

// pointer is the JSON pointer of a path.
func pointer(path ...string) string {
	var b strings.Builder
	for _, segment := range path {
		b.WriteByte('/')
		b.WriteString(pointerEscapes.Replace(segment))
	}
	return strings.ToValidUTF8(b.String()[:min(b.Len(), maxPointer)], "")
}

// within puts a segment before the fields of a refusal.
func within(segment string, err error) error {
	if p, ok := errors.AsType[*sessions.Problem](err); ok {
		for i := range p.Fields {
			f := pointer(segment) + p.Fields[i].Path
			p.Fields[i].Path = strings.ToValidUTF8(f[:min(len(f), maxPointer)], "")
		}
	}
	return err
}
