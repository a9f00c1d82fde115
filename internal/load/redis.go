package main

import (
	"context"
	"encoding/csv"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"strconv"
	"strings"
)

// startRedis runs a redis-server of this run's own, in memory.
func startRedis(ctx context.Context) (*process, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0") //nolint:noctx // only to find a free port
	if err != nil {
		return nil, err
	}
	_, port, err := net.SplitHostPort(l.Addr().String())
	if err := errors.Join(err, l.Close()); err != nil {
		return nil, err
	}
	dir, err := os.MkdirTemp("", "load-redis-")
	if err != nil {
		return nil, err
	}
	p := &process{base: "redis://127.0.0.1:" + port}
	p.cmd = exec.CommandContext(ctx, "redis-server", "--port", port, "--save", "", "--dir", dir, "--bind", "127.0.0.1") //nolint:gosec // our own arguments
	if err := p.cmd.Start(); err != nil {
		return nil, fmt.Errorf("start redis-server: %w", err)
	}
	return p, await(ctx, func() bool {
		conn, err := net.Dial("tcp", "127.0.0.1:"+port) //nolint:noctx // bounded by await
		if err != nil {
			return false
		}
		return conn.Close() == nil
	})
}

// evals is how many scripts a second Redis runs that write so many bytes.
func (p *process) evals(ctx context.Context, size int) (float64, error) {
	port := p.base[strings.LastIndex(p.base, ":")+1:]
	//nolint:gosec // our own arguments
	out, err := exec.CommandContext(ctx, "redis-benchmark", "-p", port, "-n", "20000", "-c", "8", "--csv",
		"EVAL", "return redis.call('SET', KEYS[1], ARGV[1])", "1", "load", strings.Repeat("x", size)).Output()
	if err != nil {
		return 0, fmt.Errorf("run redis-benchmark: %w", err)
	}
	rows, err := csv.NewReader(strings.NewReader(string(out))).ReadAll()
	if err != nil || len(rows) == 0 {
		return 0, errors.Join(err, errors.New("redis-benchmark said nothing"))
	}
	return strconv.ParseFloat(rows[len(rows)-1][1], 64)
}
