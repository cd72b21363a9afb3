package lower

import (
	"errors"
	"strings"

	"github.com/lockstep-sim/lockstep/gpu/isa"
	"github.com/lockstep-sim/lockstep/gpu/isa/simd"
	"github.com/lockstep-sim/lockstep/ptx/ast"
	"github.com/lockstep-sim/lockstep/ptx/ops"
)

// lowering is the state of turning one function into executable form.
type lowering struct {
	module *ast.Module
	fn     *ast.Func
	body   *ast.Body
	env    Env
	out    *isa.Function

	rows     []int32 // first row, or predicate, of each register
	places   []place // of each variable of the body
	consts   map[constant]isa.Reg
	sinkReg  int32
	pcs      []int32 // program counter of each tree instruction, and of the end
	handlers map[spelling]bound
	opened   []bool // opcodes that the module's version and target have
	level    level
	saved    isa.Reg   // the stack when the function began, 0 if it does not use it
	uses     []isa.Use // of the instruction being lowered
	moves    isa.Moves // how far it may move
	flushes  bool      // it has .ftz
	past     bool      // it reads past L1
	timed    bool      // the function reads a clock
	releases bool      // it releases what was done before to other CTAs
	polls    bool      // it is a volatile or ordered access
	facts    Facts
	errs     []error
}

// Facts are properties of a function's text that decide how a kernel may run.
type Facts struct {
	// Shares reports that CTAs may communicate through memory, or that the
	// order in which they run can be seen.
	Shares bool
	// Indirect reports calls through function addresses.
	Indirect bool
	// Callees lists the functions called by name, in order of first call.
	Callees []string
	// Builtins lists those that the engine provides.
	Builtins []string
}

// spelling identifies how an instruction is bound.
type spelling struct {
	op     int32
	row    *isa.Op
	shapes uint32
	dbits  int
	space  isa.Space
}

// maxErrors bounds the errors that one function reports.
const maxErrors = 100

// Function lowers f into out, which env may have handed out already.
func Function(m *ast.Module, f *ast.Func, env Env, out *isa.Function) (Facts, error) {
	body, err := f.Load()
	if err != nil {
		return Facts{}, err
	}
	l := &lowering{
		module: m, fn: f, body: contract(m, f, body), env: env, out: out, sinkReg: -1,
		consts: make(map[constant]isa.Reg), handlers: make(map[spelling]bound),
		level: levelOf(m),
	}
	l.opened = make([]bool, len(l.body.Opcodes))
	for i := len(body.Opcodes); i < len(l.opened); i++ {
		l.opened[i] = true // contraction made it
	}
	l.layout()
	l.registers()
	l.lines()
	l.code()
	if len(l.errs) > 0 {
		return Facts{}, errors.Join(l.errs...)
	}
	join(out.Code)
	if l.timed {
		waits(out)
	}
	if p := simd.New(out); p != nil {
		out.Program = p
	}
	return l.facts, nil
}

func (l *lowering) errorf(pos ast.Pos, format string, args ...any) {
	if len(l.errs) < maxErrors {
		l.errs = append(l.errs, l.module.Errorf(pos, format, args...))
	}
}

// code lowers the instructions. A function that runs off its end returns.
func (l *lowering) code() {
	l.out.Code = make([]isa.Inst, 0, len(l.body.Insts)+8)
	l.pcs = make([]int32, len(l.body.Insts)+1)
	l.enterStack()
	l.enterRegisters()
	for i := range l.body.Insts {
		l.pcs[i] = int32(len(l.out.Code))
		l.instruction(&l.body.Insts[i])
	}
	l.pcs[len(l.body.Insts)] = int32(len(l.out.Code))
	l.leaveStack(isa.Inst{Flow: isa.Return})
	l.leaveRegisters(isa.Inst{Flow: isa.Return, Guard: isa.PT})
	l.emit(isa.Inst{Op: endOfText, Flow: isa.Return, Line: -1, Pos: int32(l.fn.Close)}, isa.NoType)
	if len(l.errs) > 0 {
		return
	}
	for pc := range l.out.Code {
		l.resolve(&l.out.Code[pc])
	}
}

// endOfText is the row of the return that ends every function.
var endOfText = &isa.Op{Name: "ret", Flow: isa.Return, Unit: isa.Branch}

