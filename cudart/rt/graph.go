package rt

import (
	"io"

	"github.com/lockstep-sim/lockstep/cudart/rt/graph"
)

// graphs are a process's graphs by their handles. What they are made of is under
// the lock of captures, which make graphs too.
type graphs struct {
	all     table[*graph.Graph]
	nodes   table[*graph.Node]
	execs   table[*executable]
	objects table[*userObject]
	held    map[*graph.Graph]*references // user objects
	memory  map[*graph.Graph]*graphMemory
	handles map[*graph.Graph][]*condition
}

// name gives a node and the graphs inside handles.
func (r *Runtime) name(n *graph.Node) {
	n.Handle = r.graphs.nodes.add(n)
	if p, ok := n.Work.(graph.Parent); ok {
		for _, g := range p.Children() {
			r.nameGraph(g)
		}
	}
}

// nameGraph gives a graph and all in it handles.
func (r *Runtime) nameGraph(g *graph.Graph) {
	g.Handle = r.graphs.all.add(g)
	for _, n := range g.Nodes() {
		r.name(n)
	}
}

// forget takes the handles of a node and of the graphs inside away.
func (r *Runtime) forget(n *graph.Node) {
	r.graphs.nodes.take(n.Handle)
	if p, ok := n.Work.(graph.Parent); ok {
		for _, g := range p.Children() {
			r.destroyGraph(g)
		}
	}
}

// destroyGraph takes a graph's handles away and lets go of what it holds.
func (r *Runtime) destroyGraph(g *graph.Graph) {
	for _, n := range g.Nodes() {
		r.forget(n)
	}
	r.graphs.all.take(g.Handle)
	r.releaseAll(g)
	r.releaseMemory(g)
	for _, k := range r.graphs.handles[g] {
		k.release()
	}
	delete(r.graphs.handles, g)
}

// graph finds a graph by its handle.
func (r *Runtime) graph(handle uint64) (*graph.Graph, error) {
	g, ok := r.graphs.all.get(handle)
	if !ok {
		return nil, fail(ErrInvalidValue, "no graph has handle %#x", handle)
	}
	return g, nil
}

// node finds a node by its handle.
func (r *Runtime) node(handle uint64) (*graph.Node, error) {
	n, ok := r.graphs.nodes.get(handle)
	if !ok {
		return nil, fail(ErrInvalidValue, "no node has handle %#x", handle)
	}
	return n, nil
}

// Dependency is a node that another waits for, by its handle, and what the edge
// carries.
type Dependency struct {
	Node uint64
	Data graph.Data
}

// edges finds the nodes of a list in a graph.
func (r *Runtime) edges(g *graph.Graph, list []Dependency) ([]graph.Edge, error) {
	var edges []graph.Edge
	for _, d := range list {
		n, err := r.node(d.Node)
		if err != nil {
			return nil, err
		}
		if n.Graph() != g {
			return nil, graph.ErrForeign
		}
		edges = append(edges, graph.Edge{From: n, Data: d.Data})
	}
	return edges, nil
}

// lock takes the lock of the graphs; the result gives it back.
func (t *Thread) lock() (unlock func()) {
	x := &t.runtime.captures
	x.mu.Lock()
	return x.mu.Unlock
}

// GraphCreate is cudaGraphCreate.
func (t *Thread) GraphCreate(flags uint32) (uint64, error) {
	if flags != 0 {
		return 0, fail(ErrInvalidValue, "graph flags %#x", flags)
	}
	defer t.lock()()
	g := &graph.Graph{}
	t.runtime.nameGraph(g)
	return g.Handle, nil
}

// GraphDestroy is cudaGraphDestroy. Graphs inside others go with them.
func (t *Thread) GraphDestroy(handle uint64) error {
	defer t.lock()()
	g, err := t.runtime.graph(handle)
	if err != nil {
		return err
	}
	if g.Owner != nil {
		return fail(ErrInvalidValue, "the graph belongs to a node of another graph")
	}
	t.runtime.destroyGraph(g)
	return nil
}

