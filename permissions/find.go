package permissions

import "strings"

// find judges what find -exec runs, and what -delete deletes.
func (c *command) find(args []word) {
	for i := 0; i < len(args); i++ {
		switch args[i].text {
		case "-exec", "-execdir", "-ok", "-okdir":
			run := placeholders(args[i+1:])
			c.hide(opaque)
			c.inner(run)
			i += len(run)
		case "-delete":
			c.starts(args)
		case "-fprint", "-fprint0", "-fprintf", "-fls":
			if i+1 < len(args) {
				c.file(pseudoWrite, args[i+1], false)
			}
		}
	}
}

// starts adds the directories that find begins at as written to.
func (c *command) starts(args []word) {
	unnamed := true
	for _, w := range args {
		if strings.HasPrefix(w.text, "-") || w.text == "(" || w.text == "!" {
			break
		}
		unnamed = false
		c.file(pseudoWrite, w, true)
	}
	if unnamed {
		c.file(pseudoWrite, here, true)
	}
}

// placeholders are the words up to the end of -exec; {} may become any path.
func placeholders(args []word) []word {
	var out []word
	for _, w := range args {
		if w.text == ";" || w.text == "+" {
			break
		}
		w.dynamic = w.dynamic || strings.Contains(w.text, "{}")
		out = append(out, w)
	}
	return out
}
