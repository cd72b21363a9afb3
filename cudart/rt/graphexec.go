package rt

import (
	"slices"

	"github.com/lockstep-sim/lockstep/cudart/rt/graph"
	"github.com/lockstep-sim/lockstep/stream"
)

// executable is an executable graph: a copy of a graph, and the steps that it is.
type executable struct {
	graph      *graph.Graph
	nodes      map[*graph.Node]*graph.Node // of the graph that it was made from, to its own
	disabled   map[*graph.Node]bool
	flags      uint64
	number     uint32
	steps      []stream.Step // nil when they are to be made
	last       stream.Ticket
	context    *Context
	held       *references
	memory     []*graphMemory
	blocks     []blockUse
	conditions []*condition
	nested     bool // kernels launch it, or launch others
	kernels    fromKernels
}

// Flags of cudaGraphInstantiate.
const (
	instantiateAutoFree     = 1
	instantiateUpload       = 2
	instantiateDeviceLaunch = 4
	instantiatePriority     = 8
	instantiateMask         = 15
)

// Results of cudaGraphInstantiateWithParams.
const (
	instantiateError            = 1
	instantiateInvalidStructure = 2
	instantiateNotSupported     = 3
	instantiateManyDevices      = 4
	instantiateUnusedCondition  = 5
)

// Instantiation is what became of cudaGraphInstantiateWithParams: a result, and
// the node that is to blame.
type Instantiation struct {
	Exec   uint64
	Node   uint64
	Result int32
}

// GraphInstantiate is cudaGraphInstantiate and its relatives.
func (t *Thread) GraphInstantiate(handle, flags uint64) (Instantiation, error) {
	c, err := t.uncaptured()
	if err != nil {
		return Instantiation{}, err
	}
	defer t.lock()()
	g, err := t.runtime.graph(handle)
	if err != nil {
		return Instantiation{}, err
	}
	if flags&^instantiateMask != 0 || flags&instantiateDeviceLaunch != 0 && flags&instantiateAutoFree != 0 {
		return Instantiation{Result: instantiateError}, fail(ErrInvalidValue, "instantiation flags %#x", flags)
	}
	if n := g.Owner; n != nil && n.Work.(task).kind() == NodeConditional {
		return Instantiation{Result: instantiateError}, fail(ErrNotSupported, "the body of a conditional node has no executable of its own")
	}
	if flags&instantiateDeviceLaunch != 0 {
		if i, err := launchableByKernels(g); err != nil {
			return i, err
		}
	}
	if n := inCycle(g); n != nil {
		return Instantiation{Result: instantiateInvalidStructure, Node: n.Handle}, graph.ErrCycle
	}
	if i, err := t.runtime.single(g); err != nil {
		return i, err
	}
	x := &executable{graph: g.Clone(), nodes: map[*graph.Node]*graph.Node{}, disabled: map[*graph.Node]bool{}, flags: flags, context: c}
	x.graph.Walk(func(n *graph.Node) { x.nodes[n.Origin()] = n })
	x.collect(t.runtime, g)
	t.runtime.instantiated++
	x.number = t.runtime.instantiated
	x.kernels.runtime, x.kernels.exec = t.runtime, x
	x.kernels.handle = t.runtime.graphs.execs.add(x)
	return Instantiation{Exec: x.kernels.handle}, nil
}

// launchableByKernels refuses graphs that a kernel could not launch: empty ones, and
// those with other nodes than kernels, fills, copies in device memory and graphs of
// such.
func launchableByKernels(g *graph.Graph) (i Instantiation, err error) {
	if len(g.Nodes()) == 0 {
		return Instantiation{Result: instantiateInvalidStructure}, fail(ErrInvalidValue, "an empty graph for launches by kernels")
	}
	g.Walk(func(n *graph.Node) {
		switch k := n.Work.(type) {
		case *kernelTask, *setTask, *childTask, emptyTask:
			return
		case *copyTask:
			if k.context.sideOf(k.dst) != plain && k.context.sideOf(k.src) != plain {
				return
			}
		}
		if err == nil {
			i = Instantiation{Result: instantiateNotSupported, Node: n.Handle}
			err = fail(ErrInvalidValue, "a node of type %d in a graph for launches by kernels", n.Work.(task).kind())
		}
	})
	return i, err
}

