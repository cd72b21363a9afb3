package rt

import (
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"github.com/lockstep-sim/lockstep/gpu"
	"github.com/lockstep-sim/lockstep/gpu/exec"
	"github.com/lockstep-sim/lockstep/gpu/isa/simd"
	"github.com/lockstep-sim/lockstep/gpu/mem"
	"github.com/lockstep-sim/lockstep/gpu/models"
	"github.com/lockstep-sim/lockstep/stream"
)

// DriverVersion is what cudaDriverGetVersion reports: CUDA 13.0.
const DriverVersion = 13000

// Sources say where options come from beside Config.Options.
type Sources struct {
	ModeGiven bool   // Config.Functional counts more than a file of options
	Simulator string // file of GPGPU-Sim's options, read if it exists
	Set       string // assignments name=value, divided by semicolons, that count more than those of files
}

// Selection says which kernels take simulated time, and who wants to see it pass.
type Selection struct {
	FromKernel int                    // number, from 1, of the first launch; those before are only executed
	Chosen     func(name string) bool // of the kernels, by their demangled names; nil for all
	Terminal   bool                   // Stderr is a terminal: long kernels say how far they are
}

// Config is what a process asks of its runtime.
type Config struct {
	Sources
	Selection
	Model          string     // of gpu/models; empty for the default
	Devices        int        // how many the program sees
	Major          int        // CUDA major that the program was built for
	Workers        int        // host threads that execute; 0 for one a core
	Functional     bool       // functional execution was asked for
	Quiet          bool       // no closing line
	LaunchBlocking bool       // launches wait for their kernel (CUDA_LAUNCH_BLOCKING)
	ISA            simd.Level // of the machine code that executes kernels
	StrictPTX      bool       // PTX that is newer than DriverVersion is refused, as by a driver
	ExactBounds    bool       // accesses end at the allocation, not at the hardware's 2 MiB block
	Options        string     // file whose lines replace parameters of the model, or of GPGPU-Sim's options; may be empty
	Output         string     // form of the statistics, see report.Forms; empty for none
	Statistics     string     // file that they go to; empty for Stderr, "stdout" for Stdout
	PTXFile        string     // file whose PTX replaces that of the program's first image
	ImageFile      string     // file whose device code replaces the program's
	// Copied is told of each copy to memory of the host: bytes and their FNV-1a
	// digest. It may be nil.
	Copied func(n, digest uint64)
	// Limit and MaxCycles (of simulated time) end a kernel that passes them; 0 for
	// no limit.
	Limit     exec.Limit
	MaxCycles uint64
	// Stdout receives what kernels print, at the moments CUDA names; Stderr what
	// failed asserts and faults say. Log receives one line for each failed call;
	// it may be nil.
	Stdout, Stderr func(p []byte)
	Log            func(line string)

	NewGPU func(gpu.Config) (GPU, error)       // nil for the simulated device
	Link   func(units []Unit) (Program, error) // nil for ptx/link
}

// loaded is the device code that the program loaded, and what else the driver's
// interface has made.
type loaded struct {
	functions  table[*Function]
	modules    table[*LoadedModule]
	libraries  table[*Library]
	links      table[*linkState]
	texRefs    table[*TexRef]
	mappings   mappings
	managers   atomic.Int32 // uses of the management library
	coredump   coredump
	externals  externals
	checkpoint checkpoint
	loads      atomic.Uint64 // texts without a name so far
}

// objects are what a program holds handles of.
type objects struct {
	streams       table[*Stream]
	events        table[*Event]
	arrays        table[*Array]
	mipmaps       table[*Mipmap]
	pools         table[*Pool]
	resources     table[SMResource]
	executions    table[*ExecutionContext]
	notifications table[notification]
	splits        atomic.Uint64 // of multiprocessors so far
	contextIDs    atomic.Uint64 // numbers of execution contexts given so far
}

