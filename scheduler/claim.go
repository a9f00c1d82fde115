package scheduler

// Claim is what a claim of one position came to.
type Claim struct {
	Position int
	Granted  bool
	HeldBy   string // set when another host has it
}

// TakeCalls claims dispatched calls for a host. A call is decided again in the
// commit that claims it; what is not allowed any more is not granted. The same
// host asking again is given the same answer; one that is not attached while
// another is gets ErrHostFenced.
func TakeCalls(env Env, s State, from Sender, positions []int) (State, Effects, []Claim, error) {
	if err := s.Session.Admits(from); err != nil {
		return s, Effects{}, nil, err
	}
	t, out := begin(env, s)
	claims := make([]Claim, 0, len(positions))
	for _, i := range positions {
		claims = append(claims, t.claim(i, from.Host))
	}
	if t.fx.Changed() {
		t.advance()
	}
	return *out, t.fx, claims, nil
}

func (t *transition) claim(i int, host string) Claim {
	c := &t.b.Calls[i]
	if c.State == StateDispatched && t.stillAllowed(i) {
		t.take(i, host)
		t.fx.Claimed = append(t.fx.Claimed, i)
		return Claim{Position: i, Granted: true}
	}
	held := c.Host != ""
	if held && c.Host == host && c.State == StateClaimed {
		return Claim{Position: i, Granted: true}
	}
	return Claim{Position: i, HeldBy: c.Host}
}
