package validate_test

import (
	"bufio"
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/session-gateway/gateway/client"
	"github.com/session-gateway/gateway/validate"
)

// liar stands before a gateway and changes what it says: a gateway that breaks
// its promises.
type liar struct {
	text  func(path, text string) string // any text of a JSON answer
	frame func(frame string) []string    // a frame of a stream
}

// before is the address of a liar.
func (l liar) before(t *testing.T, base string) string {
	t.Helper()
	target, err := url.Parse(base)
	require.NoError(t, err)
	proxy := httptest.NewServer(&httputil.ReverseProxy{
		Rewrite:       func(r *httputil.ProxyRequest) { r.SetURL(target); r.Out.Header.Del("Accept-Encoding") },
		FlushInterval: -1, Transport: transport(t).Transport, ModifyResponse: l.lie,
		ErrorHandler: func(http.ResponseWriter, *http.Request, error) { panic(http.ErrAbortHandler) },
	})
	t.Cleanup(proxy.Close)
	return proxy.URL
}

func (l liar) lie(resp *http.Response) error {
	switch kind := resp.Header.Get("Content-Type"); {
	case strings.HasPrefix(kind, "text/event-stream") && l.frame != nil:
		resp.Body = l.frames(resp.Body)
		return nil
	case strings.HasPrefix(kind, "application/json") && l.text != nil:
		return l.rewrite(resp)
	default:
		return nil
	}
}

// rewrite changes the texts of an answer.
func (l liar) rewrite(resp *http.Response) error {
	decoder := json.NewDecoder(resp.Body)
	decoder.UseNumber()
	var doc any
	if err := decoder.Decode(&doc); err != nil {
		return err
	}
	text, err := json.Marshal(l.walk(resp.Request.URL.Path, doc))
	if err != nil {
		return err
	}
	resp.Body = io.NopCloser(bytes.NewReader(text))
	resp.ContentLength = int64(len(text))
	resp.Header.Set("Content-Length", strconv.Itoa(len(text)))
	return nil
}

func (l liar) walk(path string, v any) any {
	switch v := v.(type) {
	case string:
		return l.text(path, v)
	case []any:
		for i := range v {
			v[i] = l.walk(path, v[i])
		}
	case map[string]any:
		for k := range v {
			v[k] = l.walk(path, v[k])
		}
	}
	return v
}

// frames changes a stream frame by frame.
func (l liar) frames(body io.ReadCloser) io.ReadCloser {
	out, in := io.Pipe()
	go func() {
		defer body.Close()
		lines, frame := bufio.NewReader(body), ""
		for {
			line, err := lines.ReadString('\n')
			frame += line
			if err != nil {
				in.CloseWithError(err)
				return
			}
			if line != "\n" {
				continue
			}
			for _, f := range l.frame(frame) {
				if _, err := io.WriteString(in, f); err != nil {
					return
				}
			}
			frame = ""
		}
	}()
	return struct {
		io.Reader
		io.Closer
	}{out, closeBoth{out, body}}
}

type closeBoth [2]io.Closer

func (c closeBoth) Close() error {
	_ = c[1].Close() // a stream that is left has nothing to say
	return c[0].Close()
}

// says changes a text in the answers to some paths.
func says(end, from, to string) liar {
	return liar{text: func(path, text string) string {
		if strings.HasSuffix(path, end) || end == "/batches/" && strings.Contains(path, "/batches/bat_") && strings.Count(path, "/") == 5 {
			return strings.ReplaceAll(text, from, to)
		}
		return text
	}}
}

// tells changes the frames of a kind of event.
func tells(kind string, change func(frame string) []string) liar {
	return liar{frame: func(frame string) []string {
		if strings.Contains(frame, "event: "+kind+"\n") {
			return change(frame)
		}
		return []string{frame}
	}}
}

func dropped(string) []string { return nil }

func twice(frame string) []string { return []string{frame, frame} }

func TestEveryLieOfAGatewayIsNamed(t *testing.T) {
	t.Parallel()
	const inReminder, inDenial = "system-reminder>", "only that entry was run"
	honest := alone(t)
	for name, c := range map[string]struct {
		liar    liar
		want    []validate.Code
		unheard bool
	}{
		"a reminder is cut in a next request":    {says("/next-request", inReminder, ""), []validate.Code{"rendering_reminder_incomplete"}, false},
		"a denial is cut in a next request":      {says("/next-request", inDenial, ""), []validate.Code{"rendering_denial_missing"}, false},
		"a result is missing in a next request":  {says("/next-request", "tool_result", "text"), []validate.Code{"rendering_missing_result"}, false},
		"a reminder is cut in a batch":           {says("/batches/", inReminder, ""), []validate.Code{validate.CodeReminderIncomplete, validate.CodeResultDiffers}, false},
		"a sibling is denied for another reason": {says("/batches/", "plan_boundary", "permission_denied"), []validate.Code{validate.CodeBoundaryBroken, validate.CodeResultDiffers}, false},
		"a duplicate is none":                    {says("/batches/", "duplicate_call", "plan_boundary"), []validate.Code{validate.CodeDuplicateRun}, false},
		"yolo is left":                           {says("/batches/", "plan_not_entered_yolo", "hook_denied"), []validate.Code{validate.CodeYoloEntered}, false},
		"a result is not told":                   {tells("call.result", dropped), []validate.Code{validate.CodeResultMissing, validate.CodeStreamGap}, true},
		"a result is told twice":                 {tells("call.result", twice), []validate.Code{validate.CodeResultRepeated, validate.CodeStreamGap}, false},
		"an end is told twice":                   {tells("batch.completed", twice), []validate.Code{validate.CodeEndRepeated, validate.CodeStreamGap}, false},
		"an end is not told":                     {tells("batch.completed", dropped), []validate.Code{validate.CodeEndMissing}, true},
		"a call is not told":                     {tells("batch.started", dropped), []validate.Code{validate.CodeStreamGap}, true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d := honest.of(t)
			d.employ(&rogue{model: besideAnEntry})
			config := d.config()
			config.Bases = []string{c.liar.before(t, d.bases[0])}
			if c.unheard {
				config.Patience = time.Second // it waits in vain many times
			}
			r, err := validate.Run(t.Context(), config)
			require.NoError(t, err)
			require.Subset(t, violated(r), c.want, table(t, r))
		})
	}
}

func TestAReplicaThatTellsOtherThingsIsNamed(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		liar liar
		want validate.Code
	}{
		"another result": {says("/batches/", "the output of", "no output of"), validate.CodeReplicaDiffers},
		"fewer events":   {tells("call.claimed", dropped), validate.CodeStreamDiffers},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d := alone(t)
			d.employ(&rogue{})
			config := d.config()
			config.Bases, config.Prompt = append(config.Bases, c.liar.before(t, d.bases[0])), ""
			r, err := validate.Run(t.Context(), config)
			require.NoError(t, err)
			require.Equal(t, []validate.Code{c.want}, violated(r), table(t, r))
			require.Equal(t, client.ModeDefault, d.now().ApprovalMode)
		})
	}
}
