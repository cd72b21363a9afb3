package rt

import (
	"encoding/binary"
	"maps"

	"github.com/lockstep-sim/lockstep/cudart/rt/graph"
	"github.com/lockstep-sim/lockstep/gpu"
	"github.com/lockstep-sim/lockstep/gpu/exec"
	"github.com/lockstep-sim/lockstep/gpu/mem"
	"github.com/lockstep-sim/lockstep/stream"
)

// Kinds of nodes (cudaGraphNodeType).
const (
	NodeKernel          = 0
	NodeMemcpy          = 1
	NodeMemset          = 2
	NodeHost            = 3
	NodeChild           = 4
	NodeEmpty           = 5
	NodeEventWait       = 6
	NodeEventRecord     = 7
	NodeSemaphoreSignal = 8
	NodeSemaphoreWait   = 9
	NodeMemAlloc        = 10
	NodeMemFree         = 11
	NodeBatchMemOp      = 12
	NodeConditional     = 13
)

// task is the work of a node: a value that is replaced and never changed.
type task interface {
	kind() int32
	// step is what the node does in a launch. Tasks that hold graphs are not
	// asked.
	step() stream.Step
}

// step makes a step of a command that a context executes.
func (c *Context) step(command stream.Command) stream.Step {
	return stream.Step{Command: command, On: c.engine.Legacy()}
}

// Attributes are what was set for a kernel node, by number.
type Attributes map[int32][AttributeBytes]byte

// kernelTask launches a kernel.
type kernelTask struct {
	prepared
	launch     Launch // Packed holds the arguments
	attributes Attributes
	pointers   []uint64 // for GraphKernelNodeGetParams
	command    stream.Command
}

// kernelTask checks a launch and takes its arguments.
func (t *Thread) kernelTask(c *Context, l Launch) (*kernelTask, error) {
	p, err := t.prepare(c, l.Function)
	if err != nil {
		return nil, err
	}
	if err := p.check(&l); err != nil {
		return nil, err
	}
	if l.Packed, err = parameters(p.kernel, &l); err != nil {
		return nil, err
	}
	l.Args = 0
	k := &kernelTask{prepared: p, launch: l}
	k.prepareCommand()
	return k, nil
}

// prepareCommand makes the command, which is the same for all launches.
func (k *kernelTask) prepareCommand() {
	k.command = k.commandIn(nil)
}

// commandIn is the command of a launch as a node of a graph, or of none.
func (k *kernelTask) commandIn(g exec.Graph) stream.Command {
	c, l, handles := k.context, k.gpuLaunch(), k.module.handles()
	l.Graph = g
	return stream.Kernel(func() (stream.Grid, error) {
		if err := c.hold(handles); err != nil {
			return nil, err
		}
		return c.start(l)
	})
}

func (k *kernelTask) gpuLaunch() gpu.Launch {
	carveout := 0
	if p := k.launch.carveout; p != nil {
		carveout = int(*p)
	}
	return gpu.Launch{
		Carveout: carveout,
		Kernel:   k.kernel, Grid: k.launch.Grid, Block: k.launch.Block, Cluster: k.launch.clusters, DynamicShared: uint32(k.launch.Shared),
		Params: k.launch.Packed, Cooperative: k.launch.Cooperative, Textures: &k.context.textures, Stream: k.launch.number, SMs: k.launch.sms,
	}
}

func (k *kernelTask) kind() int32 { return NodeKernel }

func (k *kernelTask) step() stream.Step {
	s := k.context.step(k.command)
	if v, ok := k.attributes[attributePriority]; ok {
		s.Priority = int(int32(binary.LittleEndian.Uint32(v[:])))
	}
	return s
}

// clusterOf is the size of clusters that an attribute gives.
func clusterOf(v [AttributeBytes]byte) *[3]uint32 {
	return &[3]uint32{binary.LittleEndian.Uint32(v[:]), binary.LittleEndian.Uint32(v[4:]), binary.LittleEndian.Uint32(v[8:])}
}

// with is the task with other attributes, which it then honours.
func (k *kernelTask) with(a Attributes) *kernelTask {
	other := *k
	other.attributes = a
	if v, ok := a[attrClusterDimension]; ok {
		l := other.launch
		l.Cluster = clusterOf(v)
		if *l.Cluster != [3]uint32{} && other.check(&l) == nil {
			other.launch = l
		}
	}
	if v, ok := a[attrCooperative]; ok {
		other.launch.Cooperative = binary.LittleEndian.Uint32(v[:]) != 0
	}
	other.prepareCommand()
	return &other
}

