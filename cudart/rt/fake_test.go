package rt_test

import (
	"encoding/binary"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/lockstep-sim/lockstep/cudart/rt"
	"github.com/lockstep-sim/lockstep/cuobjdump/fatbin"
	"github.com/lockstep-sim/lockstep/gpu"
	"github.com/lockstep-sim/lockstep/gpu/exec"
	"github.com/lockstep-sim/lockstep/gpu/isa"
	"github.com/lockstep-sim/lockstep/gpu/mem"
)

// process is a program under test: a runtime over fake devices, with memory of
// its own and one registered image.
type process struct {
	tb      testing.TB
	runtime *rt.Runtime
	thread  *rt.Thread
	host    *mem.Space // the program's memory, unknown to the runtime

	mu      sync.Mutex
	out     string
	err     string
	log     string
	gpus    []*fakeGPU
	program *fakeProgram
}

// Host addresses of the stubs and shadows that the image registers, by name.
const (
	stubs   = 0x10000
	shadows = 0x20000
)

func start(tb testing.TB, change ...func(*rt.Config)) *process {
	p := &process{tb: tb, program: newProgram()}
	space, err := mem.New(mem.Config{DeviceBytes: 1 << 30})
	if err != nil {
		tb.Fatal(err)
	}
	p.host = space
	c := rt.Config{
		Devices: 1, Major: 12, Functional: true,
		Stdout: func(b []byte) { p.write(&p.out, string(b)) },
		Stderr: func(b []byte) { p.write(&p.err, string(b)) },
		Log:    func(s string) { p.write(&p.log, s+"\n") },
		NewGPU: p.newGPU,
		Link:   func([]rt.Unit) (rt.Program, error) { return p.program, nil },
	}
	for _, f := range change {
		f(&c)
	}
	if p.runtime, err = rt.New(c); err != nil {
		tb.Fatal(err)
	}
	p.thread = p.runtime.NewThread()
	p.register()
	tb.Cleanup(p.close)
	return p
}

// close gives all address space back; a second call does nothing.
func (p *process) close() {
	p.program.gate.Store(true)
	for n := range p.gpus {
		if p.thread.SetDevice(n) == nil {
			_ = p.thread.DeviceReset()
		}
	}
	for _, g := range p.gpus {
		_ = g.memory.Close()
		_ = g.config.Memory.UVA.Close()
	}
	p.gpus = nil
	_ = p.host.Close()
}

func (p *process) write(to *string, text string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	*to += text
}

func (p *process) read(from *string) string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return *from
}

// bytes is n new bytes of the program's memory, and their address.
func (p *process) bytes(n uint64) (uint64, []byte) {
	p.tb.Helper()
	addr, err := p.host.AllocHost(n, mem.Pinned)
	if err != nil {
		p.tb.Fatal(err)
	}
	return addr, mem.Host(addr, n)
}

// register registers an image with all kernels and variables of the program.
func (p *process) register() {
	container := fatbin.Encode(fatbin.New(fatbin.PTX, 90, "", []byte("text")))
	at, image := p.bytes(uint64(len(container)))
	copy(image, container)
	wrapper, w := p.bytes(24)
	binary.LittleEndian.PutUint32(w, 0x466243b1)
	binary.LittleEndian.PutUint32(w[4:], 1)
	binary.LittleEndian.PutUint64(w[8:], at)
	p.runtime.RegisterFatBinary(1, wrapper)
	for i, k := range p.program.kernels {
		p.runtime.RegisterFunction(1, stubs+uint64(i), k.Name)
	}
	for i, v := range p.program.variables {
		if v.Managed {
			slot, _ := p.bytes(8)
			p.runtime.RegisterManaged(1, slot, v.Name, v.Size)
			p.program.slot = slot
			continue
		}
		p.runtime.RegisterVariable(1, shadows+uint64(i), v.Name, v.Size, v.Constant)
	}
}

// stub is the host address of a kernel.
func (p *process) stub(name string) uint64 {
	for i, k := range p.program.kernels {
		if k.Name == name {
			return stubs + uint64(i)
		}
	}
	p.tb.Fatalf("no kernel %s", name)
	return 0
}

// shadow is the host address of a variable.
func (p *process) shadow(name string) uint64 {
	for i, v := range p.program.variables {
		if v.Name == name {
			return shadows + uint64(i)
		}
	}
	p.tb.Fatalf("no variable %s", name)
	return 0
}

// launch starts a kernel of one thread with 8-byte arguments.
func (p *process) launch(t *rt.Thread, name string, s rt.StreamHandle, args ...uint64) error {
	return t.LaunchKernel(rt.Launch{
		Function: p.stub(name), Grid: [3]uint32{1, 1, 1}, Block: [3]uint32{1, 1, 1},
		Stream: s, Args: p.arguments(args),
	})
}

func (p *process) arguments(args []uint64) uint64 {
	addresses, list := p.bytes(8 * max(uint64(len(args)), 1))
	for i, a := range args {
		at, value := p.bytes(8)
		binary.LittleEndian.PutUint64(value, a)
		binary.LittleEndian.PutUint64(list[8*i:], at)
	}
	return addresses
}

