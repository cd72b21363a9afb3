package gpgpusim

import (
	"fmt"
	"strconv"
	"strings"
)

// cacheShape is a cache string:
//
//	<N|S>:<sets>:<line>:<ways>,<replacement>:<write>:<allocate>:<write allocate>:<index>,<mshr>:<entries>:<merges>,<miss queue>[:<result queue>][,<port width>]
type cacheShape struct {
	kind, replacement, write, allocate, writeAllocate, index, mshr string

	sets, line, ways, entries, merges, queue, port int
}

// parseCache reads a cache string.
func parseCache(text string) (s cacheShape, err error) {
	group := strings.Split(text, ",")
	if len(group) < 4 || len(group) > 5 {
		return s, fmt.Errorf("%q has %d parts divided by commas, not 4 or 5", text, len(group))
	}
	letters := func(n int, admissible ...*string) {
		part := strings.Split(group[n], ":")
		for i, p := range admissible {
			if i < len(part) {
				*p = part[i]
			}
		}
		if len(part) != len(admissible) && err == nil {
			err = fmt.Errorf("%q has %d fields, not %d", group[n], len(part), len(admissible))
		}
	}
	var sets, line, ways, entries, merges string
	letters(0, &s.kind, &sets, &line, &ways)
	letters(1, &s.replacement, &s.write, &s.allocate, &s.writeAllocate, &s.index)
	letters(2, &s.mshr, &entries, &merges)
	queue, _, _ := strings.Cut(group[3], ":")
	port := line
	if len(group) == 5 {
		port = group[4]
	}
	if texture := s.mshr == "F" || s.mshr == "T"; err == nil && texture && !strings.Contains(group[3], ":") {
		err = fmt.Errorf("mshrs %q need a result queue after the miss queue %q", s.mshr, group[3])
	}
	for _, f := range []struct {
		name, text string
		to         *int
	}{{"sets", sets, &s.sets}, {"line", line, &s.line}, {"ways", ways, &s.ways}, {"mshrs", entries, &s.entries}, {"merges", merges, &s.merges}, {"miss queue", queue, &s.queue}, {"port width", port, &s.port}} {
		n, e := strconv.Atoi(f.text)
		if err == nil && (e != nil || n < 0 || n == 0 && f.name != "miss queue") {
			err = fmt.Errorf("%s %q is not a positive whole number", f.name, f.text)
		}
		*f.to = n
	}
	if err == nil {
		err = s.check()
	}
	return s, err
}

// check applies GPGPU-Sim's own rules.
func (s *cacheShape) check() error {
	for _, f := range []struct{ name, text, admissible string }{
		{"kind", s.kind, "NS"}, {"replacement", s.replacement, "LF"}, {"write policy", s.write, "RBTEL"},
		{"allocation policy", s.allocate, "mfs"}, {"write allocation policy", s.writeAllocate, "NWFL"},
		{"set index function", s.index, "HPCLX"}, {"kind of mshrs", s.mshr, "AFTS"},
	} {
		if len(f.text) != 1 || !strings.Contains(f.admissible, f.text) {
			return fmt.Errorf("%s %q is none of %s", f.name, f.text, strings.Join(strings.Split(f.admissible, ""), ", "))
		}
	}
	switch {
	case s.write == "B" && s.allocate != "m":
		return fmt.Errorf("write-back needs allocation on a miss (m), not %q", s.allocate)
	case (s.writeAllocate == "F" || s.writeAllocate == "L") && s.allocate == "f":
		return fmt.Errorf("write allocation %q needs allocation on a miss, not on a fill", s.writeAllocate)
	case s.kind == "S" && s.line != 128:
		return fmt.Errorf("a sectored cache has lines of 128 bytes, not %d", s.line)
	}
	return nil
}

// The names of policies here. Where there is no equal, the nearest.
var (
	replacements   = map[string]string{"L": "lru", "F": "fifo"}
	allocations    = map[string]string{"m": "miss", "f": "fill", "s": "fill"}
	writeAllocates = map[string]string{"N": "none", "W": "fetch", "F": "fetch", "L": "lazy"}
	indexes        = map[string]string{"H": "xor", "P": "ipoly", "C": "linear", "L": "linear", "X": "xor"}
)

