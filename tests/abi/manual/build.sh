#!/bin/bash
# Builds the chapters with every toolkit.
#
#   tests/abi/manual/build.sh TOOLCHAIN [shared|static] [OUT]
#
# TOOLCHAIN is what scripts/toolchain.sh made. Linked to the shared runtime (the default) they go to prebuilt/, which is
# committed; linked to the static one they go to OUT, for a machine that has a card.
set -euo pipefail

toolchain=$(cd "$1" && pwd)
kind=${2:-shared}
out=$(realpath "${3:-$(dirname "$0")/prebuilt}")
cd "$(dirname "$0")"
mkdir -p "$out"
for v in 11.8 12.4 13.0; do
	"$toolchain/$v/bin/nvcc" -std=c++17 -O1 -w -cudart "$kind" -gencode arch=compute_75,code=compute_75 \
		-Xlinker -s,--build-id=none,-z,noseparate-code -o "$out/$v" ./*.cu
done
