package main

import (
	"fmt"
	"slices"
	"strings"
)

// row is one figure beside its goal.
type row struct {
	figure string
	ours   string
	theirs string
	ratio  float64
	goal   float64 // 0: none; a ratio at or below it meets the goal
}

// String is the row in one line.
func (r row) String() string {
	return fmt.Sprintf("%s: %s beside %s, ratio %.2f", r.figure, r.ours, r.theirs, r.ratio)
}

// table is rows as Markdown.
func table(rows []row) string {
	var b strings.Builder
	b.WriteString("| figure | gateway | beside | ratio | goal |\n|---|---|---|---|---|\n")
	for _, r := range rows {
		goal := "–"
		if r.goal > 0 {
			goal = fmt.Sprintf("≤ %.2f", r.goal)
			if r.ratio > r.goal {
				goal += " (missed)"
			}
		}
		ratio := "–"
		if r.ratio > 0 {
			ratio = fmt.Sprintf("%.2f", r.ratio)
		}
		fmt.Fprintf(&b, "| %s | %s | %s | %s | %s |\n", r.figure, r.ours, r.theirs, ratio, goal)
	}
	return b.String()
}

// median is the middle of an odd number of measurements.
func median(values []float64) float64 {
	sorted := slices.Sorted(slices.Values(values))
	return sorted[len(sorted)/2]
}