// emit appends the instruction whose operands were just lowered.
func (l *lowering) emit(in isa.Inst, t isa.Type) {
	in.Polls = l.polls
	l.out.Code = append(l.out.Code, in)
	l.out.Operands.Add(t, in.Op.Parts(t, l.flushes), l.uses...)
	l.out.Operands.Move(l.moves)
	if l.past {
		l.out.Operands.PassL1()
	}
	if l.releases {
		l.out.Operands.Release()
	}
	l.uses, l.moves, l.flushes, l.past, l.releases, l.polls = l.uses[:0], isa.PastOthers, false, false, false, false
}

// aside appends an instruction that an operand of the one being lowered needs.
func (l *lowering) aside(in isa.Inst, uses ...isa.Use) {
	in.Line, in.Guard = -1, isa.PT
	l.out.Code = append(l.out.Code, in)
	l.out.Operands.Add(isa.NoType, 1, uses...)
	if in.Op != nil && seesTime(in.Op.Name) {
		l.out.Operands.Move(isa.Nowhere)
	}
}

// use notes rows that the instruction being lowered reads or writes.
func (l *lowering) use(r isa.Reg, rows int, write bool) {
	l.uses = append(l.uses, isa.Use{Reg: r, Rows: uint8(rows), Write: write})
}

// resolve turns label numbers into program counters.
func (l *lowering) resolve(in *isa.Inst) {
	switch in.Flow {
	case isa.Jump:
		in.Target = l.pcOf(in.Target)
	case isa.JumpTable:
		for i, label := range in.Control.Table {
			in.Control.Table[i] = l.pcOf(label)
		}
	}
}

func (l *lowering) pcOf(label int32) int32 { return l.pcs[l.body.Labels[label].Inst] }

// instruction lowers one instruction of the tree.
func (l *lowering) instruction(x *ast.Inst) {
	opcode := &l.body.Opcodes[x.Op]
	if opcode.Name == "" { // contracted
		return
	}
	args := l.body.Args(x)
	in := isa.Inst{Line: x.Loc, Pos: int32(x.Pos), Join: isa.NoJoin, Guard: isa.PT}
	if x.Guard >= 0 {
		in.Guard, in.GuardNot = isa.PredReg(l.rows[x.Guard]), x.Not
	}
	if l.moveVector(x, opcode, args, in) || l.storeSome(x, opcode, args) {
		return
	}
	mods, unsaid := l.level.complete(opcode)
	form, roles, err := ops.Lookup(opcode.Name, mods, l.shapes(args)...)
	if err != nil {
		if fewer := ops.Once(mods); len(fewer) < len(mods) {
			form, roles, err = ops.Lookup(opcode.Name, fewer, l.shapes(args)...)
		}
	}
	if err != nil {
		l.errorf(x.Pos, "%v", err)
		return
	}
	in.Op, in.Flow = form.Op, form.Op.Flow
	if !unsaid {
		l.open(x, form)
	}
	if in.Flow == isa.Call {
		l.call(x, in, args)
		return
	}
	l.leaveStack(in)
	l.leaveRegisters(in)
	l.share(form, args)
	if l.readSpecial(form, args, in) {
		return
	}
	if len(args) > len(roles) {
		l.errorf(x.Pos, "%s takes %d operands, not %d", opcode.Text, len(roles), len(args))
		return
	}
	if wrong := ops.WrongTogether(form, len(args) > 0 && args[0].Kind == ast.Sink); wrong != "" {
		l.errorf(x.Pos, "%s: %s", opcode.Text, wrong)
	}
	l.together(form, roles, args)
	l.uses = l.uses[:0]
	l.operands(x, form, roles, args, &in)
	if form.Op.Check != nil {
		if wrong := form.Op.Check(form, &in); wrong != "" {
			l.errorf(x.Pos, "%s: %s", opcode.Text, wrong)
		}
	}
	l.bind(x, form, &in, len(args))
	l.emit(in, form.Type(0))
	if m, ok := ops.MatrixOf(form); ok {
		l.out.Operands.Multiplies(m)
	}
}