// tags sets the shape and the policies of a cache of lockstep.
func (c *conversion) tags(prefix string, s *cacheShape) {
	const sector = 32
	fetch := sector
	if s.kind == "N" {
		fetch = s.line // a miss brings the whole line
	}
	c.set(prefix+"sets", s.sets)
	c.set(prefix+"line", s.line)
	c.set(prefix+"sector", min(sector, s.line))
	c.set(prefix+"fetch", min(fetch, s.line))
	c.set(prefix+"replacement", replacements[s.replacement])
	c.set(prefix+"allocate", allocations[s.allocate])
	c.set(prefix+"index", indexes[s.index])
	c.set(prefix+"mshrs", s.entries)
	c.set(prefix+"merges", s.merges)
}

// l1 converts the string of L1. Together with shared memory it is one memory here,
// of which the carve-out is taken: with a memory of its own for either, the
// carve-out is fixed.
func l1(c *conversion, v *Value) error {
	if v.Text == "none" {
		c.set("l1.cached", false)
		return c.carve(&cacheShape{sets: 1, line: 128, ways: 1})
	}
	s, err := parseCache(v.Text)
	if err != nil {
		return err
	}
	if s.line != 128 {
		return fmt.Errorf("lines of %d bytes: requests are of lines of 128", s.line)
	}
	c.tags("l1.", &s)
	write := "through"
	if s.write == "E" {
		write = "evict"
	}
	c.set("l1.write", write)
	c.set("lsu.misses", max(s.queue, 1))
	c.set("l1.width", s.port*max(c.int("-gpgpu_l1_banks"), 1))
	c.set("l1.cached", c.int("-gpgpu_gmem_skip_L1D") == 0)
	return c.carve(&s)
}

// carve sets the memory that L1 and shared memory divide.
func (c *conversion) carve(s *cacheShape) error {
	shared := c.int("-gpgpu_shmem_size")
	size := s.sets * s.line * s.ways
	unified, carveouts := size+shared, strconv.Itoa(shared/1024)
	if c.int("-gpgpu_adaptive_cache_config") != 0 {
		unified, carveouts = 1024*c.int("-gpgpu_unified_l1d_size"), c.text("-gpgpu_shmem_option")
	}
	if unified%(s.sets*s.line) != 0 {
		return fmt.Errorf("a unified memory of %d bytes is no multiple of a way of %d", unified, s.sets*s.line)
	}
	c.set("l1.unified", unified)
	c.set("l1.carveouts", carveouts)
	c.set("l1.ways", unified/(s.sets*s.line))
	return nil
}

// l2 converts the string of an L2 slice.
func l2(c *conversion, v *Value) error {
	s, err := parseCache(v.Text)
	if err != nil {
		return err
	}
	c.tags("l2.", &s)
	writes := map[string]string{"R": "through", "B": "back", "T": "through", "E": "evict", "L": "back"}
	c.set("l2.ways", s.ways)
	c.set("l2.write", writes[s.write])
	c.set("l2.write_allocate", writeAllocates[s.writeAllocate])
	c.set("l2.width", s.port)
	c.set("memory.l2", s.sets*s.line*s.ways*c.int("-gpgpu_n_mem")*c.int("-gpgpu_n_sub_partition_per_mchannel"))
	return nil
}

// instructions converts the string of the instruction cache: L1 here, behind the
// L0 caches of the sub-cores.
func instructions(c *conversion, v *Value) error {
	s, err := parseCache(v.Text)
	if err != nil {
		return err
	}
	c.set("icache.line", s.line)
	c.set("icache.l1_sets", s.sets)
	c.set("icache.l1_ways", s.ways)
	return nil
}

// constants converts the string of the constant cache: that of constant loads.
func constants(c *conversion, v *Value) error {
	s, err := parseCache(v.Text)
	if err != nil {
		return err
	}
	c.set("const.line", s.line)
	c.set("const.vl_sets", s.sets)
	c.set("const.vl_ways", s.ways)
	return nil
}
