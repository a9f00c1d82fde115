package host

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"unicode/utf8"

	"github.com/session-gateway/gateway/client"
)

// errNotConforming says that what would be sent to the model is not what the
// gateway answered.
var errNotConforming = errors.New("the next model request does not conform")

// failedError is what makes a turn end with an error, and the host go on.
type failedError struct{ err error }

// Error is the failure's text.
func (e *failedError) Error() string { return e.err.Error() }

// Unwrap is what failed.
func (e *failedError) Unwrap() error { return e.err }

// fail ends a turn that can't be answered, and says so to who asked.
func (t *turn) fail(ctx context.Context, failure *failedError) error {
	t.Log.Error("a turn failed", slog.String("turn_id", t.id), slog.Any("error", failure.err))
	if err := t.say(ctx, "The turn failed: "+failure.Error()); err != nil {
		return err
	}
	return t.complete(ctx, client.TurnCompletionStopReasonError)
}

// inherit brings a turn to its end whose conversation was another process's:
// the open batch is served, nothing is added.
func (t *turn) inherit(ctx context.Context) error {
	session, err := t.Client.Session(ctx, t.Session)
	if err != nil {
		return fmt.Errorf("read the session: %w", err)
	}
	if bid := session.OpenBatchID; bid != nil {
		if _, err := t.Client.Await(ctx, t.Session, *bid); err != nil {
			return fmt.Errorf("wait for the batch: %w", err)
		}
	}
	return t.complete(ctx, client.TurnCompletionStopReasonError)
}

// complete ends the turn. Like what is said it names the host and not the
// fence: a turn goes on when this host attaches anew, and ends when another
// takes over.
func (t *turn) complete(ctx context.Context, reason client.TurnCompletionStopReason) error {
	if _, err := t.Client.CompleteTurn(ctx, t.Session, t.id, client.TurnCompletion{StopReason: reason, HostID: &t.HostID}); err != nil {
		return fmt.Errorf("complete the turn: %w", err)
	}
	t.Log.Info("a turn ends", slog.String("turn_id", t.id), slog.String("stop_reason", string(reason)))
	return nil
}

// say tells the turn's readers what the model says.
func (t *turn) say(ctx context.Context, text string) error {
	for text != "" {
		piece := cut(text, client.MaxMessageBytes)
		m := client.Message{Text: piece, HostID: &t.HostID}
		if _, err := t.Client.Say(ctx, t.Session, t.id, m); err != nil {
			return fmt.Errorf("say: %w", err)
		}
		text = text[len(piece):]
	}
	return nil
}

// cut is the beginning of a text, of at most so many bytes and whole characters.
func cut(s string, limit int) string {
	if len(s) <= limit {
		return s
	}
	for limit > 0 && !utf8.RuneStart(s[limit]) {
		limit--
	}
	return s[:limit]
}

// text is a prompt as the model is given it: the person's words, then what the
// gateway has to tell.
func text(t client.Turn) string {
	var parts []string
	if t.Input != nil {
		for _, item := range *t.Input {
			parts = append(parts, block(item))
		}
	}
	if t.Notices != nil {
		parts = append(parts, *t.Notices...)
	}
	if t.Reminder != nil {
		parts = append(parts, *t.Reminder)
	}
	return strings.Join(parts, "\n\n")
}

// block is a content item of the Agent Client Protocol as text. What a host
// without eyes and ears can't give to its model is named by its type.
func block(item map[string]any) string {
	field := func(m map[string]any, name string) string {
		s, _ := m[name].(string) // an absent field is empty
		return s
	}
	switch kind := field(item, "type"); kind {
	case "text":
		return field(item, "text")
	case "resource_link":
		return field(item, "name") + ": " + field(item, "uri")
	case "resource":
		resource, _ := item["resource"].(map[string]any)
		return field(resource, "uri") + "\n" + field(resource, "text")
	default:
		return "(content of type " + kind + " that can't be shown)"
	}
}
