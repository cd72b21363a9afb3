package accuracy

import (
	"maps"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/lockstep-sim/lockstep/gpu/option"
	"github.com/lockstep-sim/lockstep/gpu/timing/program"
	"github.com/lockstep-sim/lockstep/gpu/timing/sm"
	"github.com/lockstep-sim/lockstep/ptx/link"
)

// margin is how far the number of a kernel's instructions may be from ptxas's, in percent.
const margin = 20

// otherwise are the kernels that are farther away, and why.
var otherwise = map[string]string{
	"_Z5emptyv":                     "two instructions, where ours has the load of a descriptor",
	"_Z7softmaxPKfPfi":              "ptxas repeats code around the rare path of a division",
	"_Z10mandelbrotPji":             "ptxas unrolls the loop",
	"_Z13black_scholesPKfS0_S0_Pfi": "ptxas has the rare paths of divisions and roots, ours the common ones only",
}

// TestMachineCodeAgreesWithPtxas compares what the model makes of the kernels of the table with what ptxas
// makes of the same PTX, told not to unroll: accesses to memory must be the same by space and width, and the
// number of instructions within a margin.
func TestMachineCodeAgreesWithPtxas(t *testing.T) {
	_, nvcc := toolchain(t)
	folder := t.TempDir()
	text := filepath.Join(folder, "kernels.ptx")
	run(t, nvcc, "-w", "-std=c++17", "-arch=compute_90", "-ptx", "-o", text, "kernels.cu")
	ptx, err := os.ReadFile(text)
	if err != nil {
		t.Fatal(err)
	}
	kept := regexp.MustCompile(`(?m)^(\$L\w+:)$`).ReplaceAllString(string(ptx), "$1\n.pragma \"nounroll\";")
	theirs := assembled(t, filepath.Dir(nvcc), folder, kept)
	for name, own := range translated(t, kept) {
		card := theirs[name]
		if card == nil {
			t.Fatalf("ptxas has no kernel %s", name)
		}
		for _, kind := range append(slices.Collect(maps.Keys(card)), slices.Collect(maps.Keys(own))...) {
			if kind != "" && own[kind] != card[kind] {
				t.Errorf("%s: %d %s, ptxas makes %d", name, own[kind], kind, card[kind])
			}
		}
		far := math.Abs(off(float64(card[""]), float64(own[""]))) > margin
		if _, known := otherwise[name]; far != known {
			t.Errorf("%s: %d instructions, ptxas makes %d; more than %d %% apart: %v, known to be: %v", name, own[""], card[""], margin, far, known)
		}
	}
}

// counts holds the number of machine instructions by kind: accesses as "LDS.128", all as "".
type counts map[string]int

var (
	entry    = regexp.MustCompile(`\.entry (\w+)`)
	function = regexp.MustCompile(`Function : (\S+)`)
	line     = regexp.MustCompile(`^\s+/\*[0-9a-f]{4,}\*/\s+(?:@!?U?P\w+ )?\s*([A-Z][A-Z0-9_.]*)`)
	access   = regexp.MustCompile(`^(LDS|STS|LDG|STG|LDL|STL)\b`)
	width    = regexp.MustCompile(`\.(64|128)\b`)
)

// assembled counts what ptxas makes of PTX, padding apart.
func assembled(t *testing.T, bin, folder, ptx string) map[string]counts {
	t.Helper()
	text, cubin := filepath.Join(folder, "kept.ptx"), filepath.Join(folder, "kept.cubin")
	if err := os.WriteFile(text, []byte(ptx), 0o600); err != nil {
		t.Fatal(err)
	}
	run(t, filepath.Join(bin, "ptxas"), "-arch=sm_90", "-o", cubin, text)
	out, err := exec.Command(filepath.Join(bin, "cuobjdump"), "-sass", cubin).Output()
	if err != nil {
		t.Fatal(err)
	}
	all := map[string]counts{}
	var c counts
	for l := range strings.Lines(string(out)) {
		if m := function.FindStringSubmatch(l); m != nil {
			c = counts{}
			all[m[1]] = c
		}
		m := line.FindStringSubmatch(l)
		if m == nil || m[1] == "NOP" {
			continue
		}
		c[""]++
		if kind := access.FindString(m[1]); kind != "" {
			c[kind+width.FindString(m[1])]++
		}
	}
	for _, c := range all {
		c[""]-- // the branch to itself behind the end
	}
	return all
}

// translated counts what the model makes of PTX.
func translated(t *testing.T, ptx string) map[string]counts {
	t.Helper()
	u, err := link.Parse("kernels.ptx", ptx)
	if err != nil {
		t.Fatal(err)
	}
	m, err := link.Link(func(string) bool { return true }, u)
	if err != nil {
		t.Fatal(err)
	}
	core, err := sm.Default()
	if err != nil {
		t.Fatal(err)
	}
	var c program.Config
	if _, err := option.Read(&c, "test.cfg", ""); err != nil {
		t.Fatal(err)
	}
	all := map[string]counts{}
	for _, found := range entry.FindAllStringSubmatch(ptx, -1) {
		k, err := m.Kernel(found[1])
		if err != nil {
			t.Fatal(err)
		}
		p, err := program.New(k, program.NewScheduler(c, core), 0, 1<<20)
		if err != nil {
			t.Fatal(err)
		}
		n := counts{"": len(p.Code.Insts)}
		for i := range p.Code.Insts {
			in := &p.Code.Insts[i]
			kind := map[sm.Mem]string{sm.LoadShared: "LDS", sm.StoreShared: "STS", sm.LoadGlobal: "LDG", sm.StoreGlobal: "STG"}[in.Mem]
			if kind == "" {
				continue
			}
			n[kind+map[uint8]string{2: ".64", 4: ".128"}[in.Words]]++
		}
		all[k.Name] = n
	}
	return all
}
