package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"time"
)

// chatty is a session that many batches may be sent to.
const chatty = `{"loop":{"identical_calls":0,"calls_per_turn":0}}`

// peer starts one of the servers, ready for readers at its path. A gateway has a
// Redis of its own, whose processor time counts as the gateway's.
func peer(ctx context.Context, o options, kind string) (*process, error) {
	if kind != "gateway" {
		p, err := simple(ctx, kind)
		if err == nil && kind == "r3labs" {
			p.path = "/events?stream=s"
		}
		return p, err
	}
	redis, err := startRedis(ctx)
	if err != nil {
		return nil, err
	}
	p, err := gateway(ctx, o, "--redis="+redis.base)
	if err != nil {
		redis.end()
		return nil, err
	}
	p.redis = redis
	sid, err := p.createSession(ctx, chatty)
	p.path = "/v1/sessions/" + sid + "/events?after=latest"
	return p, err
}

// idleSizes are how many streams are open at once; goals are for goalSize.
var idleSizes = []int{1_000, 5_000, 10_000}

const goalSize = 5_000

// measureIdle is the memory of a stream on which nothing happens.
func measureIdle(ctx context.Context, o options) ([]row, error) {
	var rows []row
	for _, n := range idleSizes {
		got, err := measureIdleOf(ctx, o, n)
		if err != nil {
			return nil, err
		}
		rows = append(rows, got...)
	}
	return rows, nil
}

func measureIdleOf(ctx context.Context, o options, n int) ([]row, error) {
	per := map[string][]float64{}
	for range o.rounds {
		for _, m := range idleMeasured {
			bytes, err := idleBytes(ctx, o, m.kind, crowdSize{n: n, h2: m.h2})
			if err != nil {
				return nil, err
			}
			per[m.String()] = append(per[m.String()], bytes)
		}
	}
	return idleRows(n, per), nil
}

// served is a server and what it is spoken to in.
type served struct {
	kind string
	h2   bool
}

var idleMeasured = []served{{"gateway", false}, {"bare", false}, {"r3labs", false}, {"gateway", true}, {"bare", true}}

// String names the two.
func (s served) String() string {
	if s.h2 {
		return s.kind + " h2c"
	}
	return s.kind
}

func idleRows(n int, per map[string][]float64) []row {
	name := fmt.Sprintf("memory per idle stream, %d streams, ", n)
	compare := func(what, ours, theirs string, goal float64) row {
		a, b := median(per[ours]), median(per[theirs])
		if n != goalSize {
			goal = 0
		}
		return row{name + what, kib(a), kib(b), a / b, goal}
	}
	return []row{
		compare("HTTP/1.1, beside bare net/http", "gateway", "bare", 1.10),
		compare("HTTP/1.1, beside r3labs", "gateway", "r3labs", 0.80),
		compare("h2c, 200 a connection, beside bare net/http over HTTP/1.1", "gateway h2c", "bare", 0.45),
		compare("h2c, 200 a connection, beside bare net/http over h2c", "gateway h2c", "bare h2c", 0),
	}
}

func kib(b float64) string { return fmt.Sprintf("%.1f KiB", b/1024) }

// streamsPerConnection is how many h2c streams share a connection.
const streamsPerConnection = 200

// crowdSize is how many streams there are, and over what.
type crowdSize struct {
	n  int
	h2 bool
}

func idleBytes(ctx context.Context, o options, kind string, size crowdSize) (float64, error) {
	p, err := peer(ctx, o, kind)
	if err != nil {
		return 0, err
	}
	defer p.end()
	before, err := p.rss()
	if err != nil {
		return 0, err
	}
	c := &crowd{}
	if size.h2 {
		done, err := c.h2(ctx, p, size.n, streamsPerConnection)
		if err != nil {
			return 0, err
		}
		defer done()
	} else {
		if err := c.open(ctx, p, size.n); err != nil {
			return 0, err
		}
		defer c.close()
	}
	after, err := p.rss()
	return (after - before) / float64(size.n), err
}

// measureFanout is the processor time of a delivery, one session to many
// readers: as fast as it goes, and at a pace.
func measureFanout(ctx context.Context, o options) ([]row, error) {
	var rows []row
	for _, mode := range []struct {
		name string
		pace time.Duration
		goal float64
	}{{"saturated", 0, 0.60}, {"paced", 50 * time.Millisecond, 1.15}} {
		per, rates := map[string][]float64{}, map[string][]float64{}
		for range o.rounds {
			for _, kind := range []string{"gateway", "r3labs"} {
				d, err := deliver(ctx, o, kind, mode.pace)
				if err != nil {
					return nil, err
				}
				per[kind], rates[kind] = append(per[kind], d.cpu), append(rates[kind], d.perSecond)
			}
		}
		name := fmt.Sprintf("1 → %d, %s, beside r3labs", o.fanout, mode.name)
		ours, theirs := median(per["gateway"]), median(per["r3labs"])
		rows = append(rows, row{"CPU per delivery, " + name, micros(ours), micros(theirs), ours / theirs, mode.goal})
		if mode.pace == 0 {
			ours, theirs := median(rates["gateway"]), median(rates["r3labs"])
			rows = append(rows, row{"deliveries a second, " + name, perSecond(ours), perSecond(theirs), ours / theirs, 0})
		}
	}
	return rows, nil
}