// Runtime is the state of a process.
type Runtime struct {
	config  Config
	model   *models.GPU
	system  *stream.System
	uva     mem.UVA
	devices []*Device

	initialized atomic.Bool // cuInit or a call of the runtime

	registry registry
	ctxs     table[*ctx]

	loaded
	objects

	hosted       hosted
	managed      managed
	logs         logs
	graphs       graphs
	captures     captures
	instantiated uint32 // executable graphs so far

	timing       timing
	watching     watching
	start        time.Time
	launches     atomic.Uint64 // of kernels, begun
	kernels      atomic.Uint64 // ended
	instructions atomic.Uint64 // of threads
	loose        sync.Map      // allocations whose copies need not be synchronous (cuPointerSetAttribute)
	noted        notes         // lines that were written once
	closed       sync.Once
}

// New makes a runtime. An error, such as an unknown model, leaves one without
// devices.
func New(c Config) (*Runtime, error) {
	if c.NewGPU == nil {
		c.NewGPU = newGPU
	}
	for _, sink := range []*func([]byte){&c.Stdout, &c.Stderr} {
		if *sink == nil {
			*sink = func([]byte) {}
		}
	}
	r := &Runtime{config: c, start: time.Now()}
	if c.Link == nil {
		r.config.Link = r.linkPTX
	}
	err := r.configure()
	var clock func() time.Duration // of the host
	if r.timing.model != nil {
		clock = func() time.Duration { return time.Duration(r.timing.elapsed.Load()) }
	}
	r.system = stream.NewSystem(clock)
	if err != nil {
		return r, err
	}
	for i := range max(c.Devices, 0) {
		r.devices = append(r.devices, newDevice(r, i))
	}
	return r, nil
}

// Major is the CUDA major that the program was built for.
func (r *Runtime) Major() int { return r.config.Major }

// Version is what cudaRuntimeGetVersion reports: the newest release of the major
// that lockstep follows.
func (r *Runtime) Version() int {
	switch {
	case r.config.Major <= 11:
		return 11080
	case r.config.Major == 12:
		return 12040
	}
	return 13000
}

// device finds a device by its number.
func (r *Runtime) device(ordinal int) (*Device, error) {
	if ordinal < 0 || ordinal >= len(r.devices) {
		if len(r.devices) == 0 {
			return nil, ErrNoDevice
		}
		return nil, fail(ErrInvalidDevice, "device %d of %d", ordinal, len(r.devices))
	}
	return r.devices[ordinal], nil
}

// Finish is the end of a program that has not waited for all of its work: what takes simulated time is done, so that the
// statistics are complete. What kernels print is lost, as on a card, and functions of the program are not called.
func (r *Runtime) Finish() {
	for _, c := range r.contexts() {
		c.gpu.Leave()
	}
	r.system.Finish()
}

// Close writes the closing line, once, if a kernel has run.
func (r *Runtime) Close() {
	r.closed.Do(func() {
		r.watching.close()
		if err := r.timing.close(); err != nil {
			r.config.Stderr(fmt.Appendf(nil, "lockstep: the statistics are not complete: %v\n", err))
		}
		if line := r.summary(time.Since(r.start)); line != "" && !r.config.Quiet {
			r.config.Stderr([]byte(line))
		}
	})
}

// summary is the closing line; empty if no kernel has run.
func (r *Runtime) summary(elapsed time.Duration) string {
	kernels, instructions := r.kernels.Load(), r.instructions.Load()
	if kernels == 0 {
		return ""
	}
	plural, mode, when := "s", "functional", ""
	if kernels == 1 {
		plural = ""
	}
	if t := &r.timing; t.model != nil {
		mode, when = "timing model "+r.model.Model, t.summarise()
		if r.model.Model != models.Compared {
			mode += ", not compared with a card"
		}
	}
	seconds := elapsed.Seconds()
	return fmt.Sprintf("lockstep: %s, %d kernel%s, %s thread instructions%s in %.3f s, %s/s (%s)\n", r.model.Name,
		kernels, plural, metric(float64(instructions)), when, seconds, metric(float64(instructions)/seconds), mode)
}

// metric writes a number with three digits and a prefix.
func metric(x float64) string {
	for _, prefix := range []string{"", "k", "M", "G"} {
		if x < 999.5 {
			if prefix == "" {
				return fmt.Sprintf("%.0f", x)
			}
			return fmt.Sprintf("%.3g %s", x, prefix)
		}
		x /= 1000
	}
	return fmt.Sprintf("%.3g T", x)
}
