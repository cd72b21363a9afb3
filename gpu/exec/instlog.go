package exec

import (
	"bufio"
	"fmt"
	"io"
	"strings"

	"github.com/lockstep-sim/lockstep/gpu/isa"
)

// InstructionLog is an observer that writes the instructions that a thread
// executes, one a line in GPGPU-Sim's form: the thread's number, the line of PTX,
// and what it leaves in the registers that it writes.
type InstructionLog struct {
	out    *bufio.Writer
	thread uint64
	first  map[*Grid]uint64 // number of the grid's first thread
	next   uint64
}

// NewInstructionLog makes a log of the thread of a number, counted from 1 over all
// grids in the order of their launches and over all CTAs of each; 0 is all threads.
func NewInstructionLog(out io.Writer, thread uint64) *InstructionLog {
	return &InstructionLog{out: bufio.NewWriter(out), thread: thread, first: map[*Grid]uint64{}, next: 1}
}

// GridStarted implements GridObserver.
func (l *InstructionLog) GridStarted(g *Grid) {
	l.first[g] = l.next
	b := g.launch.Block
	l.next += uint64(g.total) * uint64(b[0]) * uint64(b[1]) * uint64(b[2])
}

// GridEnded implements GridObserver.
func (l *InstructionLog) GridEnded(g *Grid, _ error) {
	delete(l.first, g)
	l.out.Flush()
}

// Executed implements InstObserver.
func (l *InstructionLog) Executed(at Place, e *isa.Effect) {
	n, b := at.Grid.launch.Grid, at.Grid.launch.Block
	cta := (uint64(at.CTA[2])*uint64(n[1])+uint64(at.CTA[1]))*uint64(n[0]) + uint64(at.CTA[0])
	first := l.first[at.Grid] + cta*uint64(b[0])*uint64(b[1])*uint64(b[2]) + uint64(at.Warp*isa.WarpSize)
	if l.thread > 0 && (l.thread < first || l.thread >= first+isa.WarpSize) {
		return
	}
	for lane := range e.Mask.All {
		if l.thread == 0 || first+uint64(lane) == l.thread {
			l.write(first+uint64(lane), lane, at, e)
		}
	}
}

// write writes the line of a lane.
func (l *InstructionLog) write(thread uint64, lane int, at Place, e *isa.Effect) {
	name, number, text := at.Function.Name, 0, e.Inst.Op.Name
	if s := at.Function.Source; s != nil {
		name = s.Name
		number, text = s.Line(int(e.Inst.Pos))
	}
	fmt.Fprintf(l.out, "[thd=%d] : (%s:%d - %s)", thread, name, number, strings.TrimSpace(text))
	if e.Inst.Flow != isa.Next { // the registers may be those of another function
		l.out.WriteByte('\n')
		return
	}
	for _, u := range at.Function.Operands.Of(int(e.PC)) {
		for row := u.Reg; u.Write && row < u.Reg+isa.Reg(u.Rows); row++ {
			if row >= 0 && int(row) < len(at.State.Regs) {
				fmt.Fprintf(l.out, " 0x%08x", at.State.Regs[row][lane])
			}
		}
	}
	l.out.WriteByte('\n')
}
