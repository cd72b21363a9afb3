package rt

import "github.com/lockstep-sim/lockstep/gpu/isa"

// queries answers what kernels ask of the runtime.
type queries struct{ context *Context }

// ErrorText implements exec.Queries.
func (q queries) ErrorText(code int) (name, text string) {
	major := q.context.device.runtime.config.Major
	return Name(Error(code), major), Text(Error(code), major)
}

// Attribute implements exec.Queries.
func (q queries) Attribute(id int) (int32, bool) { return q.context.device.attribute(id) }

// Limit implements exec.Queries.
func (q queries) Limit(limit int) (uint64, bool) {
	if q.context.checkLimit(limit) != nil {
		return 0, false
	}
	q.context.mu.Lock()
	defer q.context.mu.Unlock()
	return q.context.limits[limit], true
}

// Blocks implements exec.Queries.
func (q queries) Blocks(k *isa.Kernel, threads int, shared uint64) int {
	if threads <= 0 {
		return 0
	}
	return occupancy(q.context.device.model, k, threads, shared)
}

// Version implements exec.Queries.
func (q queries) Version() int { return q.context.device.runtime.Version() }

// Devices implements exec.Queries.
func (q queries) Devices() (count, own int) {
	return len(q.context.device.runtime.devices), q.context.device.ordinal
}
