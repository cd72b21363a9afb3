package ops

import "github.com/lockstep-sim/lockstep/gpu/isa"

// ofSystem reports an atomic operation that other processors of the host must see as one access: one of system scope,
// which programs use on managed and pinned memory while their own threads work on it. Wider and narrower values than
// processors exchange are two accesses.
func ofSystem(f *isa.Form) bool {
	bits := f.Type(0).Bits()
	return f.Has("sys") && (bits == 32 || bits == 64)
}

// atomSystem is atom for system scope.
func atomSystem[T value](f formula[T], red bool) isa.Handler {
	return func(w *isa.Warp, in *isa.Inst) {
		var r reach
		for rest := w.Mask; rest != 0; rest &^= r.lanes {
			if !r.findAtomic(w, in, rest, size[T]()) {
				return
			}
			apply, b := f.in(r.space), read[T](w, in.B)
			for l := range r.lanes.All {
				old := update(r.bytes[r.at[l]:], b.at(l), apply)
				if !red {
					write[T](w, in.D).set(l, old)
				}
			}
		}
	}
}

// update replaces the value at p by what apply makes of it and b, and gives the old one.
func update[T value](p []byte, b T, apply func(old, b T) T) T {
	for old := get[T](p); ; {
		seen := exchange(p, old, apply(old, b))
		if seen == old {
			return old
		}
		old = seen
	}
}

// casSystem is cas for system scope.
func casSystem[T value](w *isa.Warp, in *isa.Inst) {
	var r reach
	for rest := w.Mask; rest != 0; rest &^= r.lanes {
		if !r.findAtomic(w, in, rest, size[T]()) {
			return
		}
		d, b, c := write[T](w, in.D), read[T](w, in.B), read[T](w, in.C)
		for l := range r.lanes.All {
			d.set(l, exchange(r.bytes[r.at[l]:], b.at(l), c.at(l)))
		}
	}
}
