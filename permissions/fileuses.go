package permissions

// fileUse is how a known command uses its operands.
type fileUse byte

const (
	usesNone    fileUse = iota
	usesRead            // reads all
	usesPattern         // the same, but the first is a pattern or a program
	usesWrite           // writes all
	usesTree            // the same, with all below them
	usesCopy            // reads all but the last, writes the last
	usesMove            // reads and writes all
	usesBlocks          // dd: if= and of=
	usesStream          // sed: as usesPattern; with -i it writes too
)

// fileUses is the short list of readers and writers (docs/permissions.md).
var fileUses = map[string]fileUse{
	"cat": usesRead, "tac": usesRead, "nl": usesRead, "head": usesRead, "tail": usesRead,
	"less": usesRead, "more": usesRead, "wc": usesRead, "sort": usesRead, "uniq": usesRead,
	"cut": usesRead, "diff": usesRead, "cmp": usesRead, "od": usesRead, "xxd": usesRead,
	"hexdump": usesRead, "strings": usesRead, "base64": usesRead, "md5sum": usesRead,
	"sha1sum": usesRead, "sha256sum": usesRead, "source": usesRead, ".": usesRead,
	"grep": usesPattern, "egrep": usesPattern, "fgrep": usesPattern, "rg": usesPattern,
	"awk": usesPattern, "gawk": usesPattern, "mawk": usesPattern, "nawk": usesPattern,
	"tee": usesWrite, "touch": usesWrite, "truncate": usesWrite, "mkdir": usesWrite,
	"rmdir": usesWrite, "shred": usesWrite, "chmod": usesWrite, "chown": usesWrite,
	"chgrp": usesWrite, "patch": usesWrite,
	"rm": usesTree, "unlink": usesTree,
	"cp": usesCopy, "install": usesCopy, "rsync": usesCopy,
	"mv": usesMove, "ln": usesMove,
	"dd": usesBlocks, "sed": usesStream, "gsed": usesStream,
}