// inCycle is a node that waits for itself, nil if none does.
func inCycle(g *graph.Graph) (found *graph.Node) {
	g.WalkGraphs(func(g *graph.Graph) {
		order, err := g.Order()
		for _, n := range g.Nodes() {
			if err != nil && found == nil && !slices.Contains(order, n) {
				found = n
			}
		}
	})
	return found
}

// single refuses a second executable of a graph with memory or conditions of its
// own, and conditions that no node has.
func (r *Runtime) single(g *graph.Graph) (Instantiation, error) {
	only := false
	g.Walk(func(n *graph.Node) {
		kind := n.Work.(task).kind()
		only = only || ownsMemory(n) || kind == NodeConditional
	})
	taken := false
	r.graphs.execs.each(func(x *executable) { taken = taken || only && x.graph.Origin() == g })
	if taken {
		return Instantiation{Result: instantiateError}, fail(ErrNotSupported, "the graph has an executable already, and nodes that allow one only")
	}
	for _, k := range r.graphs.handles[g] {
		if !k.used {
			return Instantiation{Result: instantiateUnusedCondition}, fail(ErrInvalidValue, "a condition of the graph is not used")
		}
	}
	return Instantiation{}, nil
}

// collect takes a share in what the graph holds.
func (x *executable) collect(r *Runtime, g *graph.Graph) {
	if held := r.graphs.held[g]; held != nil {
		x.held = held.again()
	}
	g.WalkGraphs(func(g *graph.Graph) {
		if m := r.graphs.memory[g]; m != nil {
			m.uses++
			x.memory = append(x.memory, m)
		}
	})
	g.Walk(func(n *graph.Node) {
		switch k := n.Work.(type) {
		case *allocTask:
			x.use(k.block).allocs++
		case *freeTask:
			x.use(k.block).frees++
		}
	})
	for _, k := range r.graphs.handles[g] {
		k.uses++
		x.conditions = append(x.conditions, k)
	}
}

// blockUse is how often a graph allocates and frees a block.
type blockUse struct {
	*graphBlock
	allocs, frees int
}

// use is the executable's use of a block.
func (x *executable) use(b *graphBlock) *blockUse {
	i := slices.IndexFunc(x.blocks, func(u blockUse) bool { return u.graphBlock == b })
	if i < 0 {
		i = len(x.blocks)
		x.blocks = append(x.blocks, blockUse{graphBlock: b})
	}
	return &x.blocks[i]
}

// exec finds an executable graph by its handle.
func (r *Runtime) exec(handle uint64) (*executable, error) {
	x, ok := r.graphs.execs.get(handle)
	if !ok {
		return nil, fail(ErrInvalidValue, "no executable graph has handle %#x", handle)
	}
	return x, nil
}

// GraphExecGetFlags is cudaGraphExecGetFlags.
func (t *Thread) GraphExecGetFlags(handle uint64) (uint64, error) {
	defer t.lock()()
	x, err := t.runtime.exec(handle)
	if err != nil {
		return 0, err
	}
	return x.flags &^ instantiatePriority, nil // as measured
}

// GraphExecGetID is cudaGraphExecGetId.
func (t *Thread) GraphExecGetID(handle uint64) (uint32, error) {
	defer t.lock()()
	x, err := t.runtime.exec(handle)
	if err != nil {
		return 0, err
	}
	return x.number, nil
}

// GraphExecDestroy is cudaGraphExecDestroy. A launch that is under way goes on.
func (t *Thread) GraphExecDestroy(handle uint64) error {
	if err := t.unsafe(); err != nil {
		return err
	}
	defer t.lock()()
	x, ok := t.runtime.graphs.execs.take(handle)
	if !ok {
		return fail(ErrInvalidValue, "no executable graph has handle %#x", handle)
	}
	done, _ := x.last.Query()
	if done {
		x.release(t.runtime)
		return nil
	}
	go func() {
		_ = x.last.Wait() // its error is the device's
		defer t.lock()()
		x.release(t.runtime)
	}()
	return nil
}

// release lets go of what the executable holds. The lock is held.
func (x *executable) release(r *Runtime) {
	for _, m := range x.memory {
		m.release()
	}
	for _, k := range x.conditions {
		k.release()
	}
	if x.held != nil {
		r.releaseReferences(x.held)
	}
}

// GraphUpload is cudaGraphUpload: what kernels launch is the graph as it was sent.
func (t *Thread) GraphUpload(handle uint64, h StreamHandle) error {
	if _, _, err := t.uncapturable(h); err != nil {
		return err
	}
	defer t.lock()()
	x, err := t.runtime.exec(handle)
	if err != nil {
		return err
	}
	x.plan()
	return nil
}

