package exec

import (
	"encoding/binary"

	"github.com/lockstep-sim/lockstep/gpu/isa"
	"github.com/lockstep-sim/lockstep/gpu/mem"
)

// The functions of the device runtime that start nothing. Arguments are those of
// the functions of the same name of the host.

func (w *warp) deviceLastError(l int, args []uint64) uint64 {
	t, g := w.threadOf(l), &w.cta.grid.launcher
	code := g.errors[t]
	delete(g.errors, t)
	return uint64(code)
}

func (w *warp) devicePeekError(l int, args []uint64) uint64 {
	return uint64(w.cta.grid.launcher.errors[w.threadOf(l)])
}

func (w *warp) deviceErrorString(l int, args []uint64) uint64 {
	_, text := w.cta.grid.engine.queries.ErrorText(int(int32(args[0])))
	return w.cta.grid.engine.text(text)
}

func (w *warp) deviceErrorName(l int, args []uint64) uint64 {
	name, _ := w.cta.grid.engine.queries.ErrorText(int(int32(args[0])))
	return w.cta.grid.engine.text(name)
}

// text is the address of a string in device memory, where it stays.
func (e *Engine) text(s string) uint64 {
	if addr, ok := e.texts[s]; ok {
		return addr
	}
	b := append([]byte(s), 0)
	addr, err := e.memory.Alloc(uint64(len(b)), 0)
	if err != nil || e.memory.Write(addr, b) != nil {
		return 0
	}
	if e.texts == nil {
		e.texts = map[string]uint64{}
	}
	e.texts[s] = addr
	return addr
}

// store writes a result through a pointer of the program; a bad one raises the
// trap of the access.
func (w *warp) store(l int, addr uint64, v uint64, size int) uint64 {
	if b := w.Bytes(isa.Generic, l, addr, size, size, true); b != nil {
		putLE(b, v)
	}
	return deviceSuccess
}

func (w *warp) deviceCount(l int, args []uint64) uint64 {
	n, _ := w.cta.grid.engine.queries.Devices()
	return w.store(l, args[0], uint64(n), 4)
}

func (w *warp) deviceOwn(l int, args []uint64) uint64 {
	_, own := w.cta.grid.engine.queries.Devices()
	return w.store(l, args[0], uint64(own), 4)
}

func (w *warp) deviceVersion(l int, args []uint64) uint64 {
	return w.store(l, args[0], uint64(w.cta.grid.engine.queries.Version()), 4)
}

func (w *warp) deviceAttribute(l int, args []uint64) uint64 {
	v, ok := w.cta.grid.engine.queries.Attribute(int(int32(args[1])))
	if !ok {
		return w.failed(l, deviceInvalidValue)
	}
	return w.store(l, args[0], uint64(uint32(v)), 4)
}

func (w *warp) deviceLimit(l int, args []uint64) uint64 {
	v, ok := w.cta.grid.engine.queries.Limit(int(int32(args[1])))
	if !ok {
		return w.failed(l, deviceInvalidValue)
	}
	return w.store(l, args[0], v, 8)
}

// deviceConfig is cudaDeviceGetCacheConfig and cudaDeviceGetSharedMemConfig.
func (w *warp) deviceConfig(l int, args []uint64) uint64 { return w.store(l, args[0], 0, 4) }

// fourByteBanks is what cudaDeviceGetSharedMemConfig says.
const fourByteBanks = 1

func (w *warp) deviceBanks(l int, args []uint64) uint64 {
	return w.store(l, args[0], fourByteBanks, 4)
}

// firstDeviceHandle is above the numbers of streams that have a meaning.
const firstDeviceHandle = 0x100

// deviceHandle makes a stream or an event. Which it is does not matter, as all
// work is done in the order in which it was made.
func (w *warp) deviceHandle(l int, args []uint64) uint64 {
	e := w.cta.grid.engine
	e.handles++
	return w.store(l, args[0], firstDeviceHandle+e.handles, 8)
}

// deviceNothing are calls on streams and events, whose order holds anyway.
func (w *warp) deviceNothing(l int, args []uint64) uint64 { return deviceSuccess }

// deviceGraphLaunch is cudaGraphLaunch(graph, stream), for kernels that are nodes of graphs.
func (w *warp) deviceGraphLaunch(l int, args []uint64) uint64 {
	g := w.cta.grid.launch.Graph
	if g == nil {
		return w.failed(l, deviceUnsupported)
	}
	return w.failed(l, g.Launch(args[0], args[1]))
}

func (w *warp) deviceMalloc(l int, args []uint64) uint64 {
	addr := w.cta.grid.engine.heap.alloc(args[1])
	if addr == 0 {
		return w.failed(l, deviceNoMemory)
	}
	return w.store(l, args[0], addr, 8)
}

