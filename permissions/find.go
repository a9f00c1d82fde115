package permissions

import "strings"

// find judges what find -exec runs, and what -delete deletes. It shows all that is
// below the directories that it begins at.
func (c *command) find(args []word) {
	c.starts(pseudoRead, args)
	for i := 0; i < len(args); i++ {
		switch args[i].text {
		case "-exec", "-execdir", "-ok", "-okdir":
			run := placeholders(args[i+1:])
			c.hide(opaque)
			c.inner(run)
			i += len(run)
		case "-delete":
			c.starts(pseudoWrite, args)
		case "-fprint", "-fprint0", "-fprintf", "-fls":
			if i+1 < len(args) {
				c.file(pseudoWrite, args[i+1], false)
			}
		}
	}
}

// starts adds the directories that find begins at as read or written to.
func (c *command) starts(pseudo string, args []word) {
	unnamed := true
	for _, w := range args {
		if strings.HasPrefix(w.text, "-") || w.text == "(" || w.text == "!" {
			break
		}
		unnamed = false
		c.file(pseudo, w, true)
	}
	if unnamed {
		c.file(pseudo, here, true)
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
