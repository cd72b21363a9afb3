package agree

import (
	"bytes"
	"encoding/binary"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/lockstep-sim/lockstep/cudart/solo"
	"github.com/lockstep-sim/lockstep/gpu"
	"github.com/lockstep-sim/lockstep/gpu/mem"
)

var runs = flag.String("runs", "", "ptx/src/test/spirv_run/mod.rs of ZLUDA, whose kernels lie beside it")

// refused are the tests that ptxas does not take for the target that they name.
var refused = map[string]string{
	"vector8_extract":    ".v8 does not apply here",
	"vote_ballot_nosync": "without .sync it is not part of PTX 6.4 for sm_70",
}

func TestRunsGiveWhatTheirAuthorsExpect(t *testing.T) {
	if *runs == "" {
		t.Skip("no -runs")
	}
	table, err := os.ReadFile(*runs)
	if err != nil {
		t.Fatal(err)
	}
	tests, err := zludaRuns(string(table))
	if err != nil {
		t.Fatal(err)
	}
	right := 0
	for _, r := range tests {
		got, err := r.run(filepath.Dir(*runs))
		switch why := refused[r.name]; {
		case why != "":
			if err == nil || !strings.Contains(err.Error(), why) {
				t.Errorf("%s is not refused: %v", r.name, err)
			}
		case err != nil:
			t.Errorf("%s: %v", r.name, lines(err.Error()))
		case !bytes.Equal(got, r.output):
			t.Errorf("%s: %x -> %x, want %x", r.name, r.input, got, r.output)
		default:
			right++
		}
	}
	fmt.Printf("%d of %d runs are as expected, %d are refused\n", right, len(tests), len(refused))
}

// run gives the kernel the addresses of its input, if there is one, and of the output,
// which is zero. One kernel writes past its output, where memory is the card's by the page.
func (r run) run(dir string) ([]byte, error) {
	path := filepath.Join(dir, r.name+".ptx")
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	p, err := solo.Load(gpu.Config{Memory: mem.Config{DeviceBytes: 1 << 28, Bounds: mem.Page}, SMs: 1, ThreadsPerSM: 2048, Heap: 8 << 20, Stack: 1024}, path, string(text))
	if err != nil {
		return nil, err
	}
	defer p.Close()
	out, err := p.Alloc(uint64(len(r.output)))
	if err != nil {
		return nil, err
	}
	in := out
	if r.input != nil {
		if in, err = p.Alloc(uint64(len(r.input))); err == nil {
			err = p.Write(in, r.input)
		}
		if err != nil {
			return nil, err
		}
	}
	k, err := p.Kernel(r.name)
	if err != nil {
		return nil, err
	}
	params := make([]byte, k.ParamBytes)
	for i, addr := range []uint64{in, out} {
		if i < len(k.Params) && k.Params[i].Size == 8 {
			binary.LittleEndian.PutUint64(params[k.Params[i].Offset:], addr)
		}
	}
	one := [3]uint32{1, 1, 1}
	if _, err := p.Run(solo.Launch{Kernel: r.name, Grid: one, Block: [3]uint32{r.threads, 1, 1}, Shared: 1024}, params); err != nil {
		return nil, err
	}
	b := make([]byte, len(r.output))
	return b, p.Read(out, b)
}
