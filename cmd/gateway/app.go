package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"sync/atomic"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/session-gateway/gateway/internal/certs"
)

// Limits of the HTTP server. There is no write or read timeout of the whole
// exchange: streams stay open, so handlers set deadlines for each read of a
// body and each write.
const (
	headerTimeout  = 10 * time.Second // a client that sends headers slowly holds a connection, no more
	idleTimeout    = 2 * time.Minute  // longer than common proxies keep a connection
	maxHeaderBytes = 32 << 10         // a bearer key, a cursor and tracing fit many times over
)

// Parts of the drain time.
const (
	// streamShare is the part over which open streams end, each at its own
	// moment, so that not all their clients come back elsewhere at once. The
	// rest is for the slowest of them and for other requests.
	streamShare = 2
	// leaveTime is how long connections are still taken after /readyz has said
	// no: balancers ask every second or two, and until then send requests here.
	leaveTime = 3 * time.Second
	// settleTime is how long the requests of the connections that were taken
	// last are waited for: net/http drops what it reads once it shuts down.
	settleTime = 500 * time.Millisecond
	// lastTime is kept for the parts. What waits for a Redis that is silent hears
	// of no context; when it is over, its connections are closed.
	lastTime = 2 * time.Second
	// leaveShare bounds each of them where the drain time is short.
	leaveShare = 4
)

// part is a long-lived piece of the program: it runs until its context ends.
type part func(context.Context) error

// backend is what the HTTP server stands on; wire.go makes it.
type backend struct {
	handler  http.Handler
	metrics  http.Handler
	parts    []part              // run beside the server, end after it
	notReady func()              // from now on /readyz says no
	drain    func(time.Duration) // answers long-polls, takes no streams, lets the open ones end within a window
	// streamsEnd waits for the streams that the HTTP server does not know of,
	// and cuts them off when its context ends.
	streamsEnd  func(context.Context) error
	certificate func(notAfter time.Time) // which is served from now on
	close       func() error             // releases the store; nothing runs any more
}

// App is the running program.
type App struct {
	cfg      Config
	log      *slog.Logger
	listener net.Listener
	metrics  *metricsListener // nil: on the listener only
	hangups  hangups
	certs    *certs.Store // nil: without TLS
	backend  backend
	devKey   Secret        // of --dev; empty otherwise
	leave    time.Duration // how long the listener stays open when stopping
	settle   time.Duration // from its end to the server's
	stopping atomic.Bool
}

// Open opens the store and binds the address of a valid configuration. The
// App serves once it is [App.Run], which also closes it.
func Open(ctx context.Context, cfg Config, log *slog.Logger) (app *App, err error) {
	hangups := hearHangups()
	defer func() {
		if err != nil {
			hangups.stop()
		}
	}()
	who, err := callersOf(cfg)
	if err != nil {
		return nil, err
	}
	served, err := openCerts(cfg)
	if err != nil {
		return nil, err
	}
	b, err := wire(ctx, wiring{cfg: cfg, log: log, callers: who})
	if err != nil {
		return nil, err
	}
	m, err := listenMetrics(ctx, cfg.MetricsListen, b.metrics, httpErrors(log))
	if err != nil {
		return nil, errors.Join(err, b.close())
	}
	if m != nil {
		b.parts = append(b.parts, m.run)
	}
	l, err := listen(ctx, cfg.Listen)
	if err != nil {
		return nil, errors.Join(fmt.Errorf("--listen: %w", err), m.close(), b.close())
	}
	leave, settle := partings(cfg.Drain)
	return &App{
		cfg: cfg, log: log, listener: l, metrics: m, hangups: hangups, certs: served, backend: b, devKey: who.devKey,
		leave: leave, settle: settle,
	}, nil
}

// partings are the times of a stop at whose ends the listener and the server
// close, within a drain time.
func partings(drain time.Duration) (leave, settle time.Duration) {
	return min(leaveTime, drain/leaveShare), min(settleTime, drain/leaveShare)
}

// Addr is the address that is served, with the real port.
func (a *App) Addr() string { return a.listener.Addr().String() }

