package exec

import "sync"

// pool keeps the CTAs of grids that have ended, with their warps' registers,
// for those that follow: a launch then allocates next to nothing.
type pool struct {
	lock sync.Mutex
	free []*cta
}

// pooled bounds the CTAs that are kept.
const pooled = 256

func (p *pool) take() *cta {
	p.lock.Lock()
	defer p.lock.Unlock()
	n := len(p.free)
	if n == 0 {
		return new(cta)
	}
	c := p.free[n-1]
	p.free = p.free[:n-1]
	return c
}

func (p *pool) give(ctas []*cta) {
	p.lock.Lock()
	defer p.lock.Unlock()
	for _, c := range ctas {
		if len(p.free) == pooled {
			return
		}
		c.grid, c.cluster, c.core = nil, nil, nil
		p.free = append(p.free, c)
	}
}