// GraphClone is cudaGraphClone.
func (t *Thread) GraphClone(handle uint64) (uint64, error) {
	defer t.lock()()
	g, err := t.runtime.graph(handle)
	if err != nil {
		return 0, err
	}
	if err := copyable(g); err != nil {
		return 0, err
	}
	c := g.Clone()
	t.runtime.nameGraph(c)
	t.runtime.share(g, c)
	return c.Handle, nil
}

// copyable refuses copies of graphs with memory or conditions of their own.
func copyable(g *graph.Graph) (err error) {
	g.Walk(func(n *graph.Node) {
		switch kind := n.Work.(task).kind(); kind {
		case NodeMemAlloc, NodeMemFree, NodeConditional:
			err = fail(ErrNotSupported, "a graph with a node of kind %d cannot be copied", kind)
		}
	})
	return err
}

// GraphNodeFindInClone is cudaGraphNodeFindInClone.
func (t *Thread) GraphNodeFindInClone(original, clone uint64) (uint64, error) {
	defer t.lock()()
	n, err := t.runtime.node(original)
	if err != nil {
		return 0, err
	}
	g, err := t.runtime.graph(clone)
	if err != nil {
		return 0, err
	}
	found, ok := g.Find(n)
	if !ok {
		return 0, fail(ErrInvalidValue, "the graph is not a clone with a copy of the node")
	}
	return found.Handle, nil
}

func handlesOf(nodes []*graph.Node) []uint64 {
	var handles []uint64
	for _, n := range nodes {
		handles = append(handles, n.Handle)
	}
	return handles
}

// GraphGetNodes is cudaGraphGetNodes.
func (t *Thread) GraphGetNodes(handle uint64) ([]uint64, error) {
	defer t.lock()()
	g, err := t.runtime.graph(handle)
	if err != nil {
		return nil, err
	}
	return handlesOf(g.Nodes()), nil
}

// GraphGetRootNodes is cudaGraphGetRootNodes.
func (t *Thread) GraphGetRootNodes(handle uint64) ([]uint64, error) {
	defer t.lock()()
	g, err := t.runtime.graph(handle)
	if err != nil {
		return nil, err
	}
	return handlesOf(g.Roots()), nil
}

// GraphEdge is an edge by the handles of its nodes.
type GraphEdge struct {
	From, To uint64
	Data     graph.Data
}

// GraphGetEdges is cudaGraphGetEdges.
func (t *Thread) GraphGetEdges(handle uint64) ([]GraphEdge, error) {
	defer t.lock()()
	g, err := t.runtime.graph(handle)
	if err != nil {
		return nil, err
	}
	return named(g.Edges()), nil
}

func named(edges []graph.Edge) []GraphEdge {
	var all []GraphEdge
	for _, e := range edges {
		all = append(all, GraphEdge{e.From.Handle, e.To.Handle, e.Data})
	}
	return all
}

// GraphNodeGetDependencies is cudaGraphNodeGetDependencies.
func (t *Thread) GraphNodeGetDependencies(handle uint64) ([]GraphEdge, error) {
	defer t.lock()()
	n, err := t.runtime.node(handle)
	if err != nil {
		return nil, err
	}
	return named(n.Before()), nil
}

// GraphNodeGetDependentNodes is cudaGraphNodeGetDependentNodes.
func (t *Thread) GraphNodeGetDependentNodes(handle uint64) ([]GraphEdge, error) {
	defer t.lock()()
	n, err := t.runtime.node(handle)
	if err != nil {
		return nil, err
	}
	return named(n.After()), nil
}

// GraphAddDependencies is cudaGraphAddDependencies.
func (t *Thread) GraphAddDependencies(handle uint64, edges []GraphEdge) error {
	return t.changeEdges(handle, edges, (*graph.Graph).Connect, false)
}

// GraphRemoveDependencies is cudaGraphRemoveDependencies.
func (t *Thread) GraphRemoveDependencies(handle uint64, edges []GraphEdge) error {
	return t.changeEdges(handle, edges, (*graph.Graph).Disconnect, true)
}

