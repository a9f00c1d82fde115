package deploy_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/compose-spec/compose-go/v2/cli"
	"github.com/compose-spec/compose-go/v2/types"
	"github.com/stretchr/testify/require"
)

// exposureLimit is the most that systemd-analyze may find of the unit, of 10.
// It finds 1.2: the network, and what every service may do.
const exposureLimit = 1.5

// unit is the shipped unit with a program that exists.
func unit(t *testing.T) string {
	t.Helper()
	program(t, "systemd-analyze")
	raw, err := os.ReadFile("../systemd/gateway.service")
	require.NoError(t, err)
	text := strings.Replace(string(raw), "/usr/local/bin/gateway", "/bin/true", 1)
	name := filepath.Join(t.TempDir(), "gateway.service")
	require.NoError(t, os.WriteFile(name, []byte(text), 0o600))
	return name
}

func TestSystemdTakesTheUnit(t *testing.T) {
	t.Parallel()
	out, err := exec.CommandContext(t.Context(), "systemd-analyze", "verify", unit(t)).CombinedOutput()
	require.NoError(t, err, "%s", out)
	require.Empty(t, string(out))
}

func TestTheUnitMayDoLittle(t *testing.T) {
	t.Parallel()
	out, err := exec.CommandContext(t.Context(), "systemd-analyze", "security", "--offline=true", unit(t)).CombinedOutput()
	require.NoError(t, err, "%s", out)
	match := regexp.MustCompile(`Overall exposure level for gateway.service: ([0-9.]+)`).FindSubmatch(out)
	require.NotNil(t, match, "%s", out)
	exposure, err := strconv.ParseFloat(string(match[1]), 64)
	require.NoError(t, err)
	t.Logf("exposure %.1f of 10", exposure)
	require.LessOrEqual(t, exposure, exposureLimit, "%s", out)
}

func TestTheUnitLeavesTimeToDrain(t *testing.T) {
	t.Parallel()
	raw, err := os.ReadFile("../systemd/gateway.service")
	require.NoError(t, err)
	match := regexp.MustCompile(`TimeoutStopSec=(\S+)`).FindSubmatch(raw)
	require.NotNil(t, match)
	stop, err := time.ParseDuration(string(match[1]))
	require.NoError(t, err)
	drain, err := time.ParseDuration(render(t, "prod").settings(t)["GATEWAY_DRAIN"])
	require.NoError(t, err)
	require.Greater(t, stop, drain+5*time.Second)
}

func composeProject(t *testing.T) *types.Project {
	t.Helper()
	options, err := cli.NewProjectOptions([]string{"../compose.yaml"})
	require.NoError(t, err)
	project, err := options.LoadProject(t.Context())
	require.NoError(t, err)
	return project
}

func TestComposeIsTwoReplicasOnADurableRedisBehindNginx(t *testing.T) {
	t.Parallel()
	p := composeProject(t)
	require.ElementsMatch(t, []string{"gateway-1", "gateway-2", "redis", "nginx"}, p.ServiceNames())
	redis := strings.Join(p.Services["redis"].Command, " ")
	require.Contains(t, redis, "--appendonly yes")
	require.Contains(t, redis, "--maxmemory-policy noeviction")

	conf, err := os.ReadFile("../nginx/nginx.conf")
	require.NoError(t, err)
	nginx := p.Services["nginx"]
	require.Contains(t, string(conf), "listen "+strconv.Itoa(int(nginx.Ports[0].Target))+";")
	require.Equal(t, "127.0.0.1", nginx.Ports[0].HostIP)
	for _, name := range []string{"gateway-1", "gateway-2"} {
		s := p.Services[name]
		require.Contains(t, string(conf), "server "+name+portText(t, *s.Environment["GATEWAY_LISTEN"])+" ")
		require.Equal(t, types.ServiceConditionHealthy, s.DependsOn["redis"].Condition)
		drain, err := time.ParseDuration(*s.Environment["GATEWAY_DRAIN"])
		require.NoError(t, err)
		require.Greater(t, time.Duration(*s.StopGracePeriod), drain+5*time.Second)
		require.True(t, s.ReadOnly)
		require.Equal(t, []string{"ALL"}, s.CapDrop)
		for _, v := range s.Volumes {
			require.FileExists(t, v.Source)
		}
	}
}

func portText(t *testing.T, addr string) string {
	t.Helper()
	return ":" + strconv.Itoa(int(portOf(t, addr)))
}
