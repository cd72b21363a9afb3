package ops

import "github.com/lockstep-sim/lockstep/gpu/isa"

// control is PTX ISA 9.7.12, control flow, and 9.7.19, miscellaneous
// instructions. An engine acts on Op.Flow; where no engine acts and no handler
// does, the instruction has no effect on results.
var control = []isa.Op{
	{Name: "bra", Mods: "{uni}", Args: "l", Unit: isa.Branch, Flow: isa.Jump, Since: 10, Doc: "9.7.12.3"},
	{Name: "brx", Mods: "idx {uni}", Args: "a:u32, T", Unit: isa.Branch, Flow: isa.JumpTable, Since: 60, SM: 30, Doc: "9.7.12.4"},
	{Name: "call", Mods: "{uni}", Unit: isa.Branch, Flow: isa.Call, Since: 10, Doc: "9.7.12.5"},
	{Name: "ret", Mods: "{uni}", Unit: isa.Branch, Flow: isa.Return, Since: 10, Doc: "9.7.12.6"},
	{Name: "exit", Unit: isa.Branch, Flow: isa.Exit, Since: 10, Doc: "9.7.12.7"},
	{Name: "griddepcontrol", Mods: "launch_dependents|wait", Unit: isa.Branch, Since: 78, SM: 90, Doc: "9.7.13.13", Bind: bindNothing},
	{Name: "brkpt", Unit: isa.Branch, Since: 10, SM: 11, Doc: "9.7.19.1", Bind: bindTrap},
	{Name: "nanosleep", Types: "u32", Args: "a", Unit: isa.Branch, Flow: isa.Yield, Since: 63, SM: 70, Doc: "9.7.19.2"},
	{Name: "pmevent", Mods: "{mask}", Args: "i", Unit: isa.Branch, Since: 14, Doc: "9.7.19.3", Bind: bindNothing},
	{Name: "trap", Unit: isa.Branch, Since: 10, Doc: "9.7.19.4", Bind: bindTrap},
	{Name: "setmaxnreg", Mods: "inc|dec sync aligned", Types: "u32", Args: "i", Unit: isa.Branch, Since: 80, SM: 90, Only: "90a " + matrixTargets, Doc: "9.7.19.5", Bind: bindNothing},
}

// bindNothing binds instructions that programs cannot see the effect of.
func bindNothing(*isa.Form) isa.Handler { return func(*isa.Warp, *isa.Inst) {} }

// bindTrap ends the grid. A breakpoint without a debugger does the same.
func bindTrap(f *isa.Form) isa.Handler {
	note := f.Op.Name
	return func(w *isa.Warp, _ *isa.Inst) {
		w.Raise(isa.Trap{Kind: isa.TrapInstruction, Lane: w.Mask.First(), Note: note})
	}
}
