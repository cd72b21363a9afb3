package rt

import (
	"encoding/binary"

	"github.com/lockstep-sim/lockstep/cudart/rt/graph"
)

// Nodes of each kind: adding them, asking for their parameters, changing them.

// kernelHere checks a launch in the thread's context.
func (t *Thread) kernelHere(l Launch) (*kernelTask, error) {
	c, err := t.context()
	if err != nil {
		return nil, err
	}
	l.runIn(t.greenOf(LegacyStream))
	if l.Context != 0 {
		b, err := t.ctx(l.Context)
		if err != nil {
			return nil, err
		}
		if c, err = b.context(); err != nil {
			return nil, err
		}
		l.runIn(b.green)
	}
	k, err := t.kernelTask(c, l)
	if CodeOf(err) == ErrInvalidConfiguration {
		err = fail(ErrInvalidValue, "%v", err) // in all majors (measured)
	}
	return k, err
}

// GraphAddKernelNode is cudaGraphAddKernelNode.
func (t *Thread) GraphAddKernelNode(g uint64, after []Dependency, l Launch) (uint64, error) {
	k, err := t.kernelHere(l)
	if err != nil {
		return 0, err
	}
	return t.addNode(g, after, k)
}

// KernelNode is what a kernel node launches. Pointers has room for the address
// of each parameter in Launch.Packed, at its offset.
type KernelNode struct {
	Launch   Launch
	Offsets  []uint32
	Pointers []uint64
	Context  uint64 // handle
}

// GraphKernelNodeGetParams is cudaGraphKernelNodeGetParams. What it gives stays
// as long as the node's parameters.
func (t *Thread) GraphKernelNodeGetParams(handle uint64) (KernelNode, error) {
	defer t.lock()()
	_, k, err := taskOf[*kernelTask](t, handle)
	if err != nil {
		return KernelNode{}, err
	}
	if k.pointers == nil {
		k.pointers = make([]uint64, len(k.kernel.Params)+1)
	}
	p := KernelNode{Launch: k.launch, Pointers: k.pointers, Context: t.ctxOfTask(k)}
	for _, x := range k.kernel.Params {
		p.Offsets = append(p.Offsets, uint32(x.Offset))
	}
	return p, nil
}

// ctxOfTask is the handle of the context that a kernel of a graph runs in.
func (t *Thread) ctxOfTask(k *kernelTask) uint64 {
	if k.launch.green != nil {
		return t.ctxOfGreen(k.launch.green)
	}
	return t.ctxOf(k.context)
}

// GraphKernelNodeSetParams is cudaGraphKernelNodeSetParams. Attributes stay.
func (t *Thread) GraphKernelNodeSetParams(handle uint64, l Launch) error {
	k, err := t.kernelHere(l)
	if err != nil {
		return err
	}
	defer t.lock()()
	n, old, err := taskOf[*kernelTask](t, handle)
	if err != nil {
		return err
	}
	n.Work = k.with(old.attributes)
	return nil
}

// nodeAttributes are the attributes that kernel nodes have.
var nodeAttributes = []int32{1, 2, 4, 5, 8, 9, 10, 11, 13, 14}

// GraphKernelNodeSetAttribute is cudaGraphKernelNodeSetAttribute.
func (t *Thread) GraphKernelNodeSetAttribute(handle uint64, id int32, value [AttributeBytes]byte) error {
	defer t.lock()()
	n, k, err := taskOf[*kernelTask](t, handle)
	if err != nil {
		return err
	}
	if err := checkNodeAttribute(id); err != nil {
		return err
	}
	if id == attributePriority {
		p := min(max(int32(binary.LittleEndian.Uint32(value[:])), greatestPriority), leastPriority)
		binary.LittleEndian.PutUint32(value[:], uint32(p))
	}
	changed := k.set(id, value)
	if id == attrClusterDimension {
		l := k.launch
		l.Cluster = clusterOf(value)
		if err := changed.check(&l); err != nil && *l.Cluster != [3]uint32{} {
			return err
		}
	}
	n.Work = changed
	return nil
}

func checkNodeAttribute(id int32) error {
	for _, known := range nodeAttributes {
		if id == known {
			return nil
		}
	}
	return fail(ErrInvalidValue, "attribute %d of a kernel node", id)
}

// GraphKernelNodeGetAttribute is cudaGraphKernelNodeGetAttribute; an attribute
// that was never set is zero.
func (t *Thread) GraphKernelNodeGetAttribute(handle uint64, id int32) (value [AttributeBytes]byte, err error) {
	defer t.lock()()
	_, k, err := taskOf[*kernelTask](t, handle)
	if err != nil {
		return value, err
	}
	if err := checkNodeAttribute(id); err != nil {
		return value, err
	}
	value, set := k.attributes[id]
	if id == attrCooperative && !set && k.launch.Cooperative {
		value[0] = 1
	}
	return value, nil
}

