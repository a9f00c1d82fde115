package main

import (
	"compress/gzip"
	"encoding/hex"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	collector "go.opentelemetry.io/proto/otlp/collector/trace/v1"
	tracev1 "go.opentelemetry.io/proto/otlp/trace/v1"
	"google.golang.org/protobuf/proto"

	"github.com/session-gateway/gateway/internal/casetest"
	"github.com/session-gateway/gateway/internal/redistest"
)

// toldSpan is a span as a collector gets it.
type toldSpan struct {
	*tracev1.Span
	instance string
}

func (s toldSpan) attribute(name string) string {
	for _, a := range s.Attributes {
		if a.Key == name {
			return a.Value.GetStringValue()
		}
	}
	return ""
}

// otlp receives traces as a collector does.
type otlp struct {
	t   *testing.T
	url string

	mu    sync.Mutex
	spans []toldSpan
	raw   []byte
}

func startOTLP(t *testing.T) *otlp {
	t.Helper()
	o := &otlp{t: t}
	server := httptest.NewServer(o)
	t.Cleanup(server.Close)
	o.url = server.URL
	return o
}

func (o *otlp) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.Method != http.MethodPost || r.URL.Path != "/v1/traces" || r.Header.Get("Content-Type") != "application/x-protobuf" {
		http.NotFound(w, r) // as a collector does
		return
	}
	body := io.Reader(r.Body)
	if r.Header.Get("Content-Encoding") == "gzip" {
		unzipped, err := gzip.NewReader(body)
		if err != nil {
			o.t.Error(err)
			return
		}
		body = unzipped
	}
	raw, err := io.ReadAll(body)
	if err != nil {
		o.t.Error(err)
		return
	}
	var request collector.ExportTraceServiceRequest
	if err := proto.Unmarshal(raw, &request); err != nil {
		o.t.Error(err)
		return
	}
	o.take(raw, &request)
}

func (o *otlp) take(raw []byte, request *collector.ExportTraceServiceRequest) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.raw = append(o.raw, raw...)
	for _, resource := range request.ResourceSpans {
		instance := ""
		for _, a := range resource.Resource.Attributes {
			if a.Key == "service.instance.id" {
				instance = a.Value.GetStringValue()
			}
		}
		for _, scope := range resource.ScopeSpans {
			for _, s := range scope.Spans {
				o.spans = append(o.spans, toldSpan{s, instance})
			}
		}
	}
}

// of are the spans of a trace by name, once they are all there.
func (o *otlp) of(trace string, names ...string) map[string]toldSpan {
	o.t.Helper()
	found := map[string]toldSpan{}
	require.Eventually(o.t, func() bool {
		o.mu.Lock()
		defer o.mu.Unlock()
		for _, s := range o.spans {
			if hex.EncodeToString(s.TraceId) == trace {
				found[s.Name] = s
			}
		}
		for _, name := range names {
			if _, ok := found[name]; !ok {
				return false
			}
		}
		return true
	}, e2eTimeout, 20*time.Millisecond, "%v", names)
	return found
}

func TestOneTraceLeadsFromABatchToItsResultsAcrossReplicas(t *testing.T) {
	t.Parallel()
	o := startOTLP(t)
	flags := []string{"--redis=" + redistest.Start(t).URL(), "--trace-endpoint=" + o.url}
	a, b := startStand(t, flags...), startStand(t, flags...)
	p := newPlanning(t, a, nil)

	// Submitted on A by a host that is in a trace itself.
	const trace, model = "0af7651916cd43dd8448eb211c80319c", "b7ad6b7169203331"
	var batch casetest.Batch
	require.NoError(t, a.Host.Send(t.Context(), casetest.Call{
		Method: http.MethodPost, Path: "/v1/sessions/" + p.sid + "/batches", Body: json.RawMessage(callsOf(t, []string{write})),
		Header: map[string]string{"traceparent": "00-" + trace + "-" + model + "-01"},
	}, &batch))
	// Approved, claimed and reported on B.
	_, err := b.Person.Respond(t.Context(), b.pending(t, p.sid).ID, object{"option_id": "allow_once"})
	require.NoError(t, err)
	var claims struct {
		Claims []struct {
			Granted bool
			Call    struct{ Traceparent string }
		}
	}
	require.NoError(t, b.Host.Send(t.Context(), casetest.Call{
		Method: http.MethodPost, Path: "/v1/sessions/" + p.sid + "/batches/" + batch.ID + "/claims",
		Body: object{"host_id": "h", "positions": []int{0}},
	}, &claims))
	_, err = b.Host.Report(t.Context(), p.sid, batch.ID, "h", object{"position": 0, "status": "success", "output": "the-output"})
	require.NoError(t, err)

	const submit = "POST /v1/sessions/{sid}/batches"
	spans := o.of(trace, submit, "batch", "call", "approval", "dispatch", "execution")
	under := func(child, parent string) {
		t.Helper()
		require.Equal(t, hex.EncodeToString(spans[parent].SpanId), hex.EncodeToString(spans[child].ParentSpanId), "%s under %s", child, parent)
	}
	require.Equal(t, model, hex.EncodeToString(spans[submit].ParentSpanId))
	under("batch", submit)
	under("call", "batch")
	for _, part := range []string{"approval", "dispatch", "execution"} {
		under(part, "call")
		require.NotEqual(t, spans[submit].instance, spans[part].instance, "%s is told by the other replica", part)
	}
	require.Equal(t, "00-"+trace+"-"+hex.EncodeToString(spans["execution"].SpanId)+"-01", claims.Claims[0].Call.Traceparent,
		"the host goes on from its execution")
	require.Equal(t, "approved", spans["approval"].attribute("status"))
	require.Equal(t, p.sid, spans["batch"].attribute("session.id"))

	// The request that answered is a trace of the person's; it is linked.
	require.Len(t, spans["approval"].Links, 1)
	answer := hex.EncodeToString(spans["approval"].Links[0].TraceId)
	o.of(answer, "POST /v1/approvals/{aid}/respond")
	o.saysNothingSecret(t, keyOf("alice"), keyOf("agent-host"), "the-output", "alice", "/file_path", "a.go")
}

func (o *otlp) saysNothingSecret(t *testing.T, secrets ...string) {
	t.Helper()
	o.mu.Lock()
	defer o.mu.Unlock()
	for _, secret := range secrets {
		require.NotContains(t, string(o.raw), secret, "a trace says it")
	}
}

func TestWithoutAnEndpointNothingIsTraced(t *testing.T) {
	t.Parallel()
	s := startStand(t)
	p := newPlanning(t, s, nil)
	var batch json.RawMessage
	require.NoError(t, s.Host.Send(t.Context(), casetest.Call{
		Method: http.MethodPost, Path: "/v1/sessions/" + p.sid + "/batches", Body: json.RawMessage(callsOf(t, []string{write})),
		Header: map[string]string{"traceparent": "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"},
	}, &batch))
	require.NotContains(t, string(batch), "traceparent")
}
