package graph

// Clone copies a graph and the graphs inside. Copies know what they are copies
// of; they have no handles.
func (g *Graph) Clone() *Graph {
	c := &Graph{last: g.last, origin: g, nodes: make([]*Node, 0, len(g.nodes))}
	copies := make(map[*Node]*Node, len(g.nodes))
	for _, n := range g.nodes {
		m := &Node{ID: n.ID, Work: n.Work, graph: c, origin: n}
		if p, ok := n.Work.(Parent); ok {
			m.Work = copyParent(p)
		}
		copies[n] = m
		c.nodes = append(c.nodes, m)
		c.adopt(m)
	}
	for _, n := range g.nodes {
		m := copies[n]
		m.before, m.after = translate(n.before, copies), translate(n.after, copies)
	}
	return c
}

func copyParent(p Parent) Work {
	var children []*Graph
	for _, g := range p.Children() {
		children = append(children, g.Clone())
	}
	return p.With(children)
}

func translate(edges []Edge, copies map[*Node]*Node) []Edge {
	if len(edges) == 0 {
		return nil
	}
	out := make([]Edge, len(edges))
	for i, e := range edges {
		out[i] = Edge{copies[e.From], copies[e.To], e.Data}
	}
	return out
}

// Find is the copy of a node in a graph that was cloned from the node's.
func (g *Graph) Find(original *Node) (*Node, bool) {
	if g.origin == nil || g.origin != original.graph {
		return nil, false
	}
	for _, n := range g.nodes {
		if n.origin == original {
			return n, true
		}
	}
	return nil, false
}
