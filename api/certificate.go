package api

import (
	"encoding/json"
	"fmt"
	"net/http"
	"slices"

	"github.com/go-chi/chi/v5"

	"github.com/session-gateway/gateway/internal/certs"
	"github.com/session-gateway/gateway/tenants"
)

// namesItsHost are the operations whose word counts as a host's own: where
// certificates are asked for, they can't leave host_id out.
var namesItsHost = []string{"claimCalls", "reportResults", "reportProgress"}

// certificate holds hosts to their client certificates: what only hosts do
// needs one, and a host that is named has to be named by it. It comes on top of
// the key; a stolen key alone speaks for no host.
func (s *server) certificate(next http.Handler) http.Handler {
	if !s.certified {
		return next
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if err := certifies(r); err != nil {
			s.fail(w, r, err)
			return
		}
		next.ServeHTTP(w, r)
	})
}

func certifies(r *http.Request) error {
	op := requestOf(r.Context()).operation
	host, err := hostNamed(r)
	if err != nil {
		return err
	}
	if host == "" && !onlyHosts(op) {
		return nil
	}
	switch names := certs.Names(r.TLS); {
	case len(names) == 0:
		return refusal(codeCertificateRequired, "Show a client certificate that names the host.")
	case host == "" && slices.Contains(namesItsHost, op.id):
		return refusal(codeCertificateRequired, "Say as host_id which host of the certificate this is.")
	case host != "" && !slices.Contains(names, host):
		return refusal(codeCertificateRequired, "The client certificate doesn't name this host.")
	}
	return nil
}

func onlyHosts(op *operation) bool {
	return !op.public && slices.Equal(op.roles, []tenants.Role{tenants.RoleHost})
}

// hostNamed is the host_id of a request, wherever it stands.
func hostNamed(r *http.Request) (string, error) {
	if id := chi.URLParam(r, "host_id"); id != "" {
		return id, nil
	}
	if id := r.URL.Query().Get("host_id"); id != "" {
		return id, nil
	}
	var body struct {
		HostID string `json:"host_id"`
	}
	bones := requestOf(r.Context()).bones
	if len(bones) == 0 {
		return "", nil
	}
	if err := json.Unmarshal(bones, &body); err != nil {
		return "", fmt.Errorf("read host_id: %w", err)
	}
	return body.HostID, nil
}
