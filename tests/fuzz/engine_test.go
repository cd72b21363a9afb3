package fuzz

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/lockstep-sim/lockstep/gpu/isa/simd"
)

// all makes the tests run every recorded kernel, not one in twenty.
var all = flag.Bool("all", false, "run all kernels of the record")

// share is the part of the kernels that every run of the tests takes.
const share = 20

// group is the number of kernels that are loaded at once.
const group = 50

// readRecord reads a file of testdata.
func readRecord(t *testing.T, name string) *Record {
	t.Helper()
	b, err := os.ReadFile(filepath.Join("testdata", name))
	if errors.Is(err, os.ErrNotExist) {
		t.Skip("no card has recorded these kernels yet: see scripts/record/fuzz")
	}
	if err != nil {
		t.Fatal(err)
	}
	r, err := ReadRecord(b)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// TestKernelsGiveTheCardsResults runs kernels by handlers alone and by machine
// code.
func TestKernelsGiveTheCardsResults(t *testing.T) {
	known := differences(t)
	recorded := 0
	for _, file := range Records {
		r := readRecord(t, file.Name)
		for _, e := range r.Kernels {
			if e != (Entry{}) {
				recorded++
			}
		}
		for from := 0; from < len(r.Kernels); from += group {
			t.Run(fmt.Sprint(file.First+uint64(from)), func(t *testing.T) {
				t.Parallel()
				var fused, unfused []*Kernel
				for i := from; i < min(from+group, len(r.Kernels)); i++ {
					if !*all && i%share != 0 || r.Kernels[i] == (Entry{}) {
						continue
					}
					seed := file.First + uint64(i)
					switch d, differs := known[seed]; {
					case !differs:
						fused = append(fused, Generate(seed))
					case d.OnlyOptimised():
						unfused = append(unfused, Generate(seed))
					}
				}
				for _, v := range simd.Levels() {
					compare(t, fused, Mode{ISA: v}, r.Kernels, file.First)
					compare(t, unfused, Mode{ISA: v, Unfused: true}, r.Kernels, file.First)
				}
			})
		}
	}
	if recorded < 15500 {
		t.Errorf("the records have only %d kernels", recorded)
	}
}

// compare runs kernels and compares them with a record that begins with a seed.
func compare(t *testing.T, kernels []*Kernel, mode Mode, record []Entry, first uint64) {
	if len(kernels) == 0 {
		return
	}
	e, err := NewEngine(kernels, mode)
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	for _, k := range kernels {
		want := record[k.Seed-first]
		if uint32(Hash([]byte(k.Text))) != want.Text {
			t.Fatalf("the generator makes another kernel of seed %d than was recorded", k.Seed)
		}
		got, err := e.Run(k)
		if err != nil {
			t.Error(err)
		} else if uint32(Hash(got)) != want.Result {
			t.Errorf("seed %d differs from the card: %+v", k.Seed, mode)
		}
	}
}

func TestHandlersAndMachineCodeAgree(t *testing.T) {
	for _, from := range []uint64{20000, 20050, 20100, 20150, Wide, Wide + 50, Wide + 100, Wide + 150, Joint, Joint + 50, Joint + 100} {
		t.Run(fmt.Sprint(from), func(t *testing.T) {
			t.Parallel()
			var kernels []*Kernel
			for seed := from; seed < from+group; seed++ {
				kernels = append(kernels, Generate(seed))
			}
			levels := simd.Levels()
			engines := make([]*Engine, len(levels))
			for i, v := range levels {
				e, err := NewEngine(kernels, Mode{ISA: v})
				if err != nil {
					t.Fatal(err)
				}
				defer e.Close()
				engines[i] = e
			}
			for _, k := range kernels {
				want, err := engines[0].Run(k)
				if err != nil {
					t.Error(err)
					continue
				}
				for i, e := range engines[1:] {
					if got, err := e.Run(k); err != nil || !bytes.Equal(got, want) {
						t.Errorf("seed %d, %v: %v\n%s", k.Seed, levels[1+i], err, k.Differences(got, want))
					}
				}
			}
		})
	}
}

// differences are the seeds of which ptxas makes something else than they say, as
// testdata/different.txt lists them.
func differences(t *testing.T) map[uint64]Difference {
	b, err := os.ReadFile("testdata/different.txt")
	if err != nil {
		t.Fatal(err)
	}
	known, err := ReadDifferences(string(b))
	if err != nil {
		t.Fatal(err)
	}
	return known
}

var (
	halfShift    = regexp.MustCompile(`(sh[lr]\.[bus]16 [^;]*, )(0x[0-9a-f]+|[0-9]+);`)
	guardedVideo = regexp.MustCompile(`@!?%p[0-9]+ (vadd4\.add\.)`)
)

// misread is a kernel as ptxas reads it at every level: it takes 16 bits of a
// literal amount of a 16-bit shift, and no guard of a sum of four bytes and more.
func misread(text string) string {
	text = halfShift.ReplaceAllStringFunc(text, func(line string) string {
		m := halfShift.FindStringSubmatch(line)
		n, _ := strconv.ParseUint(m[2], 0, 64)
		return fmt.Sprintf("%s%d;", m[1], n&0xffff)
	})
	return guardedVideo.ReplaceAllString(text, "$1")
}

func TestKernelsThatDifferAtEveryLevelAreMisread(t *testing.T) {
	r := readRecord(t, Records[0].Name)
	for seed, d := range differences(t) {
		if d.OnlyOptimised() {
			continue
		}
		k := Generate(seed)
		k.Text = misread(k.Text)
		e, err := NewEngine([]*Kernel{k}, Mode{})
		if err != nil {
			t.Fatal(err)
		}
		if got, err := e.Run(k); err != nil || uint32(Hash(got)) != r.Kernels[seed].Result {
			t.Errorf("seed %d differs from the card: %v", seed, err)
		}
		e.Close()
	}
}

func TestDifferencesNameTheirLevels(t *testing.T) {
	for _, line := range []string{"12 because", "12 -O2 because", "x -O3 because", "12 -O3"} {
		if _, err := ReadDifferences(line); err == nil {
			t.Errorf("%q is a difference", line)
		}
	}
}

func TestSeedsStandForTheirKernels(t *testing.T) {
	for _, seed := range []uint64{0, 1, 99, 12345} {
		a, b := Generate(seed), Generate(seed)
		if d := cmp.Diff(a.Text, b.Text); d != "" {
			t.Errorf("seed %d: %s", seed, d)
		}
		if a.Size != b.Size || a.Grid != b.Grid || a.Block != b.Block {
			t.Errorf("seed %d launches differently", seed)
		}
	}
}

// A kernel without some statements is what a reduction tries.
func TestKernelsRunWithoutSomeOfTheirStatements(t *testing.T) {
	k := Generate(7)
	for _, step := range []int{1, 2, 5} {
		without := map[int]bool{}
		for n := 0; n < k.Statements; n += step {
			without[n] = true
		}
		less := Without(7, without)
		if less.Statements != k.Statements || len(less.Text) >= len(k.Text) {
			t.Errorf("step %d: %d statements, %d bytes of %d", step, less.Statements, len(less.Text), len(k.Text))
		}
		e, err := NewEngine([]*Kernel{less}, Mode{})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := e.Run(less); err != nil {
			t.Error(err)
		}
		e.Close()
	}
}

func TestDifferencesNameTheirPlace(t *testing.T) {
	k := Generate(3)
	a := Memory(k.Size)
	b := bytes.Clone(a)
	b[k.layout.records] ^= 1
	b[k.layout.shares-1] ^= 1
	text := k.Differences(b, a)
	if !strings.Contains(text, "%u0 of thread 0") || strings.Count(text, "\n") != 2 {
		t.Errorf("%s", text)
	}
	if text := k.Differences(a, a); text != "" {
		t.Errorf("%s", text)
	}
}

func TestRecordsReadBackAsWritten(t *testing.T) {
	r := &Record{Card: "a card", Kernels: []Entry{{1, 2}, {0xffffffff, 3}}}
	got, err := ReadRecord(r.Bytes())
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(r, got); d != "" {
		t.Error(d)
	}
	for n := range r.Bytes() {
		if _, err := ReadRecord(r.Bytes()[:n]); err == nil && n != len(r.Bytes())-8 && n != len(r.Bytes())-16 {
			t.Errorf("%d bytes are a record", n)
		}
	}
}

// The list of forms has been made of the rows; a row that went keeps its forms
// only as long as it is honoured.
func TestEveryListedFormIsHonoured(t *testing.T) {
	listed := 0
	for _, families := range forms().chapters {
		for _, family := range families {
			listed += len(family)
		}
	}
	if listed < 3000 {
		t.Errorf("%d forms are listed", listed)
	}
}
