package rt

import (
	"github.com/lockstep-sim/lockstep/gpu/isa"
	"github.com/lockstep-sim/lockstep/gpu/models"
)

const (
	// portableCluster is the number of blocks of the largest cluster that every
	// device with clusters can run; a kernel may ask for more
	// (programming guide, thread block clusters).
	portableCluster    = 8
	nonPortableCluster = 16
	// clusterBlocks bounds the blocks of clusters on a multiprocessor (measured on
	// an H200: occupancy of clusters).
	clusterBlocks = 8
	// lastClusterPolicy is the last cudaClusterSchedulingPolicy.
	lastClusterPolicy = 2
)

// clusterConfig is what a program has asked for the clusters of a kernel
// (cudaFuncSetAttribute).
type clusterConfig struct {
	required            [3]int32
	policy, nonPortable int32
}

// set sets an attribute of cudaFuncSetAttribute. What was compiled in stays.
func (s *clusterConfig) set(attribute, value int, bounds *isa.ClusterBounds) error {
	switch {
	case attribute == funcNonPortable:
		s.nonPortable = int32(value)
	case attribute == funcClusterPolicy:
		if value < 0 || value > lastClusterPolicy {
			return fail(ErrInvalidValue, "cluster scheduling policy %d", value)
		}
		s.policy = int32(value)
	case bounds.Dim != [3]uint32{}:
		return fail(ErrNotPermitted, "clusters of %v blocks were compiled in", bounds.Dim)
	case value < 0:
		return fail(ErrInvalidValue, "a cluster of %d blocks", value)
	default:
		s.required[attribute-funcClusterWidth] = int32(value)
	}
	return nil
}

// clusterSettings is what a program has asked for the kernel's clusters.
func (p prepared) clusterSettings() clusterConfig {
	p.context.mu.Lock()
	defer p.context.mu.Unlock()
	return p.context.config(p.function).cluster
}

// requiredCluster is what the kernel was compiled with, or has been set to; a
// setting may lack dimensions.
func (s *clusterConfig) requiredCluster(k *isa.Kernel) (dim [3]uint32) {
	if k.Cluster.Dim != [3]uint32{} {
		return k.Cluster.Dim
	}
	for i, n := range s.required {
		dim[i] = uint32(n)
	}
	return dim
}

// cluster finds the clusters that a launch has, zero for none: what the launch
// asks for, or else what the kernel requires.
func (p prepared) cluster(l *Launch) (dim [3]uint32, err error) {
	k, s := p.kernel, p.clusterSettings()
	required := s.requiredCluster(k)
	dim = required
	if l.Cluster != nil {
		dim = *l.Cluster
	} else if dim == [3]uint32{} {
		return dim, nil
	}
	for i, n := range dim {
		switch {
		case n == 0:
			return dim, fail(ErrInvalidClusterSize, "kernel %s: clusters of %v blocks", k.Name, dim)
		case required[i] != 0 && n != required[i]:
			return dim, fail(ErrInvalidClusterSize, "kernel %s: clusters of %v blocks, it requires %v", k.Name, dim, required)
		case l.Grid[i]%n != 0:
			return dim, fail(ErrInvalidClusterSize, "kernel %s: clusters of %v blocks in a grid of %v", k.Name, dim, l.Grid)
		}
	}
	n := clusterSize(dim)
	if most := k.Cluster.MaxRank; most > 0 && n > uint64(most) {
		return dim, fail(ErrInvalidClusterSize, "kernel %s: a cluster of %d blocks, its launch bounds allow %d", k.Name, n, most)
	}
	if n > portableCluster && s.nonPortable == 0 {
		return dim, fail(ErrInvalidClusterSize, "kernel %s: a cluster of %d blocks, without a size that is not portable %d are allowed", k.Name, n, portableCluster)
	}
	return dim, nil
}

// clusterSize is the number of blocks of a cluster; it does not wrap.
func clusterSize(dim [3]uint32) uint64 {
	const most = 1 << 20
	n := uint64(1)
	for _, d := range dim {
		n *= uint64(min(d, most))
	}
	return n
}

// placeCluster checks the clusters of a launch and that the device has room.
func (p prepared) placeCluster(l *Launch, threads int) error {
	dim, err := p.cluster(l)
	if err != nil || dim == [3]uint32{} {
		return err
	}
	n := clusterSize(dim)
	if g := p.context.device.model; n > 1 && (g.Features.Clusters == 0 || activeClusters(g, p.kernel, threads, l.Shared, n) == 0) {
		return fail(ErrInvalidClusterSize, "kernel %s: the device does not hold a cluster of %d blocks", p.kernel.Name, n)
	}
	l.clusters = dim
	return nil
}

// activeClusters counts the clusters of so many blocks that are resident on a
// device. A cluster lies in one group of multiprocessors, which has at least one
// for each block (measured).
func activeClusters(g *models.GPU, k *isa.Kernel, threads int, dynamic, blocks uint64) int {
	perSM := uint64(min(occupancy(g, k, threads, dynamic), clusterBlocks))
	n := uint64(0)
	for _, sms := range g.Groups() {
		if uint64(sms) >= blocks {
			n += uint64(sms) * perSM / blocks
		}
	}
	return int(n)
}

// clusterQuestion prepares a launch that is only asked about.
func (t *Thread) clusterQuestion(l *Launch, attributes []LaunchAttribute) (p prepared, dim [3]uint32, threads int, err error) {
	if p, err = t.prepareHere(l.Function); err != nil {
		return p, dim, 0, err
	}
	if _, err = l.take(attributes); err != nil {
		return p, dim, 0, err
	}
	for i := range 3 {
		if l.Grid[i] == 0 || l.Block[i] == 0 {
			return p, dim, 0, fail(ErrInvalidValue, "a grid of %v blocks of %v threads", l.Grid, l.Block)
		}
	}
	dim, err = p.cluster(l)
	most := uint64(p.context.device.model.Launch.MaxThreadsPerBlock)
	return p, dim, int(min(clusterSize(l.Block), most+1)), err
}

// OccupancyMaxActiveClusters is cudaOccupancyMaxActiveClusters.
func (t *Thread) OccupancyMaxActiveClusters(l Launch, attributes []LaunchAttribute) (int, error) {
	p, dim, threads, err := t.clusterQuestion(&l, attributes)
	if err != nil || dim == [3]uint32{} {
		return 0, err
	}
	return activeClusters(p.context.device.model, p.kernel, threads, l.Shared, clusterSize(dim)), nil
}

// OccupancyMaxPotentialClusterSize is cudaOccupancyMaxPotentialClusterSize: the
// largest cluster of which the device holds one, whatever the launch asks for.
func (t *Thread) OccupancyMaxPotentialClusterSize(l Launch, attributes []LaunchAttribute) (int, error) {
	p, _, threads, err := t.clusterQuestion(&l, attributes)
	if err != nil {
		return 0, err
	}
	most := portableCluster
	if s := p.clusterSettings(); s.nonPortable != 0 {
		most = nonPortableCluster
	}
	for n := most; n > 0; n-- {
		if activeClusters(p.context.device.model, p.kernel, threads, l.Shared, uint64(n)) > 0 {
			return n, nil
		}
	}
	return 0, nil
}