// Run serves until ctx ends or a part fails, then stops in this order: not
// ready and no new streams, no new connections, streams end, requests finish,
// parts end, the store closes. It answers nil after an orderly stop.
func (a *App) Run(ctx context.Context) error {
	// The parts outlive ctx: requests still need them while they finish.
	life, end := context.WithCancel(context.WithoutCancel(ctx))
	defer end()
	g, life := errgroup.WithContext(life)
	stopped := make(chan struct{})
	for _, p := range a.backend.parts {
		g.Go(func() error { return untilEnd(life, p) })
	}
	server := a.server(life)
	g.Go(func() error { return serve(server, a.listener) })
	g.Go(func() error {
		a.reload(life)
		return nil
	})
	g.Go(func() error {
		defer close(stopped)
		defer end()
		select {
		case <-ctx.Done():
		case <-life.Done(): // a part failed; Wait tells which
		}
		a.stop(ctx, server)
		return nil
	})
	a.tellCertificate()
	a.log.Info("serving", slog.String("addr", a.Addr()), slog.Any("config", a.cfg), slog.String("build", currentBuild().String()))
	<-stopped
	return a.leaveStore(g.Wait)
}

// leaveStore closes the store when the parts have ended, or when their time is
// over: then they end by it.
func (a *App) leaveStore(wait func() error) error {
	ended := make(chan error, 1)
	go func() { ended <- wait() }()
	select {
	case err := <-ended:
		return errors.Join(err, a.backend.close())
	case <-time.After(a.last()):
		a.log.Warn("the store does not answer; closing its connections")
		return errors.Join(a.backend.close(), <-ended)
	}
}

// last is the end of the drain time, when only parts are left.
func (a *App) last() time.Duration { return min(lastTime, a.cfg.Drain/leaveShare) }

// server is the HTTP server; its requests' contexts end with life.
func (a *App) server(life context.Context) *http.Server {
	protocols := new(http.Protocols)
	protocols.SetHTTP1(true)
	protocols.SetHTTP2(true)
	protocols.SetUnencryptedHTTP2(true) // many streams of one proxy on one connection
	server := &http.Server{
		Handler:           &parting{&a.stopping, a.backend.handler},
		Protocols:         protocols,
		ReadHeaderTimeout: headerTimeout,
		IdleTimeout:       idleTimeout,
		MaxHeaderBytes:    maxHeaderBytes,
		BaseContext:       func(net.Listener) context.Context { return life },
		ErrorLog:          httpErrors(a.log),
	}
	if a.certs != nil {
		server.TLSConfig = a.certs.Config()
	}
	return server
}

// stop ends the server within the drain time but its last; what is not done
// then is cut.
func (a *App) stop(ctx context.Context, server *http.Server) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), a.cfg.Drain-a.last())
	defer cancel()
	a.log.Info("stopping", slog.Duration("drain", a.cfg.Drain))
	a.stopping.Store(true)
	a.backend.notReady()
	a.backend.drain(a.cfg.Drain / streamShare)
	<-time.After(a.leave)
	if err := a.listener.Close(); err != nil {
		a.log.Warn("closing the listener failed", slog.Any("error", err))
	}
	<-time.After(a.settle)
	if err := errors.Join(server.Shutdown(ctx), a.backend.streamsEnd(ctx)); err != nil {
		a.log.Warn("drain time is over; cutting what is left", slog.Any("error", err))
		if err := server.Close(); err != nil {
			a.log.Warn("closing connections failed", slog.Any("error", err))
		}
	}
}

// parting asks clients for another connection with each answer given while
// stopping. An idle connection that is closed under a client may take its next
// request with it.
type parting struct {
	stopping *atomic.Bool
	next     http.Handler
}

// ServeHTTP says it before anything else is said.
func (p *parting) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if p.stopping.Load() {
		w.Header().Set("Connection", "close")
	}
	p.next.ServeHTTP(w, r)
}

// serve takes the server's normal end for what it is.
func serve(server *http.Server, l net.Listener) error {
	take := server.Serve
	if server.TLSConfig != nil {
		take = func(l net.Listener) error { return server.ServeTLS(l, "", "") }
	}
	if err := take(l); !errors.Is(err, http.ErrServerClosed) && !errors.Is(err, net.ErrClosed) {
		return fmt.Errorf("serve: %w", err)
	}
	return nil
}

// untilEnd runs a part; that it ends because life ended is no error.
func untilEnd(life context.Context, p part) error {
	err := p(life)
	if life.Err() != nil && errors.Is(err, context.Canceled) {
		return nil
	}
	return err
}
