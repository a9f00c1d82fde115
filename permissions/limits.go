package permissions

// Limits. Each stops an input that would cost more to judge than it is worth;
// what lies beyond a limit is never skipped, it is judged as fog (see fog.go).
const (
	// MaxRules bounds a session's three lists together, and with it the cost of
	// a call that every rule has to be compared with.
	MaxRules = 2000
	// MaxPatternBytes bounds one pattern.
	MaxPatternBytes = 512
	// MaxAlternatives bounds what the braces of one pattern expand to; without
	// it 24 groups of two are 16 million patterns.
	MaxAlternatives = 64
	// MaxExpandedBytes bounds the expanded patterns of one set of rules, which
	// stay in memory as long as its policy does.
	MaxExpandedBytes = 4 << 20

	// MaxCommandBytes bounds the text that is given to the shell parser.
	MaxCommandBytes = 32 << 10
	// MaxOpeners bounds nesting before parsing: the parser recurses once for
	// each, and a stack overflow can't be recovered from.
	MaxOpeners = 200
	// MaxParts bounds the commands in one command text, nested texts included.
	MaxParts = 200
	// maxNesting bounds texts within texts: sh -c 'sh -c …'.
	maxNesting = 4
	// maxWrappers bounds prefixes that are seen through: sudo nice env …
	maxWrappers = 8

	// MaxPathBytes is Linux's PATH_MAX: no host can open a longer path.
	MaxPathBytes = 4096
	// maxHostBytes is more than a name of 253 bytes can be before it is mapped;
	// mapping takes the square of a label's length.
	maxHostBytes = 1024
	// MaxSubjects bounds the subjects of one call, file arguments included.
	MaxSubjects = 512
	// MaxSubjectBytes bounds the paths and URLs of one call taken together: they
	// may cost as much as a command.
	MaxSubjectBytes = 32 << 10

	// MaxJSONDepth bounds nesting in arguments; schemas may nest 32 deep.
	MaxJSONDepth = 128
	// maxErrorPath bounds the JSON path that an error quotes: keys come from a
	// model and may be as long as the arguments.
	maxErrorPath = 200
)
