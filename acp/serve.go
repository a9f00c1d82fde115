package acp

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"sync"
	"time"

	sdk "github.com/coder/acp-go-sdk"
	"golang.org/x/sync/errgroup"

	"github.com/session-gateway/gateway/client"
)

// DefaultHostWait is how long a prompt waits for a host: as long as one needs to
// start, and not so long that a person wonders.
const DefaultHostWait = 15 * time.Second

// Config is what an agent is made of.
type Config struct {
	Client   *client.Client
	Session  string        // the one that session/new gives; empty: a new one each time
	HostWait time.Duration // how long a prompt goes without a host; 0: DefaultHostWait
	Version  string        // of the program, for clients to show
	Log      *slog.Logger
}

// agent is one connection to a client. The protocol's methods are its methods.
type agent struct {
	Config
	conn  *sdk.AgentSideConnection
	out   *outbox
	life  context.Context //nolint:containedctx // the connection's: sessions are followed longer than the request that opened them
	group *errgroup.Group

	mu       sync.Mutex
	sessions map[string]*session // by id; those that were opened
}

// Serve is an agent on a connection until the client closes it, ctx ends, or the
// client sends what can't be read ([ErrLineTooLong]). Turns that are open then go
// on: who comes back loads their session.
func Serve(ctx context.Context, c Config, in io.Reader, out io.Writer) error {
	if c.HostWait == 0 {
		c.HostWait = DefaultHostWait
	}
	life, end := context.WithCancel(ctx)
	defer end()
	a := &agent{
		Config: c, out: &outbox{w: out, sent: make(chan struct{})}, group: &errgroup.Group{},
		life: life, sessions: map[string]*session{},
	}
	from := &reader{r: in, started: make(chan struct{})}
	a.conn = sdk.NewAgentSideConnection(a, a.out, from)
	a.conn.SetLogger(slog.New(withheld{c.Log.Handler()}))
	a.out.over = a.conn.Done()
	close(from.started)
	select {
	case <-a.conn.Done():
	case <-ctx.Done():
	}
	end()
	if err := a.group.Wait(); err != nil && !errors.Is(err, context.Canceled) {
		return err
	}
	if from.tooLong.Load() {
		return fmt.Errorf("read from the client: %w", ErrLineTooLong)
	}
	return nil
}

// outbox writes what is sent to the client, a message with each Write, and knows
// when a request has been written. So a question is before the end of its call on
// the wire, although the library writes it in the goroutine that waits for the
// answer.
type outbox struct {
	w    io.Writer
	sent chan struct{}
	over <-chan struct{} // the connection is closed
	mu   sync.Mutex      // one request at a time is on its way
}

// Write writes one message.
func (o *outbox) Write(message []byte) (int, error) {
	n, err := o.w.Write(message)
	if isRequest(message) {
		select {
		case o.sent <- struct{}{}:
		case <-o.over:
		}
	}
	return n, err
}

// isRequest tells requests from responses and notifications: they alone have an
// id and then a method. The library writes the fields in this order.
func isRequest(message []byte) bool {
	rest, ok := bytes.CutPrefix(message, []byte(`{"jsonrpc":"2.0","id":`))
	if !ok {
		return false
	}
	rest = bytes.TrimLeft(rest, "0123456789")
	return bytes.HasPrefix(rest, []byte(`,"method":`))
}

// request starts what sends one request, and returns when that is written or
// will not be.
func (o *outbox) request(start func() (ended <-chan struct{})) {
	o.mu.Lock()
	defer o.mu.Unlock()
	ended := start()
	select {
	case <-o.sent:
	case <-ended:
	case <-o.over:
	}
}
