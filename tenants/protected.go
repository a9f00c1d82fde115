package tenants

// defaultProtected are the paths that no agent reads or writes unless its
// tenant says otherwise: a repository's innards (hooks in it run), secrets in
// environment files, private keys and credentials, and the agent's own
// settings, with which it could let itself do more.
var defaultProtected = []string{
	".git/**",
	".env*",
	"*.{pem,key,p12,pfx,jks,keystore,ppk,kdbx}",
	"id_{rsa,dsa,ecdsa,ed25519,ecdsa_sk,ed25519_sk}",
	".{ssh,gnupg,aws,kube}/**",
	".{netrc,npmrc,pypirc,pgpass,git-credentials}",
	".{agent,agents}/**", "config/agent.json", ".mcp.json",
	".{claude,codex,cursor,gemini,qwen}/{settings,config,hooks,mcp}*",
}

// Protected are the paths that are denied to every read and write, and whether
// the tenant chose them: a list of its own, even an empty one, takes the place
// of the defaults.
func (s Settings) Protected() (paths []string, chosen bool) {
	if s.ProtectedPaths == nil {
		return defaultProtected, false
	}
	return *s.ProtectedPaths, true
}