// GraphLaunch is cudaGraphLaunch. It waits for earlier work of the stream and for
// the launch of the same executable before.
func (t *Thread) GraphLaunch(handle uint64, h StreamHandle) error {
	c, s, err := t.uncapturable(h)
	if err != nil {
		return err
	}
	unlock := t.lock()
	x, err := t.runtime.exec(handle)
	if err == nil {
		err = x.available()
	}
	if err != nil {
		unlock()
		return err
	}
	steps, before := x.plan(), x.last
	unlock()
	ticket, err := s.Launch(steps, before)
	if err != nil {
		return err
	}
	unlock = t.lock()
	x.last = ticket
	x.account(s, ticket)
	unlock()
	if !t.runtime.config.LaunchBlocking {
		return nil
	}
	defer c.flush()
	return ticket.Wait()
}

// available checks the memory that a launch allocates and frees: what an earlier
// launch allocated must have been freed.
func (x *executable) available() error {
	for _, b := range x.blocks {
		if b.allocs > 0 && b.live && x.flags&instantiateAutoFree == 0 {
			return fail(ErrInvalidValue, "memory of the launch before was not freed")
		}
		if b.frees > b.allocs && !b.live {
			return fail(ErrInvalidValue, "the graph frees memory that is not allocated")
		}
	}
	return nil
}

// account counts the memory of a launch. What the graph frees itself is free for
// others when the launch is complete.
func (x *executable) account(s *stream.Stream, last stream.Ticket) {
	var inside uint64
	for _, b := range x.blocks {
		u := &b.context.graphs
		switch {
		case b.allocs == b.frees:
			inside += b.size
		case b.allocs > b.frees && !b.live:
			b.live, b.backing = true, u.take(b.size, s)
		case b.frees > b.allocs:
			b.live = false
			u.give(b.backing, s, last)
		}
	}
	if inside > 0 {
		u := &x.blocks[0].context.graphs
		u.give(u.take(inside, s), s, last)
	}
}

// plan are the steps of the graph. The lock is held.
func (x *executable) plan() []stream.Step {
	if x.steps == nil {
		x.nested = x.asksOrIsAsked()
		x.steps = make([]stream.Step, 0, len(x.graph.Nodes())+len(x.conditions))
		var begin []int
		for _, k := range x.conditions {
			if k.flags&conditionDefault == 0 {
				continue
			}
			begin = append(begin, len(x.steps))
			x.steps = append(x.steps, k.reset())
		}
		x.steps = x.flatten(x.graph, x.steps, begin)
		if x.nested {
			body := x.steps
			x.kernels.body.Store(&body)
			x.steps = []stream.Step{x.context.step(x.kernels.environment())}
		}
	}
	return x.steps
}

// flatten adds the steps of a graph that wait for others, after which come those
// of graphs inside.
func (x *executable) flatten(g *graph.Graph, steps []stream.Step, begin []int) []stream.Step {
	order, _ := g.Order() // was checked
	place := make(map[*graph.Node]int, len(order))
	for _, n := range order {
		after := begin
		if len(n.Before()) > 0 {
			after = make([]int, 0, len(n.Before()))
			for _, e := range n.Before() {
				after = append(after, place[e.From])
			}
		}
		if k, ok := n.Work.(*childTask); ok {
			steps = append(steps, stream.Step{After: after})
			inside := len(steps)
			steps = x.flatten(k.graph, steps, []int{inside - 1})
			after = []int{inside - 1}
			for i := inside; i < len(steps); i++ {
				after = append(after, i)
			}
		}
		s := x.step(n)
		s.After = after
		place[n] = len(steps)
		steps = append(steps, s)
	}
	return steps
}

// step is what a node does.
func (x *executable) step(n *graph.Node) stream.Step {
	if x.disabled[n] {
		return stream.Step{}
	}
	if k, ok := n.Work.(*conditionTask); ok {
		var bodies [][]stream.Step
		for _, b := range k.bodies {
			bodies = append(bodies, x.flatten(b, nil, nil))
		}
		return k.condition.context.step(k.repeat(bodies))
	}
	if k, ok := n.Work.(*kernelTask); ok && x.nested {
		return k.context.step(x.kernels.node(k))
	}
	s := n.Work.(task).step()
	s.Urgent = x.flags&instantiatePriority != 0 && n.Work.(task).kind() == NodeKernel
	return s
}
