package model

import (
	"encoding/json"
	"fmt"

	"github.com/session-gateway/gateway/client"
)

// part is a piece of a message by its members.
type part = map[string]json.RawMessage

// assign puts the ids that the gateway made up into the calls of the newest
// message. list names its member with the calls in it, isCall says which of the
// elements are. All others stay as they came.
func (h *history) assign(next client.NextRequest, list string, isCall func(part) bool) error {
	if next.AssignedIds == nil || len(*next.AssignedIds) == 0 {
		return nil
	}
	ids := map[int]string{}
	for _, a := range *next.AssignedIds {
		ids[a.Position] = a.ID
	}
	var message part
	var parts []json.RawMessage
	if err := json.Unmarshal(*h.last(), &message); err != nil {
		return fmt.Errorf("read the model's message: %w", err)
	}
	if err := json.Unmarshal(message[list], &parts); err != nil {
		return fmt.Errorf("read the model's calls: %w", err)
	}
	if err := putIDs(parts, ids, isCall); err != nil {
		return err
	}
	message[list] = encode(parts)
	*h.last() = encode(message)
	return nil
}

// putIDs puts ids into parts by their position among the calls.
func putIDs(parts []json.RawMessage, ids map[int]string, isCall func(part) bool) error {
	position := 0
	for i, raw := range parts {
		var p part
		if err := json.Unmarshal(raw, &p); err != nil {
			return fmt.Errorf("read a part of the model's message: %w", err)
		}
		if !isCall(p) {
			continue
		}
		if id, ok := ids[position]; ok {
			p["id"] = encode(id)
			parts[i] = encode(p)
		}
		position++
	}
	return nil
}
