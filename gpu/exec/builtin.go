package exec

import (
	"bytes"
	"encoding/binary"
	"fmt"

	"github.com/lockstep-sim/lockstep/gpu/isa"
)

// builtin is a function that a CUDA device provides, for one lane. An argument of
// more than eight bytes comes as several words.
type builtin func(w *warp, l int, args []uint64) (result uint64)

// builtins are those functions, by the name that PTX declares them with.
var builtins map[string]builtin

func init() { builtins = providedFunctions() } // they lead back to whoever calls them

func providedFunctions() map[string]builtin {
	all := map[string]builtin{
		"vprintf":      (*warp).vprintf,
		"malloc":       (*warp).malloc,
		"free":         (*warp).freeHeap,
		"__assertfail": (*warp).assertFail,

		"cudaGraphSetConditional": (*warp).setConditional,
	}
	for name, f := range deviceRuntime() {
		for _, spelling := range []string{"cuda" + name, "__cudaCDP2" + name} { // before and from CUDA 12 on
			all[spelling], all[spelling+"_ptsz"] = f, f
		}
	}
	all["__cudaDeviceSynchronizeDeprecationAvoidance"] = (*warp).deviceSynchronize
	return all
}

// deviceRuntime are the functions of the device runtime.
func deviceRuntime() map[string]builtin {
	return map[string]builtin{
		"GetParameterBuffer":   (*warp).getParameterBufferOld,
		"GetParameterBufferV2": (*warp).getParameterBuffer,
		"LaunchDevice":         (*warp).launchDeviceOld,
		"LaunchDeviceV2":       (*warp).launchDevice,
		"DeviceSynchronize":    (*warp).deviceSynchronize,

		"GraphLaunch": (*warp).deviceGraphLaunch,

		"GetLastError":    (*warp).deviceLastError,
		"PeekAtLastError": (*warp).devicePeekError,
		"GetErrorString":  (*warp).deviceErrorString,
		"GetErrorName":    (*warp).deviceErrorName,

		"GetDeviceCount":           (*warp).deviceCount,
		"GetDevice":                (*warp).deviceOwn,
		"RuntimeGetVersion":        (*warp).deviceVersion,
		"DeviceGetAttribute":       (*warp).deviceAttribute,
		"DeviceGetLimit":           (*warp).deviceLimit,
		"DeviceGetCacheConfig":     (*warp).deviceConfig,
		"DeviceGetSharedMemConfig": (*warp).deviceBanks,
		"FuncGetAttributes":        (*warp).deviceFunction,

		"OccupancyMaxActiveBlocksPerMultiprocessor":          (*warp).deviceOccupancy,
		"OccupancyMaxActiveBlocksPerMultiprocessorWithFlags": (*warp).deviceOccupancy,

		"StreamCreateWithFlags": (*warp).deviceHandle,
		"StreamDestroy":         (*warp).deviceNothing,
		"StreamWaitEvent":       (*warp).deviceNothing,
		"EventCreateWithFlags":  (*warp).deviceHandle,
		"EventRecord":           (*warp).deviceNothing,
		"EventRecordWithFlags":  (*warp).deviceNothing,
		"EventDestroy":          (*warp).deviceNothing,

		"Malloc":        (*warp).deviceMalloc,
		"Free":          (*warp).deviceFree,
		"MemcpyAsync":   (*warp).deviceMemcpy,
		"Memcpy2DAsync": (*warp).deviceMemcpy2D,
		"Memcpy3DAsync": (*warp).deviceMemcpy3D,
		"MemsetAsync":   (*warp).deviceMemset,
		"Memset2DAsync": (*warp).deviceMemset2D,
		"Memset3DAsync": (*warp).deviceMemset3D,
	}
}

// builtinArgs is the largest number of words that a provided function takes.
const builtinArgs = 9

// IsBuiltin reports whether the engine provides a device function of that name.
func IsBuiltin(name string) bool { return builtins[name] != nil }

