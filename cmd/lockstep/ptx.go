package main

import (
	"fmt"
	"os"
	"strconv"
	"strings"

	"github.com/lockstep-sim/lockstep/cudart/solo"
	"github.com/lockstep-sim/lockstep/gpu"
	"github.com/lockstep-sim/lockstep/gpu/isa"
	"github.com/lockstep-sim/lockstep/gpu/mem"
	"github.com/lockstep-sim/lockstep/gpu/models"
	"github.com/lockstep-sim/lockstep/ptx/ops"
)

type ptxCommand struct {
	Check   ptxCheckCommand   `cmd:"" help:"Report everything that is wrong with PTX files."`
	Run     ptxRunCommand     `cmd:"" help:"Run one kernel of a PTX file without a host program."`
	Support ptxSupportCommand `cmd:"" help:"Print the table of supported instructions."`
}

type ptxCheckCommand struct {
	Files  []string `arg:"" name:"file" help:"PTX files."`
	Target string   `help:"Architecture that shall run the files: sm_90, sm_100a. By default only each file's own .target counts." placeholder:"SM"`
}

// Run checks the files and reports all errors of all of them.
func (c *ptxCheckCommand) Run() error {
	bad := 0
	var target ops.Target
	if c.Target != "" {
		var ok bool
		if target, ok = ops.ParseTarget(c.Target); !ok {
			return fmt.Errorf("no architecture is named %s", c.Target)
		}
	}
	for _, file := range c.Files {
		text, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		if err := solo.Check(file, string(text), target); err != nil {
			fmt.Fprintln(os.Stderr, err)
			bad++
		}
	}
	if bad > 0 {
		return exitError{1, fmt.Errorf("%d of %d files have errors", bad, len(c.Files))}
	}
	return nil
}

type ptxRunCommand struct {
	File   string   `arg:"" help:"PTX file."`
	Entry  string   `help:"Kernel; needed when the file has several." placeholder:"NAME"`
	Grid   string   `default:"1" help:"CTAs: X, X,Y or X,Y,Z."`
	Block  string   `default:"32" help:"Threads of a CTA: X, X,Y or X,Y,Z."`
	Shared uint32   `help:"Bytes of dynamic shared memory."`
	Arg    []string `sep:"none" placeholder:"KIND=VALUE" help:"A parameter, in order: u8=, u16=, u32=, u64=, f32= or f64= with a value; in=FILE for a buffer with a file's content; out=BYTES:TYPE for a zeroed buffer that is printed after the run."`
}

// Run runs the kernel and prints its out buffers.
func (c *ptxRunCommand) Run() error {
	text, err := os.ReadFile(c.File)
	if err != nil {
		return err
	}
	model, err := models.Load(models.Default)
	if err != nil {
		return err
	}
	p, err := solo.Load(gpu.Config{
		Memory: mem.Config{DeviceBytes: model.TotalMemory}, SMs: int(model.SM.Count), ThreadsPerSM: int(model.SM.Threads),
		Heap: defaultHeap, Stack: defaultStack,
		Stdout: func(b []byte) { os.Stdout.Write(b) }, Stderr: func(b []byte) { os.Stderr.Write(b) },
	}, c.File, string(text))
	if err != nil {
		return err
	}
	defer p.Close()
	return c.launch(p)
}

// The device's limits when no program sets them, as CUDA has them.
const (
	defaultHeap  = 8 << 20
	defaultStack = 1024
)

func (c *ptxRunCommand) launch(p *solo.Program) error {
	if c.Entry == "" {
		names := p.Kernels()
		if len(names) != 1 {
			return fmt.Errorf("%s has %d kernels; name one with --entry: %s", c.File, len(names), strings.Join(names, ", "))
		}
		c.Entry = names[0]
	}
	k, err := p.Kernel(c.Entry)
	if err != nil {
		return err
	}
	l := solo.Launch{Kernel: c.Entry, Shared: c.Shared}
	if l.Grid, err = extent(c.Grid); err != nil {
		return err
	}
	if l.Block, err = extent(c.Block); err != nil {
		return err
	}
	params, results, err := bindArguments(p, k, c.Arg)
	if err != nil {
		return err
	}
	counts, err := p.Run(l, params)
	if err != nil {
		return err
	}
	fmt.Fprintf(os.Stderr, "lockstep: %s: %d warp instructions, %d thread instructions\n", c.Entry, counts.WarpInstructions, counts.ThreadInstructions)
	for _, r := range results {
		if err := r.print(p); err != nil {
			return err
		}
	}
	return nil
}

// extent reads X, X,Y or X,Y,Z.
func extent(s string) ([3]uint32, error) {
	e := [3]uint32{1, 1, 1}
	parts := strings.Split(s, ",")
	if len(parts) > 3 {
		return e, fmt.Errorf("%q has more than three dimensions", s)
	}
	for i, part := range parts {
		v, err := strconv.ParseUint(part, 0, 32)
		if err != nil || v == 0 {
			return e, fmt.Errorf("%q is not a size", s)
		}
		e[i] = uint32(v)
	}
	return e, nil
}

type ptxSupportCommand struct{}

// Run prints one line for each row of the instruction table.
func (ptxSupportCommand) Run() error {
	fmt.Println("| instruction | modifiers | types | since PTX | target | checked on hardware | manual |")
	fmt.Println("|---|---|---|---|---|---|---|")
	row := 0
	ops.Rows(func(op *isa.Op) {
		on := "no"
		if row < len(checked) {
			on = checked[row]
		}
		row++
		fmt.Printf("| %s | %s | %s | %d.%d | %s | %s | %s |\n", op.Name, cell(strings.ReplaceAll(op.Mods, "^", "")), cell(op.Types), op.Since/10, op.Since%10, targetsOf(op), on, op.Doc)
	})
	return nil
}

// targetsOf names the targets that have a row.
func targetsOf(op *isa.Op) string {
	switch {
	case op.Only != "":
		return "sm_" + strings.ReplaceAll(op.Only, " ", " sm_")
	case op.SM > 0:
		return "sm_" + strconv.Itoa(op.SM)
	}
	return ""
}

// cell keeps a bar from ending a table's cell.
func cell(s string) string { return strings.ReplaceAll(s, "|", `\|`) }
