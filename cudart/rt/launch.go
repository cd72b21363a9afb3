package rt

import (
	"encoding/binary"
	"slices"

	"github.com/lockstep-sim/lockstep/gpu"
	"github.com/lockstep-sim/lockstep/gpu/isa"
	"github.com/lockstep-sim/lockstep/gpu/mem"
	"github.com/lockstep-sim/lockstep/stream"
)

// Launch is a kernel launch as a program asks for it.
type Launch struct {
	Function    uint64    // stub or handle
	Grid, Block [3]uint32 // CTAs, threads
	Shared      uint64    // dynamic shared memory in bytes
	Stream      StreamHandle
	// Args is the host address of an array with the address of each argument;
	// Packed, when not nil, holds the parameter block instead.
	Args        uint64
	Packed      []byte
	Cooperative bool
	Cluster     *[3]uint32 // CTAs of a cluster, where the launch says it
	Context     uint64     // that a node of a kernel of a library names, 0 for the current one

	carveout *int32            // of shared memory that it prefers, in percent; nil until an attribute or check says it
	clusters [3]uint32         // that the launch has, zero for none; set by check
	number   uint64            // of the stream, 0 for the default stream and for graphs
	green    *ExecutionContext // nil for none
	sms      []uint32          // of the green context
}

// runIn puts a launch into a green context, or none.
func (l *Launch) runIn(x *ExecutionContext) {
	if l.green, l.sms = x, nil; x != nil {
		l.sms = x.sms.Set.list()
	}
}

// LaunchKernel is cudaLaunchKernel and its relatives.
func (t *Thread) LaunchKernel(l Launch) error {
	return t.launch(l, nil)
}

// launch is LaunchKernel with the attributes that a node of it would have.
func (t *Thread) launch(l Launch, list []LaunchAttribute) error {
	c, s, m, err := t.work(l.Stream)
	if err != nil {
		return err
	}
	if s != nil {
		l.number = s.ID() - c.engine.Legacy().ID()
	}
	l.runIn(t.greenOf(l.Stream))
	k, err := t.kernelTask(c, l)
	if err != nil {
		if m != nil && CodeOf(err) != ErrInvalidConfiguration {
			t.spoil(m)
		}
		return err
	}
	if m != nil {
		return t.add(m, k.with(kept(list)))
	}
	ticket, err := s.Submit(k.command)
	if err != nil || !t.runtime.config.LaunchBlocking {
		return err
	}
	defer c.flush()
	return ticket.Wait()
}

// check refuses launches that the device cannot hold. Which code a mistake gives
// depends on the CUDA major (measured).
func (p prepared) check(l *Launch) error {
	g := p.context.device.model
	if err := checkShape(g.Launch.MaxThreadsPerBlock, l, maxGrid(p), maxBlock(p)); err != nil {
		code := ErrInvalidConfiguration
		if p.function.image.runtime.config.Major >= 13 {
			code = ErrInvalidValue
		}
		return fail(code, "kernel %s: %v", p.kernel.Name, err)
	}
	threads := int(l.Block[0]) * int(l.Block[1]) * int(l.Block[2])
	if p.kernel.MaxThreads > 0 && threads > p.kernel.MaxThreads {
		return fail(ErrInvalidValue, "kernel %s: a block of %d threads, its launch bounds allow %d", p.kernel.Name, threads, p.kernel.MaxThreads)
	}
	if r := p.kernel.ReqThreads; r != [3]uint32{} && r != l.Block {
		return fail(ErrInvalidValue, "kernel %s: a block of %v threads, it requires %v", p.kernel.Name, l.Block, r)
	}
	if limit := p.context.dynamicLimit(p.function, p.kernel); l.Shared > limit {
		return fail(ErrInvalidValue, "kernel %s: %d bytes of dynamic shared memory, %d are allowed", p.kernel.Name, l.Shared, limit)
	}
	if threads > maxThreads(g, p.kernel) {
		return fail(ErrLaunchOutOfResources, "kernel %s: %d threads of %d registers", p.kernel.Name, threads, registers(p.kernel))
	}
	if err := p.placeCluster(l, threads); err != nil {
		return err
	}
	if l.carveout == nil {
		carved := p.context.carved(p.function)
		l.carveout = &carved
	}
	if l.Cooperative {
		return p.checkResident(l, threads)
	}
	return nil
}

