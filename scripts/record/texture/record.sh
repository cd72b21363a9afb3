#!/bin/bash
# Runs the accesses that `texture write DIR` made, on a machine with the card:
#	record.sh DIR SOURCES		SOURCES has record.cu
# DIR/results, DIR/log and DIR/card are what `texture file` wants.
set -u
dir=$1 sources=$2
arch=sm_$(nvidia-smi --query-gpu=compute_cap --format=csv,noheader | head -1 | tr -d .)
ls "$dir"/m*.ptx | sed 's/\.ptx$//' | xargs -P "$(nproc)" -I{} ptxas -arch "$arch" {}.ptx -o {}.cubin
nvcc -arch "$arch" -o "$dir/record" "$sources/record.cu" || exit 1
"$dir/record" "$dir" | tee "$dir/log"
echo "$(nvidia-smi --query-gpu=name,driver_version --format=csv,noheader | head -1), nvcc $(nvcc --version | sed -n 's/.*release.* V\([0-9.]*\).*/\1/p'), $(date -u +%F)" > "$dir/card"
