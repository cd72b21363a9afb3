package rt

import (
	"slices"

	"github.com/lockstep-sim/lockstep/cudart/rt/graph"
)

// Results of cudaGraphExecUpdate.
const (
	updateDone            = 0
	updateError           = 1
	updateTopology        = 2
	updateNodeType        = 3
	updateFunction        = 4
	updateParameters      = 5
	updateNotSupported    = 6
	updateFunctionContext = 7
	updateAttributes      = 8
)

// Update is what became of cudaGraphExecUpdate: a result and the node that is to
// blame, and the one that an edge comes from.
type Update struct {
	Result     int32
	Node, From uint64
}

// GraphExecUpdate is cudaGraphExecUpdate.
func (t *Thread) GraphExecUpdate(handle, with uint64) (Update, error) {
	defer t.lock()()
	x, err := t.runtime.exec(handle)
	if err != nil {
		return Update{Result: updateError}, err
	}
	g, err := t.runtime.graph(with)
	if err != nil {
		return Update{Result: updateError}, err
	}
	pairs, u := compare(x.graph, g)
	if t.runtime.config.Major < 12 && !sameNumbers(x.graph, g) {
		u = Update{Result: updateNotSupported}
	}
	if u.Result != updateDone {
		return u, fail(ErrGraphExecUpdate, "the graph differs from the executable: result %d", u.Result)
	}
	for _, p := range pairs {
		if _, ok := p.New.Work.(graph.Parent); !ok {
			p.Old.Work = p.New.Work
		}
	}
	x.steps = nil
	return u, nil
}

// sameNumbers reports that nodes have the same places in the order of creation, as
// CUDA 11 wants it (measured).
func sameNumbers(a, b *graph.Graph) bool {
	return slices.EqualFunc(a.Nodes(), b.Nodes(), func(n, m *graph.Node) bool { return n.ID == m.ID })
}

// compare pairs the nodes of an executable with those of a graph, and finds the
// first that cannot take the other's place.
func compare(old, new *graph.Graph) ([]graph.Pair, Update) {
	pairs, at, ok := graph.Match(old, new)
	if !ok {
		u := Update{Result: updateTopology}
		if at != nil {
			u.Node = at.Handle
		}
		return nil, u
	}
	all := pairs
	for _, p := range pairs {
		if r := exchangeable(p.Old.Work.(task), p.New.Work.(task)); r != updateDone {
			return nil, Update{Result: r, Node: p.New.Handle}
		}
		inner, ok := p.New.Work.(graph.Parent)
		if !ok {
			continue
		}
		before := p.Old.Work.(graph.Parent).Children()
		for i, c := range inner.Children() {
			more, u := compare(before[i], c)
			if u.Result != updateDone {
				return nil, u
			}
			all = append(all, more...)
		}
	}
	return all, Update{}
}

// exchangeable says whether a node of an executable may do other work.
func exchangeable(old, new task) int32 {
	if old.kind() != new.kind() {
		return updateNodeType
	}
	switch a := old.(type) {
	case *kernelTask:
		return sameKernel(a, new.(*kernelTask))
	case *copyTask:
		if !sameCopy(a, new.(*copyTask)) {
			return updateParameters
		}
	case *setTask:
		if !sameSet(a, new.(*setTask)) {
			return updateParameters
		}
	case *allocTask:
		if a.block != new.(*allocTask).block {
			return updateParameters
		}
	case *conditionTask:
		b := new.(*conditionTask)
		if a.form != b.form || len(a.bodies) != len(b.bodies) {
			return updateParameters
		}
	}
	return updateDone
}

func sameKernel(a, b *kernelTask) int32 {
	if a.context != b.context {
		return updateFunctionContext
	}
	if a.launch.Cooperative != b.launch.Cooperative {
		return updateAttributes
	}
	return updateDone
}

// sameCopy reports that both ends are in the same kind of memory of the same
// device, and that as many dimensions are copied.
func sameCopy(a, b *copyTask) bool {
	return a.context == b.context && a.context.sideOf(a.dst) == b.context.sideOf(b.dst) &&
		a.context.sideOf(a.src) == b.context.sideOf(b.src)
}

// sameSet reports that both sets are of the same device and dimensions.
func sameSet(a, b *setTask) bool {
	return a.context == b.context && (a.set.Height > 1) == (b.set.Height > 1)
}

// own finds the node of an executable that was made from a node of the program.
func (x *executable) own(t *Thread, handle uint64) (*graph.Node, error) {
	n, err := t.runtime.node(handle)
	if err != nil {
		return nil, err
	}
	m, ok := x.nodes[n]
	if !ok {
		return nil, fail(ErrInvalidValue, "the executable was not made from the node's graph")
	}
	return m, nil
}

