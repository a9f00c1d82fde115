package quota

import "time"

// Wait lets a meter wait for Redis as long as a busy machine may need.
func Wait(m *Meter, d time.Duration) { m.wait = d }
