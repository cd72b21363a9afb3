package cache

import "fmt"

// Config is the shape and the policies of a cache.
type Config struct {
	Sets          int    `opt:"sets" default:"64" doc:"Sets."`
	Ways          int    `opt:"ways" default:"16" doc:"Lines of a set."`
	Line          int    `opt:"line" unit:"bytes" default:"128" doc:"Line, a power of two of at most eight sectors."`
	Sector        int    `opt:"sector" unit:"bytes" default:"32" doc:"Part of a line that is fetched by itself."`
	Fetch         int    `opt:"fetch" unit:"bytes" default:"32" doc:"Aligned piece that a miss fetches, one sector or several."`
	Index         string `opt:"index" default:"linear" doc:"Choice of the set: linear, xor, ipoly."`
	Replacement   string `opt:"replacement" default:"lru" doc:"Choice of the victim: lru, fifo, plru, random."`
	Seed          uint64 `opt:"seed" default:"1" doc:"Start of random replacement."`
	Allocate      string `opt:"allocate" default:"miss" doc:"When a read takes a line: at the miss, or at the fill."`
	Write         string `opt:"write" default:"back" doc:"Writes: back (kept until evicted), through (passed on), evict (passed on, the line dropped)."`
	WriteAllocate string `opt:"write_allocate" default:"lazy" doc:"A write that misses: none (passed on), lazy (takes a line; a sector written in part is fetched when read), fetch (fetches it at once)."`
	MSHRs         int    `opt:"mshrs" unit:"lines" default:"192" doc:"Lines that may be missing at a time."`
	Merges        int    `opt:"merges" unit:"requests" default:"16" doc:"Requests that may wait for one missing line."`
}

// check names what is wrong with the shape.
func (c *Config) check() error {
	switch {
	case c.Sets < 1 || c.Ways < 1 || c.Sets > maxLines/c.Ways || c.MSHRs < 1 || c.MSHRs > maxLines || c.Merges < 1:
		return fmt.Errorf("a cache of %d sets, %d ways, %d mshrs with %d merges cannot be", c.Sets, c.Ways, c.MSHRs, c.Merges)
	case !power(c.Line) || c.Line < minLine || !power(c.Sector) || !power(c.Fetch) || c.Line > 8*c.Sector || c.Sector > c.Fetch || c.Fetch > c.Line:
		return fmt.Errorf("a cache line of %d bytes with sectors of %d, fetched by %d, cannot be", c.Line, c.Sector, c.Fetch)
	}
	for _, option := range []struct {
		name, value string
		admissible  []string
	}{
		{"allocate", c.Allocate, []string{"miss", "fill"}},
		{"write", c.Write, []string{"back", "through", "evict"}},
		{"write_allocate", c.WriteAllocate, []string{"none", "lazy", "fetch"}},
		{"index", c.Index, []string{"linear", "xor", "ipoly"}},
	} {
		if !contains(option.admissible, option.value) {
			return fmt.Errorf("%s of a cache is %q; there are %v", option.name, option.value, option.admissible)
		}
	}
	return nil
}

func power(n int) bool { return n > 0 && n&(n-1) == 0 }

func contains(list []string, s string) bool {
	for _, x := range list {
		if x == s {
			return true
		}
	}
	return false
}
