package rt

import "math/bits"

// SMSet is a set of multiprocessors by number.
type SMSet [10]uint64

func (s *SMSet) add(sms ...int) {
	for _, n := range sms {
		s[n/64] |= 1 << (n % 64)
	}
}

func (s *SMSet) join(o *SMSet) {
	for i := range s {
		s[i] |= o[i]
	}
}

// list is the set's multiprocessors, in order.
func (s *SMSet) list() []uint32 {
	var all []uint32
	for i, word := range s {
		for ; word != 0; word &= word - 1 {
			all = append(all, uint32(64*i+bits.TrailingZeros64(word)))
		}
	}
	return all
}

// SMResource is a set of multiprocessors of a device. Least and Align are known of
// whole devices and of contexts only, as on a card.
type SMResource struct {
	Device, Count, Least, Align, Flags uint32
	Split                              uint64 // call that made it, 0 for the whole device
	Set                                SMSet
}

// Flags of a split; others are ignored (measured).
const (
	splitApart   = 1 // ignore which multiprocessors are scheduled together
	splitCluster = 2 // groups for the largest clusters
)

// Multiprocessors that are scheduled together, and the least of those that are not
// (CUDA driver API, green contexts; compute capability 9.0).
const (
	together      = 8
	togetherApart = 2
)

// wholeDevice is all multiprocessors of a device.
func (d *Device) wholeDevice() SMResource {
	r := SMResource{Device: uint32(d.ordinal), Count: uint32(d.model.SM.Count), Least: together, Align: together}
	for n := range int(r.Count) {
		r.Set.add(n)
	}
	return r
}

// order is the device's multiprocessors as a split takes them: first those that are
// scheduled together, unit by unit, then what the groups (GPCs) have besides. units
// is the number of the former.
func (d *Device) order() (sms []int, units int) {
	var rest []int
	first := 0
	for _, size := range d.model.Groups() {
		whole := size / together * together
		for n := range size {
			if n < whole {
				sms = append(sms, first+n)
			} else {
				rest = append(rest, first+n)
			}
		}
		units += whole / together
		first += size
	}
	return append(sms, rest...), units
}

// SplitByCount is cudaDevSmResourceSplitByCount: equal groups of at least that many
// multiprocessors, at most most of them, and what is left. Its rules are those that
// an H200 shows.
func (t *Thread) SplitByCount(r SMResource, most, count, flags uint32) (groups []SMResource, rest SMResource, err error) {
	d, err := t.runtime.device(int(r.Device))
	if err != nil {
		return nil, rest, err
	}
	flags &= splitApart | splitCluster
	if flags == splitApart|splitCluster {
		return nil, rest, fail(ErrInvalidValue, "groups that ignore what is scheduled together, for the largest clusters")
	}
	if count > r.Count || r.Split != 0 {
		return nil, rest, fail(ErrInvalidResourceConfiguration, "groups of %d of %d multiprocessors", count, r.Count)
	}
	align := uint32(together)
	if flags == splitApart {
		align = togetherApart
	}
	each := min(max(count+align-1, align)/align*align, r.Count)
	sms, units := d.order()
	n := r.Count / each
	if align == together && each == together { // larger groups need not be scheduled together
		n = uint32(units)
	}
	n = min(n, most)
	split := t.runtime.splits.Add(1)
	take := func(count uint32) SMResource {
		g := SMResource{Device: r.Device, Count: count, Split: split}
		g.Set.add(sms[:count]...)
		sms = sms[count:]
		return g
	}
	for range n {
		groups = append(groups, take(each))
	}
	if left := r.Count - n*each; left > 0 {
		rest = take(left)
	}
	return groups, rest, nil
}

// SplitGroup asks for a group of a structured split. Count 0 is as many as are
// left.
type SplitGroup struct{ Count, Together, Preferred, Flags uint32 }

// groupBackfill takes multiprocessors that are not scheduled together, too.
const groupBackfill = 1

// Split is cudaDevSmResourceSplit. The groups come back with the counts that they
// got.
func (t *Thread) Split(r SMResource, flags uint32, groups []SplitGroup) (got []SMResource, rest SMResource, err error) {
	d, err := t.runtime.device(int(r.Device))
	if err != nil {
		return nil, rest, err
	}
	if flags != 0 || len(groups) == 0 {
		return nil, rest, fail(ErrInvalidValue, "%d groups with flags %#x", len(groups), flags)
	}
	split, left := t.runtime.splits.Add(1), r.Count
	sms, _ := d.order()
	take := func(count uint32) SMResource {
		g := SMResource{Device: r.Device, Count: count, Least: togetherApart, Align: togetherApart, Split: split}
		g.Set.add(sms[:count]...)
		sms, left = sms[count:], left-count
		return g
	}
	for i := range groups {
		if err := groups[i].settle(r.Count, left); err != nil {
			return nil, rest, err
		}
		g := take(groups[i].Count)
		g.Align, g.Flags = groups[i].Together, groups[i].Flags
		got = append(got, g)
	}
	if left > 0 {
		rest = take(left)
	}
	return got, rest, nil
}

// settle fills in what a group leaves open, and refuses what cannot be.
func (g *SplitGroup) settle(all, left uint32) error {
	if g.Together == 0 {
		g.Together = together
	}
	if g.Together > 4*together || g.Together%2 != 0 || g.Flags&^groupBackfill != 0 || g.Count%2 != 0 || g.Count > all {
		return fail(ErrInvalidResourceConfiguration, "a group of %d multiprocessors, %d together, flags %#x", g.Count, g.Together, g.Flags)
	}
	if g.Preferred == 0 {
		g.Preferred = g.Together
	}
	if g.Count == 0 {
		g.Count = left / g.Together * g.Together
		if g.Flags&groupBackfill != 0 {
			g.Count = left
		}
	}
	if g.Count > left || g.Count < g.Together || g.Flags&groupBackfill == 0 && g.Count%g.Together != 0 {
		return fail(ErrInvalidResourceConfiguration, "a group of %d multiprocessors of %d that are left", g.Count, left)
	}
	return nil
}

// GenerateDesc is cudaDevResourceGenerateDesc: resources of one split, or one.
func (t *Thread) GenerateDesc(list []SMResource) (uint64, error) {
	if len(list) == 0 {
		return 0, fail(ErrInvalidValue, "no resources")
	}
	whole := list[0]
	for _, r := range list[1:] {
		if r.Device != whole.Device || r.Split != whole.Split || r.Align != whole.Align {
			return 0, fail(ErrInvalidResourceConfiguration, "resources of different splits")
		}
		whole.Count += r.Count
		whole.Set.join(&r.Set)
	}
	return t.runtime.resources.add(whole), nil
}

// DeviceGetDevResource is cudaDeviceGetDevResource for multiprocessors.
func (t *Thread) DeviceGetDevResource(device int, kind int32) (SMResource, error) {
	d, err := t.runtime.device(device)
	if err != nil {
		return SMResource{}, err
	}
	if kind != ResourceSM && kind != ResourceQueueConfig {
		return SMResource{}, fail(ErrInvalidResourceType, "resource of type %d of a device", kind)
	}
	return d.wholeDevice(), nil
}
