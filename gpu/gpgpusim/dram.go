package gpgpusim

import (
	"fmt"
	"math/bits"
	"slices"
	"strconv"
	"strings"
)

// timingNames are the fields of a DRAM timing string in the order that they have
// without names.
var timingNames = []string{"nbk", "CCD", "RRD", "RCD", "RAS", "RP", "RC", "CL", "WL", "CDLR", "WR", "nbkgrp", "CCDL", "RTPL"}

// parseTiming reads a DRAM timing string, with names or without.
func parseTiming(text string) (map[string]int, error) {
	fields := strings.FieldsFunc(text, func(r rune) bool { return r == ':' || r == ';' || r == ' ' })
	got := map[string]int{}
	for i, f := range fields {
		name, value, named := strings.Cut(f, "=")
		if !named {
			if i >= len(timingNames) {
				return nil, fmt.Errorf("more than %d values", len(timingNames))
			}
			name, value = timingNames[i], f
		}
		if !slices.Contains(timingNames, name) {
			return nil, fmt.Errorf("%q is none of %s", name, strings.Join(timingNames, ", "))
		}
		n, err := strconv.Atoi(value)
		if err != nil || n < 0 {
			return nil, fmt.Errorf("%s is %q, which is not a whole number", name, value)
		}
		got[name] = n
	}
	for _, name := range timingNames {
		if _, ok := got[name]; !ok {
			return nil, fmt.Errorf("%s is missing", name)
		}
	}
	if got["nbk"] < 1 || got["nbkgrp"] < 1 || got["nbk"]%got["nbkgrp"] != 0 {
		return nil, fmt.Errorf("%d banks cannot be %d groups", got["nbk"], got["nbkgrp"])
	}
	return got, nil
}

// timing converts the timing of DRAM. GPGPU-Sim derives the turn-around times and
// has neither a window of four activations nor refresh.
func timing(c *conversion, v *Value) error {
	t, err := parseTiming(v.Text)
	if err != nil {
		return err
	}
	burst := max(c.int("-gpgpu_dram_burst_length")/max(c.int("-dram_data_command_freq_ratio"), 1), 1)
	toRead, toWrite := t["CDLR"], t["CL"]+burst+2-t["WL"]
	if c.int("-dram_elimnate_rw_turnaround") != 0 {
		toRead, toWrite = 0, 0
	}
	c.set("dram.bank_groups", t["nbkgrp"])
	c.set("dram.banks", t["nbk"]/t["nbkgrp"])
	c.set("dram.burst", burst)
	for _, p := range []struct {
		name  string
		value int
	}{
		{"tccds", max(t["CCD"], burst)}, {"tccdl", max(t["CCDL"], t["CCD"], burst)}, {"trrds", t["RRD"]}, {"trrdl", t["RRD"]}, {"tfaw", 0},
		{"trcd", t["RCD"]}, {"tras", t["RAS"]}, {"trp", t["RP"]}, {"trc", t["RC"]}, {"tcl", t["CL"]}, {"twl", t["WL"]},
		{"twtrs", toRead}, {"twtrl", toRead}, {"twr", t["WR"]}, {"trtp", t["RTPL"]}, {"trtw", toWrite},
	} {
		c.set("dram."+p.name, p.value)
	}
	c.set("dram.refresh", "none")
	return nil
}

// bus converts the width of DRAM's bus.
func bus(c *conversion, v *Value) error {
	width := c.int("-gpgpu_dram_buswidth") * c.int("-gpgpu_n_mem_per_ctrlr")
	c.set("dram.atom", width*c.int("-gpgpu_dram_burst_length"))
	c.set("memory.bus_width", 8*width*c.int("-gpgpu_n_mem"))
	return nil
}

// mapping converts the address map: the bits of an address, highest first, as D
// (channel), R (row), B (bank), C (column), S (within a burst) or 0. "dramid@n;"
// before it inserts the channel at bit n. Among the bits of the bank those of its
// group are the lowest or the highest.
func mapping(c *conversion, v *Value) error {
	text, at := v.Text, 0
	if rest, ok := strings.CutPrefix(text, "dramid@"); ok {
		number, letters, found := strings.Cut(rest, ";")
		n, err := strconv.Atoi(number)
		if err != nil || !found || n < 0 || n > 63 {
			return fmt.Errorf("%q is not dramid@, the number of a bit, a semicolon and letters", text)
		}
		text, at = letters, n
	}
	text = strings.NewReplacer(".", "", "|", "", " ", "").Replace(text)
	if len(text) != 64 {
		return fmt.Errorf("the map has %d letters, not 64", len(text))
	}
	if i := strings.LastIndexByte(text, 'D'); i >= 0 {
		at = 63 - i
		text = strings.ReplaceAll(text, "D", "")
	}
	text = strings.TrimLeft(text, "0")
	if bad := strings.Trim(text, "RBCS"); bad != "" {
		return fmt.Errorf("%q is none of D, R, B, C, S, 0", bad[:1])
	}
	t, err := parseTiming(c.text("-gpgpu_dram_timing_opt"))
	if err != nil {
		return nil // reported there
	}
	m, err := c.banks(strings.ReplaceAll(text, "S", "C"), t["nbk"], t["nbkgrp"])
	if err != nil {
		return err
	}
	c.set("dram.map", m)
	c.set("dram.row", 1<<strings.Count(m, "C"))
	c.set("l2.interleave", 1<<at)
	return nil
}

// banks tells group and bank apart in the letters of an address map.
func (c *conversion) banks(text string, banks, groups int) (string, error) {
	if n := strings.Count(text, "B"); banks != 1<<n {
		return "", fmt.Errorf("the map has %d bits for %d banks", n, banks)
	}
	high, low := bits.Len(uint(banks/groups))-1, bits.Len(uint(groups))-1
	if c.int("-dram_bnkgrp_indexing_policy") == 0 {
		return strings.Replace(text, "B", "G", low), nil // the highest come first
	}
	m := []byte(text)
	for i := range m {
		if m[i] == 'B' {
			if high > 0 {
				high--
				continue
			}
			m[i] = 'G'
		}
	}
	return string(m), nil
}