// GraphKernelNodeCopyAttributes is cudaGraphKernelNodeCopyAttributes.
func (t *Thread) GraphKernelNodeCopyAttributes(dst, src uint64) error {
	defer t.lock()()
	_, from, err := taskOf[*kernelTask](t, src)
	if err != nil {
		return err
	}
	n, to, err := taskOf[*kernelTask](t, dst)
	if err != nil {
		return err
	}
	n.Work = to.with(from.attributes)
	return nil
}

// copyTask makes the work of a copy that is checked already.
func (c *Context) copyTask(dst, src region, b box, kind int) *copyTask {
	end := func(r region) End { return End{Memory: Volume{Addr: r.addr, Pitch: r.pitch}} }
	return &copyTask{c, dst, src, b, Copy3D{end(dst), end(src), Extent{b.width, b.height, b.depth}, kind}}
}

// copyHere checks a copy in the thread's context.
func (t *Thread) copyHere(p Copy3D) (*copyTask, error) {
	c, err := t.context()
	if err != nil {
		return nil, err
	}
	if p.Kind < hostToHost || p.Kind > anyDirection {
		return nil, fail(ErrInvalidMemcpyDirection, "copy kind %d", p.Kind)
	}
	unit, err := t.elementOf(p.Dst, p.Src)
	if err != nil {
		return nil, err
	}
	b := box{p.Extent.Width * unit, p.Extent.Height, p.Extent.Depth}
	if b.empty() {
		return nil, fail(ErrInvalidValue, "a copy of nothing")
	}
	to, err := t.end(p.Dst, b)
	if err != nil {
		return nil, err
	}
	from, err := t.end(p.Src, b)
	if err != nil {
		return nil, err
	}
	if to.addr == 0 || from.addr == 0 {
		return nil, fail(ErrInvalidValue, "a copy from %#x to %#x", from.addr, to.addr)
	}
	if _, _, err := c.checkCopy(to, from, b, anyDirection); err != nil { // addresses tell the direction (measured)
		return nil, err
	}
	return &copyTask{c, to, from, b, p}, nil
}

// Line is the copy of n bytes as Copy3D has it.
func Line(dst, src, n uint64, kind int) Copy3D {
	end := func(addr uint64) End { return End{Memory: Volume{Addr: addr}} }
	return Copy3D{Dst: end(dst), Src: end(src), Extent: Extent{n, 1, 1}, Kind: kind}
}

// SymbolCopy is a copy to or from a device variable.
type SymbolCopy struct {
	Symbol, Memory, Bytes, Offset uint64
	Kind                          int
	From                          bool // from the variable
}

// Copy is the copy with the variable's address on the thread's device.
func (t *Thread) Copy(s SymbolCopy) (Copy3D, error) {
	wrong := hostToDevice
	if !s.From {
		wrong = deviceToHost
	}
	if s.Kind == wrong || s.Kind == hostToHost || s.Kind < 0 || s.Kind > anyDirection {
		return Copy3D{}, fail(ErrInvalidMemcpyDirection, "copy of kind %d", s.Kind)
	}
	addr, err := t.symbolPart(s.Symbol, s.Bytes, s.Offset)
	if err != nil {
		return Copy3D{}, err
	}
	if s.From {
		return Line(s.Memory, addr, s.Bytes, s.Kind), nil
	}
	return Line(addr, s.Memory, s.Bytes, s.Kind), nil
}

// GraphAddMemcpyNode is cudaGraphAddMemcpyNode.
func (t *Thread) GraphAddMemcpyNode(g uint64, after []Dependency, p Copy3D) (uint64, error) {
	k, err := t.copyHere(p)
	if err != nil {
		return 0, err
	}
	return t.addNode(g, after, k)
}

// GraphMemcpyNodeGetParams is cudaGraphMemcpyNodeGetParams.
func (t *Thread) GraphMemcpyNodeGetParams(handle uint64) (Copy3D, error) {
	defer t.lock()()
	_, k, err := taskOf[*copyTask](t, handle)
	if err != nil {
		return Copy3D{}, err
	}
	return k.copy, nil
}

// GraphMemcpyNodeSetParams is cudaGraphMemcpyNodeSetParams.
func (t *Thread) GraphMemcpyNodeSetParams(handle uint64, p Copy3D) error {
	k, err := t.copyHere(p)
	if err != nil {
		return err
	}
	return replace[*copyTask](t, handle, k)
}

