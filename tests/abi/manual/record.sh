#!/bin/bash
# Runs every chapter on a card and files what they log.
#
#   tests/abi/manual/record.sh PROGRAMS
#
# PROGRAMS is a folder with 11.8, 12.4 and 13.0, as build.sh makes them with the static runtime. Each chapter is a process of
# its own; one that NVIDIA's runtime crashes in is recorded as far as it came.
set -euo pipefail

programs=$(cd "$1" && pwd)
cd "$(dirname "$0")"
for v in 11.8 12.4 13.0; do
	for chapter in $("$programs/$v"); do
		status=0
		log=$(timeout 20 "$programs/$v" "$chapter" 2>/dev/null) || status=$?
		[ $status = 0 ] && echo "== $chapter" || echo "== $chapter begun"
		echo "$log"
	done | gzip -9n > "recorded/$v.txt.gz"
done
nvidia-smi --query-gpu=name,driver_version --format=csv,noheader > recorded/card.txt
