package rt

import (
	"encoding/binary"

	"github.com/lockstep-sim/lockstep/cudart/rt/graph"
	"github.com/lockstep-sim/lockstep/stream"
)

// Types of conditional nodes.
const (
	conditionIf     = 0
	conditionWhile  = 1
	conditionSwitch = 2
)

// conditionDefault is the flag of a condition whose value is set at each launch.
const conditionDefault = 1

// condition is a value in device memory that kernels set and conditional nodes
// read. Its handle is its address: cudaGraphSetConditional writes there.
type condition struct {
	context *Context
	addr    uint64
	initial uint32
	flags   uint32
	used    bool // a node has it
	uses    int  // of the graph and its executables
}

// read is the value.
func (k *condition) read() (uint32, error) {
	var b [4]byte
	err := k.context.memory.Read(k.addr, b[:])
	return binary.LittleEndian.Uint32(b[:]), err
}

// reset is the step that gives the condition its value at a launch.
func (k *condition) reset() stream.Step {
	return k.context.step(stream.Do(func() error {
		return k.context.memory.Write(k.addr, binary.LittleEndian.AppendUint32(nil, k.initial))
	}))
}

// GraphConditionalHandleCreate is cudaGraphConditionalHandleCreate.
func (t *Thread) GraphConditionalHandleCreate(handle uint64, initial, flags uint32) (uint64, error) {
	c, err := t.context()
	if err != nil {
		return 0, err
	}
	if flags&^conditionDefault != 0 {
		return 0, fail(ErrInvalidValue, "flags %#x of a condition", flags)
	}
	defer t.lock()()
	g, err := t.runtime.graph(handle)
	if err != nil {
		return 0, err
	}
	addr, err := c.memory.Alloc(conditionBytes, conditionBytes)
	if err != nil {
		return 0, err
	}
	if err := c.memory.Set(addr, 0, 1, conditionBytes); err != nil {
		return 0, err
	}
	if t.runtime.graphs.handles == nil {
		t.runtime.graphs.handles = map[*graph.Graph][]*condition{}
	}
	top := outermost(g)
	t.runtime.graphs.handles[top] = append(t.runtime.graphs.handles[top], &condition{context: c, addr: addr, initial: initial, flags: flags, uses: 1})
	return addr, nil
}

// conditionBytes is what a condition takes of device memory.
const conditionBytes = 256

// outermost is the graph that is in no other.
func outermost(g *graph.Graph) *graph.Graph {
	for g.Owner != nil && g.Owner.Graph() != nil {
		g = g.Owner.Graph()
	}
	return g
}

// release ends one use; after the last, the memory is the device's again.
func (k *condition) release() {
	if k.uses--; k.uses == 0 {
		_ = k.context.memory.Free(k.addr) // the memory is the graph's own
	}
}

// conditionTask executes one of its graphs, or none.
type conditionTask struct {
	condition *condition
	form      int32
	bodies    []*graph.Graph
	told      []uint64 // handles of the bodies, which the program may read
}

func (k *conditionTask) kind() int32              { return NodeConditional }
func (k *conditionTask) step() stream.Step        { return stream.Step{} }
func (k *conditionTask) Children() []*graph.Graph { return k.bodies }

// With implements graph.Parent.
func (k *conditionTask) With(bodies []*graph.Graph) graph.Work {
	return &conditionTask{condition: k.condition, form: k.form, bodies: bodies}
}

// choose is the number of the body that a value asks for, -1 for none.
func (k *conditionTask) choose(value uint32) int {
	switch {
	case k.form == conditionSwitch && uint64(value) < uint64(len(k.bodies)):
		return int(value)
	case k.form == conditionSwitch:
		return -1
	case value != 0:
		return 0
	case k.form == conditionIf && len(k.bodies) == 2:
		return 1
	}
	return -1
}

// repeat is the command of a node whose bodies are steps. A loop asks again
// after each turn; the others do not.
func (k *conditionTask) repeat(bodies [][]stream.Step) stream.Command {
	entered := false
	return stream.Repeat(func() ([]stream.Step, error) {
		if entered && k.form != conditionWhile {
			entered = false
			return nil, nil
		}
		value, err := k.condition.read()
		if err != nil {
			return nil, err
		}
		i := k.choose(value)
		if entered = i >= 0; !entered {
			return nil, nil
		}
		return bodies[i], nil
	})
}

// GraphAddConditionalNode is cudaGraphAddNode for conditional nodes. It returns
// the graphs of the bodies, a list that stays as long as the node.
func (t *Thread) GraphAddConditionalNode(handle uint64, after []Dependency, condition uint64, form int32, size uint32) (node uint64, bodies []uint64, err error) {
	defer t.lock()()
	g, err := t.runtime.graph(handle)
	if err != nil {
		return 0, nil, err
	}
	if err := checkCondition(form, size); err != nil {
		return 0, nil, err
	}
	h, err := t.runtime.condition(g, condition)
	if err != nil {
		return 0, nil, err
	}
	k := &conditionTask{condition: h, form: form}
	for range size {
		k.bodies = append(k.bodies, &graph.Graph{})
	}
	if node, err = t.insert(g, after, k); err != nil {
		return 0, nil, err
	}
	h.used = true
	for _, b := range k.bodies {
		k.told = append(k.told, b.Handle)
	}
	return node, k.told, nil
}

// GraphConditionalNodeParams is cudaGraphNodeGetParams for conditional nodes: what the node was made with, and the list of the
// bodies' graphs, which stays as long as the node.
func (t *Thread) GraphConditionalNodeParams(handle uint64) (condition uint64, form int32, bodies []uint64, err error) {
	defer t.lock()()
	_, k, err := taskOf[*conditionTask](t, handle)
	if err != nil {
		return 0, 0, nil, err
	}
	if k.told == nil { // the node is a copy
		for _, b := range k.bodies {
			k.told = append(k.told, b.Handle)
		}
	}
	return k.condition.addr, k.form, k.told, nil
}

// checkCondition compares a node's form with the number of its bodies.
func checkCondition(form int32, size uint32) error {
	most := map[int32]uint32{conditionIf: 2, conditionWhile: 1, conditionSwitch: 1 << 16}
	if size == 0 || size > most[form] {
		return fail(ErrInvalidValue, "a conditional node of type %d with %d bodies", form, size)
	}
	return nil
}

// condition finds a graph's condition that no node has yet.
func (r *Runtime) condition(g *graph.Graph, handle uint64) (*condition, error) {
	for _, k := range r.graphs.handles[outermost(g)] {
		if k.addr == handle && !k.used {
			return k, nil
		}
	}
	return nil, fail(ErrInvalidValue, "%#x is no condition of the graph, or in use", handle)
}
