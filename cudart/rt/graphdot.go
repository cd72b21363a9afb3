package rt

import (
	"fmt"
	"io"
	"strings"

	"github.com/lockstep-sim/lockstep/cudart/rt/graph"
)

// kindNames are the kinds of nodes as cudaGraphDebugDotPrint writes them.
var kindNames = [...]string{
	"KERNEL", "MEMCPY", "MEMSET", "HOST", "GRAPH", "EMPTY", "EVENT_WAIT", "EVENT_RECORD", "EXT_SEMAS_SIGNAL",
	"EXT_SEMAS_WAIT", "MEM_ALLOC", "MEM_FREE", "BATCH_MEM_OP", "CONDITIONAL",
}

// Flags of cudaGraphDebugDotPrint.
const (
	dotVerbose = 1 << 0
	dotHandles = 1 << 10
	dotMask    = 1<<16 - 1
)

// writeDot writes a graph in the language of Graphviz; graphs inside are clusters.
func writeDot(w io.Writer, g *graph.Graph, flags uint32) error {
	if flags&^dotMask != 0 {
		return fail(ErrInvalidValue, "flags %#x", flags)
	}
	d := dot{flags: flags}
	fmt.Fprintf(&d.text, "digraph dot {\n")
	d.graph(g)
	fmt.Fprintf(&d.text, "}\n")
	if _, err := io.WriteString(w, d.text.String()); err != nil {
		return fail(ErrOperatingSystem, "write the graph: %v", err)
	}
	return nil
}

// dot is the text under way. Graphs are numbered as they are met.
type dot struct {
	text   strings.Builder
	flags  uint32
	graphs int
}

func (d *dot) graph(g *graph.Graph) {
	d.graphs++
	number := d.graphs
	fmt.Fprintf(&d.text, "subgraph cluster_%d {\nlabel=\"graph_%d\" graph[style=\"dashed\"];\n", number, number)
	name := func(n *graph.Node) string { return fmt.Sprintf("\"graph_%d_node_%d\"", number, n.ID) }
	for _, n := range g.Nodes() {
		fmt.Fprintf(&d.text, "%s[style=\"%s\" shape=\"%s\" label=\"%s\"];\n", name(n), "bold", shapeOf(n.Work.(task)), d.label(n))
	}
	for _, e := range g.Edges() {
		fmt.Fprintf(&d.text, "%s -> %s;\n", name(e.From), name(e.To))
	}
	fmt.Fprintf(&d.text, "}\n")
	for _, n := range g.Nodes() {
		if p, ok := n.Work.(graph.Parent); ok {
			for _, c := range p.Children() {
				d.graph(c)
			}
		}
	}
}

func shapeOf(k task) string {
	switch k.kind() {
	case NodeKernel:
		return "octagon"
	case NodeMemcpy, NodeMemset:
		return "invtrapezium"
	}
	return "rectangle"
}

// label says what a node is, and with flags what it does.
func (d *dot) label(n *graph.Node) string {
	k := n.Work.(task)
	lines := []string{fmt.Sprintf("%d", n.ID), kindNames[k.kind()]}
	if d.flags&(dotVerbose|dotHandles) != 0 {
		lines = append(lines, fmt.Sprintf("node handle %#x", n.Handle))
	}
	switch k := k.(type) {
	case *kernelTask:
		lines[1] = k.kernel.Name
		lines = append(lines, fmt.Sprintf("<<<(%d,%d,%d),(%d,%d,%d),%d>>>", k.launch.Grid[0], k.launch.Grid[1], k.launch.Grid[2],
			k.launch.Block[0], k.launch.Block[1], k.launch.Block[2], k.launch.Shared))
	case *copyTask:
		lines = append(lines, fmt.Sprintf("%d x %d x %d bytes", k.box.width, k.box.height, k.box.depth))
	case *setTask:
		lines = append(lines, fmt.Sprintf("value %d, %d x %d elements of %d bytes", k.set.Value, k.set.Width, k.set.Height, k.set.Size))
	case *allocTask:
		lines = append(lines, fmt.Sprintf("%#x, %d bytes", k.block.addr, k.bytes))
	case *freeTask:
		lines = append(lines, fmt.Sprintf("%#x", k.addr))
	}
	return strings.Join(lines, "\\n")
}
