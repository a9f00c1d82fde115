package model

import (
	"bytes"
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

// encode writes what a host says; such values always marshal. What a model said
// keeps its characters: nothing is escaped that need not be.
func encode(v any) json.RawMessage {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		panic(fmt.Sprintf("model: encode %T: %v", v, err))
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n"))
}
