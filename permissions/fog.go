package permissions

// fog is how much of a subject rules can't see. What is hidden is never
// skipped: the denser the fog, the more rules could apply, and none of them
// allows anything narrower than the whole tool.
type fog byte

const (
	// seen: the subject is what it seems.
	seen fog = iota
	// unknown: a narrower deny or ask rule that could apply asks.
	unknown
	// opaque: a command that runs what can't be seen; rules on reading and
	// writing could apply too.
	opaque
	// unparsed: a text that is no shell command; it always asks.
	unparsed
	// overflow: beyond a limit; a narrower deny rule that could apply denies.
	overflow
)
