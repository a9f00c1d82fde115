package api

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/json"
	"io"
	"log/slog"
	"net/http"
	"strconv"

	"github.com/session-gateway/gateway/sessions"
)

const (
	// operationRPC is JSON-RPC's operation. What is in a body and calls no
	// method counts as it.
	operationRPC = "callRPC"
	rpcPath      = "/v1/rpc"
	rpcVersion   = "2.0"
	// maxRPCCalls bounds a list of calls: each may be a commit, and all are
	// answered in one request's time.
	maxRPCCalls = 32
	// maxRPCID bounds an id that is told back.
	maxRPCID = 128
)

// rpcCall is one JSON-RPC request.
type rpcCall struct {
	id     json.RawMessage // nil: a notification
	method string
	params json.RawMessage
}

// rpcAnswer is one JSON-RPC response.
type rpcAnswer struct {
	JSONRPC string          `json:"jsonrpc"`
	ID      json.RawMessage `json:"id"`
	Result  any             `json:"result,omitempty"`
	Error   *rpcError       `json:"error,omitempty"`
}

// callRPC serves POST /v1/rpc. What reaches it has a key; everything that is
// wrong with its body is answered as JSON-RPC says.
func (s *server) callRPC(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		s.fail(w, r, err)
		return
	}
	answer := s.answerRPC(r.Context(), rpcRequest{key: r.Header.Get("Idempotency-Key"), header: w.Header()}, body)
	if answer == nil {
		w.WriteHeader(http.StatusNoContent)
		return
	}
	text, err := json.Marshal(answer)
	if err != nil {
		s.fail(w, r, err)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	if _, err := w.Write(text); err != nil {
		s.log.LogAttrs(r.Context(), slog.LevelDebug, "client left before its answer was written", slog.Any("error", err))
	}
}

// rpcRequest is what a body's calls share: the idempotency key, and the header
// of their answer, which says how the caller stands with its limits.
type rpcRequest struct {
	key    string
	header http.Header
}

// at is what the call at a place of a list has of it.
func (q rpcRequest) at(place int) rpcRequest {
	if q.key != "" {
		q.key += "#" + strconv.Itoa(place)
	}
	return q
}

// idempotency binds the key to the call.
func (q rpcRequest) idempotency(ctx context.Context, call []byte) sessions.Idempotency {
	if q.key == "" {
		return sessions.Idempotency{}
	}
	return sessions.Idempotency{Key: q.key, Route: requestOf(ctx).route, BodyHash: sha256.Sum256(call)}
}

// answerRPC answers a request or a list of them; nil when nothing is to be
// answered.
func (s *server) answerRPC(ctx context.Context, q rpcRequest, body []byte) any {
	if _, err := skeleton(body, nil); err != nil {
		return s.refuseBody(ctx, q, unreadableRPC(err))
	}
	body = bytes.TrimSpace(body)
	if body[0] != '[' {
		if answer := s.answerCall(ctx, q, body); answer != nil {
			return answer
		}
		return nil
	}
	var list []json.RawMessage
	if err := json.Unmarshal(body, &list); err != nil || len(list) == 0 || len(list) > maxRPCCalls {
		return s.refuseBody(ctx, q, rpcRefusal(rpcInvalidRequest, "A list holds 1 to "+strconv.Itoa(maxRPCCalls)+" requests"))
	}
	return s.answerList(ctx, q, list)
}

// refuseBody answers a body in which no call can be found; it counts as one.
func (s *server) refuseBody(ctx context.Context, q rpcRequest, why *rpcError) rpcAnswer {
	return rpcAnswer{JSONRPC: rpcVersion, ID: rpcNull, Error: cmp.Or(s.count(ctx, q, operationRPC), why)}
}

