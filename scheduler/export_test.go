package scheduler

// Stages are the names of a runtime's stages in their order, those that look at
// a call when its turn comes marked.
func Stages(r Runtime) []string {
	var out []string
	for _, s := range pipelines[r] {
		name := s.name
		if s.when == atTurn {
			name += ", at its turn"
		}
		out = append(out, name)
	}
	return out
}
