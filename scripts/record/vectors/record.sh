#!/bin/bash
# Runs the kernels of tests/vectors and measures the multifunction unit on a card.
#
#   VECTORS=PROGRAM scripts/record/vectors/record.sh TO [kernels] [hashes] [dumps]
#
# PROGRAM is the built command scripts/record/vectors; TO receives card (what made the
# results), results.NNN.xz, hash.FUNCTION, dump.FUNCTION.FIRST.STEP.xz. nvcc, ptxas and
# python3 must be in PATH. Without names it does all three.
set -euo pipefail

to=$(mkdir -p "$1" && cd "$1" && pwd)
shift
what=${*:-kernels hashes dumps}
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
arch=sm_90
jobs=$(nproc)

printf '%s; nvcc %s; -O3 -fmad=false; %s\n' \
	"$(nvidia-smi --query-gpu=name,driver_version --format=csv,noheader)" \
	"$(nvcc --version | sed -n 's/.*release.* V//p')" "$(date -u +%F)" >"$to/card"

compress() { # FILE: as FILE.xz in $to
	python3 -c 'import lzma, sys
name = sys.argv[1]
open(sys.argv[2] + "/" + name.split("/")[-1] + ".xz", "wb").write(lzma.compress(open(name, "rb").read(), preset=6))' "$1" "$to"
}
export -f compress
export to work

kernels() {
	nvcc -arch=$arch -o "$work/record" "$here/record.cu" &
	"$VECTORS" write "$work"
	ls "$work"/batch*.ptx | sed 's/\.ptx$//' | xargs -P "$jobs" -I{} ptxas -O3 --fmad=false -arch=${arch}a {}.ptx -o {}.cubin
	wait
	"$work/record" "$work"
	split -b 8000000 -d -a 3 "$work/results" "$work/results."
	ls "$work"/results.* | xargs -P "$jobs" -I{} bash -c 'compress {}'
}

build_mufu() {
	nvcc -arch=$arch -o "$work/mufu" "$here/mufu.cu" &
	nvcc -arch=$arch -cubin -o "$work/mufu.cubin" "$here/mufu.cu"
	wait
	python3 -c 'import sys
cubin = open(sys.argv[1], "rb").read()
open(sys.argv[2], "wb").write(cubin.replace(b"\x83\xf9\x22\x3e", b"\x00\x00\x80\x3f"))' "$work/mufu.cubin" "$work/turns.cubin"
}

functions="rcp_ftz rsqrt_ftz sqrt_ftz lg2_ftz ex2_ftz rcp rsqrt sqrt lg2 ex2 sin cos sin_ftz cos_ftz tanh rcp64h rsqrt64h"

hashes() {
	for f in $functions; do echo "$work/mufu $work/mufu.cubin hash $f $to/hash.$f"; done >"$work/jobs"
	for f in sin_ftz cos_ftz; do echo "$work/mufu $work/turns.cubin hash $f $to/hash.${f%_ftz}_turns"; done >>"$work/jobs"
	xargs -P 8 -I{} bash -c '{}' <"$work/jobs"
}

dump() { # CUBIN FUNCTION NAME FIRST STEP N
	echo "$work/mufu $work/$1.cubin dump $2 $4 $5 $6 $work/dump.$3.$4.$5 && compress $work/dump.$3.$4.$5"
}

dumps() {
	local binade=$((1 << 23))
	{
		for f in rcp_ftz rsqrt_ftz sqrt_ftz lg2_ftz ex2_ftz tanh rcp64h rsqrt64h; do dump mufu $f $f 0 16411 261632; done
		for f in sin cos; do dump turns ${f}_ftz ${f}_turns 0 16411 261632; done
		dump mufu rcp64h rcp64h 0x3ff00000 1 $((1 << 20))
		dump mufu rsqrt64h rsqrt64h 0x3ff00000 1 $((1 << 21))
		dump mufu rcp_ftz rcp_ftz 0x3f800000 1 $binade
		for f in rsqrt_ftz sqrt_ftz; do dump mufu $f $f 0x3f800000 1 $((2 * binade)); done
		dump mufu lg2_ftz lg2_ftz 0x3f000000 1 $((2 * binade))
		dump mufu lg2_ftz lg2_ftz 0x40800000 1 $binade
		dump mufu ex2_ftz ex2_ftz 0x3f000000 1 $((2 * binade))
		for f in sin cos; do dump turns ${f}_ftz ${f}_turns 0x3d800000 1 $((4 * binade)); done
		dump mufu tanh tanh 0x3b800000 1 $((11 * binade))
	} >"$work/jobs"
	xargs -P 8 -I{} bash -c '{}' <"$work/jobs"
}

for w in $what; do
	[ "$w" = kernels ] || [ -e "$work/mufu" ] || build_mufu
	$w
done
rm -rf "$work"