// replace gives a node another task of its type.
func replace[T task](t *Thread, handle uint64, k T) error {
	defer t.lock()()
	n, _, err := taskOf[T](t, handle)
	if err != nil {
		return err
	}
	n.Work = k
	return nil
}

// setHere checks a set in the thread's context.
func (t *Thread) setHere(m Memset) (*setTask, error) {
	c, err := t.context()
	if err != nil {
		return nil, err
	}
	m.depth = 1
	if m.Size != 1 && m.Size != 2 && m.Size != 4 {
		return nil, fail(ErrInvalidValue, "elements of %d bytes", m.Size)
	}
	if m.Dst%uint64(m.Size) != 0 {
		return nil, fail(ErrInvalidValue, "elements of %d bytes at %#x", m.Size, m.Dst)
	}
	if m.Height > 1 && m.Pitch%uint64(m.Size) != 0 {
		return nil, fail(ErrInvalidValue, "elements of %d bytes in rows %d bytes apart", m.Size, m.Pitch)
	}
	if m.box().empty() {
		return nil, fail(ErrInvalidValue, "a set of nothing")
	}
	if err := c.checkSet(&m); err != nil {
		return nil, err
	}
	return &setTask{c, m}, nil
}

// GraphAddMemsetNode is cudaGraphAddMemsetNode.
func (t *Thread) GraphAddMemsetNode(g uint64, after []Dependency, m Memset) (uint64, error) {
	k, err := t.setHere(m)
	if err != nil {
		return 0, err
	}
	return t.addNode(g, after, k)
}

// GraphMemsetNodeGetParams is cudaGraphMemsetNodeGetParams.
func (t *Thread) GraphMemsetNodeGetParams(handle uint64) (Memset, error) {
	defer t.lock()()
	_, k, err := taskOf[*setTask](t, handle)
	if err != nil {
		return Memset{}, err
	}
	return k.set, nil
}

// GraphMemsetNodeSetParams is cudaGraphMemsetNodeSetParams.
func (t *Thread) GraphMemsetNodeSetParams(handle uint64, m Memset) error {
	k, err := t.setHere(m)
	if err != nil {
		return err
	}
	return replace[*setTask](t, handle, k)
}

// hostHere checks a call of the program in the thread's context.
func (t *Thread) hostHere(f HostCall) (*hostTask, error) {
	c, err := t.context()
	if err != nil {
		return nil, err
	}
	if f.Function == 0 {
		return nil, fail(ErrInvalidValue, "no function")
	}
	return &hostTask{c, f}, nil
}

// GraphAddHostNode is cudaGraphAddHostNode.
func (t *Thread) GraphAddHostNode(g uint64, after []Dependency, f HostCall) (uint64, error) {
	k, err := t.hostHere(f)
	if err != nil {
		return 0, err
	}
	return t.addNode(g, after, k)
}

// GraphHostNodeGetParams is cudaGraphHostNodeGetParams.
func (t *Thread) GraphHostNodeGetParams(handle uint64) (HostCall, error) {
	defer t.lock()()
	_, k, err := taskOf[*hostTask](t, handle)
	if err != nil {
		return HostCall{}, err
	}
	return k.call, nil
}

// GraphHostNodeSetParams is cudaGraphHostNodeSetParams.
func (t *Thread) GraphHostNodeSetParams(handle uint64, f HostCall) error {
	k, err := t.hostHere(f)
	if err != nil {
		return err
	}
	return replace[*hostTask](t, handle, k)
}

// GraphAddEmptyNode is cudaGraphAddEmptyNode.
func (t *Thread) GraphAddEmptyNode(g uint64, after []Dependency) (uint64, error) {
	return t.addNode(g, after, emptyTask{})
}

// GraphAddChildGraphNode is cudaGraphAddChildGraphNode: the node holds a copy of
// the child, or with move the child itself.
func (t *Thread) GraphAddChildGraphNode(g uint64, after []Dependency, child uint64, move bool) (uint64, error) {
	defer t.lock()()
	parent, err := t.runtime.graph(g)
	if err != nil {
		return 0, err
	}
	inner, err := t.runtime.graph(child)
	if err != nil {
		return 0, err
	}
	if move {
		return t.moveChild(parent, after, inner)
	}
	if err := copyable(inner); err != nil {
		return 0, err
	}
	c := inner.Clone()
	h, err := t.insert(parent, after, &childTask{c})
	if err == nil {
		t.runtime.share(inner, c)
	}
	return h, err
}

