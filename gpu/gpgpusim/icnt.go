package gpgpusim

import (
	"fmt"
	"strconv"
	"strings"
)

// NetworkOption is a key of an interconnect file, in BookSim's dialect, and what
// becomes of it.
type NetworkOption struct {
	Name string
	Doc  string // parameter, or the reason why there is none

	apply func(c *conversion, value string) error
}

// Honoured reports that the key has a counterpart.
func (o *NetworkOption) Honoured() bool { return o.apply != nil }

// packetBytes is the longest packet: a header and a line.
const packetBytes = 8 + 128

// NetworkOptions are all keys.
var NetworkOptions = []NetworkOption{
	{"topology", "the network is a crossbar (fly with one stage); other topologies have no counterpart", nil},
	{"k", "with topology fly: SMs (clusters) and L2 slices; anything else is an error", ends},
	{"n", "stages: one", nil},
	{"flit_size", "noc.flit", func(c *conversion, v string) error { c.set("noc.flit", v); return nil }},
	{"input_buffer_size", "noc.buffer, in packets of a line; 0 is 9 flits", buffer},
	{"vc_buf_size", "the buffer of an input is input_buffer_size", nil},
	{"ejection_buffer_size", "an SM takes what comes", nil},
	{"boundary_buffer_size", "an SM takes what comes", nil},
	{"sw_allocator", "noc.arbiter: islip, or rr for all others", arbiter},
	{"alloc_iters", "noc.iterations", func(c *conversion, v string) error { c.set("noc.iterations", v); return nil }},
	{"vc_allocator", "there are no virtual channels", nil},
	{"num_vcs", "there are no virtual channels", nil},
	{"wait_for_tail_credit", "there are no virtual channels", nil},
	{"routing_function", "a crossbar has one way", nil},
	{"credit_delay", "the delays of a router are part of noc.latency", nil},
	{"routing_delay", "the delays of a router are part of noc.latency", nil},
	{"vc_alloc_delay", "the delays of a router are part of noc.latency", nil},
	{"sw_alloc_delay", "the delays of a router are part of noc.latency", nil},
	{"st_prepare_delay", "the delays of a router are part of noc.latency", nil},
	{"st_final_delay", "the delays of a router are part of noc.latency", nil},
	{"input_speedup", "inputs and outputs move one flit a cycle (noc.sm_out, noc.slice_out)", nil},
	{"output_speedup", "inputs and outputs move one flit a cycle (noc.sm_in, noc.slice_in)", nil},
	{"internal_speedup", "the crossbar has the clock of its ports", nil},
	{"subnets", "requests and replies have a network each", nil},
	{"network_count", "requests and replies have a network each", nil},
	{"read_request_subnet", "requests and replies have a network each", nil},
	{"read_reply_subnet", "requests and replies have a network each", nil},
	{"write_request_subnet", "requests and replies have a network each", nil},
	{"write_reply_subnet", "requests and replies have a network each", nil},
	{"read_request_begin_vc", "there are no virtual channels", nil},
	{"read_request_end_vc", "there are no virtual channels", nil},
	{"write_request_begin_vc", "there are no virtual channels", nil},
	{"write_request_end_vc", "there are no virtual channels", nil},
	{"read_reply_begin_vc", "there are no virtual channels", nil},
	{"read_reply_end_vc", "there are no virtual channels", nil},
	{"write_reply_begin_vc", "there are no virtual channels", nil},
	{"write_reply_end_vc", "there are no virtual channels", nil},
	{"use_map", "all SMs are as far from all slices", nil},
	{"memory_node_map", "all SMs are as far from all slices", nil},
	{"perfect_icnt", "there is always a network", nil},
	{"fixed_lat_per_hop", "there is always a network", nil},
	{"use_read_write", "GPGPU-Sim does not read it", nil},
	{"traffic", "GPGPU-Sim does not read it", nil},
	{"packet_size", "GPGPU-Sim does not read it", nil},
	{"packet_size_rate", "GPGPU-Sim does not read it", nil},
	{"injection_rate", "GPGPU-Sim does not read it", nil},
	{"sim_type", "GPGPU-Sim asks for gpgpusim", nil},
	{"deadlock_warn_timeout", "a network that stands still is a deadlock, see -gpgpu_deadlock_detect", nil},
}

// network converts an interconnect file, which only the network of BookSim reads.
func network(c *conversion, v *Value) error {
	if c.int("-network_mode") != 1 {
		return nil
	}
	place := v.File
	if place == "" {
		place = c.file.Name
	}
	name := beside(place, v.Text)
	text, err := c.file.open(name)
	if err != nil {
		return err
	}
	keys := map[string]string{}
	for i, line := range strings.Split(string(text), "\n") {
		line, _, _ = strings.Cut(line, "//")
		for statement := range strings.SplitSeq(line, ";") {
			if strings.TrimSpace(statement) == "" {
				continue
			}
			key, value, ok := strings.Cut(statement, "=")
			key, value = strings.TrimSpace(key), strings.TrimSpace(value)
			place := name + ":" + strconv.Itoa(i+1)
			if !ok || findKey(key) == nil {
				c.complain(place, "%q is no key of an interconnect file with a value", strings.TrimSpace(statement))
				continue
			}
			keys[key] = value
		}
	}
	for i := range NetworkOptions {
		o := &NetworkOptions[i]
		value, given := keys[o.Name]
		if !given || o.apply == nil || o.Name == "k" && keys["topology"] != "fly" {
			continue
		}
		if err := o.apply(c, value); err != nil {
			return fmt.Errorf("%s: %s = %s: %w", name, o.Name, value, err)
		}
	}
	return nil
}

func findKey(name string) *NetworkOption {
	for i := range NetworkOptions {
		if NetworkOptions[i].Name == name {
			return &NetworkOptions[i]
		}
	}
	return nil
}

func ends(c *conversion, v string) error {
	n, err := strconv.Atoi(v)
	want := c.int("-gpgpu_n_clusters") + c.int("-gpgpu_n_mem")*c.int("-gpgpu_n_sub_partition_per_mchannel")
	if err == nil && n != want {
		err = fmt.Errorf("the configuration has %d clusters and slices", want)
	}
	return err
}

func buffer(c *conversion, v string) error {
	n, err := strconv.Atoi(v)
	if err != nil || n < 0 {
		return fmt.Errorf("%q is not a number of flits", v)
	}
	if n == 0 {
		n = 9
	}
	flit := max(c.int("-icnt_flit_size"), 1)
	c.set("noc.buffer", max(n*flit/packetBytes, 1))
	return nil
}

func arbiter(c *conversion, v string) error {
	name := "rr"
	if v == "islip" {
		name = "islip"
	}
	c.set("noc.arbiter", name)
	return nil
}
