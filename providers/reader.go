package providers

import "github.com/session-gateway/gateway/scheduler"

// draft is a call as it stands in a message.
type draft struct {
	id, name node
	args     arguments
	custom   bool
	cut      bool // the provider says so of this very call
}

// readElement reads one element of a message's list; false means that it is not
// a call, or not one that the host answers.
type readElement func(node) (draft, bool, error)

// reader gathers the calls of one message.
type reader struct {
	newID  func() string
	finish finish
	calls  []scheduler.Input
}

func (r *reader) readAll(list node, read readElement) error {
	for element, err := range list.elements() {
		if err != nil {
			return err
		}
		d, ours, err := read(element)
		if err != nil {
			return err
		}
		if !ours {
			continue
		}
		if err := r.add(d); err != nil {
			return err
		}
		if len(r.calls) == readLimit {
			break
		}
	}
	r.suspectLast()
	return nil
}

func (r *reader) add(d draft) error {
	id, err := d.id.text()
	if err != nil {
		return err
	}
	name, err := d.name.text()
	if err != nil {
		return err
	}
	in := scheduler.Input{ID: id, Name: name, Custom: d.custom}
	in.Arguments, in.Fault = r.finishOf(d).settle(d.args, d.ifEmpty())
	r.calls = append(r.calls, withID(in, r.newID))
	return nil
}

// ifEmpty is what the call carries when no arguments came.
func (d draft) ifEmpty() string {
	if d.custom {
		return noInput
	}
	return noArguments
}

func (r *reader) finishOf(d draft) finish {
	if d.cut {
		return max(r.finish, finishCut)
	}
	return r.finish
}

// suspectLast distrusts a free text that ends a message which was cut: unlike
// JSON it doesn't show whether it is whole, and half a patch does harm.
func (r *reader) suspectLast() {
	if r.finish != finishCut || len(r.calls) == 0 {
		return
	}
	if last := &r.calls[len(r.calls)-1]; last.Custom {
		last.Fault = scheduler.FaultTruncated
	}
}

// withID gives a call that came without an id one of the gateway's own.
func withID(in scheduler.Input, newID func() string) scheduler.Input {
	if in.ID == "" {
		in.ID, in.IDAssigned = newID(), true
	}
	return in
}
