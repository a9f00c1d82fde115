package tenants

import "slices"

// Narrow is the part of a tenant that a key is for. What is outside of it does
// not exist for the key. All that is set must hold.
type Narrow struct {
	// SessionID is one session, with those below it.
	SessionID string `json:"session_id,omitempty"`
	// Labels are what a session must be labelled with.
	Labels map[string]string `json:"labels,omitempty"`
}

// Holds says whether a session, with those above it, is in the part. nil is
// the whole tenant.
func (n *Narrow) Holds(session string, ancestors []string, labels map[string]string) bool {
	return n.holdsID(session, ancestors) && n.HoldsLabels(labels)
}

func (n *Narrow) holdsID(session string, ancestors []string) bool {
	return n == nil || n.SessionID == "" || n.SessionID == session || slices.Contains(ancestors, n.SessionID)
}

// HoldsLabels says whether a session may be labelled so.
func (n *Narrow) HoldsLabels(labels map[string]string) bool {
	if n == nil {
		return true
	}
	for key, want := range n.Labels {
		if have, ok := labels[key]; !ok || have != want {
			return false
		}
	}
	return true
}
