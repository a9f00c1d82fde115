package chaos

import (
	"context"
	"syscall"
	"time"
)

// How long faults last: some heal before anybody's timeout, some after.
var (
	blink  = [2]time.Duration{50 * time.Millisecond, 500 * time.Millisecond}
	breath = [2]time.Duration{300 * time.Millisecond, 2 * time.Second}
	faint  = [2]time.Duration{time.Second, 5 * time.Second} // longer than a client waits
)

// The respites: about what it takes to heal, and some time of work.
const (
	afterStart = time.Second
	afterDrain = 5 * time.Second // a gateway that is to end keeps its listener for three
	// A failover takes about four seconds. Sentinels that meet the next one
	// before they are done with the last wait for ten and more.
	afterFailover = 6 * time.Second
)

// faults are what can happen to the gateways and on the way to them.
func (w *world) faults() []fault {
	return append(w.gatewayFaults(), wireFaults("clients' wire", w.wires)...)
}

func (w *world) gatewayFaults() []fault {
	return []fault{
		{"kill", "gateway", replicas, breath, afterStart, w.kill, w.start},
		{"restart", "gateway", replicas, blink, afterDrain, w.stop, w.start},
		{"freeze", "gateway", replicas, faint, afterStart, w.freeze, w.thaw},
	}
}

func wireFaults(name string, wires []*wire) []fault {
	each := func(f func(*wire) error) func(context.Context, int) error {
		return func(_ context.Context, i int) error { return f(wires[i]) }
	}
	return []fault{
		{"cut", name, len(wires), breath, 0, each((*wire).cut), each((*wire).mend)},
		{"slowness", name, len(wires), breath, 0, each((*wire).slow), each((*wire).mend)},
	}
}

func (w *world) kill(_ context.Context, i int) error {
	err := w.fleet[i].crashed()
	w.fleet[i].kill()
	return err
}

func (w *world) stop(_ context.Context, i int) error {
	if err := w.fleet[i].crashed(); err != nil {
		return err
	}
	return w.fleet[i].stop()
}

func (w *world) start(ctx context.Context, i int) error { return w.fleet[i].up(ctx) }

func (w *world) freeze(_ context.Context, i int) error { return w.fleet[i].signal(syscall.SIGSTOP) }

func (w *world) thaw(_ context.Context, i int) error { return w.fleet[i].signal(syscall.SIGCONT) }
