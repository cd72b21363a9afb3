#!/bin/bash
# Runs every program of tests/apps on this machine's card and writes what it printed.
#
#   scripts/record/apps.sh LIBRARIES OUT
#
# LIBRARIES holds the toolkits' libcudart.so.11.0, .12 and .13 and, where built, the
# programs facts-11.8, facts-12.4 and facts-13.0 (facts.cu by each nvcc). OUT receives
# apps/TOOLKIT/RUN.{out,err,status} and facts/TOOLKIT/*.txt.
set -uo pipefail

root=$(cd "$(dirname "$0")/../.." && pwd)
export LD_LIBRARY_PATH=$(cd "$1" && pwd)${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}
libraries=$(cd "$1" && pwd)
mkdir -p "$2"
export out=$(cd "$2" && pwd) prebuilt=$root/tests/apps/prebuilt

# one TOOLKIT RUN ARGUMENTS: runs a program and keeps its output and status.
one() {
	[ -x "$prebuilt/$1/${2%%:*}" ] || return 0 # not for this toolkit
	local to=$out/apps/$1/${2/:/-}
	timeout 60 "$prebuilt/$1/${2%%:*}" $3 >"$to.out" 2>"$to.err"
	echo $? >"$to.status"
}
export -f one

# runs TOOLKITS...: toolkit, run and arguments of each row, separated by zero bytes.
runs() {
	sed '/^#/d; /^$/d' "$root/tests/apps/apps.txt" | awk -F' *[|] *' '{ print $1 "|" $3 }' |
		while IFS='|' read -r run args; do
			for v in 11.8 12.4 13.0; do printf '%s\0%s\0%s\0' "$v" "$run" "$args"; done
		done
}

mkdir -p "$out"/{apps,facts}/{11.8,12.4,13.0}
for v in 11.8 12.4 13.0; do
	[ -x "$libraries/facts-$v" ] && "$libraries/facts-$v" "$out/facts/$v"
done
runs | xargs -0 -n 3 -P 6 bash -c 'one "$@"' one
# What the others hold would show in these.
for v in 11.8 12.4 13.0; do
	one "$v" memory ""
	one "$v" out_of_memory ""
done
nvidia-smi --query-gpu=name,driver_version,memory.total --format=csv,noheader >"$out/card.txt"
date -u +%F >>"$out/card.txt"