// checkResident refuses cooperative grids whose blocks cannot all run at once.
func (p prepared) checkResident(l *Launch, threads int) error {
	g := p.context.device.model
	sms := int(g.SM.Count)
	if l.sms != nil {
		sms = len(l.sms)
	}
	most := uint64(occupancy(g, p.kernel, threads, l.Shared)) * uint64(sms)
	blocks := uint64(l.Grid[0]) * uint64(l.Grid[1]) * uint64(l.Grid[2])
	if blocks > most {
		return fail(ErrCooperativeTooLarge, "kernel %s: %d blocks, %d can be resident", p.kernel.Name, blocks, most)
	}
	return nil
}

func maxGrid(p prepared) [3]uint32 {
	m := &p.context.device.model.Launch
	return [3]uint32{uint32(m.MaxGridX), uint32(m.MaxGridY), uint32(m.MaxGridZ)}
}

func maxBlock(p prepared) [3]uint32 {
	m := &p.context.device.model.Launch
	return [3]uint32{uint32(m.MaxBlockX), uint32(m.MaxBlockY), uint32(m.MaxBlockZ)}
}

// checkShape compares the extents of a launch with the device's.
func checkShape(threads int32, l *Launch, grid, block [3]uint32) error {
	for i, axis := range []string{"x", "y", "z"} {
		if l.Grid[i] == 0 || l.Grid[i] > grid[i] {
			return fail(ErrInvalidConfiguration, "a grid of %d blocks in %s, 1 to %d are allowed", l.Grid[i], axis, grid[i])
		}
		if l.Block[i] == 0 || l.Block[i] > block[i] {
			return fail(ErrInvalidConfiguration, "a block of %d threads in %s, 1 to %d are allowed", l.Block[i], axis, block[i])
		}
	}
	if n := l.Block[0] * l.Block[1] * l.Block[2]; n > uint32(threads) {
		return fail(ErrInvalidConfiguration, "a block of %d threads, %d are allowed", n, threads)
	}
	return nil
}

// parameters copies the arguments into a parameter block.
func parameters(k *isa.Kernel, l *Launch) ([]byte, error) {
	block := make([]byte, k.ParamBytes)
	if l.Packed != nil {
		if len(l.Packed) < int(k.ParamBytes) {
			return nil, fail(ErrInvalidValue, "kernel %s: %d bytes of arguments, it has %d", k.Name, len(l.Packed), k.ParamBytes)
		}
		copy(block, l.Packed)
		return block, nil
	}
	if len(k.Params) == 0 {
		return block, nil
	}
	if l.Args == 0 {
		return nil, fail(ErrInvalidValue, "kernel %s: no arguments, it has %d parameters", k.Name, len(k.Params))
	}
	addresses := mem.Host(l.Args, 8*uint64(len(k.Params)))
	for i, p := range k.Params {
		addr := binary.LittleEndian.Uint64(addresses[8*i:])
		if addr == 0 {
			return nil, fail(ErrInvalidValue, "kernel %s: argument %d has address 0", k.Name, i)
		}
		copy(block[p.Offset:], mem.Host(addr, uint64(p.Size)))
	}
	return block, nil
}

// start begins a grid whose end is counted and whose fault is reported.
func (c *Context) start(l gpu.Launch) (stream.Grid, error) {
	r := c.device.runtime
	l.Number = int(r.launches.Add(1))
	l.Functional = !r.timed(l.Number, l.Kernel.Name)
	g, err := c.gpu.Start(l)
	if err != nil {
		return nil, err
	}
	return &counted{g, r, !l.Functional}, nil
}

// counted is a grid that adds to the statistics of the runtime when it ends.
type counted struct {
	Grid
	runtime *Runtime
	timed   bool
}

// Advance implements stream.Grid.
func (g *counted) Advance(budget int) (done bool, err error) {
	done, err = g.Grid.Advance(budget)
	if err != nil {
		g.runtime.config.Stderr([]byte(err.Error()))
	}
	if done || err != nil {
		g.runtime.kernels.Add(1)
		g.runtime.instructions.Add(g.ThreadInstructions())
		if g.timed {
			g.runtime.timing.instructions.Add(g.ThreadInstructions())
		}
	}
	return done, err
}

