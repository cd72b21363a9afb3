package tensor

import (
	"fmt"

	"github.com/lockstep-sim/lockstep/gpu/isa/tensormap"
)

// EncodeOnly is the kernel of a case that ends once its map is encoded.
const EncodeOnly = "encode"

// checks asks for maps at and beyond the bounds of the encoding functions.
func (l *list) checks() {
	tiled := func(name string, change func(r *tensormap.Request)) {
		r := tensor(f32, 64, 32, 16)
		r.Box = []uint32{16, 8, 4}
		change(&r)
		*l = append(*l, Case{Name: "check_tiled_" + name, Kernel: EncodeOnly, Request: r})
	}
	for t := range uint32(17) {
		for fill := range uint32(3) {
			tiled(fmt.Sprintf("type%d_fill%d", t, fill), func(r *tensormap.Request) {
				r.Type, r.Fill = t, fill
				r.Dims[0], r.Box[0], r.Strides = 128, 128, []uint64{1024, 65536}
			})
		}
	}
	for rank := range uint32(7) {
		for interleave := range uint32(4) {
			tiled(fmt.Sprintf("rank%d_interleave%d", rank, interleave), func(r *tensormap.Request) {
				*r = tensormap.Request{Type: f16, Rank: rank, Interleave: interleave, Dims: []uint64{64, 8, 8, 8, 8}, Strides: []uint64{1024, 8192, 65536, 524288}, Box: []uint32{8, 4, 2, 2, 2}, Steps: ones(5)}
				if interleave == 2 {
					r.Swizzle = 1
				}
			})
		}
	}
	for swizzle := range uint32(8) {
		for interleave := range uint32(3) {
			for _, box := range []uint32{4, 8, 12, 16, 24, 32, 40, 64} {
				tiled(fmt.Sprintf("swizzle%d_interleave%d_box%d", swizzle, interleave, box), func(r *tensormap.Request) {
					r.Swizzle, r.Interleave, r.Box[0] = swizzle, interleave, box
				})
			}
		}
	}
	l.checkNumbers(tiled)
	l.checkColumns()
}

func (l *list) checkNumbers(tiled func(name string, change func(r *tensormap.Request))) {
	for _, a := range []uint64{8, 16, 32, 48} {
		for interleave := range uint32(3) {
			tiled(fmt.Sprintf("address%d_interleave%d", a, interleave), func(r *tensormap.Request) {
				r.Address, r.Interleave = a, interleave
				if interleave == 2 {
					r.Swizzle = 1
				}
			})
		}
	}
	for i, d := range []uint64{0, 1, 3, 1 << 31, 1 << 32, 1<<32 + 1, 1 << 40} {
		for at := range 3 {
			tiled(fmt.Sprintf("dim%d_%d", at, i), func(r *tensormap.Request) { r.Dims[at] = d })
		}
	}
	for i, s := range []uint64{0, 8, 16, 48, 240, 256, 272, 1 << 36, 1<<40 - 16, 1 << 40} {
		for at := range 2 {
			for interleave := range uint32(3) {
				tiled(fmt.Sprintf("stride%d_%d_interleave%d", at, i, interleave), func(r *tensormap.Request) {
					r.Strides[at], r.Interleave = s, interleave
					if interleave == 2 {
						r.Swizzle = 1
					}
				})
			}
		}
	}
	for _, n := range []uint32{0, 1, 2, 3, 4, 5, 255, 256, 257} {
		for at := range 3 {
			tiled(fmt.Sprintf("box%d_%d", at, n), func(r *tensormap.Request) { r.Box[at] = n })
			tiled(fmt.Sprintf("step%d_%d", at, n), func(r *tensormap.Request) { r.Steps[at] = n })
			tiled(fmt.Sprintf("step%d_%d_interleave", at, n), func(r *tensormap.Request) { r.Steps[at], r.Interleave = n, 1 })
		}
	}
	for _, n := range []uint32{8, 9} {
		tiled(fmt.Sprintf("step1_%d", n), func(r *tensormap.Request) { r.Steps[1] = n })
		tiled(fmt.Sprintf("step0_%d", n), func(r *tensormap.Request) { r.Steps[0] = n })
	}
	tiled("large_box", func(r *tensormap.Request) { r.Box = []uint32{256, 256, 256} })
	tiled("large_row", func(r *tensormap.Request) {
		r.Box = []uint32{256, 1, 1}
		r.Type = f64
		r.Strides = []uint64{512, 16384}
	})
	tiled("promotion3", func(r *tensormap.Request) { r.Promotion = 3 })
	tiled("promotion4", func(r *tensormap.Request) { r.Promotion = 4 })
}

func (l *list) checkColumns() {
	column := func(rank int, name string, change func(r *tensormap.Request)) {
		r := image(f16, min(max(rank, 3), 5))
		r.Lower, r.Upper = make([]int32, 3), make([]int32, 3)
		r.Lower, r.Upper = r.Lower[:r.Rank-2], r.Upper[:r.Rank-2]
		change(&r)
		*l = append(*l, Case{Name: fmt.Sprintf("check_im2col_%dd_%s", rank, name), Kernel: EncodeOnly, Im2col: true, Request: r})
	}
	for rank := 3; rank <= 5; rank++ {
		limit := []int32{32768, 128, 16}[rank-3]
		for i := range rank - 2 {
			for _, v := range []int32{-limit - 1, -limit, -5, 5, limit - 1, limit} {
				column(rank, fmt.Sprintf("lower%d_%d", i, v), func(r *tensormap.Request) { r.Lower[i] = v })
				column(rank, fmt.Sprintf("upper%d_%d", i, v), func(r *tensormap.Request) { r.Upper[i] = v })
			}
			for _, d := range []int32{-14, -13, -12, -9, -8, -7, -6, -5, -4, -3} {
				column(rank, fmt.Sprintf("empty%d_%d", i, d), func(r *tensormap.Request) { r.Upper[i] = d })
			}
		}
		for _, n := range []uint32{0, 1, 4, 8, 255, 256, 257, 1023, 1024, 1025} {
			column(rank, fmt.Sprintf("channels%d", n), func(r *tensormap.Request) { r.Channels = n })
			column(rank, fmt.Sprintf("pixels%d", n), func(r *tensormap.Request) { r.Pixels = n })
		}
		for n := range uint32(7) {
			column(rank, fmt.Sprintf("swizzle%d", n), func(r *tensormap.Request) { r.Swizzle = n })
			column(rank, fmt.Sprintf("interleave%d", n), func(r *tensormap.Request) { r.Interleave = n })
		}
	}
	for _, rank := range []uint32{0, 1, 2, 6} {
		column(int(rank), "rank", func(r *tensormap.Request) { r.Rank = rank })
	}
}