// set is the task with one attribute more.
func (k *kernelTask) set(id int32, value [AttributeBytes]byte) *kernelTask {
	a := maps.Clone(k.attributes)
	if a == nil {
		a = Attributes{}
	}
	a[id] = value
	return k.with(a)
}

// copyTask copies a box of bytes.
type copyTask struct {
	context  *Context
	dst, src region
	box      box
	copy     Copy3D // as the program described it
}

// Copy3D is a copy as cudaMemcpy3DParms describes it.
type Copy3D struct {
	Dst, Src End
	Extent   Extent
	Kind     int
}

func (k *copyTask) kind() int32 { return NodeMemcpy }

func (k *copyTask) step() stream.Step {
	c := k.context
	x := c.transfer(wayOf(c.sideOf(k.dst), c.sideOf(k.src)), k.box.bytes(), func() error { return c.move(k.dst, k.src, k.box) })
	return c.step(x.command())
}

// setTask fills a box of elements.
type setTask struct {
	context *Context
	set     Memset
}

// Memset is a fill as cudaMemsetParams describes it: Width in elements of Size
// bytes.
type Memset struct {
	Dst, Pitch, Width, Height uint64
	Value, Size               uint32
	slice, depth              uint64 // of a fill of several slices; depth 0 is 1
}

func (k *setTask) kind() int32 { return NodeMemset }

func (k *setTask) step() stream.Step {
	c := k.context
	return c.step(c.filling(k.set.box(), func() error { return c.fill(&k.set) }).command())
}

// fill executes a Memset.
func (c *Context) fill(m *Memset) error {
	for z := range max(m.depth, 1) {
		p := mem.Plane{Addr: m.Dst + z*m.slice, Pitch: m.Pitch}
		if err := c.memory.Set2D(p, m.Value, int(m.Size), m.Width, m.Height); err != nil {
			return err
		}
	}
	return nil
}

// HostCall is a function of the program with its argument, and how to call it.
type HostCall struct {
	Function, Argument uint64
	Run                func()
}

// hostTask calls a function of the program.
type hostTask struct {
	context *Context
	call    HostCall
}

func (k *hostTask) kind() int32 { return NodeHost }

func (k *hostTask) step() stream.Step {
	return k.context.step(stream.HostFunc(func() { k.context.flush(); k.call.Run() }))
}

// emptyTask does nothing, in order.
type emptyTask struct{}

func (emptyTask) kind() int32       { return NodeEmpty }
func (emptyTask) step() stream.Step { return stream.Step{} }

// eventTask marks an event or waits for one.
type eventTask struct {
	event  *Event
	handle uint64
	record bool
}

func (k *eventTask) kind() int32 {
	if k.record {
		return NodeEventRecord
	}
	return NodeEventWait
}

func (k *eventTask) step() stream.Step {
	if k.record {
		return stream.Step{Record: &k.event.event}
	}
	return stream.Step{Wait: &k.event.event}
}

// childTask is a graph inside a graph.
type childTask struct{ graph *graph.Graph }

func (k *childTask) kind() int32              { return NodeChild }
func (k *childTask) step() stream.Step        { return stream.Step{} }
func (k *childTask) Children() []*graph.Graph { return []*graph.Graph{k.graph} }

// With implements graph.Parent.
func (k *childTask) With(c []*graph.Graph) graph.Work { return &childTask{c[0]} }

// allocTask makes memory of the graph part of the program's.
type allocTask struct {
	block  *graphBlock
	bytes  uint64 // as asked for
	access []Access
}

func (k *allocTask) kind() int32       { return NodeMemAlloc }
func (k *allocTask) step() stream.Step { return stream.Step{} }

// freeTask gives memory back that a graph made.
type freeTask struct {
	addr  uint64
	block *graphBlock
}

func (k *freeTask) kind() int32       { return NodeMemFree }
func (k *freeTask) step() stream.Step { return stream.Step{} }

// semaphoreTask signals external semaphores or waits for them. None can be
// imported, so a node can only have none and only orders others.
type semaphoreTask struct{ signal bool }

func (k *semaphoreTask) kind() int32 {
	if k.signal {
		return NodeSemaphoreSignal
	}
	return NodeSemaphoreWait
}

func (k *semaphoreTask) step() stream.Step { return stream.Step{} }