// answerList makes the calls one after the other, so that what one does is
// there for the next.
func (s *server) answerList(ctx context.Context, q rpcRequest, list []json.RawMessage) any {
	var answers []*rpcAnswer
	for i, text := range list {
		if answer := s.answerCall(ctx, q.at(i), text); answer != nil {
			answers = append(answers, answer)
		}
	}
	if answers == nil {
		return nil
	}
	return answers
}

// answerCall makes one call; nil is the answer to a notification.
func (s *server) answerCall(ctx context.Context, q rpcRequest, text json.RawMessage) *rpcAnswer {
	call, unreadable := readRPC(text)
	answer := &rpcAnswer{JSONRPC: rpcVersion, ID: call.id}
	answer.Error = cmp.Or(s.count(ctx, q, call.operation()), unreadable)
	if answer.Error == nil {
		var err error
		if answer.Result, err = s.perform(ctx, call, q.idempotency(ctx, text)); err != nil {
			answer.Result, answer.Error = nil, s.rpcErrorOf(ctx, q.header, err)
		}
	}
	if call.id == nil {
		return nil
	}
	return answer
}

// count holds the caller to its limits; nil: there is room.
func (s *server) count(ctx context.Context, q rpcRequest, operation string) *rpcError {
	if err := s.spend(ctx, q.header, operation); err != nil {
		return s.rpcErrorOf(ctx, q.header, err)
	}
	return nil
}

// operation is the one whose limits a call is held to.
func (c rpcCall) operation() string {
	if method, known := rpcMethods[c.method]; known {
		return method.operation
	}
	return operationRPC
}

// perform finds the method, checks the caller's right to it and calls it.
func (s *server) perform(ctx context.Context, call rpcCall, idem sessions.Idempotency) (any, error) {
	method, known := rpcMethods[call.method]
	if !known {
		return nil, rpcRefusal(rpcMethodNotFound, "There is no such method")
	}
	if !callerOf(ctx).Is(rights[method.operation]...) {
		s.noteRefusal(ctx, method.operation, rpcPath)
		return nil, errForbidden()
	}
	params, err := readParams(call.params)
	if err != nil {
		return nil, err
	}
	return method.call(ctx, s, idem, params)
}

var rpcNull = json.RawMessage("null")

// readRPC reads one request. With an error the call has the id to answer to:
// null where it can't be known.
func readRPC(text json.RawMessage) (rpcCall, *rpcError) {
	call := rpcCall{id: rpcNull}
	var members map[string]json.RawMessage
	if err := json.Unmarshal(text, &members); err != nil || members == nil {
		return call, rpcRefusal(rpcInvalidRequest, "A request is an object")
	}
	id, given := members["id"]
	if given && !rpcID(id) {
		return call, rpcRefusal(rpcInvalidRequest, "An id is a text or a number of at most "+strconv.Itoa(maxRPCID)+" bytes")
	}
	if given {
		call.id = id
	}
	var version string
	if !is(members["jsonrpc"], &version) || version != rpcVersion {
		return call, rpcRefusal(rpcInvalidRequest, "jsonrpc is not "+rpcVersion)
	}
	if !is(members["method"], &call.method) {
		return call, rpcRefusal(rpcInvalidRequest, "method is not a text")
	}
	for name := range members {
		switch name {
		case "jsonrpc", "id", "method", "params":
		default:
			return call, rpcRefusal(rpcInvalidRequest, "A request has no members but jsonrpc, id, method and params")
		}
	}
	call.params = members["params"]
	if !given {
		call.id = nil
	}
	return call, nil
}

// rpcID says whether a value may be an id. null is none that JSON-RPC
// recommends, but it allows it.
func rpcID(id json.RawMessage) bool {
	return len(id) <= maxRPCID && (id[0] == '"' || id[0] == '-' || id[0] >= '0' && id[0] <= '9' || bytes.Equal(id, rpcNull))
}

// is reads a text; false for anything else.
func is(value json.RawMessage, into *string) bool {
	return len(value) > 0 && value[0] == '"' && json.Unmarshal(value, into) == nil
}