func micros(seconds float64) string { return fmt.Sprintf("%.2f µs", seconds*1e6) }

// deliver is what one event to one reader takes.
func deliver(ctx context.Context, o options, kind string, pace time.Duration) (cost, error) {
	p, err := peer(ctx, o, kind)
	if err != nil {
		return cost{}, err
	}
	defer p.end()
	c := &crowd{}
	if err := c.open(ctx, p, o.fanout); err != nil {
		return cost{}, err
	}
	defer c.close()
	base := c.seen.Load()
	took, err := measured(p.cpu, func() (int, error) {
		sent, err := p.publishAll(ctx, kind, o.events, pace)
		if err != nil {
			return 0, err
		}
		want := sent * o.fanout
		return want, await(ctx, func() bool { return c.seen.Load()-base >= int64(want) })
	})
	return took, errors.Join(err, c.eventsAreAlike())
}

// publishAll sends events at a pace, or in bursts, and says how many there were.
func (p *process) publishAll(ctx context.Context, kind string, events int, pace time.Duration) (sent int, err error) {
	for n := 0; sent < events && err == nil; n++ {
		if pace == 0 {
			err = p.publishBurst(ctx, kind)
			sent += burst
		} else {
			err = errors.Join(p.publish(ctx, kind, n), pause(ctx, pace))
			sent++
		}
	}
	return sent, err
}

// eventsAreAlike says whether all servers send events of about the same size.
func (c *crowd) eventsAreAlike() error {
	const off = 0.05
	if size := c.eventSize(); size < (1-off)*eventSize || size > (1+off)*eventSize {
		return fmt.Errorf("an event has %.0f bytes, not about %d as those of the other servers", size, eventSize)
	}
	return nil
}

func pause(ctx context.Context, d time.Duration) error {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-t.C:
		return nil
	}
}

// eventSize is how many bytes an event takes on the wire, of all servers: a
// session.updated of a gateway, and the payload of the others with the lines around
// it.
const eventSize = 1100

// payload makes it that, where an event is nothing else.
var payload = strings.Repeat("x", eventSize-40)

// toolName makes it that in the mean of a burst: it comes back in each event
// several times.
var toolName = "nothing" + payload[:13]

// publish makes the server send one event.
func (p *process) publish(ctx context.Context, kind string, n int) error {
	if kind != "gateway" {
		return p.do(ctx, http.MethodPost, "/publish", []byte(payload), nil)
	}
	sid := strings.Split(p.path, "/")[3]
	body := fmt.Appendf(nil, `{"labels":{"n":"%d"}}`, n)
	return p.do(ctx, http.MethodPatch, "/v1/sessions/"+sid, body, nil)
}

// burst is how many events come at once when a stream is saturated: what one
// batch of refused calls makes of events.
const burst = 52

// publishBurst makes the server send a burst.
func (p *process) publishBurst(ctx context.Context, kind string) error {
	if kind != "gateway" {
		for range burst {
			if err := p.publish(ctx, kind, 0); err != nil {
				return err
			}
		}
		return nil
	}
	return p.burstTo(ctx, strings.Split(p.path, "/")[3])
}

// burstTo sends a session of a gateway a batch of refused calls.
func (p *process) burstTo(ctx context.Context, sid string) error {
	calls := make([]map[string]string, burst-2) // beside the batch's start and end
	for i := range calls {
		calls[i] = map[string]string{"name": toolName}
	}
	return p.do(ctx, http.MethodPost, "/v1/sessions/"+sid+"/batches", encode(map[string]any{"calls": calls}), nil)
}

// createSession makes a session and gives its id.
func (p *process) createSession(ctx context.Context, spec string) (string, error) {
	var s struct {
		ID string `json:"id"`
	}
	err := p.do(ctx, http.MethodPost, "/v1/sessions", []byte(spec), &s)
	return s.ID, err
}

// refusedError is an answer that is no success.
type refusedError struct {
	status int
	text   string
}

// Error is what was asked and answered.
func (r *refusedError) Error() string { return r.text }

// do sends a request and decodes the answer where one is wanted.
func (p *process) do(ctx context.Context, method, path string, body []byte, into any) error {
	req, err := http.NewRequestWithContext(ctx, method, p.base+path, bytes.NewReader(body))
	if err != nil {
		return err
	}
	req.Header.Set("Authorization", "Bearer "+p.key)
	req.Header.Set("Content-Type", "application/json")
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	text, err := io.ReadAll(resp.Body)
	switch {
	case err != nil:
		return err
	case resp.StatusCode >= http.StatusMultipleChoices:
		return &refusedError{resp.StatusCode, fmt.Sprintf("%s %s: %s: %s", method, path, resp.Status, text)}
	case into == nil:
		return nil
	}
	return json.Unmarshal(text, into)
}

