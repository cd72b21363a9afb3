package rt_test

import (
	"bytes"
	"encoding/binary"
	"strings"
	"testing"

	"github.com/lockstep-sim/lockstep/cudart/rt"
	"github.com/lockstep-sim/lockstep/cuobjdump/fatbin"
	"github.com/lockstep-sim/lockstep/gpu/exec"
)

func TestUnregisteredImagesLeaveNothingBehind(t *testing.T) {
	p := start(t)
	free := func() uint64 {
		f, _, err := p.thread.MemGetInfo()
		p.must(err)
		return f
	}
	container := fatbin.Encode(fatbin.New(fatbin.PTX, 70, "", []byte("text")))
	p.program.variables = append(p.program.variables[:2:2], rt.Variable{Name: "big", Size: 4 << 20, Align: 4})
	slot, word := p.bytes(8)
	var before uint64
	for i := range 10 {
		stub := p.image(container, 1)
		p.runtime.RegisterManaged(2, slot, "managed", 1<<20)
		if err := p.thread.InitModule(2); err != nil {
			t.Fatal(err)
		}
		p.want("launch", p.launchStub(stub), 0)
		managed := binary.LittleEndian.Uint64(word)
		_, err := p.thread.GetSymbolAddress(managed)
		p.want("a managed variable by its address", err, 13) // the module does not have it
		p.runtime.Unregister(2)
		_, err = p.thread.GetSymbolAddress(managed)
		p.want("after it is gone", err, 13)
		p.want("launch after unregistration", p.launchStub(stub), 98)
		if at, err := p.thread.PointerGetAttributes(managed); err != nil || at.Type != 0 {
			t.Errorf("the managed variable is still of type %d, %v", at.Type, err)
		}
		switch now := free(); {
		case i == 0:
			before = now
		case now != before:
			t.Fatalf("round %d: %d bytes free, %d before", i, now, before)
		}
	}
}

// Units that are linked together each have static variables of their own, strings for instance, under the same names.
func TestStaticVariablesOfOneNameAreSeparate(t *testing.T) {
	p := start(t)
	p.program.variables = []rt.Variable{
		{Name: "text", Size: 31, Align: 1, Static: true},
		{Name: "text", Size: 40, Align: 1},
		{Name: "text", Size: 12, Align: 1, Static: true},
	}
	p.image(fatbin.Encode(fatbin.New(fatbin.PTX, 70, "", []byte("text"))), 1)
	shadow, _ := p.bytes(40)
	p.runtime.RegisterVariable(2, shadow, "text", 40, false)
	found, err := p.thread.GetSymbolAddress(shadow)
	p.must(err)
	if found != p.program.addresses[1] {
		t.Errorf("the name finds %#x, not the variable that other units see, %#x", found, p.program.addresses[1])
	}
	for n, v := range p.program.variables {
		content := make([]byte, v.Size)
		if err := p.gpus[0].memory.Read(p.program.addresses[n], content); err != nil {
			t.Fatal(err)
		}
		if want := bytes.Repeat([]byte{byte(n + 1)}, int(v.Size)); !bytes.Equal(content, want) {
			t.Errorf("variable %d holds %v", n, content)
		}
	}
}

// The host writes to its managed variables without looking at errors.
func TestManagedVariablesHaveMemoryWithoutUsableCode(t *testing.T) {
	for name, entry := range map[string]fatbin.Entry{
		"machine code only": fatbin.New(fatbin.ELF, 90, "", []byte("code")),
		"newer PTX only":    fatbin.New(fatbin.PTX, 100, "", []byte("text")),
	} {
		p := start(t)
		p.image(fatbin.Encode(entry), 1)
		slot, word := p.bytes(8)
		p.runtime.RegisterManaged(2, slot, "counter", 100)
		p.want(name, p.thread.InitModule(2), 209)
		addr := binary.LittleEndian.Uint64(word)
		if at, err := p.thread.PointerGetAttributes(addr + 99); err != nil || at.Type != 3 {
			t.Errorf("%s: the slot leads to memory of type %d, %v", name, at.Type, err)
		}
		p.want(name+", again", p.thread.InitModule(2), 209)
		if again := binary.LittleEndian.Uint64(word); again != addr {
			t.Errorf("%s: moved from %#x to %#x", name, addr, again)
		}
	}
}

func TestLimitsOfKernelsReachTheDevice(t *testing.T) {
	p := start(t, func(c *rt.Config) { c.Limit = exec.Limit{Instructions: 12345, Time: 678} })
	p.malloc(1)
	if l := p.gpus[0].config.Limit; l.Instructions != 12345 || l.Time != 678 {
		t.Errorf("limit %+v", l)
	}
}

func TestPTXNewerThanKnownRunsUnlessItIsStrict(t *testing.T) { // C40
	const head = ".target sm_70\n.address_size 64\n.visible .entry empty()\n{\n ret;\n}\n"
	for _, c := range []struct {
		version string
		strict  bool
		code    rt.Error
		says    string
	}{
		{"7.0", true, 0, ""},
		{"9.0", true, 0, ""},
		{"9.1", true, 222, "accepts 9.0"},
		{"9.1", false, 0, ""},
		{"9.9", false, 0, "newer than 9.5"},
		{"11.0", true, 222, "accepts 9.0"},
	} {
		p := start(t, func(k *rt.Config) { k.StrictPTX, k.Link = c.strict, nil })
		stub := p.image(fatbin.Encode(fatbin.New(fatbin.PTX, 70, "", []byte(".version "+c.version+"\n"+head))), 1)
		p.want(c.version, p.launchStub(stub), c.code)
		p.want(c.version+", again", p.launchStub(stub), c.code)
		if text := p.read(&p.err); (text == "") != (c.says == "") || strings.Count(text, "\n") > 1 || !strings.Contains(text, c.says) {
			t.Errorf("%s, strict %v: reported %q", c.version, c.strict, text)
		}
	}
}

func TestPanicInALoaderIsAnErrorThatIsReportedOnce(t *testing.T) {
	p := start(t, func(c *rt.Config) {
		c.Log = nil
		c.Link = func([]rt.Unit) (rt.Program, error) { panic("broken") }
	})
	for range 2 {
		err := p.launch(p.thread, "empty", 0)
		p.want("launch", err, 999)
		p.thread.Done("cudaLaunchKernel", err)
	}
	if text := p.read(&p.err); text != "lockstep: cudaLaunchKernel returns cudaErrorUnknown: bug of lockstep, please report it: broken ...\n" {
		t.Errorf("reported %q", text)
	}
}
