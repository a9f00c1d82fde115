package providers

import "errors"

var (
	// ErrNoToolCalls says that a message is readable and asks for no tool.
	ErrNoToolCalls = errors.New("the message holds no tool calls")
	// ErrFormat says that a format is unknown, or that it is Native where a
	// provider's message is wanted.
	ErrFormat = errors.New("the format is not one that can be used here")
	// ErrSchema says that a tool's input schema is not a JSON object.
	ErrSchema = errors.New("an input schema must be a JSON object")
)

// InvalidError says where the shape of a message can't be read. It never holds
// a value of the message, so it can be logged and shown.
type InvalidError struct {
	Field  string // JSON pointer into the message; empty is the message itself
	Detail string // what is wanted there, such as "must be an object"
}

// Error gives the field and the detail.
func (e *InvalidError) Error() string {
	if e.Field == "" {
		return "the message " + e.Detail
	}
	return e.Field + " " + e.Detail
}
