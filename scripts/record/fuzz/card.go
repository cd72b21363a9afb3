package main

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"github.com/lockstep-sim/lockstep/tests/fuzz"
)

// card compiles kernels and runs them. Workers share the runners, as each has a
// context of its own on the card.
type card struct {
	program string // the runner
	dir     string // for files
	idle    chan *runner
}

// runners is the number of contexts on the card.
const runners = 8

func newCard(program string) (*card, error) {
	dir, err := os.MkdirTemp("", "fuzz")
	if err != nil {
		return nil, err
	}
	c := &card{program: program, dir: dir, idle: make(chan *runner, runners)}
	for range runners {
		c.idle <- &runner{}
	}
	return c, os.WriteFile(filepath.Join(dir, "operands"), fuzz.InputBytes(), 0o644)
}

func (c *card) close() {
	for range runners {
		r := <-c.idle
		r.stop()
	}
	os.RemoveAll(c.dir)
}

// compile makes a cubin of kernels; worker names its files.
func (c *card) compile(worker int, kernels []*fuzz.Kernel, level string) (cubin string, err error) {
	ptx := filepath.Join(c.dir, fmt.Sprintf("%d.ptx", worker))
	cubin = filepath.Join(c.dir, fmt.Sprintf("%d.cubin", worker))
	if err := os.WriteFile(ptx, []byte(fuzz.Module(kernels)), 0o644); err != nil {
		return "", err
	}
	if out, err := exec.Command("ptxas", level, "-arch=sm_90", ptx, "-o", cubin).CombinedOutput(); err != nil {
		return "", fmt.Errorf("ptxas %s: %w: %.500s", level, err, out)
	}
	return cubin, nil
}

// run gives done what each kernel of a cubin made of its memory, or why it has
// made nothing.
func (c *card) run(cubin string, kernels []*fuzz.Kernel, done func(*fuzz.Kernel, []byte, error)) {
	r := <-c.idle
	defer func() { c.idle <- r }()
	loaded := false
	for _, k := range kernels {
		var err error
		if !loaded || r.cmd == nil {
			err = r.load(c.program, filepath.Join(c.dir, "operands"), cubin)
			loaded = err == nil
		}
		var result []byte
		if err == nil {
			result, err = r.run(k)
		}
		done(k, result, err)
	}
}

// runner is one process that runs kernels; it ends when one fails.
type runner struct {
	cmd  *exec.Cmd
	to   io.WriteCloser
	from *bufio.Reader
}

// How long a runner may take for its start and to run a kernel.
const (
	startPatience = 40 * time.Second
	runPatience   = 2 * time.Second
)

func (r *runner) load(program, operands, cubin string) error {
	if r.cmd == nil {
		r.cmd = exec.Command(program, operands)
		r.cmd.Stderr = os.Stderr
		to, err := r.cmd.StdinPipe()
		if err != nil {
			return err
		}
		from, err := r.cmd.StdoutPipe()
		if err != nil {
			return err
		}
		r.to, r.from = to, bufio.NewReaderSize(from, 1<<20)
		if err := r.cmd.Start(); err != nil {
			r.cmd = nil
			return err
		}
	}
	return r.ask("load "+cubin, startPatience)
}

// run is the memory that a kernel worked on, after it.
func (r *runner) run(k *fuzz.Kernel) ([]byte, error) {
	if err := r.ask(launch(k), runPatience); err != nil {
		return nil, err
	}
	result := make([]byte, k.Size)
	_, err := io.ReadFull(r.from, result)
	return result, err
}

// launch is the command that runs a kernel.
func launch(k *fuzz.Kernel) string {
	g, b := k.Grid, k.Block
	return fmt.Sprintf("run %s %d %d %d %d %d %d %d %d", k.Name, g[0], g[1], g[2], b[0], b[1], b[2], k.Shared, k.Size)
}

var errHung = errors.New("it hangs")

// ask sends a command. After a failure the runner is gone.
func (r *runner) ask(command string, patience time.Duration) error {
	hung := time.AfterFunc(patience, func() { _ = r.cmd.Process.Kill() })
	_, err := fmt.Fprintln(r.to, command)
	answer := ""
	if err == nil {
		answer, err = r.from.ReadString('\n')
	}
	if !hung.Stop() {
		err = errHung
	}
	if err == nil && answer != "ok\n" {
		err = errors.New(strings.TrimSpace(answer))
	}
	if err != nil {
		r.stop()
	}
	return err
}

func (r *runner) stop() {
	if r.cmd != nil {
		r.to.Close()
		_ = r.cmd.Wait()
		r.cmd = nil
	}
}
