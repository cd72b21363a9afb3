package vectors

import (
	"bytes"
	"encoding/binary"
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/lockstep-sim/lockstep/gpu/isa"
	"github.com/lockstep-sim/lockstep/gpu/isa/alu"
	"github.com/lockstep-sim/lockstep/gpu/isa/simd"
	"github.com/lockstep-sim/lockstep/ptx/ops"
)

// all makes the tests compare what takes minutes too: the matrix forms on a
// million tiles each, the multifunction unit on all operands.
var all = flag.Bool("all", false, "compare the long forms too")

func readRecord(t testing.TB, name string) *Record {
	t.Helper()
	stored, err := os.ReadFile("testdata/" + name)
	if err != nil {
		t.Fatal(err)
	}
	r, err := ReadRecord(stored)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func TestEngineGivesTheCardsBits(t *testing.T) {
	r := readRecord(t, "h200.kernels.zst")
	entries := make(map[string]*Entry, len(r.Entries))
	for i := range r.Entries {
		entries[r.Entries[i].Name] = &r.Entries[i]
	}
	recorded := 0
	for n, b := range Batches() {
		var known Batch
		for _, f := range b {
			if entries[f.Name] == nil {
				continue // a row since the recording
			}
			recorded++
			switch {
			case !f.Many:
				known = append(known, f)
			case *all:
				t.Run(f.Name, func(t *testing.T) {
					t.Parallel()
					compareBatch(t, Batch{f}, simd.Best, entries)
				})
			}
		}
		if len(known) == 0 || testing.Short() && n%8 != 0 {
			continue
		}
		for _, v := range simd.Levels() {
			t.Run(fmt.Sprintf("%d,%v", n, v), func(t *testing.T) {
				t.Parallel()
				compareBatch(t, known, v, entries)
			})
		}
	}
	if recorded != len(entries) {
		t.Errorf("the record has %d forms, of which the table makes %d", len(entries), recorded)
	}
}

// What the card can run has been run there: forms that a new row brings fail here
// until scripts/record/vectors has recorded them.
func TestEveryFormIsRecorded(t *testing.T) {
	recorded := map[string]bool{}
	for _, e := range readRecord(t, "h200.kernels.zst").Entries {
		recorded[e.Name] = true
	}
	for _, f := range Forms() {
		if !recorded[f.Name] {
			t.Errorf("%s has no record", f.Name)
		}
	}
}

// A reason why rows have no record is one of the few that no recording can mend, and
// is given for rows that there are.
func TestReasonsForNoRecordHold(t *testing.T) {
	used := map[string]bool{}
	ops.Rows(func(op *isa.Op) { used[Unrecorded(op)] = true })
	for _, w := range without {
		if !used[w.why] {
			t.Errorf("no row begins with %q", w.row)
		}
		if strings.Contains(w.why, "same") {
			t.Errorf("%q: what is the same can be recorded", w.row)
		}
	}
}

func compareBatch(t *testing.T, b Batch, v simd.Level, entries map[string]*Entry) {
	e, err := newEngine(b, v)
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	for i, f := range b {
		got, err := e.run(f, i)
		if err != nil {
			t.Error(err)
			continue
		}
		if text := f.difference(got, entries[f.Name]); text != "" {
			t.Errorf("%s: %s", f.Name, text)
		}
	}
}

// difference describes the first result that is not the card's; "" if all are.
func (f *Form) difference(got []byte, want *Entry) string {
	if len(got) != want.Size {
		return fmt.Sprintf("the kernel has changed: %d bytes of results, recorded %d", len(got), want.Size)
	}
	size := len(got) / f.Threads
	if want.Full != nil {
		for i := range f.Threads {
			if have, card := got[i*size:][:size], want.Full[i*size:][:size]; !bytes.Equal(have, card) {
				return fmt.Sprintf("%s -> %s, the card has %s", f.Tuple(f.Operands(), i), f.Record(got, i), f.Record(want.Full, i))
			}
		}
		return ""
	}
	for i, h := range Hashes(got) {
		if h != want.Hashes[i] {
			first := i * partBytes / size
			return fmt.Sprintf("differs in results %d to %d, which begin with %s -> %s", first, (i+1)*partBytes/size, f.Tuple(f.Operands(), first), f.Record(got, first))
		}
	}
	return ""
}

// units are the functions whose results the record h200.mufu.zst sums up. With
// "turns" they are the unit's own, without the multiplication by 1/2pi.
var units = map[string]func(x uint32) uint32{
	"rcp": alu.RcpApproxF32, "rcp_ftz": alu.RcpApproxFtzF32, "rcp64h": alu.MufuRcp64h,
	"rsqrt": alu.RsqrtApproxF32, "rsqrt_ftz": alu.RsqrtApproxFtzF32, "rsqrt64h": alu.MufuRsq64h,
	"sqrt": alu.SqrtApproxF32, "sqrt_ftz": alu.SqrtApproxFtzF32,
	"lg2": alu.Lg2ApproxF32, "lg2_ftz": alu.Lg2ApproxFtzF32,
	"ex2": alu.Ex2ApproxF32, "ex2_ftz": alu.Ex2ApproxFtzF32,
	"sin": alu.SinApproxF32, "sin_ftz": alu.SinApproxF32, "sin_turns": alu.MufuSin,
	"cos": alu.CosApproxF32, "cos_ftz": alu.CosApproxF32, "cos_turns": alu.MufuCos,
	"tanh": alu.TanhApproxF32,
}

func TestMultifunctionUnitGivesTheCardsBits(t *testing.T) {
	step := uint32(251) // odd, so that no exponent is left out by a pattern
	if *all {
		step = 1
	}
	for _, e := range readRecord(t, "h200.mufu.zst").Entries {
		t.Run(e.Name, func(t *testing.T) {
			t.Parallel()
			f := units[e.Name]
			if f == nil {
				t.Fatal("an unknown function")
			}
			for block := uint32(0); block < 4096; block += step {
				if Sum(f, block) != binary.LittleEndian.Uint32(e.Full[4*block:]) {
					t.Fatalf("differs among the 2^20 operands from %#x on", block<<20)
				}
			}
		})
	}
}

func TestFormNamesAreUniqueAndTheirOperandsFixed(t *testing.T) {
	seen := map[string]bool{}
	for _, f := range Forms() {
		if seen[f.Name] {
			t.Errorf("%s stands twice", f.Name)
		}
		seen[f.Name] = true
		if f.Threads%Block != 0 || f.Threads == 0 {
			t.Errorf("%s has %d threads", f.Name, f.Threads)
		}
	}
	f := &Form{Sources: []Kind{"f32", "i64"}, Threads: 2048}
	if h := Hashes(f.Operands()); h[0] != 0xeb089b00932a8845 {
		t.Errorf("the operands of %s hash to %#x; records are of no use when operands change", f.SetName(), h[0])
	}
}

func TestRecordsReadBackAsWritten(t *testing.T) {
	f := &Form{Name: "some form", Results: []int{32}, Threads: 4096}
	r := Record{Card: "a card"}
	r.Add(f, bytes.Repeat([]byte{1, 2, 3, 4}, 4096))
	r.AddSums("a function", []uint64{1, 1<<40 | 2})
	var b bytes.Buffer
	if err := r.Write(&b); err != nil {
		t.Fatal(err)
	}
	got, err := ReadRecord(b.Bytes())
	if err != nil {
		t.Fatal(err)
	}
	if fmt.Sprint(*got) != fmt.Sprint(r) {
		t.Error("the record changed on its way")
	}
}

func FuzzReadRecord(f *testing.F) {
	var b bytes.Buffer
	if err := (&Record{Card: "x", Entries: []Entry{{Name: "y", Size: 1, Hashes: []uint64{2}}}}).Write(&b); err != nil {
		f.Fatal(err)
	}
	f.Add(b.Bytes())
	f.Fuzz(func(_ *testing.T, stored []byte) { _, _ = ReadRecord(stored) })
}

func TestRecordNamesItsCard(t *testing.T) {
	for _, name := range []string{"h200.kernels.zst", "h200.mufu.zst", "h200.texture.zst"} {
		if card := readRecord(t, name).Card; !strings.Contains(card, "H200") || !strings.Contains(card, "nvcc") {
			t.Errorf("%s comes from %q", name, card)
		}
	}
}
