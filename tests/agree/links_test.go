package agree

import (
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	engine "github.com/lockstep-sim/lockstep/gpu/exec"
	"github.com/lockstep-sim/lockstep/gpu/isa"
	"github.com/lockstep-sim/lockstep/ptx/link"
)

var nvlink = flag.String("nvlink", "", "linker to ask about testdata/links.txt again, with -ptxas")

// linked is what is wrong with linking texts and making all of their kernels.
func linked(texts []string) error {
	var units []*link.Unit
	for i, text := range texts {
		u, err := link.Parse(fmt.Sprintf("%d.ptx", i), text)
		if err != nil {
			return err
		}
		units = append(units, u)
	}
	m, err := link.Link(engine.IsBuiltin, units...)
	if err != nil {
		return err
	}
	for i, v := range m.Variables() {
		v.Addr = isa.SharedReserved + uint64(i)<<20
	}
	for _, name := range m.Kernels() {
		if _, err := m.Kernel(name); err != nil {
			return err
		}
	}
	return nil
}

// byNvlink is what nvlink says against texts; "" if it links them.
func byNvlink(t *testing.T, texts []string) string {
	dir := t.TempDir()
	args := []string{"-arch=sm_80", "-o", filepath.Join(dir, "x")}
	for i, text := range texts {
		file := filepath.Join(dir, fmt.Sprintf("%d.ptx", i))
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		if out, err := exec.Command(*ptxas, "-c", "-arch=sm_80", file, "-o", file+".cubin").CombinedOutput(); err != nil {
			t.Fatalf("%s\n%s", text, out)
		}
		args = append(args, file+".cubin")
	}
	out, err := exec.Command(*nvlink, args...).CombinedOutput()
	if err == nil {
		return ""
	}
	return "it failed: " + string(out)
}

// TestModulesLinkAsNvlinkLinksThem has pairs of texts; + if nvlink 12.4 and 13.0 link what ptxas makes of them.
func TestModulesLinkAsNvlinkLinksThem(t *testing.T) {
	b, err := os.ReadFile("testdata/links.txt")
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(b)) {
		verdict, pair, _ := strings.Cut(strings.TrimSpace(line), " ")
		var texts []string
		for text := range strings.SplitSeq(pair, " || ") {
			texts = append(texts, ".version 8.0\n.target sm_80\n.address_size 64\n"+text+"\n")
		}
		if *nvlink != "" {
			if said := byNvlink(t, texts); (said == "") != (verdict == "+") {
				t.Errorf("nvlink does not agree: %s: %s", line, said)
			}
		}
		if err := linked(texts); (err == nil) != (verdict == "+") {
			t.Errorf("%s: linked: %t, %v", strings.TrimSpace(line), err == nil, err)
		}
	}
}
