package validate

import (
	"encoding/json"
	"encoding/xml"
	"fmt"
	"io"
	"strings"
)

// marks are outcomes as people are shown them.
var marks = map[Outcome]string{Passed: "ok", Violated: "VIOLATED", NotShown: "not shown", Failed: "FAILED"}

// WriteTable writes a report for people.
func (r Report) WriteTable(w io.Writer) error {
	var text strings.Builder
	mark, name := 0, 0
	for _, c := range r.Checks {
		mark, name = max(mark, len(marks[c.Outcome])), max(name, len(c.Name))
	}
	for _, c := range r.Checks {
		fmt.Fprintf(&text, "%-*s  %-*s  %s\n", mark, marks[c.Outcome], name, c.Name, c.Shows)
	}
	for _, c := range r.Checks {
		if c.Reason != "" {
			fmt.Fprintf(&text, "\n%s: %s", c.Name, c.Reason)
		}
		for _, v := range c.Violations {
			fmt.Fprintf(&text, "\n%s: %s", c.Name, v)
		}
	}
	fmt.Fprintf(&text, "\n%s: %s\n", r.Session, r.Verdict)
	if _, err := io.WriteString(w, text.String()); err != nil {
		return fmt.Errorf("write the table: %w", err)
	}
	return nil
}

// WriteJSON writes a report for programs.
func (r Report) WriteJSON(w io.Writer) error {
	e := json.NewEncoder(w)
	e.SetIndent("", "  ")
	if err := e.Encode(r); err != nil {
		return fmt.Errorf("write JSON: %w", err)
	}
	return nil
}

// suite is a report as build servers read it.
type suite struct {
	XMLName  xml.Name  `xml:"testsuite"`
	Name     string    `xml:"name,attr"`
	Tests    int       `xml:"tests,attr"`
	Failures int       `xml:"failures,attr"`
	Errors   int       `xml:"errors,attr"`
	Skipped  int       `xml:"skipped,attr"`
	Time     string    `xml:"time,attr"`
	Stamp    string    `xml:"timestamp,attr"`
	Cases    []oneCase `xml:"testcase"`
}

type oneCase struct {
	Class    string    `xml:"classname,attr"`
	Name     string    `xml:"name,attr"`
	Time     string    `xml:"time,attr"`
	Failures []failure `xml:"failure"`
	Error    *failure  `xml:"error"`
	Skipped  *skipped  `xml:"skipped"`
}

type failure struct {
	Type    string `xml:"type,attr"`
	Message string `xml:"message,attr"`
}

type skipped struct {
	Message string `xml:"message,attr"`
}

// WriteJUnit writes a report as a test suite: a check is a test, a violation a
// failure of it.
func (r Report) WriteJUnit(w io.Writer) error {
	s := suite{
		Name: "gateway validate " + r.Session, Tests: len(r.Checks),
		Time: seconds(r.Ended.Sub(r.Started).Seconds()), Stamp: r.Started.Format("2006-01-02T15:04:05"),
	}
	for _, c := range r.Checks {
		made := oneCase{Class: "gateway.validate", Name: c.Name, Time: seconds(c.Seconds)}
		for _, v := range c.Violations {
			made.Failures = append(made.Failures, failure{string(v.Code), v.String()})
		}
		switch c.Outcome {
		case Violated:
			s.Failures++
		case NotShown:
			s.Skipped++
			made.Skipped = &skipped{c.Reason}
		case Failed:
			s.Errors++
			made.Error = &failure{"error", c.Reason}
		case Passed:
		}
		s.Cases = append(s.Cases, made)
	}
	if _, err := io.WriteString(w, xml.Header); err != nil {
		return fmt.Errorf("write JUnit: %w", err)
	}
	e := xml.NewEncoder(w)
	e.Indent("", "  ")
	if err := e.Encode(s); err != nil {
		return fmt.Errorf("write JUnit: %w", err)
	}
	return nil
}

func seconds(s float64) string { return fmt.Sprintf("%.3f", s) }
