#!/bin/bash
# Runs the cases that "tensor write DIR" made on a card: DIR/results.N, DIR/card.
# nvcc and ptxas must be in PATH.
set -uo pipefail
dir=$1
parts=8
here=$(cd "$(dirname "$0")" && pwd)
driver=$(PATH=$PATH:/sbin:/usr/sbin ldconfig -p | sed -n 's/.*libcuda\.so\.1 .*=> //p' | head -n 1)
ptxas -arch=sm_90a -O3 "$dir/kernels.ptx" -o "$dir/kernels.cubin" &
nvcc -O1 -o "$dir/record" "$here/record.cu" -Xlinker "${driver:--lcuda}" || exit 1
wait
printf '%s; nvcc %s; %s\n' \
	"$(nvidia-smi --query-gpu=name,driver_version --format=csv,noheader)" \
	"$(nvcc --version | sed -n 's/.*release.* V//p')" "$(date -u +%F)" >"$dir/card"

# part N: a program of its own, begun anew after each case that fails.
part() {
	local next=0
	rm -f "$dir/results.$1"
	for _ in $(seq 200); do
		"$dir/record" "$dir" "$1" $parts "$next"
		[ $? -eq 3 ] || return
		next=$(cat "$dir/next.$1")
	done
}
for n in $(seq 0 $((parts - 1))); do part "$n" & done
wait
