package exec

import "sync"

// pool keeps the CTAs of grids that have ended, with their warps' registers, and
// their clusters, for those that follow: a launch then allocates next to nothing.
type pool struct {
	lock     sync.Mutex
	free     []*cta
	clusters []*cluster
}

// pooled bounds the CTAs, and the clusters, that are kept.
const pooled = 256

func (p *pool) take() *cta {
	p.lock.Lock()
	defer p.lock.Unlock()
	n := len(p.free)
	if n == 0 {
		c := new(cta)
		c.clock, c.cancel = c.readClock, c.skipCluster
		return c
	}
	c := p.free[n-1]
	p.free = p.free[:n-1]
	return c
}

func (p *pool) takeCluster() *cluster {
	p.lock.Lock()
	defer p.lock.Unlock()
	n := len(p.clusters)
	if n == 0 {
		return new(cluster)
	}
	x := p.clusters[n-1]
	p.clusters = p.clusters[:n-1]
	return x
}

func (p *pool) give(ctas []*cta, clusters []*cluster) {
	p.lock.Lock()
	defer p.lock.Unlock()
	for _, c := range ctas[:min(len(ctas), pooled-len(p.free))] {
		c.grid, c.cluster, c.core = nil, nil, nil
		p.free = append(p.free, c)
	}
	for _, x := range clusters[:min(len(clusters), pooled-len(p.clusters))] {
		x.grid = nil
		p.clusters = append(p.clusters, x)
	}
}
