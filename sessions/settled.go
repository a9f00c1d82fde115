package sessions

import (
	"errors"
	"maps"
	"slices"
	"strings"

	"github.com/session-gateway/gateway/scheduler"
	"github.com/session-gateway/gateway/sessions/store"
)

// movingFields of a session's hash are read every time. All others are settled:
// large, or seldom changed. Each commit that changes one of those leaves its own
// id in hot, so that a replica whose kept copy has the same id reads none of
// them again. A build that doesn't know of the id drops it from hot when it
// writes; then there is none to be the same, and everything is read.
var movingFields = []string{fieldHot, fieldNotices, fieldOpenTurn, fieldHost}

// errSettledChanged says that the kept copy's settled fields are not those that are stored.
var errSettledChanged = errors.New("settled fields have changed")

// takeSettled takes over what the kept copy has read of the settled fields, and
// what was compiled of it.
func (d *document) takeSettled(kept *document) {
	d.spec, d.labels, d.outputs, d.grants = kept.spec, kept.labels, kept.outputs, kept.grants
	d.tools, d.sealed, d.rules = kept.tools, kept.sealed, kept.rules
	d.registry, d.policy = kept.registry, kept.policy
	s, was := &d.state.Session, &kept.state.Session
	s.Plan.Text, s.LastApproved = was.Plan.Text, was.LastApproved
}

func (d *document) decodeSettled(fields store.Fields) error {
	var s storedSpec
	var approved *storedApproved
	var outputs []storedOutput
	for _, err := range []error{
		decodeField(fields, fieldSpec, &s), decodeField(fields, fieldApproved, &approved), decodeField(fields, fieldLabels, &d.labels),
		decodeField(fields, fieldTools, &d.tools), decodeField(fields, fieldSealed, &d.sealed), decodeField(fields, fieldRules, &d.rules),
		decodeField(fields, fieldOutputs, &outputs), d.decodeGrants(fields),
	} {
		if err != nil {
			return err
		}
	}
	if d.labels == nil {
		d.labels = map[string]string{}
	}
	d.spec, d.outputs = s.spec(), readLedger(outputs)
	d.state.Session.Plan.Text = fields[fieldPlan]
	if approved != nil {
		d.state.Session.LastApproved = &scheduler.ApprovedPlan{Text: approved.Text, By: approved.By, At: fromMillis(approved.At)}
	}
	return nil
}

func (d *document) decodeGrants(fields store.Fields) error {
	d.grants = map[string]grant{}
	for name := range fields {
		id, ok := strings.CutPrefix(name, prefixGrant)
		if !ok {
			continue
		}
		var g storedGrant
		if err := decodeField(fields, name, &g); err != nil {
			return err
		}
		d.grants[id] = grant{id: id, Grant: scheduler.Grant{
			Tool: g.Tool, Fingerprint: g.Fingerprint, Key: g.Key, Subject: g.Subject, By: g.By, At: fromMillis(g.At),
		}}
	}
	return nil
}

// patchSettled adds what of the settled fields has changed since before.
func (d *document) patchSettled(before *document, set store.Fields) (gone []string) {
	s, was := &d.state.Session, &before.state.Session
	if s.Plan.Revision != was.Plan.Revision {
		set[fieldPlan] = s.Plan.Text
	}
	if s.LastApproved != was.LastApproved && s.LastApproved != nil {
		set[fieldApproved] = encode(storedApproved{Text: s.LastApproved.Text, By: s.LastApproved.By, At: millis(s.LastApproved.At)})
	}
	if !maps.Equal(d.labels, before.labels) {
		set[fieldLabels] = encode(d.labels)
	}
	if d.toolsRevision != before.toolsRevision {
		set[fieldTools] = encode(d.tools)
		if len(d.sealed)+len(before.sealed) > 0 {
			set[fieldSealed] = encode(d.sealed)
		}
	}
	if d.rulesRevision != before.rulesRevision {
		set[fieldRules] = encode(d.rules)
	}
	if !slices.Equal(d.outputs, before.outputs) {
		set[fieldOutputs] = encode(d.outputs.stored())
	}
	return d.patchGrants(before, set)
}

func (d *document) patchGrants(before *document, set store.Fields) (gone []string) {
	for id, g := range d.grants {
		if _, had := before.grants[id]; !had {
			set[prefixGrant+id] = encode(storedGrant{
				Tool: g.Tool, Fingerprint: g.Fingerprint, Key: g.Key, Subject: g.Subject, By: g.By, At: millis(g.At),
			})
		}
	}
	for id := range before.grants {
		if _, has := d.grants[id]; !has {
			gone = append(gone, prefixGrant+id)
		}
	}
	return gone
}