// execReplace gives a node of an executable other work.
func (t *Thread) execReplace(handle, node uint64, k task) error {
	defer t.lock()()
	x, err := t.runtime.exec(handle)
	if err != nil {
		return err
	}
	n, err := x.own(t, node)
	if err != nil {
		return err
	}
	if r := exchangeable(n.Work.(task), k); r != updateDone {
		return fail(ErrInvalidValue, "the node cannot do this: result %d", r)
	}
	n.Work = k
	x.steps = nil
	return nil
}

// GraphExecKernelNodeSetParams is cudaGraphExecKernelNodeSetParams.
func (t *Thread) GraphExecKernelNodeSetParams(exec, node uint64, l Launch) error {
	k, err := t.kernelHere(l)
	if err != nil {
		return err
	}
	unlock := t.lock()
	_, old, err := taskOf[*kernelTask](t, node)
	unlock()
	if err != nil {
		return err
	}
	if k.launch.green != old.launch.green {
		return fail(ErrInvalidValue, "the kernel's context changes")
	}
	return t.execReplace(exec, node, k.with(old.attributes))
}

// GraphExecMemcpyNodeSetParams is cudaGraphExecMemcpyNodeSetParams.
func (t *Thread) GraphExecMemcpyNodeSetParams(exec, node uint64, p Copy3D) error {
	k, err := t.copyHere(p)
	if err != nil {
		return err
	}
	return t.execReplace(exec, node, k)
}

// GraphExecMemsetNodeSetParams is cudaGraphExecMemsetNodeSetParams.
func (t *Thread) GraphExecMemsetNodeSetParams(exec, node uint64, m Memset) error {
	k, err := t.setHere(m)
	if err != nil {
		return err
	}
	return t.execReplace(exec, node, k)
}

// GraphExecHostNodeSetParams is cudaGraphExecHostNodeSetParams.
func (t *Thread) GraphExecHostNodeSetParams(exec, node uint64, f HostCall) error {
	k, err := t.hostHere(f)
	if err != nil {
		return err
	}
	return t.execReplace(exec, node, k)
}

// GraphExecEventNodeSetEvent is cudaGraphExecEventRecordNodeSetEvent and
// cudaGraphExecEventWaitNodeSetEvent.
func (t *Thread) GraphExecEventNodeSetEvent(exec, node, event uint64, record bool) error {
	e, err := t.nodeEvent(event)
	if err != nil {
		return err
	}
	return t.execReplace(exec, node, &eventTask{e, event, record})
}

// GraphExecChildGraphNodeSetParams is cudaGraphExecChildGraphNodeSetParams.
func (t *Thread) GraphExecChildGraphNodeSetParams(exec, node, child uint64) error {
	defer t.lock()()
	x, err := t.runtime.exec(exec)
	if err != nil {
		return err
	}
	n, err := x.own(t, node)
	if err != nil {
		return err
	}
	k, ok := n.Work.(*childTask)
	if !ok {
		return fail(ErrInvalidValue, "the node has no child graph")
	}
	g, err := t.runtime.graph(child)
	if err != nil {
		return err
	}
	pairs, u := compare(k.graph, g)
	if u.Result != updateDone {
		return fail(ErrGraphExecUpdate, "the child graph differs: result %d", u.Result)
	}
	for _, p := range pairs {
		if _, ok := p.New.Work.(graph.Parent); !ok {
			p.Old.Work = p.New.Work
		}
	}
	x.steps = nil
	return nil
}

// canDisable finds a node that can be switched off: kernels, copies and sets.
func (x *executable) canDisable(t *Thread, handle uint64) (*graph.Node, error) {
	n, err := x.own(t, handle)
	if err != nil {
		return nil, err
	}
	if kind := n.Work.(task).kind(); kind > NodeMemset {
		return nil, fail(ErrInvalidValue, "a node of kind %d cannot be switched off", kind)
	}
	return n, nil
}

// GraphNodeSetEnabled is cudaGraphNodeSetEnabled.
func (t *Thread) GraphNodeSetEnabled(exec, node uint64, on bool) error {
	defer t.lock()()
	x, err := t.runtime.exec(exec)
	if err != nil {
		return err
	}
	n, err := x.canDisable(t, node)
	if err != nil {
		return err
	}
	x.disabled[n] = !on
	x.steps = nil
	return nil
}

// GraphNodeGetEnabled is cudaGraphNodeGetEnabled.
func (t *Thread) GraphNodeGetEnabled(exec, node uint64) (bool, error) {
	defer t.lock()()
	x, err := t.runtime.exec(exec)
	if err != nil {
		return false, err
	}
	n, err := x.canDisable(t, node)
	if err != nil {
		return false, err
	}
	return !x.disabled[n], nil
}
