package main

import (
	"fmt"
	"strings"
)

// The bodies of the welcome's requests: a session with two tools that may
// write, and a response in which a write stands beside the entry into plan
// mode, so that the boundary can be seen at work.
const (
	welcomeSession = `{"tools":[{"name":"read_file","kind":"read"},{"name":"write_file","kind":"edit"}],` +
		`"rules":{"allow":["read_file","write_file"]}}`
	welcomeBatch = `{"calls":[{"id":"call_a","name":"write_file","arguments":{"file_path":"/notes.txt","content":"hello"}},` +
		`{"id":"call_b","name":"enter_plan_mode","arguments":{}}]}`
)

// welcome is what one needs to try the gateway: the address, the key and
// three lines for a shell.
func (a *App) welcome() string {
	var b strings.Builder
	fmt.Fprintf(&b, "\ngateway listens on %s\n", a.url())
	if a.devKey == "" {
		return b.String() // --dev with --bootstrap: keys are known by their digests only
	}
	fmt.Fprintf(&b, "key: %s (tenant %s, every role)\n", string(a.devKey), devTenant)
	for _, step := range welcomeSteps(a.url(), string(a.devKey)) {
		fmt.Fprintf(&b, "\n# %s\n%s\n", step.title, step.line)
	}
	return b.String()
}

// step is one thing to try.
type step struct{ title, line string }

func welcomeSteps(url, key string) []step {
	base := url + "/v1/sessions"
	auth := "-H " + quote("Authorization: Bearer "+key)
	post := auth + " -H 'Content-Type: application/json' -d "
	return []step{
		{
			"1. create a session, keep its id",
			"SID=$(curl -sS " + base + " " + post + quote(welcomeSession) +
				` | grep -o '"id":"[^"]*"' | head -n 1 | cut -d '"' -f 4); echo "$SID"`,
		},
		{
			"2. follow its events (in the background; `kill %1` ends it)",
			"curl -sSN " + base + `/"$SID"/events ` + auth + " &",
		},
		{
			"3. send a batch: the write is denied, for it stands beside the entry into plan mode",
			`curl -sS -w '\n' ` + base + `/"$SID"/batches ` + post + quote(welcomeBatch),
		},
	}
}

// quote makes one word of a POSIX shell of any text.
func quote(s string) string { return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'" }