// resumed is how many events a resume replays.
const resumed = 1000

// measureResume is the processor time of replaying events to a reader that
// comes back: from a ring that others keep warm, and from Redis, where the first
// to come reads for all, or each for itself.
func measureResume(ctx context.Context, o options) ([]row, error) {
	per := map[string][]float64{}
	for range o.rounds {
		for _, kind := range []string{"r3labs", "ring", "log", "cold"} {
			cost, err := resumeCost(ctx, o, kind)
			if err != nil {
				return nil, err
			}
			per[kind] = append(per[kind], cost)
		}
	}
	theirs := median(per["r3labs"])
	n := fmt.Sprintf("CPU for a resume over %d events", resumed)
	return []row{
		{n + ", from the ring, beside r3labs's in-memory replay", micros(median(per["ring"])), micros(theirs), median(per["ring"]) / theirs, 0.12},
		{n + ", from Redis, 50 readers of one session, beside r3labs's in-memory replay", micros(median(per["log"])), micros(theirs), median(per["log"]) / theirs, 0.30},
		{n + ", from Redis, each of another session, beside r3labs's in-memory replay", micros(median(per["cold"])), micros(theirs), median(per["cold"]) / theirs, 0},
	}, nil
}

// resumes is how many readers come back in a round.
const resumes = 50

func resumeCost(ctx context.Context, o options, from string) (float64, error) {
	kind := "gateway"
	if from == "r3labs" {
		kind = from
	}
	p, err := peer(ctx, o, kind)
	if err != nil {
		return 0, err
	}
	defer p.end()
	if from == "ring" { // somebody watches, so that the ring has what happens
		watcher := &crowd{}
		if err := watcher.open(ctx, p, 1); err != nil {
			return 0, err
		}
		defer watcher.close()
	}
	paths, err := p.histories(ctx, from)
	if err != nil {
		return 0, err
	}
	took, err := measured(p.cpu, func() (int, error) {
		for i := range resumes {
			p.path = paths[i%len(paths)]
			if err := p.resume(ctx); err != nil {
				return 0, err
			}
		}
		return resumes, nil
	})
	return took.cpu, err
}

// resume lets a reader come back and take all that it missed.
func (p *process) resume(ctx context.Context) error {
	c := &crowd{}
	if err := c.open(ctx, p, 1); err != nil {
		return err
	}
	err := await(ctx, func() bool { return c.seen.Load() >= resumed })
	c.close()
	return errors.Join(err, c.eventsAreAlike())
}

// histories makes what is resumed over, and says where.
func (p *process) histories(ctx context.Context, from string) ([]string, error) {
	if from != "cold" {
		err := p.history(ctx, from)
		return []string{p.path}, err
	}
	paths := make([]string, resumes)
	for i := range paths {
		sid, err := p.createSession(ctx, chatty)
		if err != nil {
			return nil, err
		}
		p.path = "/v1/sessions/" + sid + "/events"
		if err := p.history(ctx, from); err != nil {
			return nil, err
		}
		paths[i] = p.path
	}
	return paths, nil
}

// history makes the events of one resume.
func (p *process) history(ctx context.Context, from string) error {
	kind := "gateway"
	if from == "r3labs" {
		kind = from
	} else if err := p.fromHere(ctx); err != nil {
		return err
	}
	for range resumed/burst + 1 {
		if err := p.publishBurst(ctx, kind); err != nil {
			return err
		}
	}
	return nil
}

// fromHere makes the readers that come resume behind what is the last event now.
func (p *process) fromHere(ctx context.Context) error {
	sid := strings.Split(p.path, "/")[3]
	var s struct {
		Last string `json:"last_event_id"`
	}
	err := p.do(ctx, http.MethodGet, "/v1/sessions/"+sid, nil, &s)
	p.path = "/v1/sessions/" + sid + "/events?after=" + s.Last
	return err
}

// measureStalled is what healthy readers get while a neighbour never reads.
func measureStalled(ctx context.Context, o options) ([]row, error) {
	p, err := peer(ctx, o, "gateway")
	if err != nil {
		return nil, err
	}
	defer p.end()
	stalled := &crowd{}
	if err := stalled.openDeaf(ctx, p); err != nil {
		return nil, err
	}
	defer stalled.close()
	c := &crowd{}
	if err := c.open(ctx, p, 10); err != nil {
		return nil, err
	}
	defer c.close()
	base := c.seen.Load()
	const events = 3000
	for n := range events {
		if err := p.publish(ctx, "gateway", n); err != nil {
			return nil, err
		}
	}
	err = await(ctx, func() bool { return c.seen.Load()-base >= 10*events })
	got := float64(c.seen.Load()-base) / (10 * events)
	return []row{{"events that healthy readers get while a neighbour is stalled", fmt.Sprintf("%.0f %%", 100*got), "100 %", got, 0}}, err
}