// bind chooses the handler of an instruction whose operands are known.
func (l *lowering) bind(x *ast.Inst, form *isa.Form, in *isa.Inst, args int) {
	if form.Op.Control != nil {
		in.Control = form.Op.Control(form, args)
	}
	if form.Op.Bind == nil {
		if in.Flow == isa.Next {
			l.errorf(x.Pos, "%s is not supported", l.body.Opcodes[x.Op].Text)
		}
		return
	}
	in.Space = form.Space
	key := spelling{op: x.Op, row: form.Op, shapes: uint32(args)<<1 | vecBit(in), dbits: form.DBits, space: form.Space}
	b, ok := l.handlers[key]
	if !ok {
		b.exec = form.Op.Bind(form)
		b.fast, b.variant = ops.Fast(form)
		l.handlers[key] = b
	}
	if b.exec == nil {
		l.errorf(x.Pos, "%s is not supported", l.body.Opcodes[x.Op].Text)
	}
	in.Exec, in.Fast = b.exec, b.fast
	if b.variant != 0 {
		in.Imm = b.variant
	}
}

// bound is what a spelling executes by: its handler and its micro-operation.
type bound struct {
	exec    isa.Handler
	fast    isa.Fast
	variant int64
}

func vecBit(in *isa.Inst) uint32 {
	if in.Vec != nil {
		return 1
	}
	return 0
}

// share notes instructions through which threads and CTAs can see one another.
func (l *lowering) share(form *isa.Form, args []ast.Operand) {
	l.flushes = form.Has("ftz")
	l.past = form.Any("cg", "cv", "volatile", "mmio") != "" || form.Any("relaxed", "acquire") != "" && form.Any("gpu", "sys", "cluster") != ""
	l.releases = form.Has("cluster") && form.Any("arrive", "arrive_drop") != "" && !form.Has("relaxed")
	if form.Any("nc") != "" {
		l.moves = isa.PastStores
	}
	l.polls = form.Any("volatile", "relaxed", "acquire", "release", "acq_rel", "sc", "mmio") != ""
	if form.Op.Shares || l.polls {
		l.moves = isa.Nowhere
		own := form.Any("shared", "shared::cta", "shared::cluster", "local", "param") != ""
		if !own || form.Any("global", "try_cancel") != "" {
			l.facts.Shares = true
		}
	}
	for i := range args {
		if a := &args[i]; a.Kind == ast.Special && seesTime(ast.Specials[a.Index].Name) {
			l.moves, l.facts.Shares, l.timed = isa.Nowhere, true, true
		}
	}
}

// seesTime reports special registers whose value depends on when a CTA runs.
func seesTime(name string) bool {
	return strings.HasPrefix(name, "%clock") || strings.HasPrefix(name, "%globaltimer") || strings.HasPrefix(name, "%pm")
}

// shapes describes the operands to the row matcher.
func (l *lowering) shapes(args []ast.Operand) []ops.Shape {
	shapes := make([]ops.Shape, len(args))
	for i := range args {
		switch a := &args[i]; {
		case a.Kind == ast.Pair:
			shapes[i] = ops.Pair
		case a.Has(ast.Address) || a.Kind == ast.Tuple:
			shapes[i] = ops.Address
		case a.Kind == ast.Vector || a.Kind == ast.List || l.isVector(a):
			shapes[i] = ops.List
		case a.Kind == ast.Register && l.body.Regs[a.Index].Type == ast.Pred:
			shapes[i] = ops.Predicate
		}
	}
	return shapes
}

// lines translates the .loc table.
func (l *lowering) lines() {
	files := make(map[int]string, len(l.module.Files))
	for i := range l.module.Files {
		files[l.module.Files[i].Index] = l.module.Files[i].Path
	}
	l.out.Source = &isa.Source{Name: l.module.File, Text: l.module.Text}
	l.out.Lines = make([]isa.Line, len(l.body.Locs))
	for i := range l.body.Locs {
		loc := &l.body.Locs[i]
		line := isa.Line{File: files[int(loc.File)], Line: loc.Line, Column: loc.Col, Inlined: -1}
		if at := loc.Inlined; at != nil {
			line.Function = l.env.DebugString(at.Function, at.Offset)
			line.Inlined = int32(len(l.out.Lines))
			l.out.Lines = append(l.out.Lines, isa.Line{File: files[int(at.File)], Line: at.Line, Column: at.Col, Inlined: -1})
		}
		l.out.Lines[i] = line
	}
}