func (w *warp) deviceFree(l int, args []uint64) uint64 {
	if args[0] != 0 && !w.cta.grid.engine.heap.release(args[0]) {
		return w.failed(l, deviceInvalidValue)
	}
	return deviceSuccess
}

func (w *warp) deviceFunction(l int, args []uint64) uint64 {
	k := w.cta.grid.launch.Kernel.Kernel(args[1])
	if k == nil {
		return w.failed(l, deviceFunction)
	}
	threads := k.MaxThreads
	if threads == 0 {
		threads = mostThreads
	}
	for i, v := range []uint64{uint64(k.StaticShared), 0, uint64(k.LocalBytes)} {
		w.store(l, args[0]+8*uint64(i), v, 8)
	}
	for i, v := range []uint64{uint64(threads), uint64(k.Registers)} {
		w.store(l, args[0]+24+4*uint64(i), v, 4)
	}
	return deviceSuccess
}

func (w *warp) deviceOccupancy(l int, args []uint64) uint64 {
	k := w.cta.grid.launch.Kernel.Kernel(args[1])
	if k == nil {
		return w.failed(l, deviceFunction)
	}
	n := w.cta.grid.engine.queries.Blocks(k, int(int32(args[2])), args[3])
	return w.store(l, args[0], uint64(n), 4)
}

// rows are the parameters of a copy or set of height rows of width bytes.
type rows struct {
	dst, dstPitch, src, srcPitch uint64
	width, height                uint64
}

func (w *warp) copyRows(stream uint64, slices ...rows) uint64 {
	memory := w.cta.grid.engine.memory
	return w.put(stream, Work{Do: func() error {
		for _, r := range slices {
			to, from := mem.Plane{Addr: r.dst, Pitch: r.dstPitch}, mem.Plane{Addr: r.src, Pitch: r.srcPitch}
			if err := memory.Copy2D(to, from, r.width, r.height); err != nil {
				return err
			}
		}
		return nil
	}})
}

func (w *warp) setRows(stream, value uint64, slices ...rows) uint64 {
	memory := w.cta.grid.engine.memory
	return w.put(stream, Work{Do: func() error {
		for _, r := range slices {
			if err := memory.Set2D(mem.Plane{Addr: r.dst, Pitch: r.dstPitch}, uint32(uint8(value)), 1, r.width, r.height); err != nil {
				return err
			}
		}
		return nil
	}})
}

func (w *warp) deviceMemcpy(l int, args []uint64) uint64 {
	return w.copyRows(args[4], rows{dst: args[0], src: args[1], width: args[2], height: 1})
}

func (w *warp) deviceMemcpy2D(l int, args []uint64) uint64 {
	return w.copyRows(args[7], rows{args[0], args[1], args[2], args[3], args[4], args[5]})
}

func (w *warp) deviceMemset(l int, args []uint64) uint64 {
	return w.setRows(args[3], args[1], rows{dst: args[0], width: args[2], height: 1})
}

func (w *warp) deviceMemset2D(l int, args []uint64) uint64 {
	return w.setRows(args[5], args[2], rows{dst: args[0], dstPitch: args[1], width: args[3], height: args[4]})
}

// deviceMemset3D takes a pitched pointer of four words and an extent of three.
func (w *warp) deviceMemset3D(l int, args []uint64) uint64 {
	var slices []rows
	for z := range args[7] {
		slices = append(slices, rows{dst: args[0] + z*args[1]*args[3], dstPitch: args[1], width: args[5], height: args[6]})
	}
	return w.setRows(args[8], args[4], slices...)
}

// copyWords is the size in words of cudaMemcpy3DParms: for the source and then the
// destination an array, a position of three words and a pitched pointer of four,
// then the extent and the kind.
const copyWords = 20

func (w *warp) deviceMemcpy3D(l int, args []uint64) uint64 {
	b := w.Bytes(isa.Generic, l, args[0], 8*copyWords, 8, false)
	if b == nil {
		return deviceInvalidValue
	}
	var p [copyWords]uint64
	for i := range p {
		p[i] = binary.LittleEndian.Uint64(b[8*i:])
	}
	if p[0] != 0 || p[8] != 0 {
		return w.failed(l, deviceUnsupported) // arrays
	}
	place := func(at []uint64, z uint64) uint64 { return at[3] + (at[2]+z)*at[4]*at[6] + at[1]*at[4] + at[0] }
	var slices []rows
	for z := range p[18] {
		slices = append(slices, rows{place(p[9:], z), p[13], place(p[1:], z), p[5], p[16], p[17]})
	}
	return w.copyRows(args[1], slices...)
}
