package graph

// Pair is a node and its counterpart in another graph of the same shape.
type Pair struct{ Old, New *Node }

// Match pairs the nodes of two graphs by the order of creation and compares
// their edges. at is the first node of the new graph whose edges differ; it is
// nil, and ok false, when the numbers of nodes differ.
func Match(old, new *Graph) (pairs []Pair, at *Node, ok bool) {
	if len(old.nodes) != len(new.nodes) {
		return nil, nil, false
	}
	place := make(map[*Node]int, len(old.nodes))
	for i, n := range old.nodes {
		place[n] = i
		pairs = append(pairs, Pair{n, new.nodes[i]})
	}
	index := make(map[*Node]int, len(new.nodes))
	for i, n := range new.nodes {
		index[n] = i
	}
	for _, p := range pairs {
		if !sameEdges(p.Old.before, p.New.before, place, index) {
			return pairs, p.New, false
		}
	}
	return pairs, nil, true
}

// sameEdges compares the dependencies of two nodes as sets.
func sameEdges(a, b []Edge, placeA, placeB map[*Node]int) bool {
	if len(a) != len(b) {
		return false
	}
	from := make(map[int]Data, len(a))
	for _, e := range a {
		from[placeA[e.From]] = e.Data
	}
	for _, e := range b {
		if d, ok := from[placeB[e.From]]; !ok || d != e.Data {
			return false
		}
	}
	return true
}
