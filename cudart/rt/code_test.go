package rt_test

import (
	"encoding/binary"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/lockstep-sim/lockstep/cudart/rt"
	"github.com/lockstep-sim/lockstep/cuobjdump/fatbin"
)

// image registers a fat binary of the given bytes under handle 2, with a wrapper of
// the given version, and a kernel in it.
func (p *process) image(container []byte, version uint32, list ...uint64) uint64 {
	at, b := p.bytes(uint64(max(len(container), 1)))
	copy(b, container)
	wrapper, w := p.bytes(24)
	binary.LittleEndian.PutUint32(w, 0x466243b1)
	binary.LittleEndian.PutUint32(w[4:], version)
	binary.LittleEndian.PutUint64(w[8:], at)
	if len(list) > 0 {
		parts, l := p.bytes(uint64(8 * (len(list) + 1)))
		for i, addr := range list {
			binary.LittleEndian.PutUint64(l[8*i:], addr)
		}
		binary.LittleEndian.PutUint64(l[8*len(list):], 0)
		binary.LittleEndian.PutUint64(w[16:], parts)
	}
	const stub = 0x90000
	p.runtime.RegisterFatBinary(2, wrapper)
	p.runtime.RegisterFunction(2, stub, "empty")
	return stub
}

func (p *process) launchStub(stub uint64) error {
	return p.thread.LaunchKernel(rt.Launch{Function: stub, Grid: [3]uint32{1, 1, 1}, Block: [3]uint32{1, 1, 1}})
}

func TestImagesThatCannotRunSayWhy(t *testing.T) {
	ptx := fatbin.Encode(fatbin.New(fatbin.PTX, 70, "", []byte("text")))
	for _, c := range []struct {
		name      string
		container []byte
		version   uint32
		code      rt.Error
		says      string
	}{
		{"fine", ptx, 1, 0, ""},
		{"newer PTX only", fatbin.Encode(fatbin.New(fatbin.PTX, 100, "", []byte("text"))), 1, 209, "no kernel image"},
		{"machine code only", fatbin.Encode(fatbin.New(fatbin.ELF, 90, "", []byte("code"))), 1, 209, "PTX must be embedded"},
		{"damaged", append([]byte{1, 2, 3, 4}, ptx[4:]...), 1, 200, "corrupt"},
		{"unknown wrapper", ptx, 9, 200, "version 9"},
		{"linked from nothing", ptx, 2, 200, ""},
	} {
		p := start(t)
		stub := p.image(c.container, c.version)
		p.want(c.name, p.launchStub(stub), c.code)
		p.want(c.name+", again", p.launchStub(stub), c.code)
		if text := p.read(&p.err); c.code != 0 && (strings.Count(text, "lockstep: ") != 1 || !strings.Contains(text, c.says)) {
			t.Errorf("%s: reported %q", c.name, text)
		}
		p.want(c.name+", other images", p.launch(p.thread, "empty", 0), 0)
		p.close()
	}
}

func TestLinkedImagesAreMadeOfTheirParts(t *testing.T) {
	var units []rt.Unit
	p := start(t, func(c *rt.Config) {
		link := c.Link
		c.Link = func(u []rt.Unit) (rt.Program, error) { units = u; return link(u) }
	})
	part := func(e fatbin.Entry) uint64 {
		container := fatbin.Encode(e)
		at, b := p.bytes(uint64(len(container)))
		copy(b, container)
		return at
	}
	stub := p.image(nil, 2,
		part(fatbin.New(fatbin.PTX, 70, "", []byte("one"))),
		part(fatbin.New(fatbin.ELF, 90, "", []byte("library without PTX"))),
		part(fatbin.New(fatbin.PTX, 70, "", []byte("two"))))
	p.want("launch", p.launchStub(stub), 0)
	if len(units) != 2 || units[0].Text != "one" || units[1].Text != "two" || units[0].Name == units[1].Name {
		t.Errorf("linked %v", units)
	}
}

func TestKernelsThatTheCodeLacksAreNotFound(t *testing.T) {
	p := start(t)
	p.runtime.RegisterFunction(1, 0x90001, "missing")
	p.want("launch", p.launchStub(0x90001), 98)
	if text := p.read(&p.err); !strings.Contains(text, "missing") {
		t.Errorf("reported %q", text)
	}
}

func TestUnregisteredImagesAreForgotten(t *testing.T) {
	p := start(t)
	stub := p.stub("empty")
	p.want("before", p.launchStub(stub), 0)
	p.runtime.Unregister(1)
	p.runtime.Unregister(1)
	p.want("after", p.launchStub(stub), 98)
	_, err := p.thread.GetSymbolAddress(p.shadow("global"))
	p.want("symbol", err, 13)
}

func TestFilesReplaceTheProgramsCode(t *testing.T) {
	dir := t.TempDir()
	ptx, bin := filepath.Join(dir, "a.ptx"), filepath.Join(dir, "a.fatbin")
	for path, data := range map[string][]byte{ptx: []byte("from a file"), bin: fatbin.Encode(fatbin.New(fatbin.PTX, 80, "", []byte("from a fat binary")))} {
		if err := os.WriteFile(path, data, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for _, c := range []struct {
		name, want string
		set        func(*rt.Config)
	}{
		{"PTX", "from a file", func(c *rt.Config) { c.PTXFile = ptx }},
		{"image", "from a fat binary", func(c *rt.Config) { c.ImageFile = bin }},
	} {
		var text string
		p := start(t, c.set, func(g *rt.Config) {
			link := g.Link
			g.Link = func(u []rt.Unit) (rt.Program, error) { text = u[0].Text; return link(u) }
		})
		p.want(c.name, p.launch(p.thread, "empty", 0), 0)
		if text != c.want {
			t.Errorf("%s: loaded %q", c.name, text)
		}
	}
	p := start(t, func(c *rt.Config) { c.PTXFile = filepath.Join(dir, "none") })
	if err := p.launch(p.thread, "empty", 0); err == nil || !errors.Is(err, os.ErrNotExist) {
		t.Errorf("a missing file gave %v", err)
	}
}

func TestUnsupportedArgumentsAreNamedOnce(t *testing.T) {
	p := start(t, func(c *rt.Config) { c.Log = nil })
	for range 2 {
		err := p.thread.HostRegister(4096, 4096, 4)
		if code := p.thread.Done("cudaHostRegister", err); code != 801 {
			t.Errorf("returned %d", code)
		}
	}
	_, err := p.thread.Malloc(1 << 60)
	p.thread.Done("cudaMalloc", err)
	if text := p.read(&p.err); text != "lockstep: cudaHostRegister returns cudaErrorNotSupported: registering memory of devices: not supported\n" {
		t.Errorf("reported %q", text)
	}
}
