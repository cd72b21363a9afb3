package main

// #include <unistd.h>
// #include "lockstep.h"
import "C"

import (
	"fmt"
	"math"
	"os"
	"strconv"
	"strings"
	"sync"
	"time"
	"unsafe"

	"github.com/lockstep-sim/lockstep/cudart/rt"
	"github.com/lockstep-sim/lockstep/gpu/gpgpusim"
	"github.com/lockstep-sim/lockstep/gpu/isa/simd"
)

// theRuntime is the process's one runtime, made by the first call.
var theRuntime = sync.OnceValue(func() *rt.Runtime {
	r, err := rt.New(configuration())
	if err != nil {
		fmt.Fprintf(os.Stderr, "lockstep: no device: %v\n", err)
	}
	return r
})

func newThread() *rt.Thread { return theRuntime().NewThread() }

// configuration reads the environment.
func configuration() rt.Config {
	level := environment("LOCKSTEP_LOG")
	c := rt.Config{
		Sources: rt.Sources{ModeGiven: environment("PTX_SIM_MODE_FUNC") != "", Simulator: gpgpusim.Name, Set: environment("LOCKSTEP_SET")},
		Selection: rt.Selection{
			FromKernel: number("LOCKSTEP_FROM_KERNEL", 0), Chosen: expression(environment("LOCKSTEP_KERNEL_REGEX")), Terminal: C.isatty(2) == 1,
		},
		Model:          environment("LOCKSTEP_MODEL"),
		Devices:        visibleDevices(number("LOCKSTEP_DEVICES", 1)),
		Major:          int(C.ls_major()),
		Workers:        number("LOCKSTEP_THREADS", 0),
		Functional:     isSet("PTX_SIM_MODE_FUNC"),
		Quiet:          level == "quiet" || environment("LOCKSTEP_OUTPUT") == "quiet",
		LaunchBlocking: isSet("CUDA_LAUNCH_BLOCKING"),
		Options:        environment("LOCKSTEP_CONFIG"),
		Statistics:     environment("LOCKSTEP_STATS"),
		ISA:            instructionSet(environment("LOCKSTEP_ISA")),
		StrictPTX:      isSet("LOCKSTEP_STRICT"),
		ExactBounds:    exactBounds(environment("LOCKSTEP_BOUNDS")),
		ImageFile:      environment("CUOBJDUMP_SIM_FILE"),
		Stdout:         printToProgram,
		Stderr:         func(p []byte) { os.Stderr.Write(p) },
	}
	if form := environment("LOCKSTEP_OUTPUT"); form != "quiet" {
		c.Output = form
	}
	c.Limit.Instructions, c.Limit.Time = uint64(number("LOCKSTEP_MAX_INSTRUCTIONS", 0)), seconds("LOCKSTEP_TIMEOUT")
	c.MaxCycles = uint64(number("LOCKSTEP_MAX_CYCLES", 0))
	if isSet("PTX_SIM_USE_PTX_FILE") {
		c.PTXFile = ptxFile()
	}
	if level == "calls" || level == "debug" || number("PTX_SIM_DEBUG", 0) >= debugCalls {
		c.Log = logLine
	}
	if level == "copies" {
		c.Copied = func(n, digest uint64) { logLine(fmt.Sprintf("%d bytes to the host, digest %016x", n, digest)) }
	}
	return c
}

// debugCalls is the level of PTX_SIM_DEBUG from which GPGPU-Sim announces calls.
const debugCalls = 3

// ptxFile is the file to take PTX from: PTX_SIM_USE_PTX_FILE names it, or is a switch and PTX_SIM_KERNELFILE does.
func ptxFile() string {
	if file := environment("PTX_SIM_KERNELFILE"); file != "" {
		return file
	}
	return environment("PTX_SIM_USE_PTX_FILE")
}

// printToProgram writes what kernels print through the program's own stdout, so that its order with what the program
// prints is that of the calls, also in a file or a pipe.
func printToProgram(p []byte) {
	if len(p) > 0 {
		C.ls_print(unsafe.Pointer(&p[0]), C.size_t(len(p)))
	}
}

// isSet reports whether a switch of the environment is on.
func isSet(name string) bool {
	v := environment(name)
	return v != "" && v != "0"
}

// number reads a count from the environment; what is none is reported and otherwise ignored.
func number(name string, otherwise int) int {
	text := environment(name)
	if text == "" {
		return otherwise
	}
	n, err := strconv.Atoi(text)
	if err != nil || n < 0 {
		fmt.Fprintf(os.Stderr, "lockstep: %s=%s is not a count; %d is used\n", name, text, otherwise)
		return otherwise
	}
	return n
}

// seconds reads a time from the environment, 0 where there is none.
func seconds(name string) time.Duration {
	text := environment(name)
	if text == "" {
		return 0
	}
	s, err := strconv.ParseFloat(text, 64)
	if err != nil || s < 0 || s > math.MaxInt32 {
		fmt.Fprintf(os.Stderr, "lockstep: %s=%s is not a number of seconds; there is no limit\n", name, text)
		return 0
	}
	return time.Duration(s * float64(time.Second))
}

// exactBounds reads LOCKSTEP_BOUNDS: page, as hardware has it, or allocation.
func exactBounds(setting string) bool {
	switch setting {
	case "", "page", "allocation":
		return setting == "allocation"
	}
	fmt.Fprintf(os.Stderr, "lockstep: LOCKSTEP_BOUNDS=%s is neither page nor allocation; page is used\n", setting)
	return false
}

// instructionSet reads LOCKSTEP_ISA, the instruction set that kernels are executed
// in.
func instructionSet(setting string) simd.Level {
	v, err := simd.ParseLevel(setting)
	if err != nil {
		fmt.Fprintf(os.Stderr, "lockstep: LOCKSTEP_ISA: %v; the best there is is used\n", err)
	}
	return v
}

// visibleDevices is how many of count devices CUDA_VISIBLE_DEVICES leaves: the entries before the first that names none.
// All are of one model, so which they are does not matter.
func visibleDevices(count int) int {
	list, set := lookup("CUDA_VISIBLE_DEVICES")
	if !set {
		return count
	}
	seen := map[int]bool{}
	for entry := range strings.SplitSeq(list, ",") {
		n, err := strconv.Atoi(strings.TrimSpace(entry))
		if err != nil || n < 0 || n >= count || seen[n] {
			break
		}
		seen[n] = true
	}
	return len(seen)
}

// ls_flush ends the run: C calls it once, in the process that made calls, on every way out that it can see. With finish,
// work that takes simulated time and that nobody has waited for comes first.
//
//export ls_flush
func ls_flush(finish C.int) {
	defer func() {
		if p := recover(); p != nil {
			reportPanic("the end of the run", p)
		}
	}()
	r := theRuntime()
	if finish != 0 {
		r.Finish()
	}
	r.Close()
	debugLine("end of run")
}
