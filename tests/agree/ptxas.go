package agree

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"time"
)

// assembler is one ptxas and the newest and oldest targets that it knows.
type assembler struct {
	path           string
	oldest, newest int
}

var targets = regexp.MustCompile(`sm_(\d+)`)

// newAssembler asks a ptxas which targets it has.
func newAssembler(path string) (assembler, error) {
	a := assembler{path: path}
	out, err := exec.Command(path, "--help").Output()
	if err != nil {
		return a, fmt.Errorf("%s: %w", path, err)
	}
	for _, m := range targets.FindAllStringSubmatch(string(out), -1) {
		n, _ := strconv.Atoi(m[1])
		a.newest = max(a.newest, n)
		if a.oldest == 0 || n < a.oldest {
			a.oldest = n
		}
	}
	return a, nil
}

// targetLine finds the first target of a module.
var targetLine = regexp.MustCompile(`(?m)^\s*\.target\s+(?:sm|compute)_(\d+)([af]?)`)

// arch is the target to assemble a text for: its own, or the oldest that the
// assembler has.
func (a assembler) arch(text string) string {
	m := targetLine.FindStringSubmatch(text)
	if m == nil {
		return fmt.Sprintf("sm_%d", a.oldest)
	}
	n, _ := strconv.Atoi(m[1])
	if n < a.oldest {
		return fmt.Sprintf("sm_%d", a.oldest)
	}
	return fmt.Sprintf("sm_%d%s", n, m[2])
}

// versionLine finds the version of a module.
var versionLine = regexp.MustCompile(`(?m)^\s*\.version\s+(\d+)\.(\d+)`)

// separate reports a text of a version that can be compiled by itself, with
// names that others define.
func separate(text string) bool {
	m := versionLine.FindStringSubmatch(text)
	if m == nil {
		return true
	}
	major, _ := strconv.Atoi(m[1])
	minor, _ := strconv.Atoi(m[2])
	return 10*major+minor >= 31
}

// patience is how long an assembler may take. What takes longer has been
// parsed: it counts as accepted.
const patience = 20 * time.Second

// unresolved is what a linker says, and an assembler of versions that cannot be
// linked.
var unresolved = regexp.MustCompile(`^ptxas fatal +: Unresolved extern \w+ '.*'\s*$`)

// assemble is what the assembler says against a text; "" if it accepts it.
func (a assembler) assemble(text string) (string, error) {
	said, err := a.try(text, false)
	if strings.Contains(said, "'Compile only(-c)' requires ABI") {
		return a.try(text, true)
	}
	return said, err
}

func (a assembler) try(text string, whole bool) (string, error) {
	dir, err := os.MkdirTemp("", "agree")
	if err != nil {
		return "", err
	}
	defer os.RemoveAll(dir)
	file := filepath.Join(dir, "x.ptx")
	if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
		return "", err
	}
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	var out bytes.Buffer
	args := []string{"-O0", "-arch=" + a.arch(text), file, "-o", filepath.Join(dir, "x.cubin")}
	if separate(text) && !whole {
		args = append(args, "-c")
	}
	cmd := exec.CommandContext(ctx, a.path, args...)
	cmd.Stdout, cmd.Stderr = &out, &out
	err = cmd.Run()
	var exit *exec.ExitError
	switch {
	case ctx.Err() != nil || err == nil:
		return "", nil
	case errors.As(err, &exit):
		if unresolved.MatchString(out.String()) {
			return "", nil
		}
		return cmp.Or(strings.ReplaceAll(out.String(), file, "x.ptx"), "it failed"), nil
	}
	return "", err
}

// oracle asks several assemblers and remembers what they said.
type oracle struct {
	assemblers []assembler
	cache      string // folder of verdicts, "" for none
}

func newOracle(paths, cache string) (*oracle, error) {
	o := &oracle{cache: cache}
	for path := range strings.SplitSeq(paths, ",") {
		a, err := newAssembler(path)
		if err != nil {
			return nil, err
		}
		o.assemblers = append(o.assemblers, a)
	}
	if cache != "" {
		return o, os.MkdirAll(cache, 0o755)
	}
	return o, nil
}

// unknown is what an assembler says that is too old or too new for a target.
var unknown = regexp.MustCompile(`is not defined for option 'gpu-name'|32-Bit ABI .* is not supported`)

// noTarget stands for the verdict on a text whose target no assembler has.
const noTarget = "no assembler has its target"

// refuses is what an assembler says against a text that none accepts.
func (o *oracle) refuses(text string) (string, error) {
	key := ""
	if o.cache != "" {
		h := sha256.New()
		for _, a := range o.assemblers {
			h.Write([]byte(a.path + "\n"))
		}
		h.Write([]byte(text))
		key = filepath.Join(o.cache, fmt.Sprintf("%x", h.Sum(nil)[:12]))
		if b, err := os.ReadFile(key); err == nil {
			return string(b), nil
		}
	}
	said := noTarget
	for _, a := range o.assemblers {
		why, err := a.assemble(text)
		if err != nil {
			return "", err
		}
		if why == "" {
			said = ""
			break
		}
		if said == noTarget && !unknown.MatchString(why) {
			said = why
		}
	}
	if key != "" {
		return said, os.WriteFile(key, []byte(said), 0o644)
	}
	return said, nil
}