// changeEdges applies a change; with fixed, not to the edges of nodes with memory.
func (t *Thread) changeEdges(handle uint64, list []GraphEdge, change func(*graph.Graph, []graph.Edge) error, fixed bool) error {
	defer t.lock()()
	g, err := t.runtime.graph(handle)
	if err != nil {
		return err
	}
	var edges []graph.Edge
	for _, e := range list {
		from, err := t.runtime.node(e.From)
		if err != nil {
			return err
		}
		to, err := t.runtime.node(e.To)
		if err != nil {
			return err
		}
		if fixed && (ownsMemory(from) || ownsMemory(to)) {
			return fail(ErrNotSupported, "edges of nodes that allocate or free memory stay")
		}
		edges = append(edges, graph.Edge{From: from, To: to, Data: e.Data})
	}
	return change(g, edges)
}

// ownsMemory reports a node that allocates or frees.
func ownsMemory(n *graph.Node) bool {
	kind := n.Work.(task).kind()
	return kind == NodeMemAlloc || kind == NodeMemFree
}

// GraphDestroyNode is cudaGraphDestroyNode.
func (t *Thread) GraphDestroyNode(handle uint64) error {
	defer t.lock()()
	n, err := t.runtime.node(handle)
	if err != nil {
		return err
	}
	if ownsMemory(n) {
		return fail(ErrNotSupported, "a node that allocates or frees memory stays")
	}
	t.runtime.forget(n)
	n.Remove()
	return nil
}

// GraphNodeGetType is cudaGraphNodeGetType.
func (t *Thread) GraphNodeGetType(handle uint64) (int32, error) {
	defer t.lock()()
	n, err := t.runtime.node(handle)
	if err != nil {
		return 0, err
	}
	return n.Work.(task).kind(), nil
}

// GraphNodeGetContainingGraph is cudaGraphNodeGetContainingGraph.
func (t *Thread) GraphNodeGetContainingGraph(handle uint64) (uint64, error) {
	defer t.lock()()
	n, err := t.runtime.node(handle)
	if err != nil {
		return 0, err
	}
	return n.Graph().Handle, nil
}

// GraphNodeGetLocalID is cudaGraphNodeGetLocalId: the node's number in its graph.
func (t *Thread) GraphNodeGetLocalID(handle uint64) (uint32, error) {
	defer t.lock()()
	n, err := t.runtime.node(handle)
	if err != nil {
		return 0, err
	}
	return n.ID, nil
}

// GraphGetID is cudaGraphGetId: a number that no other graph has.
func (t *Thread) GraphGetID(handle uint64) (uint32, error) {
	defer t.lock()()
	if _, err := t.runtime.graph(handle); err != nil {
		return 0, err
	}
	return uint32((handle - firstHandle) / handleStep), nil
}

// GraphNodeGetToolsID is cudaGraphNodeGetToolsId: the graph's number and the
// node's in it.
func (t *Thread) GraphNodeGetToolsID(handle uint64) (uint64, error) {
	defer t.lock()()
	n, err := t.runtime.node(handle)
	if err != nil {
		return 0, err
	}
	return (n.Graph().Handle-firstHandle)/handleStep<<32 | uint64(n.ID), nil
}

// addNode puts a node into a graph.
func (t *Thread) addNode(handle uint64, after []Dependency, k task) (uint64, error) {
	defer t.lock()()
	g, err := t.runtime.graph(handle)
	if err != nil {
		return 0, err
	}
	return t.insert(g, after, k)
}

// insert is addNode with the lock held.
func (t *Thread) insert(g *graph.Graph, after []Dependency, k task) (uint64, error) {
	edges, err := t.runtime.edges(g, after)
	if err != nil {
		return 0, err
	}
	n, err := g.Add(k, edges...)
	if err != nil {
		return 0, err
	}
	t.runtime.name(n)
	return n.Handle, nil
}

// taskOf finds a node whose task is of a type.
func taskOf[T task](t *Thread, handle uint64) (n *graph.Node, k T, err error) {
	n, err = t.runtime.node(handle)
	if err != nil {
		return nil, k, err
	}
	k, ok := n.Work.(T)
	if !ok {
		return nil, k, fail(ErrInvalidValue, "the node is of kind %d", n.Work.(task).kind())
	}
	return n, k, nil
}

// GraphDebugDot is cudaGraphDebugDotPrint.
func (t *Thread) GraphDebugDot(w io.Writer, handle uint64, flags uint32) error {
	defer t.lock()()
	g, err := t.runtime.graph(handle)
	if err != nil {
		return err
	}
	return writeDot(w, g, flags)
}