// multiFlags are those of cudaLaunchCooperativeKernelMultiDevice: no waiting for
// earlier or later work of the other streams, which never waits here.
const multiFlags = 3

// LaunchMulti is cudaLaunchCooperativeKernelMultiDevice: one kernel, each time in a
// stream of another device.
func (t *Thread) LaunchMulti(list []Launch, flags uint32) error {
	if flags&^multiFlags != 0 || len(list) > len(t.runtime.devices) {
		return fail(ErrInvalidValue, "%d cooperative launches with flags %#x", len(list), flags)
	}
	seen := map[*Context]bool{}
	for _, l := range list {
		if l.Stream <= PerThreadStream {
			return fail(ErrInvalidResourceHandle, "a cooperative launch of several devices in a default stream")
		}
		c, _, err := t.stream(l.Stream)
		if err != nil {
			return err
		}
		if seen[c] || l.Function != list[0].Function || l.Grid != list[0].Grid || l.Block != list[0].Block || l.Shared != list[0].Shared {
			return fail(ErrInvalidValue, "the launches differ in more than their device, or not in that")
		}
		seen[c] = true
	}
	for _, l := range list {
		if err := t.LaunchKernel(l); err != nil {
			return err
		}
	}
	return nil
}

// LaunchAttribute is an attribute of cudaLaunchKernelExC.
type LaunchAttribute struct {
	ID    int32
	Words [16]int32
}

// Attributes that change what a launch means, and the range of those that are
// hints: access policy, synchronisation, priority, memory domains, programmatic
// launch (which is plain stream order here).
const (
	attrCooperative       = 2
	attrClusterDimension  = 4
	attrPolicy            = 3 // of synchronisation
	attrClusterPolicy     = 5
	attrProgrammaticEvent = 7
	attrPreferredCluster  = 11
	attrCompletionEvent   = 12
	attrCarveout          = 14
	attrReserved          = 15
	attrLaunchLast        = 16
	lastPolicy            = 4 // block
)

// take honours the attributes of a launch. Events are those that the grid
// triggers.
func (l *Launch) take(attributes []LaunchAttribute) (events []uint64, err error) {
	for _, a := range attributes {
		switch {
		case a.ID == attrProgrammaticEvent, a.ID == attrCompletionEvent:
			events = append(events, uint64(uint32(a.Words[0]))|uint64(uint32(a.Words[1]))<<32)
		case a.ID == attrPolicy && (a.Words[0] <= 0 || a.Words[0] > lastPolicy), a.ID == attrReserved,
			a.ID == attrClusterPolicy && (a.Words[0] < 0 || a.Words[0] > lastClusterPolicy):
			return nil, fail(ErrInvalidValue, "launch attribute %d of value %d", a.ID, a.Words[0])
		case a.ID == attrCarveout && a.Words[0] >= 0 && a.Words[0] <= 100:
			l.carveout = &a.Words[0]
		case a.ID == attrCooperative:
			l.Cooperative = a.Words[0] != 0
		case a.ID == attrClusterDimension && a.Words[0] == 0 && a.Words[1] == 0 && a.Words[2] == 0: // none (measured)
		case a.ID == attrClusterDimension:
			l.Cluster = &[3]uint32{uint32(a.Words[0]), uint32(a.Words[1]), uint32(a.Words[2])}
		case a.ID < 0 || a.ID > attrLaunchLast:
			return nil, fail(ErrInvalidValue, "launch attribute %d", a.ID)
		}
	}
	return events, nil
}

// kept are the attributes that a node of the launch would have.
func kept(list []LaunchAttribute) Attributes {
	a := Attributes{}
	for _, x := range list {
		if slices.Contains(nodeAttributes, x.ID) {
			var value [AttributeBytes]byte
			for i, w := range x.Words {
				binary.LittleEndian.PutUint32(value[4*i:], uint32(w))
			}
			a[x.ID] = value
		}
	}
	return a
}

// LaunchKernelEx is cudaLaunchKernelExC.
func (t *Thread) LaunchKernelEx(l Launch, attributes []LaunchAttribute) error {
	events, err := l.take(attributes)
	if err != nil {
		return err
	}
	if err := t.launch(l, attributes); err != nil {
		return err
	}
	for _, e := range events { // a grid triggers them at its end at the latest
		if err := t.EventRecord(e, l.Stream, 0); err != nil {
			return err
		}
	}
	return nil
}