// builtin executes a call of a provided function lane by lane.
func (w *warp) builtin(p *path, fn *isa.Function, call *isa.Control) {
	do := builtins[fn.Builtin]
	if do == nil {
		w.Raise(isa.Trap{Kind: isa.InvalidPC, Lane: p.mask.First(), Note: "lockstep does not provide device function " + fn.Builtin})
		w.cta.fault(w, p)
		return
	}
	base := p.frame.base
	args := make([]uint64, 0, builtinArgs)
	for l := range p.mask.All {
		args = args[:0]
		for _, slot := range call.Args {
			b, _ := w.Local.At(l, base+slot.Offset, int(slot.Size))
			for ; len(b) > 8; b = b[8:] {
				args = append(args, uint64LE(b[:8]))
			}
			args = append(args, uint64LE(b))
		}
		for len(args) < builtinArgs { // a wrong declaration may pass fewer
			args = append(args, 0)
		}
		result := do(w, l, args)
		if w.Trap.Kind != isa.NoTrap {
			w.cta.fault(w, p)
			return
		}
		for _, slot := range call.Rets {
			b, _ := w.Local.At(l, base+slot.Offset, int(slot.Size))
			putLE(b, result)
		}
	}
	p.pc++
}

func uint64LE(b []byte) uint64 {
	var v [8]byte
	copy(v[:], b)
	return binary.LittleEndian.Uint64(v[:])
}

func putLE(b []byte, v uint64) {
	var x [8]byte
	binary.LittleEndian.PutUint64(x[:], v)
	copy(b, x[:])
}

func (w *warp) malloc(l int, args []uint64) uint64 {
	return w.cta.grid.engine.heap.alloc(args[0])
}

func (w *warp) freeHeap(l int, args []uint64) uint64 {
	if args[0] != 0 && !w.cta.grid.engine.heap.release(args[0]) {
		w.Raise(isa.Trap{Kind: isa.HeapCorruption, Lane: l, Addr: args[0], Note: fmt.Sprintf("%#x", args[0])})
	}
	return 0
}

// setConditional gives the condition at args[0], the address of 32 bits, the value
// args[1].
func (w *warp) setConditional(l int, args []uint64) uint64 {
	if b := w.Bytes(isa.Generic, l, args[0], 4, 4, true); b != nil {
		binary.LittleEndian.PutUint32(b, uint32(args[1]))
	}
	return 0
}

// vprintf prints the format at args[0] with the argument buffer at args[1] and
// returns the number of arguments, -1 without a format.
func (w *warp) vprintf(l int, args []uint64) uint64 {
	if args[0] == 0 {
		return ^uint64(0)
	}
	format, ok := w.text(l, args[0])
	if !ok {
		return 0
	}
	out, n := formatC(format, func(off uint64, size int) uint64 {
		b := w.Bytes(isa.Generic, l, args[1]+off, size, 1, false)
		return uint64LE(b)
	}, func(addr uint64) string {
		s, _ := w.text(l, addr)
		return s
	})
	if w.Trap.Kind == isa.NoTrap {
		w.cta.grid.engine.out(out)
	}
	return uint64(n)
}

// assertFail prints what CUDA prints for a failed assert and ends the grid.
func (w *warp) assertFail(l int, args []uint64) uint64 {
	message, _ := w.text(l, args[0])
	file, _ := w.text(l, args[1])
	function, _ := w.text(l, args[3])
	w.cta.grid.engine.err(fmt.Appendf(nil, "%s:%d: %s: block: [%s], thread: [%s] Assertion `%s` failed.\n",
		file, uint32(args[2]), function, triple(w.CTA.Ctaid),
		triple([3]uint32{w.Tid[0][l], w.Tid[1][l], w.Tid[2][l]}), message))
	w.Raise(isa.Trap{Kind: isa.AssertFailed, Lane: l, Note: message})
	return 0
}

// longestText bounds a string that a program passes to printf.
const longestText = 1 << 20

// text reads the NUL-terminated string at a generic address.
func (w *warp) text(l int, addr uint64) (string, bool) {
	var s []byte
	for len(s) < longestText {
		b := w.Bytes(isa.Generic, l, addr+uint64(len(s)), 1, 1, false)
		if b == nil {
			return string(s), false
		}
		if b[0] == 0 {
			break
		}
		s = append(s, b[0])
	}
	return string(bytes.Clone(s)), true
}
