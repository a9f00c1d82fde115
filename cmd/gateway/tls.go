package main

import (
	"context"
	"fmt"
	"log/slog"
	"os"
	"os/signal"
	"syscall"

	"github.com/session-gateway/gateway/internal/certs"
)

// openCerts reads what TLS needs; nil without TLS.
func openCerts(cfg Config) (*certs.Store, error) {
	if cfg.TLSCert == "" {
		return nil, nil //nolint:nilnil // a listener without TLS
	}
	s, err := certs.Open(certs.Files{Cert: cfg.TLSCert, Key: cfg.TLSKey, CA: cfg.ClientCA})
	if err != nil {
		return nil, fmt.Errorf("--tls-cert: %w", err)
	}
	return s, nil
}

// reloader reads certificates again with each SIGHUP. It hears of them from the
// moment it is made: before that the signal ends the process.
type reloader struct {
	served *certs.Store
	log    *slog.Logger
	hangup chan os.Signal
}

func newReloader(served *certs.Store, log *slog.Logger) *reloader {
	r := &reloader{served: served, log: log, hangup: make(chan os.Signal, 1)}
	signal.Notify(r.hangup, syscall.SIGHUP)
	return r
}

// run reads until life ends. Files that are broken leave those that are served
// as they are.
func (r *reloader) run(life context.Context) error {
	defer signal.Stop(r.hangup)
	for {
		select {
		case <-life.Done():
			return nil
		case <-r.hangup:
		}
		if err := r.served.Reload(); err != nil {
			r.log.Error("certificates stay as they were", slog.Any("error", err))
			continue
		}
		r.log.Info("certificates read again")
	}
}

// url is where the program is reached.
func (a *App) url() string {
	if a.certs != nil {
		return "https://" + a.Addr()
	}
	return "http://" + a.Addr()
}
