package tensor

import (
	"fmt"
	"strings"
)

const completes = "mbarrier::complete_tx::bytes"

// variants are a copy's other spellings: with a policy of the L2 cache, into the
// CTA's own shared memory by that name, into that of both CTAs of a cluster, after
// a prefetch. What writes to shared memory from shared memory wants a cluster, if only
// of one CTA.
func (k kernel) variants() []kernel {
	hinted := func(k kernel) []kernel {
		h := k
		h.name += "_hint"
		for _, word := range []string{completes + ".multicast::cluster", completes, "bulk_group"} {
			if strings.Contains(h.copy, word) {
				h.copy = strings.Replace(h.copy, word, word+".L2::cache_hint", 1)
				break
			}
		}
		h.copy = strings.TrimSuffix(h.copy, ";") + ", %policy;"
		return []kernel{k, h}
	}
	switch {
	case strings.HasPrefix(k.name, "bulk_shared_"):
		k.name, k.ctas = k.name+"_cluster", 1
		return []kernel{k}
	case k.store:
		return hinted(k)[1:]
	}
	own, cast := k, k
	own.name += "_cta"
	own.copy = strings.Replace(k.copy, "shared::cluster.global", "shared::cta.global", 1)
	cast.name += "_cast"
	cast.ctas = 2
	cast.first = "\t.reg .b16 %mask;\n\tmov.b16 %mask, 3;\n"
	cast.copy = strings.TrimSuffix(strings.Replace(k.copy, completes, completes+".multicast::cluster", 1), ";") + ", %mask;"
	all := append(hinted(k)[1:], hinted(own)...)
	all = append(all, hinted(cast)...)
	ahead := k
	ahead.name += "_ahead"
	ahead.copy = k.ahead("", "") + k.copy
	hint := ahead
	hint.name += "_hint"
	hint.copy = k.ahead(".L2::cache_hint", ", %policy") + k.copy
	return append(all, ahead, hint)
}

// ahead is the prefetch of what a kernel loads.
func (k kernel) ahead(hint, policy string) string {
	if k.name == "load_bulk" {
		return "cp.async.bulk.prefetch.L2.global" + hint + " [%src], %expect" + policy + ";\n\t"
	}
	var d int
	if _, err := fmt.Sscanf(k.name, "load_im2col_%d", &d); err == nil {
		return fmt.Sprintf("cp.async.bulk.prefetch.tensor.%dd.L2.global.im2col%s [%%map, %s], %s%s;\n\t", d, hint, coordinates(d), offsets(d-2), policy)
	}
	fmt.Sscanf(k.name, "load_tile_%d", &d)
	return fmt.Sprintf("cp.async.bulk.prefetch.tensor.%dd.L2.global.tile%s [%%map, %s]%s;\n\t", d, hint, coordinates(d), policy)
}

// asyncStores are st.async and red.async: spelling, registers, bytes.
var asyncStores = []struct {
	spelling string
	values   string
	bytes    uint32
}{
	{"st.async.weak.shared::cluster." + completes + ".b32", "%c0", 4}, {"st.async.shared::cluster." + completes + ".u64", "%x", 8}, {"st.async.shared::cluster." + completes + ".s32", "%c3", 4},
	{"st.async.weak.shared::cluster." + completes + ".f64", "%x", 8}, {"st.async.weak.shared::cluster." + completes + ".v2.f32", "{%c0, %c1}", 8},
	{"st.async.weak.shared::cluster." + completes + ".v4.b32", "{%c0, %c1, %c2, %c3}", 16}, {"st.async.weak.shared::cluster." + completes + ".v2.b64", "{%x, %y}", 16},
	{red + "inc.u32", "%c0", 4}, {red + "dec.u32", "%c1", 4}, {red + "min.u32", "%c0", 4}, {red + "min.s32", "%c1", 4}, {red + "max.u32", "%c2", 4}, {red + "max.s32", "%c3", 4},
	{red + "and.b32", "%c0", 4}, {red + "or.b32", "%c1", 4}, {red + "xor.b32", "%c2", 4}, {red + "add.u32", "%c0", 4}, {red + "add.s32", "%c1", 4}, {red + "add.u64", "%x", 8},
}

const red = "red.async.relaxed.cluster.shared::cluster." + completes + "."

// replacement is a kernel that changes a tensor map before it loads by it.
type replacement struct{ name, field, value string }

var replacements = []replacement{
	{"address", "global_address", "%x"}, {"rank", "rank", "1"}, {"box", "box_dim", "0, 8"}, {"dim", "global_dim", "1, 5"}, {"step", "element_stride", "1, 1"}, {"stride", "global_stride", "0, 1024"},
	{"type", "elemtype", "2"}, {"interleave", "interleave_layout", "0"}, {"swizzle", "swizzle_mode", "0"}, {"fill", "fill_mode", "1"},
}

// others are the kernels that are no variants.
func others() []kernel {
	all := []kernel{{name: "load_within", ctas: 1, copy: "cp.async.bulk.shared::cluster.shared::cta." + completes + " [%buf], [%more], %expect, [%bar];"}}
	for i, s := range asyncStores {
		all = append(all, kernel{name: fmt.Sprintf("load_async_%d", i), ctas: 1,
			copy: "ld.global.v4.b32 {%c0, %c1, %c2, %c3}, [%src];\n\tld.global.v2.b64 {%x, %y}, [%src+16];\n\t" + s.spelling + " [%buf], " + s.values + ", [%bar];"})
	}
	const load = "fence.proxy.tensormap::generic.acquire.gpu [%map], 128;\n\tcp.async.bulk.tensor.2d.shared::cluster.global.tile." + completes + " [%buf], [%map, {%c0, %c1}], [%bar];"
	for _, r := range replacements {
		bits := "b32"
		if r.field == "global_address" || r.field == "global_stride" {
			bits = "b64"
		}
		all = append(all, kernel{name: "load_map_" + r.name,
			copy: "add.u64 %x, %src, 4096;\n\ttensormap.replace.tile." + r.field + ".global.b1024." + bits + " [%map], " + r.value + ";\n\tfence.proxy.tensormap::generic.release.gpu;\n\t" + load})
	}
	return append(all, kernel{name: "load_map_shared", first: mapInShared, copy: load})
}

// mapInShared changes a copy of the tensor map in shared memory and writes it back.
const mapInShared = `	setp.ge.u32 %p5, %t, 32;
	@%p5 bra $there;
	cvt.u64.u32 %x, %t;
	shl.b64 %x, %x, 2;
	add.u64 %x, %x, %map;
	ld.global.u32 %w, [%x];
	add.u32 %v, %base, 40960;
	shl.b32 %more, %t, 2;
	add.u32 %more, %more, %v;
	st.shared.u32 [%more], %w;
	bar.warp.sync 0xffffffff;
	setp.eq.u32 %p6, %t, 0;
	add.u64 %x, %src, 8192;
	@%p6 tensormap.replace.tile.global_address.shared::cta.b1024.b64 [%v], %x;
	bar.warp.sync 0xffffffff;
	cvt.u64.u32 %y, %v;
	cvta.shared.u64 %y, %y;
	tensormap.cp_fenceproxy.global.shared::cta.tensormap::generic.release.gpu.sync.aligned [%map], [%v], 128;
$there:
`
