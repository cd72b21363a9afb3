package graph_test

import (
	"errors"
	"slices"
	"testing"

	"github.com/lockstep-sim/lockstep/cudart/rt/graph"
)

func add(t *testing.T, g *graph.Graph, w graph.Work, after ...*graph.Node) *graph.Node {
	t.Helper()
	var edges []graph.Edge
	for _, n := range after {
		edges = append(edges, graph.Edge{From: n})
	}
	n, err := g.Add(w, edges...)
	if err != nil {
		t.Fatal(err)
	}
	return n
}

func diamond(t *testing.T) (g *graph.Graph, nodes []*graph.Node) {
	g = &graph.Graph{}
	a := add(t, g, "a")
	b, c := add(t, g, "b", a), add(t, g, "c", a)
	return g, []*graph.Node{a, b, c, add(t, g, "d", b, c)}
}

func TestOrderPutsDependenciesFirst(t *testing.T) {
	g, n := diamond(t)
	if err := g.Connect([]graph.Edge{{From: n[2], To: n[1]}}); err != nil {
		t.Fatal(err)
	}
	order, err := g.Order()
	if want := []*graph.Node{n[0], n[2], n[1], n[3]}; err != nil || !slices.Equal(order, want) {
		t.Errorf("order %v, %v", order, err)
	}
	if err := g.Connect([]graph.Edge{{From: n[3], To: n[0]}}); err != nil {
		t.Fatal(err)
	}
	if _, err := g.Order(); !errors.Is(err, graph.ErrCycle) {
		t.Errorf("a cycle gave %v", err)
	}
}

func TestEdgesAreAddedAllOrNone(t *testing.T) {
	g, n := diamond(t)
	other := &graph.Graph{}
	foreign := add(t, other, "x")
	for name, c := range map[string]struct {
		edges []graph.Edge
		want  error
	}{
		"foreign":   {[]graph.Edge{{From: n[0], To: n[3]}, {From: n[0], To: foreign}}, graph.ErrForeign},
		"duplicate": {[]graph.Edge{{From: n[0], To: n[3]}, {From: n[0], To: n[3]}}, graph.ErrDuplicate},
		"existing":  {[]graph.Edge{{From: n[0], To: n[3]}, {From: n[0], To: n[1]}}, graph.ErrDuplicate},
		"self":      {[]graph.Edge{{From: n[0], To: n[3]}, {From: n[0], To: n[0]}}, graph.ErrSelf},
	} {
		if err := g.Connect(c.edges); !errors.Is(err, c.want) {
			t.Errorf("%s: %v", name, err)
		}
		if len(g.Edges()) != 4 {
			t.Errorf("%s: %d edges", name, len(g.Edges()))
		}
	}
	if err := g.Disconnect([]graph.Edge{{From: n[0], To: n[1]}, {From: n[0], To: n[3]}}); !errors.Is(err, graph.ErrMissing) {
		t.Errorf("missing: %v", err)
	}
	n[1].Remove()
	if len(g.Edges()) != 2 || len(g.Nodes()) != 3 || len(n[3].Before()) != 1 {
		t.Errorf("after a removal: %d edges, %d nodes", len(g.Edges()), len(g.Nodes()))
	}
}

// nest is work with graphs inside.
type nest []*graph.Graph

func (n nest) Children() []*graph.Graph                { return n }
func (n nest) With(children []*graph.Graph) graph.Work { return nest(children) }

func TestACloneIsACopyThatKnowsItsOrigin(t *testing.T) {
	inner, _ := diamond(t)
	g, n := diamond(t)
	parent := add(t, g, nest{inner}, n[3])
	c := g.Clone()
	m, ok := c.Find(parent)
	if !ok || m == parent || m.Origin() != parent {
		t.Fatalf("the copy of a node is %p of %p", m, parent)
	}
	copied := m.Work.(nest)[0]
	if copied == inner || copied.Owner != m || len(copied.Nodes()) != 4 {
		t.Errorf("the graph inside was not copied")
	}
	n[0].Remove()
	if len(c.Nodes()) != 5 || len(c.Edges()) != 5 {
		t.Errorf("the copy changed with its origin")
	}
	if _, ok := g.Find(parent); ok {
		t.Errorf("a graph is a copy of itself")
	}
}

func TestMatchFindsTheNodeWhoseEdgesDiffer(t *testing.T) {
	g, _ := diamond(t)
	h, n := diamond(t)
	if pairs, _, ok := graph.Match(g, h); !ok || len(pairs) != 4 {
		t.Errorf("equal graphs do not match")
	}
	if err := h.Connect([]graph.Edge{{From: n[1], To: n[2]}}); err != nil {
		t.Fatal(err)
	}
	if _, at, ok := graph.Match(g, h); ok || at != n[2] {
		t.Errorf("the difference is at %v", at)
	}
	add(t, h, "e")
	if _, at, ok := graph.Match(g, h); ok || at != nil {
		t.Errorf("graphs of different size match")
	}
}

func TestReachesFollowsEdgesBackwards(t *testing.T) {
	_, n := diamond(t)
	if !graph.Reaches([]*graph.Node{n[3]}, n[0]) || graph.Reaches([]*graph.Node{n[1]}, n[2]) {
		t.Error("reaches is wrong")
	}
}
