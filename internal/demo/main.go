// Command demo shows the whole at work: a gateway, a host with a scripted model
// on a copy of a small repository, and a person who approves on the terminal.
//
// `make demo` runs it. With -auto it answers by itself, so that the story is the
// same each time; docs/demo.md is such a run, and a test keeps it current.
package main

import (
	"bufio"
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	gateway := flag.String("gateway", "./bin/gateway", "the program")
	auto := flag.Bool("auto", false, "answer without asking")
	flag.Parse()
	answers := scripted()
	if !*auto {
		answers = terminal(os.Stdin, os.Stdout)
	}
	if err := run(ctx, *gateway, os.Stdout, answers); err != nil {
		fmt.Fprintln(os.Stderr, "demo:", err)
		stop()
		os.Exit(1)
	}
}

// answer is what a person says to a question.
type answer struct{ option, feedback string }

// answers gives a person's answer to the n-th question, from 0.
type answers func(n int, options []string) (answer, error)

// scripted is a person who wants one thing changed and then agrees.
func scripted() answers {
	return func(n int, options []string) (answer, error) {
		if n == 0 {
			return answer{option: "reject", feedback: "Say in the comment what an empty name means."}, nil
		}
		return answer{option: options[0]}, nil
	}
}

// terminal is a person at a terminal.
func terminal(in io.Reader, out io.Writer) answers {
	lines := bufio.NewScanner(in)
	ask := func(prompt string) (string, error) {
		if _, err := fmt.Fprint(out, prompt); err != nil {
			return "", fmt.Errorf("ask: %w", err)
		}
		if !lines.Scan() {
			return "", io.ErrUnexpectedEOF
		}
		return lines.Text(), lines.Err()
	}
	return func(_ int, options []string) (a answer, err error) {
		if a.option, err = ask(fmt.Sprintf("your answer, one of %v: ", options)); err != nil || a.option != "reject" {
			return a, err
		}
		a.feedback, err = ask("why (the script goes on only with: Say in the comment what an empty name means.): ")
		return a, err
	}
}
