package egress_test

import (
	"crypto/x509"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"github.com/session-gateway/gateway/internal/egress"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

var loopback = egress.Allow{netip.MustParsePrefix("127.0.0.0/8")}

// client is a client whose connections end with the test.
func client(t *testing.T, c egress.Config) *http.Client {
	out := egress.NewClient(c)
	t.Cleanup(out.CloseIdleConnections)
	return out
}

func get(t *testing.T, c *http.Client, to string) (string, error) {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, to, nil)
	require.NoError(t, err)
	answer, err := c.Do(r)
	if err != nil {
		return "", err
	}
	defer answer.Body.Close()
	body, err := io.ReadAll(answer.Body)
	return answer.Status + " " + string(body), err
}

// receiver counts what reaches it.
func receiver(t *testing.T, start func(http.Handler) *httptest.Server, h http.HandlerFunc) *httptest.Server {
	s := start(h)
	t.Cleanup(s.Close)
	return s
}

func hello(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, "hello") }

func trusting(s *httptest.Server) *x509.CertPool {
	pool := x509.NewCertPool()
	pool.AddCert(s.Certificate())
	return pool
}

func TestNothingPrivateIsConnectedToUnlessListed(t *testing.T) {
	t.Parallel()
	s := receiver(t, httptest.NewTLSServer, hello)
	config := egress.Config{RootCAs: trusting(s)}

	_, err := get(t, client(t, config), s.URL)
	require.ErrorIs(t, err, egress.ErrForbidden)

	config.Allow = loopback
	body, err := get(t, client(t, config), s.URL)
	require.NoError(t, err)
	require.Equal(t, "200 OK hello", body)
}

func TestTheAddressThatIsConnectedToIsJudgedNotTheName(t *testing.T) {
	t.Parallel()
	reached := false
	s := receiver(t, httptest.NewTLSServer, func(http.ResponseWriter, *http.Request) { reached = true })
	_, port, err := net.SplitHostPort(s.Listener.Addr().String())
	require.NoError(t, err)

	for _, address := range []string{"127.0.0.1", "169.254.169.254", "10.0.0.1", "100.64.0.1"} {
		turns := &names{answers: []netip.Addr{netip.MustParseAddr("93.184.216.34"), netip.MustParseAddr(address)}}
		resolver := turns.resolver(t)
		public, err := resolver.LookupNetIP(t.Context(), "ip4", "receiver.example") // as whoever checks the name first
		require.NoError(t, err)
		require.True(t, egress.Public(public[0]))

		_, err = get(t, client(t, egress.Config{Resolver: resolver, RootCAs: trusting(s)}), "https://receiver.example:"+port)
		require.ErrorIs(t, err, egress.ErrForbidden, address)
	}
	require.False(t, reached)
}

func TestPlainHTTPGoesToListedAddressesOnly(t *testing.T) {
	t.Parallel()
	public := &names{answers: []netip.Addr{netip.MustParseAddr("93.184.216.34")}}
	_, err := get(t, client(t, egress.Config{Resolver: public.resolver(t)}), "http://receiver.example")
	require.ErrorIs(t, err, egress.ErrForbidden)

	s := receiver(t, httptest.NewServer, hello)
	body, err := get(t, client(t, egress.Config{Allow: loopback}), s.URL)
	require.NoError(t, err)
	require.Equal(t, "200 OK hello", body)
}

func TestARedirectIsAnAnswer(t *testing.T) {
	t.Parallel()
	for _, to := range []string{"http://169.254.169.254/latest/meta-data/", "/elsewhere"} {
		s := receiver(t, httptest.NewServer, func(w http.ResponseWriter, r *http.Request) {
			if r.URL.Path != "/first" {
				t.Error("the redirect was followed")
			}
			w.Header().Set("Location", to)
			w.WriteHeader(http.StatusTemporaryRedirect)
		})
		body, err := get(t, client(t, egress.Config{Allow: loopback}), s.URL+"/first")
		require.NoError(t, err)
		require.True(t, strings.HasPrefix(body, "307 "), body)
	}
}

func TestEveryWrittenFormOfAPrivateAddressIsRefused(t *testing.T) {
	t.Parallel()
	c := client(t, egress.Config{})
	for _, host := range []string{
		"127.0.0.1", "[::1]", "[::ffff:127.0.0.1]", "[::ffff:7f00:1]", "[64:ff9b::7f00:1]", "[2002:7f00:1::1]",
		"[fd00:ec2::254]", "169.254.169.254", "0.0.0.0", "[::]", "localhost",
	} {
		for _, scheme := range []string{"https", "http"} {
			_, err := get(t, c, scheme+"://"+host+":9/")
			require.Error(t, err, host)
			var failed *url.Error
			require.ErrorAs(t, err, &failed)
			require.NotContains(t, err.Error(), "connection refused", "the address was tried")
		}
	}
}

func TestOtherSchemesAreRefused(t *testing.T) {
	t.Parallel()
	r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, "gopher://127.0.0.1/", strings.NewReader("body"))
	require.NoError(t, err)
	_, err = client(t, egress.Config{Allow: loopback}).Do(r)
	require.ErrorIs(t, err, egress.ErrScheme)
}

func TestAnswersAreBounded(t *testing.T) {
	t.Parallel()
	s := receiver(t, httptest.NewServer, func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.WriteString(w, strings.Repeat("x", len(r.URL.Path)-1))
	})
	c := client(t, egress.Config{Allow: loopback, MaxBody: 10})

	body, err := get(t, c, s.URL+"/0123456789")
	require.NoError(t, err)
	require.Equal(t, "200 OK xxxxxxxxxx", body)

	body, err = get(t, c, s.URL+"/0123456789a")
	require.ErrorIs(t, err, egress.ErrTooLarge)
	require.Equal(t, "200 OK xxxxxxxxxx", body)
}

func TestASlowAnswerIsNotWaitedFor(t *testing.T) {
	t.Parallel()
	s := receiver(t, httptest.NewServer, func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() })
	_, err := get(t, client(t, egress.Config{Allow: loopback, Timeout: 50 * time.Millisecond}), s.URL)
	var failed *url.Error
	require.ErrorAs(t, err, &failed)
	require.True(t, failed.Timeout())
}

func TestTheEnvironmentsProxyIsNotUsed(t *testing.T) {
	proxy := receiver(t, httptest.NewServer, func(http.ResponseWriter, *http.Request) { t.Error("the proxy was asked") })
	t.Setenv("HTTP_PROXY", proxy.URL)
	t.Setenv("HTTPS_PROXY", proxy.URL)
	_, err := get(t, client(t, egress.Config{}), "http://169.254.169.254/")
	require.ErrorIs(t, err, egress.ErrForbidden)
}
