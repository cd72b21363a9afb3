package rt

import (
	"math"

	"github.com/lockstep-sim/lockstep/cudart/rt/graph"
)

// userObject is something of the program that lives while references to it do.
type userObject struct {
	handle uint64
	count  uint64
	run    func() // destroys it
}

// references are how often a graph or an executable refers to objects, in the
// order of the first reference.
type references struct {
	objects []*userObject
	counts  map[*userObject]uint64
}

// Flags of user objects.
const (
	objectNoSync = 1 // of cudaUserObjectCreate: required
	objectMove   = 1 // of cudaGraphRetainUserObject: the caller's references become the graph's
)

// UserObjectCreate is cudaUserObjectCreate.
func (t *Thread) UserObjectCreate(destroy HostCall, count, flags uint32) (uint64, error) {
	if destroy.Function == 0 || count == 0 || flags != objectNoSync {
		return 0, fail(ErrInvalidValue, "a user object with %d references and flags %#x", count, flags)
	}
	defer t.lock()()
	o := &userObject{count: uint64(count), run: destroy.Run}
	o.handle = t.runtime.graphs.objects.add(o)
	return o.handle, nil
}

// object finds a user object; the count is that of an argument.
func (t *Thread) object(handle uint64, count uint32) (*userObject, error) {
	o, ok := t.runtime.graphs.objects.get(handle)
	if !ok || count == 0 || count > math.MaxInt32 {
		return nil, fail(ErrInvalidValue, "%d references to object %#x", count, handle)
	}
	return o, nil
}

// UserObjectRetain is cudaUserObjectRetain.
func (t *Thread) UserObjectRetain(handle uint64, count uint32) error {
	defer t.lock()()
	o, err := t.object(handle, count)
	if err == nil {
		o.count += uint64(count)
	}
	return err
}

// UserObjectRelease is cudaUserObjectRelease.
func (t *Thread) UserObjectRelease(handle uint64, count uint32) error {
	defer t.lock()()
	o, err := t.object(handle, count)
	if err != nil {
		return err
	}
	if uint64(count) > o.count {
		return fail(ErrInvalidValue, "%d references of %d are released", count, o.count)
	}
	t.runtime.drop(o, uint64(count))
	return nil
}

// drop takes references away. The program's function runs on a thread of its
// own, where it may not call CUDA.
func (r *Runtime) drop(o *userObject, count uint64) {
	if o.count -= count; o.count == 0 {
		r.graphs.objects.take(o.handle)
		go o.run()
	}
}

// add counts references.
func (x *references) add(o *userObject, count uint64) {
	if x.counts == nil {
		x.counts = map[*userObject]uint64{}
	}
	if x.counts[o] == 0 {
		x.objects = append(x.objects, o)
	}
	x.counts[o] += count
}

// GraphRetainUserObject is cudaGraphRetainUserObject.
func (t *Thread) GraphRetainUserObject(handle, object uint64, count, flags uint32) error {
	defer t.lock()()
	g, err := t.runtime.graph(handle)
	if err != nil {
		return err
	}
	o, err := t.object(object, count)
	if err != nil {
		return err
	}
	if flags&^objectMove != 0 {
		return fail(ErrInvalidValue, "flags %#x", flags)
	}
	if flags == 0 {
		o.count += uint64(count)
	}
	if t.runtime.graphs.held == nil {
		t.runtime.graphs.held = map[*graph.Graph]*references{}
	}
	if t.runtime.graphs.held[g] == nil {
		t.runtime.graphs.held[g] = &references{}
	}
	t.runtime.graphs.held[g].add(o, uint64(count))
	return nil
}

// GraphReleaseUserObject is cudaGraphReleaseUserObject.
func (t *Thread) GraphReleaseUserObject(handle, object uint64, count uint32) error {
	defer t.lock()()
	g, err := t.runtime.graph(handle)
	if err != nil {
		return err
	}
	o, err := t.object(object, count)
	if err != nil {
		return err
	}
	x := t.runtime.graphs.held[g]
	if x == nil || x.counts[o] < uint64(count) {
		return fail(ErrInvalidValue, "the graph has fewer than %d references", count)
	}
	x.counts[o] -= uint64(count)
	t.runtime.drop(o, uint64(count))
	return nil
}

// share gives a copy of a graph a reference to each object of the graph.
func (r *Runtime) share(from, to *graph.Graph) {
	if x := r.graphs.held[from]; x != nil {
		r.graphs.held[to] = x.again()
	}
}

// again are one more reference to each object.
func (x *references) again() *references {
	y := &references{}
	for _, o := range x.objects {
		if x.counts[o] > 0 {
			o.count++
			y.add(o, 1)
		}
	}
	return y
}

// releaseAll drops a graph's references.
func (r *Runtime) releaseAll(g *graph.Graph) {
	if x := r.graphs.held[g]; x != nil {
		r.releaseReferences(x)
		delete(r.graphs.held, g)
	}
}

func (r *Runtime) releaseReferences(x *references) {
	for _, o := range x.objects {
		if n := x.counts[o]; n > 0 {
			r.drop(o, n)
		}
	}
}
