package main

import (
	"context"
	"fmt"
	"log/slog"
	"os"
	"os/signal"
	"syscall"
	"time"

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

// hangups hears of every SIGHUP from the moment that it is made. Unheard, the
// signal would end the process; with TLS or without, whoever sends it means that
// files are to be read again.
type hangups chan os.Signal

func hearHangups() hangups {
	h := make(hangups, 1)
	signal.Notify(h, syscall.SIGHUP)
	return h
}

func (h hangups) stop() { signal.Stop(h) }

// reload reads certificates again with each SIGHUP until life ends. Files that
// are broken leave those that are served as they are.
func (a *App) reload(life context.Context) {
	defer a.hangups.stop()
	for {
		select {
		case <-life.Done():
			return
		case <-a.hangups:
			a.readAgain()
		}
	}
}

func (a *App) readAgain() {
	if a.certs == nil {
		a.log.Info("there are no certificates to read again")
		return
	}
	if err := a.certs.Reload(); err != nil {
		a.log.Error("certificates stay as they were", slog.Any("error", err))
		return
	}
	a.log.Info("certificates read again")
	a.tellCertificate()
}

// certificateNotice is how long before a certificate's end its being near is
// told of. Alerts look at the metric, and earlier.
const certificateNotice = 72 * time.Hour

// tellCertificate says how long the certificate that is served is good.
func (a *App) tellCertificate() {
	if a.certs == nil {
		return
	}
	notAfter := a.certs.NotAfter()
	a.backend.certificate(notAfter)
	switch left := time.Until(notAfter); {
	case left <= 0:
		a.log.Error("the certificate has expired; clients refuse it", slog.Time("not_after", notAfter))
	case left < certificateNotice:
		a.log.Warn("the certificate expires soon", slog.Time("not_after", notAfter))
	}
}

// url is where the program is reached.
func (a *App) url() string {
	if a.certs != nil {
		return "https://" + a.Addr()
	}
	return "http://" + a.Addr()
}
