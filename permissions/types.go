package permissions

// Effect is what a decision lets happen to a call.
type Effect string

// The three effects, from strictest to most permissive.
const (
	Deny  Effect = "deny"
	Ask   Effect = "ask"
	Allow Effect = "allow"
)

// Tier is the list (or the fallback) that decided.
type Tier string

// Tiers in the order in which they are consulted.
const (
	TierDeny  Tier = "deny"
	TierAsk   Tier = "ask"
	TierAllow Tier = "allow"
	TierMode  Tier = "mode"
)

// Source says whose rule matched.
type Source string

// Sources in the order in which their rules are consulted within a tier.
const (
	SourceTenant   Source = "tenant"
	SourceAncestor Source = "ancestor"
	SourceSession  Source = "session"
	SourcePlanMode Source = "plan_mode"
	SourceMode     Source = "mode"
	SourceGrant    Source = "grant"
)

// Mode is a session's approval mode.
type Mode string

// Modes from strictest to most permissive.
const (
	ModePlan     Mode = "plan"
	ModeDefault  Mode = "default"
	ModeAutoEdit Mode = "auto_edit"
	ModeYolo     Mode = "yolo"
)

// Kind is an Agent Client Protocol tool kind.
type Kind string

// The tool kinds of the Agent Client Protocol.
const (
	KindRead       Kind = "read"
	KindEdit       Kind = "edit"
	KindDelete     Kind = "delete"
	KindMove       Kind = "move"
	KindSearch     Kind = "search"
	KindExecute    Kind = "execute"
	KindThink      Kind = "think"
	KindFetch      Kind = "fetch"
	KindSwitchMode Kind = "switch_mode"
	KindOther      Kind = "other"
)

// Rules are three lists of patterns as a person writes them.
type Rules struct {
	Deny  []string `json:"deny"`
	Ask   []string `json:"ask"`
	Allow []string `json:"allow"`
}

// Origin is a set of rules and where it comes from.
type Origin struct {
	Source Source
	Rules  Rules
	// SeenOnly rules hold for what is seen of a call. They don't make one ask
	// that might be about something else too: defaults that nobody chose must not
	// turn every unclear call into a question.
	SeenOnly bool
	// SparesReading rules say nothing of calls that provably only read: shell
	// commands of a short list, with options of a short list.
	SparesReading bool
}

// Subjects are JSON pointers (`*` for every element) to the arguments that
// rules look at.
type Subjects struct {
	Path    []string `json:"path,omitempty"`
	Command []string `json:"command,omitempty"`
	URL     []string `json:"url,omitempty"`
}

// Tool is what the engine has to know of the tool that is called.
type Tool struct {
	Name     string    // canonical name
	Aliases  []string  // deny and ask rules written for an alias hold too
	Kind     Kind      // as declared; KindOther for an unknown tool
	ReadOnly bool      // counts as KindRead everywhere
	Subjects *Subjects // nil: the usual argument names are tried
	Gateway  bool      // executed by the gateway itself: only tool globs of deny rules apply
}

// Request is one call to be judged.
type Request struct {
	Tool      Tool
	Arguments string // the arguments' text as the model wrote it; kept, not copied
	Cwd       string // absolute; relative paths and patterns are read against it
}

// Decision is the engine's verdict and the rule that gave it.
type Decision struct {
	Effect  Effect
	Tier    Tier
	Pattern string // empty when the mode decided
	Source  Source
}
