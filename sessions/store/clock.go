package store

import (
	"context"
	"time"
)

// Now is Redis's time: the local clock plus the offset of the last sample. In
// Cluster mode it is one node's; their clocks must agree within maxSkew.
func (s *Store) Now() time.Time {
	return time.Now().Add(time.Duration(s.offset.Load())).UTC()
}

// timeSamples is how often one sampling asks; the fastest answer is the truest.
const timeSamples = 3

// sampleTime measures how far the local clock is off.
func (s *Store) sampleTime(ctx context.Context) error {
	best, offset := time.Duration(-1), time.Duration(0)
	for range timeSamples {
		sent := time.Now()
		theirs, err := s.client.Time(ctx).Result()
		if err != nil {
			return outage("ask Redis for the time", err)
		}
		trip := time.Since(sent)
		if best < 0 || trip < best {
			best, offset = trip, theirs.Sub(sent.Add(trip/2))
		}
	}
	s.offset.Store(int64(offset))
	return nil
}