func (p *process) must(err error) {
	p.tb.Helper()
	if err != nil {
		p.tb.Fatal(err)
	}
}

func (p *process) malloc(n uint64) uint64 {
	p.tb.Helper()
	addr, err := p.thread.Malloc(n)
	p.must(err)
	return addr
}

// want checks the code of an error.
func (p *process) want(what string, err error, code rt.Error) {
	p.tb.Helper()
	if got := rt.CodeOf(err); got != code {
		p.tb.Errorf("%s: got %d (%v), want %d", what, got, err, code)
	}
}

// fakeProgram has kernels and variables without code.
type fakeProgram struct {
	kernels   []*isa.Kernel
	variables []rt.Variable
	addresses []uint64
	slot      uint64 // host pointer of the managed variable
	gate      atomic.Bool
}

func newProgram() *fakeProgram {
	word := []isa.KernelParam{{Offset: 0, Size: 8, Align: 8}}
	two := []isa.KernelParam{{Offset: 0, Size: 8, Align: 8}, {Offset: 8, Size: 8, Align: 8}}
	return &fakeProgram{
		kernels: []*isa.Kernel{
			{Name: "empty", Registers: 16},
			{Name: "increment", Params: word, ParamBytes: 8, Registers: 16}, // adds 1 to the word at its argument
			{Name: "append", Params: two, ParamBytes: 16, Registers: 16},    // word = 10 * word + argument
			{Name: "bounded", MaxThreads: 128, Registers: 32},
			{Name: "fat", Registers: 255},
			{Name: "shared", StaticShared: 16 << 10, Registers: 32},
			{Name: "fault", Registers: 16},
			{Name: "print", Registers: 16},
			{Name: "spin", Registers: 16}, // until the gate is open
		},
		variables: []rt.Variable{
			{Name: "global", Size: 16, Align: 4},
			{Name: "constant", Size: 64, Align: 4, Constant: true},
			{Name: "managed", Size: 8, Align: 8, Managed: true},
		},
		addresses: make([]uint64, 3),
	}
}

func (f *fakeProgram) Variables() []rt.Variable { return f.variables }
func (f *fakeProgram) Place(n int, addr uint64) { f.addresses[n] = addr }
func (f *fakeProgram) Image(n int) ([]byte, error) {
	image := make([]byte, f.variables[n].Size)
	for i := range image {
		image[i] = byte(n + 1)
	}
	return image, nil
}

func (f *fakeProgram) Kernel(name string) (*isa.Kernel, error) {
	for _, k := range f.kernels {
		if k.Name == name {
			return k, nil
		}
	}
	return nil, rt.ErrInvalidDeviceFunction
}

// fakeGPU runs the kernels of fakeProgram.
type fakeGPU struct {
	memory  *mem.Space
	config  gpu.Config
	program *fakeProgram
}

func (p *process) newGPU(c gpu.Config) (rt.GPU, error) {
	space, err := mem.New(c.Memory)
	if err != nil {
		return nil, err
	}
	g := &fakeGPU{space, c, p.program}
	p.gpus = append(p.gpus, g)
	return g, nil
}

func (g *fakeGPU) Memory() *mem.Space  { return g.memory }
func (g *fakeGPU) SetStack(uint32)     {}
func (g *fakeGPU) SetHeap(uint64) bool { return false }
func (g *fakeGPU) Leave()              {}
func (g *fakeGPU) Close() error        { return g.memory.Close() }
func (g *fakeGPU) Start(l gpu.Launch) (rt.Grid, error) {
	return &fakeGrid{gpu: g, launch: l, turns: 3}, nil
}

// fakeGrid ends after a few turns.
type fakeGrid struct {
	gpu    *fakeGPU
	launch gpu.Launch
	turns  int
}

func (g *fakeGrid) Instructions() uint64       { return 10 }
func (g *fakeGrid) ThreadInstructions() uint64 { return 100 }

func (g *fakeGrid) argument(n int) uint64 { return binary.LittleEndian.Uint64(g.launch.Params[8*n:]) }

func (g *fakeGrid) Advance(int) (bool, error) {
	spins := g.launch.Kernel.Name == "spin" && !g.gpu.program.gate.Load()
	if g.turns--; g.turns > 0 || spins {
		return false, nil
	}
	switch g.launch.Kernel.Name {
	case "fault":
		return false, &exec.Fault{Kind: isa.Misaligned}
	case "print":
		g.gpu.config.Stdout([]byte("hello\n"))
	case "increment", "append":
		return g.work()
	}
	return true, nil
}

func (g *fakeGrid) work() (bool, error) {
	b, err := g.gpu.memory.Bytes(g.argument(0), 8)
	if err != nil {
		return false, fmt.Errorf("work: %w", err)
	}
	word := binary.LittleEndian.Uint64(b)
	if g.launch.Kernel.Name == "increment" {
		word++
	} else {
		word = 10*word + g.argument(1)
	}
	binary.LittleEndian.PutUint64(b, word)
	return true, nil
}

func (p *fakeProgram) Kernels() []string {
	var names []string
	for _, k := range p.kernels {
		names = append(names, k.Name)
	}
	return names
}

func (p *fakeProgram) Check() error { return nil }