// moveChild makes a graph the child of a node.
func (t *Thread) moveChild(parent *graph.Graph, after []Dependency, inner *graph.Graph) (uint64, error) {
	if inner.Owner != nil || inner == parent {
		return 0, fail(ErrInvalidValue, "the graph belongs to a node already")
	}
	edges, err := t.runtime.edges(parent, after)
	if err != nil {
		return 0, err
	}
	n, err := parent.Add(&childTask{inner}, edges...)
	if err != nil {
		return 0, err
	}
	n.Handle = t.runtime.graphs.nodes.add(n)
	return n.Handle, nil
}

// GraphChildGraphNodeGetGraph is cudaGraphChildGraphNodeGetGraph.
func (t *Thread) GraphChildGraphNodeGetGraph(handle uint64) (uint64, error) {
	defer t.lock()()
	_, k, err := taskOf[*childTask](t, handle)
	if err != nil {
		return 0, err
	}
	return k.graph.Handle, nil
}

// nodeEvent finds the event of a node.
func (t *Thread) nodeEvent(handle uint64) (*Event, error) {
	if handle == 0 {
		return nil, fail(ErrInvalidValue, "no event")
	}
	return t.event(handle)
}

// GraphAddEventNode is cudaGraphAddEventRecordNode and cudaGraphAddEventWaitNode.
func (t *Thread) GraphAddEventNode(g uint64, after []Dependency, event uint64, record bool) (uint64, error) {
	e, err := t.nodeEvent(event)
	if err != nil {
		return 0, err
	}
	return t.addNode(g, after, &eventTask{e, event, record})
}

// eventNode finds an event node of a kind.
func (t *Thread) eventNode(handle uint64, record bool) (*graph.Node, *eventTask, error) {
	n, k, err := taskOf[*eventTask](t, handle)
	if err == nil && k.record != record {
		err = fail(ErrInvalidValue, "the node is of kind %d", k.kind())
	}
	return n, k, err
}

// GraphEventNodeGetEvent is cudaGraphEventRecordNodeGetEvent and
// cudaGraphEventWaitNodeGetEvent.
func (t *Thread) GraphEventNodeGetEvent(handle uint64, record bool) (uint64, error) {
	defer t.lock()()
	_, k, err := t.eventNode(handle, record)
	if err != nil {
		return 0, err
	}
	return k.handle, nil
}

// GraphEventNodeSetEvent is cudaGraphEventRecordNodeSetEvent and
// cudaGraphEventWaitNodeSetEvent.
func (t *Thread) GraphEventNodeSetEvent(handle, event uint64, record bool) error {
	e, err := t.nodeEvent(event)
	if err != nil {
		return err
	}
	defer t.lock()()
	n, _, err := t.eventNode(handle, record)
	if err != nil {
		return err
	}
	n.Work = &eventTask{e, event, record}
	return nil
}

// semaphores checks the list of a node with external semaphores, which must be
// empty: none can be imported.
func semaphores(count uint32) error {
	if count > 0 {
		return fail(ErrInvalidValue, "%d external semaphores, of which none was imported", count)
	}
	return nil
}

// GraphAddSemaphoreNode is cudaGraphAddExternalSemaphoresSignalNode and
// cudaGraphAddExternalSemaphoresWaitNode.
func (t *Thread) GraphAddSemaphoreNode(g uint64, after []Dependency, count uint32, signal bool) (uint64, error) {
	if err := semaphores(count); err != nil {
		return 0, err
	}
	return t.addNode(g, after, &semaphoreTask{signal})
}

// semaphoreNode finds a node with external semaphores of a kind.
func (t *Thread) semaphoreNode(handle uint64, signal bool) error {
	_, k, err := taskOf[*semaphoreTask](t, handle)
	if err == nil && k.signal != signal {
		err = fail(ErrInvalidValue, "the node is of kind %d", k.kind())
	}
	return err
}

// GraphSemaphoreNode checks that a node has external semaphores, of which there
// are none (cudaGraphExternalSemaphoresSignalNodeGetParams and its relatives).
func (t *Thread) GraphSemaphoreNode(handle uint64, signal bool) error {
	defer t.lock()()
	return t.semaphoreNode(handle, signal)
}

// GraphSemaphoreNodeSetParams is cudaGraphExternalSemaphoresSignalNodeSetParams
// and its relatives.
func (t *Thread) GraphSemaphoreNodeSetParams(handle uint64, count uint32, signal bool) error {
	defer t.lock()()
	if err := t.semaphoreNode(handle, signal); err != nil {
		return err
	}
	return semaphores(count)
}

// GraphExecSemaphoreNodeSetParams is
// cudaGraphExecExternalSemaphoresSignalNodeSetParams and its relative.
func (t *Thread) GraphExecSemaphoreNodeSetParams(exec, node uint64, count uint32, signal bool) error {
	if err := semaphores(count); err != nil {
		return err
	}
	return t.execReplace(exec, node, &semaphoreTask{signal})
}
