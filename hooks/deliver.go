package hooks

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"time"

	standardwebhooks "github.com/standard-webhooks/standard-webhooks/libraries/go"

	"github.com/session-gateway/gateway/internal/egress"
	"github.com/session-gateway/gateway/tenants"
)

// Why a message was not delivered, beside what the network says.
var (
	errNoRoom = errors.New("too many messages wait for this tenant's receivers")
	errSecret = errors.New("the hook's secret can't be read")
	errStatus = errors.New("the receiver did not answer with success")
)

// deliver sends a message once and tells what was answered.
func (s *Sender) deliver(ctx context.Context, m *Message) {
	began := time.Now()
	answer, err := s.attempt(ctx, m)
	if err != nil {
		s.observe(m.Event, Failed)
		s.health.failed(ctx, m, err)
		return
	}
	s.observe(m.Event, Answered)
	s.health.answered(ctx, m, time.Since(began))
	m.Done(ctx, answer)
}

func (s *Sender) attempt(ctx context.Context, m *Message) (Answer, error) {
	ctx, cancel := context.WithTimeout(ctx, m.For)
	defer cancel()
	r, err := request(ctx, m)
	if err != nil {
		return Answer{}, err
	}
	response, err := s.client.Do(r)
	if err != nil {
		return Answer{}, withoutURL(err)
	}
	defer response.Body.Close()
	if response.StatusCode/100 != 2 {
		return Answer{}, fmt.Errorf("%w: %d", errStatus, response.StatusCode)
	}
	if m.Event != tenants.HookPreToolUse {
		return Answer{}, nil // what is told is told; nobody reads what it says to that
	}
	body, err := io.ReadAll(response.Body)
	if err != nil && !errors.Is(err, egress.ErrTooLarge) { // cut there, it parses as nothing
		return Answer{}, fmt.Errorf("read answer: %w", err)
	}
	return ParseAnswer(body), nil
}

// request is a message as it is sent now.
func request(ctx context.Context, m *Message) (*http.Request, error) {
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, m.Hook.URL, bytes.NewReader(m.Body))
	if err != nil {
		return nil, withoutURL(err)
	}
	signer, err := standardwebhooks.NewWebhook(m.Hook.Secret)
	if err != nil || m.Hook.Secret == "" {
		return nil, errSecret // the error itself could quote it
	}
	now := time.Now()
	signature, err := signer.Sign(m.ID, now, m.Body)
	if err != nil {
		return nil, fmt.Errorf("sign: %w", err)
	}
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("User-Agent", "session-gateway")
	r.Header.Set(standardwebhooks.HeaderWebhookID, m.ID)
	r.Header.Set(standardwebhooks.HeaderWebhookTimestamp, strconv.FormatInt(now.Unix(), 10))
	r.Header.Set(standardwebhooks.HeaderWebhookSignature, signature)
	return r, nil
}

// withoutURL leaves out the address, which may hold a secret.
func withoutURL(err error) error {
	if wrapped, ok := errors.AsType[*url.Error](err); ok {
		return fmt.Errorf("send: %w", wrapped.Err)
	}
	return err
}
