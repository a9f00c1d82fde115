package permissions

// fileUse is how a known command uses its operands.
type fileUse byte

const (
	usesNone      fileUse = iota
	usesRead              // reads all
	usesPattern           // the same, but the first is a pattern or a program
	usesWrite             // writes all
	usesTree              // the same, with all below them
	usesPair              // reads the first, writes the second
	usesPatch             // writes all, and what its input names
	usesCopy              // reads all but the last, writes the last
	usesMove              // reads and writes all
	usesBlocks            // dd: if= and of=
	usesStream            // sed: as usesPattern; with -i it writes too
	usesArchive           // reads all with all below them, and writes
	usesListing           // with -R, reads all below
	usesRevisions         // reads all, also behind a revision: HEAD:.env
	usesUploads           // curl: reads what stands behind an @ or a <, writes what it fetches
	usesDownload          // wget: reads all, writes what it fetches
	usesBoth              // reads and writes all
)

// fileUses is the short list of readers and writers (docs/permissions.md).
var fileUses = map[string]fileUse{
	"cat": usesRead, "tac": usesRead, "nl": usesRead, "head": usesRead, "tail": usesRead,
	"less": usesRead, "more": usesRead, "wc": usesRead, "sort": usesRead, "uniq": usesPair,
	"cut": usesRead, "diff": usesRead, "cmp": usesRead, "od": usesRead, "xxd": usesPair,
	"hexdump": usesRead, "strings": usesRead, "base64": usesRead, "md5sum": usesRead,
	"sha1sum": usesRead, "sha256sum": usesRead, "source": usesRead, ".": usesRead,
	"grep": usesPattern, "egrep": usesPattern, "fgrep": usesPattern, "rg": usesPattern,
	"rgrep": usesPattern, "zgrep": usesPattern,
	"awk": usesPattern, "gawk": usesPattern, "mawk": usesPattern, "nawk": usesPattern,
	"paste": usesRead, "fold": usesRead, "rev": usesRead, "cksum": usesRead, "sum": usesRead, "sha224sum": usesRead,
	"sha384sum": usesRead, "sha512sum": usesRead, "b2sum": usesRead, "comm": usesRead, "join": usesRead,
	"split": usesPair, "expand": usesRead, "fmt": usesRead, "pr": usesRead, "shuf": usesRead, "column": usesRead,
	"zcat": usesRead, "bzcat": usesRead, "xzcat": usesRead, "zstdcat": usesRead, "base32": usesRead, "iconv": usesRead,
	"bat": usesRead, "batcat": usesRead, "view": usesRead, "stat": usesRead, "file": usesRead, "wget": usesDownload,
	"zless": usesRead, "zmore": usesRead, "zdiff": usesRead, "zcmp": usesRead, "hd": usesRead, "sdiff": usesRead, "diff3": usesRead,
	"colordiff": usesRead, "shasum": usesRead, "md5": usesRead, "b3sum": usesRead, "look": usesRead, "tsort": usesRead, "ptx": usesRead,
	"pg": usesRead, "most": usesRead, "csplit": usesRead, "pv": usesRead, "date": usesRead, "xmllint": usesRead,
	"zegrep": usesPattern, "zfgrep": usesPattern, "bzgrep": usesPattern, "xzgrep": usesPattern,
	"vi": usesBoth, "vim": usesBoth, "nvim": usesBoth, "ex": usesBoth, "ed": usesBoth, "emacs": usesBoth, "nano": usesBoth, "pico": usesBoth,
	"gzip": usesBoth, "gunzip": usesPatch, "bzip2": usesBoth, "bunzip2": usesPatch, "xz": usesBoth, "unxz": usesPatch, "zstd": usesBoth,
	"unzstd": usesPatch, "openssl": usesBoth, "gpg": usesBoth, "dos2unix": usesBoth, "unix2dos": usesBoth, "rename": usesBoth, "prename": usesBoth,
	"sponge": usesWrite, "fallocate": usesWrite, "mkfifo": usesWrite, "mknod": usesWrite, "chattr": usesWrite, "setfacl": usesWrite, "setfattr": usesWrite,
	"unzip": usesPatch, "cpio": usesPatch, "7z": usesArchive,
	"jq": usesPattern, "yq": usesPattern, "ag": usesPattern, "ack": usesPattern, "ugrep": usesPattern,
	"git": usesRevisions, "curl": usesUploads,
	"tee": usesWrite, "touch": usesWrite, "truncate": usesWrite, "mkdir": usesWrite,
	"rmdir": usesWrite, "shred": usesWrite, "chmod": usesWrite, "chown": usesWrite,
	"chgrp": usesWrite, "patch": usesPatch,
	"rm": usesTree, "unlink": usesTree,
	"cp": usesCopy, "install": usesCopy, "rsync": usesCopy,
	"mv": usesMove, "ln": usesMove,
	"tar": usesArchive, "bsdtar": usesArchive, "zip": usesArchive, "scp": usesArchive, "ls": usesListing, "dir": usesListing,
	"dd": usesBlocks, "sed": usesStream, "gsed": usesStream,
}

// fileOption is an option by its short letters and its long names.
type fileOption struct {
	short string
	long  []string
}

// values are the files that the option names.
func (o fileOption) values(args []word) []word {
	return values(args, o.short, o.long...)
}

// outputs are options of readers whose value is a file that is written.
var outputs = map[string]fileOption{
	"sort":   {"o", []string{"--output"}},
	"less":   {"oO", []string{"--log-file", "--LOG-FILE"}},
	"base64": {"o", []string{"--output"}},
	"curl":   {"o", []string{"--output"}},
	"wget":   {"OP", []string{"--output-document", "--directory-prefix"}},
	"iconv":  {"o", []string{"--output"}},
	"tree":   {"o", nil},
	"csplit": {"f", []string{"--prefix"}},
	"diff":   {"", []string{"--output"}},
	"shuf":   {"o", []string{"--output"}},
	"patch":  {"or", []string{"--output", "--reject-file"}},
}
