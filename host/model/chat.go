package model

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/session-gateway/gateway/client"
)

// Answer is one response of a model.
type Answer struct {
	Message      json.RawMessage // the assistant message as it came
	FinishReason *string         // where the provider puts it beside the message
	ResponseID   string
	Text         string // what a person reads
	Calls        bool   // there are tool calls in it
	Cut          bool   // it ended at the provider's limit of tokens
}

// Chat is a conversation with a model. It is used by one goroutine.
type Chat interface {
	// Format is the provider's format, for the gateway.
	Format() client.Format
	// Offer sets the tools, as the gateway advertises them for the format.
	Offer(tools json.RawMessage)
	// Say adds what a person (or the host, in a person's place) says.
	Say(text string) error
	// Ask lets the model answer and keeps the answer.
	Ask(ctx context.Context) (Answer, error)
	// Retract takes the newest answer back: one whose calls nobody took.
	Retract()
	// Follow adds the gateway's next request, after the answer that it follows.
	Follow(next client.NextRequest) error
	// Messages is the conversation in the provider's shape.
	Messages() []json.RawMessage
}

// maxMessages bounds a conversation that is kept in memory.
const maxMessages = 10_000

// errTooLong ends a conversation that nobody compacts.
var errTooLong = errors.New("the conversation is too long")

// history is the messages of a conversation.
type history struct {
	messages []json.RawMessage
	tools    json.RawMessage
}

func (h *history) Offer(tools json.RawMessage) { h.tools = tools }

// Messages is the conversation in the provider's shape.
func (h *history) Messages() []json.RawMessage { return h.messages }

// Retract takes the newest answer back.
func (h *history) Retract() { h.messages = h.messages[:len(h.messages)-1] }

func (h *history) add(messages ...json.RawMessage) error {
	if len(h.messages)+len(messages) > maxMessages {
		return errTooLong
	}
	h.messages = append(h.messages, messages...)
	return nil
}

// addList adds the messages of a JSON list.
func (h *history) addList(list json.RawMessage) error {
	var messages []json.RawMessage
	if err := json.Unmarshal(list, &messages); err != nil {
		return fmt.Errorf("read the next request: %w", err)
	}
	return h.add(messages...)
}

// last is the newest message, the model's.
func (h *history) last() *json.RawMessage { return &h.messages[len(h.messages)-1] }

// encode writes what a host says; such values always marshal.
func encode(v any) json.RawMessage {
	b, err := json.Marshal(v)
	if err != nil {
		panic(fmt.Sprintf("model: encode %T: %v", v, err))
	}
	return b
}

// assign puts the ids that the gateway made up into the calls of the newest
// message. path names the list of calls in it, isCall which of its elements are.
func (h *history) assign(next client.NextRequest, list string, isCall func(map[string]json.RawMessage) bool) error {
	if next.AssignedIds == nil || len(*next.AssignedIds) == 0 {
		return nil
	}
	ids := map[int]string{}
	for _, a := range *next.AssignedIds {
		ids[a.Position] = a.ID
	}
	var message map[string]json.RawMessage
	var parts []map[string]json.RawMessage
	if err := json.Unmarshal(*h.last(), &message); err != nil {
		return fmt.Errorf("read the model's message: %w", err)
	}
	if err := json.Unmarshal(message[list], &parts); err != nil {
		return fmt.Errorf("read the model's calls: %w", err)
	}
	position := 0
	for _, part := range parts {
		if !isCall(part) {
			continue
		}
		if id, ok := ids[position]; ok {
			part["id"] = encode(id)
		}
		position++
	}
	message[list] = encode(parts)
	*h.last() = encode(message)
	return nil
}
