// Package graph is CUDA graphs as data: nodes, edges, copies, and how one graph
// differs from another of the same shape.
//
//	Graph --Add, Connect--> Node --Work--> what it does (cudart/rt)
//	  |                       |
//	Clone                  Origin: the node it was copied from
//
// A Work is a value that is replaced and never changed, so that copies share it.
// One that holds graphs of its own, a child graph or the bodies of a condition,
// is a Parent, and copying a graph copies them too.
//
// Not here: what a node does, handles, errors of the API, capture of streams.
package graph

import (
	"errors"
	"slices"
)

// Work is what a node does.
type Work interface{}

// Parent is a Work that holds graphs.
type Parent interface {
	Children() []*Graph
	// With is the same work with other graphs, as many.
	With(children []*Graph) Work
}

// Data is what an edge carries: the ports at its ends and its type
// (cudaGraphEdgeData). The zero Data is an ordinary edge.
type Data struct{ From, To, Type uint8 }

// Edge is a dependency: To waits for From.
type Edge struct {
	From, To *Node
	Data     Data
}

// Node is a vertex of a graph.
type Node struct {
	Handle uint64 // as programs name it
	ID     uint32 // its place in the order of creation in its graph, from 0
	Work   Work

	graph  *Graph
	origin *Node
	before []Edge // its dependencies, in the order of adding
	after  []Edge
}

// Graph is a set of nodes, kept in the order of creation.
type Graph struct {
	Handle uint64
	Owner  *Node // whose work holds the graph, nil for a graph of its own

	nodes  []*Node
	last   uint32
	origin *Graph
}

// What the edges of a program may not be.
var (
	ErrForeign   = errors.New("the node belongs to another graph")
	ErrDuplicate = errors.New("the edge exists already")
	ErrMissing   = errors.New("there is no such edge")
	ErrSelf      = errors.New("a node cannot depend on itself")
	ErrCycle     = errors.New("the edges form a cycle")
)

// Nodes are the nodes in the order of creation. The caller does not change them.
func (g *Graph) Nodes() []*Node { return g.nodes }

// Origin is the graph that g was copied from, or nil.
func (g *Graph) Origin() *Graph { return g.origin }

// Graph is the graph that holds the node, nil once it was removed.
func (n *Node) Graph() *Graph { return n.graph }

// Origin is the node that n was copied from, or nil.
func (n *Node) Origin() *Node { return n.origin }

// Before are the edges to the nodes that n waits for, After those to the nodes
// that wait for it. The caller does not change them.
func (n *Node) Before() []Edge { return n.before }

// After are the edges to the nodes that wait for n.
func (n *Node) After() []Edge { return n.after }

// Add makes a node that waits for others.
func (g *Graph) Add(w Work, before ...Edge) (*Node, error) {
	for i, e := range before {
		if e.From.graph != g {
			return nil, ErrForeign
		}
		if slices.ContainsFunc(before[:i], func(b Edge) bool { return b.From == e.From }) {
			return nil, ErrDuplicate
		}
	}
	n := &Node{Work: w, graph: g, ID: g.last}
	g.last++
	g.nodes = append(g.nodes, n)
	g.adopt(n)
	for _, e := range before {
		e.To = n
		link(e)
	}
	return n, nil
}

// adopt makes the graphs inside a node's work know it.
func (g *Graph) adopt(n *Node) {
	if p, ok := n.Work.(Parent); ok {
		for _, c := range p.Children() {
			c.Owner = n
		}
	}
}

func link(e Edge) {
	e.To.before = append(e.To.before, e)
	e.From.after = append(e.From.after, e)
}

func unlink(e Edge) {
	same := func(x Edge) bool { return x.From == e.From && x.To == e.To }
	e.To.before = slices.DeleteFunc(e.To.before, same)
	e.From.after = slices.DeleteFunc(e.From.after, same)
}

// Connect adds edges: all or none.
func (g *Graph) Connect(edges []Edge) error {
	for i, e := range edges {
		switch {
		case e.From.graph != g || e.To.graph != g:
			return ErrForeign
		case e.From == e.To:
			return ErrSelf
		case connected(e, edges[:i]):
			return ErrDuplicate
		}
	}
	for _, e := range edges {
		link(e)
	}
	return nil
}

func connected(e Edge, others []Edge) bool {
	same := func(x Edge) bool { return x.From == e.From && x.To == e.To }
	return slices.ContainsFunc(e.To.before, same) || slices.ContainsFunc(others, same)
}

// Disconnect removes edges: all or none.
func (g *Graph) Disconnect(edges []Edge) error {
	for _, e := range edges {
		if e.From.graph != g || e.To.graph != g {
			return ErrForeign
		}
		if !connected(e, nil) {
			return ErrMissing
		}
	}
	for _, e := range edges {
		unlink(e)
	}
	return nil
}

// Remove takes a node and its edges out of its graph.
func (n *Node) Remove() {
	for _, e := range slices.Clone(n.before) {
		unlink(e)
	}
	for _, e := range slices.Clone(n.after) {
		unlink(e)
	}
	n.graph.nodes = slices.DeleteFunc(n.graph.nodes, func(m *Node) bool { return m == n })
	n.graph = nil
}

// Roots are the nodes that wait for nothing.
func (g *Graph) Roots() []*Node {
	var roots []*Node
	for _, n := range g.nodes {
		if len(n.before) == 0 {
			roots = append(roots, n)
		}
	}
	return roots
}

// Edges are all edges, by the node that they come from.
func (g *Graph) Edges() []Edge {
	var all []Edge
	for _, n := range g.nodes {
		all = append(all, n.after...)
	}
	return all
}

// Order are the nodes such that each comes after those that it waits for, in the
// order of creation otherwise. With ErrCycle they are those that wait for no cycle.
func (g *Graph) Order() ([]*Node, error) {
	waits := make(map[*Node]int, len(g.nodes))
	var ready, order []*Node
	for _, n := range g.nodes {
		if waits[n] = len(n.before); waits[n] == 0 {
			ready = append(ready, n)
		}
	}
	byID := func(a, b *Node) int { return int(a.ID) - int(b.ID) }
	for len(ready) > 0 {
		n := ready[0]
		ready = ready[1:]
		order = append(order, n)
		for _, e := range n.after {
			if waits[e.To]--; waits[e.To] == 0 {
				at, _ := slices.BinarySearchFunc(ready, e.To, byID)
				ready = slices.Insert(ready, at, e.To)
			}
		}
	}
	if len(order) < len(g.nodes) {
		return order, ErrCycle
	}
	return order, nil
}

// Reaches reports whether a node of the list is n or waits for it, directly or
// not.
func Reaches(list []*Node, n *Node) bool {
	seen := map[*Node]bool{}
	stack := slices.Clone(list)
	for len(stack) > 0 {
		m := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		if m == n {
			return true
		}
		if seen[m] {
			continue
		}
		seen[m] = true
		for _, e := range m.before {
			stack = append(stack, e.From)
		}
	}
	return false
}

// Walk visits the nodes of g and of the graphs inside, outer ones first.
func (g *Graph) Walk(visit func(*Node)) {
	for _, n := range g.nodes {
		visit(n)
		if p, ok := n.Work.(Parent); ok {
			for _, c := range p.Children() {
				c.Walk(visit)
			}
		}
	}
}

// WalkGraphs visits g and the graphs inside, outer ones first.
func (g *Graph) WalkGraphs(visit func(*Graph)) {
	visit(g)
	for _, n := range g.nodes {
		if p, ok := n.Work.(Parent); ok {
			for _, c := range p.Children() {
				c.WalkGraphs(visit)
			}
		}
	}
}
