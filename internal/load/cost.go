package main

import "time"

// cost is what an event to one reader, a batch or a resume takes.
type cost struct {
	perSecond float64
	cpu       float64 // seconds of the servers' processor time
}

// measured is what each of the things takes that are done, of which do says how
// many there were.
func measured(cpu func() (time.Duration, error), do func() (n int, err error)) (cost, error) {
	before, err := cpu()
	if err != nil {
		return cost{}, err
	}
	began := time.Now()
	n, err := do()
	if err != nil {
		return cost{}, err
	}
	took := time.Since(began)
	after, err := cpu()
	return cost{perSecond: float64(n) / took.Seconds(), cpu: (after - before).Seconds() / float64(n)}, err
}

func cpuOf(c cost) float64 { return c.cpu }

func rateOf(c cost) float64 { return c.perSecond }

// medianOf is the median of what of takes from each.
func medianOf(costs []cost, of func(cost) float64) float64 {
	values := make([]float64, len(costs))
	for i, c := range costs {
		values[i] = of(c)
	}
	return median(values)
}
