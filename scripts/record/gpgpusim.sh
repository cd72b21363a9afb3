#!/bin/bash
# Runs the same programs under a build of GPGPU-Sim, in functional mode, and under
# lockstep on one core and on all, and prints how many times as long GPGPU-Sim takes.
#
#   scripts/record/gpgpusim.sh GPGPUSIM CUDA [RODINIA]
#
# GPGPUSIM is a source tree of GPGPU-Sim 4 in which make has been run, CUDA the toolkit of
# that build, RODINIA the folder cuda of Rodinia 3.1. make build must have been run here.
#
# Of tests/bench/testdata/functional.cu the launches are timed, by processor time, on all
# cores by the clock; of Rodinia's programs, which time nothing, the whole process.
set -euo pipefail

[ $# -ge 2 ] || { sed -n '2,12s/^# \?//p' "$0"; exit 2; }
root=$(cd "$(dirname "$0")/../.." && pwd)
simulator=$(cd "$1" && pwd)
export CUDA_INSTALL_PATH=$(cd "$2" && pwd)
export PATH=$CUDA_INSTALL_PATH/bin:$PATH PTX_SIM_MODE_FUNC=1
rodinia=${3:+$(cd "$3" && pwd)}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

theirs=$(ls -d "$simulator"/lib/*/*/release | head -1)
[ -n "$theirs" ] || { echo "$simulator/lib holds no release build" >&2; exit 1; }
config=$simulator/configs/tested-cfgs/SM7_QV100
mkdir "$work/theirs" "$work/own" # lockstep reads a gpgpusim.config where it is, too
cp "$config"/gpgpusim.config "$config"/*.icnt "$work/theirs"

# compile OUT SOURCE...
compile() {
	nvcc -std=c++14 -O3 -w -cudart shared -gencode arch=compute_70,code=compute_70 -o "$work/$1" "${@:2}"
}

# gpgpusim COMMAND... runs it in its own shell, since the set-up sets the library path.
gpgpusim() (
	set +eu
	cd "$simulator" && . ./setup_environment release >/dev/null
	cd "$work/theirs" && "$@"
)

# lockstep THREADS COMMAND...
lockstep() (
	cd "$work/own"
	LOCKSTEP_THREADS=$1 LOCKSTEP_LOG=quiet LD_LIBRARY_PATH=$root/build/lib "${@:2}"
)

# took KIND: wall or cpu seconds that a program printed.
took() { sed -n "s/.*took .*$1 \([0-9.]*\).*/\1/p"; }

# process KIND COMMAND...: wall or cpu seconds of a whole process.
process() {
	local TIMEFORMAT='%R %U %S'
	{ time "${@:2}" >"$work/out" 2>&1; } 2>"$work/time" || { tail -3 "$work/out" >&2; return 1; }
	awk -v kind="$1" 'END { print kind == "wall" ? $1 : $2 + $3 }' "$work/time"
}

# own KIND RUNNER... and whole KIND RUNNER...: how programs of each kind are timed.
own() { "${@:2}" | took "$1"; }
whole() { process "$@"; }

# least COMMAND...: the smallest of five results.
least() { for _ in 1 2 3 4 5; do "$@"; done | sort -g | head -1; }

# row NAME TIMED COMMAND... prints a line of the table.
row() {
	local name=$1 timed=$2 slow one all
	shift 2
	slow=$("$timed" cpu gpgpusim "$@")
	one=$(least "$timed" cpu lockstep 1 "$@")
	all=$(least "$timed" wall lockstep 0 "$@")
	awk -v n="$name" -v s="$slow" -v o="$one" -v a="$all" \
		'BEGIN { printf "| %s | %.2f s | %.1f ms | %.0f | %.1f ms | %.0f |\n", n, s, 1e3 * o, s / o, 1e3 * a, s / a }'
}

echo "| program | GPGPU-Sim | lockstep, one core | times | all $(nproc) cores | times |"
echo "|---|---|---|---|---|---|"
compile functional "$root/tests/bench/testdata/functional.cu"
for name in gemm stencil pathfinder bfs; do
	row "$name" own ../functional "$name"
done

[ -n "$rodinia" ] || exit 0

# numbers COUNT LOW HIGH: a file of them.
numbers() { awk -v n="$1" -v l="$2" -v h="$3" 'BEGIN { srand(1); for (i = 0; i < n; i++) printf "%.3f\n", l + rand() * (h - l) }'; }

# graph NODES: a file for Rodinia's bfs, six edges a node.
graph() {
	awk -v n="$1" 'BEGIN {
		srand(1)
		print n
		for (i = 0; i < n; i++) print 6 * i, 6
		print 0
		print 6 * n
		for (i = 0; i < 6 * n; i++) print int(rand() * n), 1
	}'
}

numbers 262144 320 340 >"$work/temp"
numbers 262144 0 0.01 >"$work/power"
graph 65536 >"$work/graph"
compile r-bfs "$rodinia/bfs/bfs.cu"
compile r-hotspot "$rodinia/hotspot/hotspot.cu"
compile r-pathfinder "$rodinia/pathfinder/pathfinder.cu"
row "Rodinia hotspot 512, whole process" whole ../r-hotspot 512 2 4 ../temp ../power out
row "Rodinia pathfinder, whole process" whole ../r-pathfinder 20000 100 20
row "Rodinia bfs 65536, whole process" whole ../r-bfs ../graph
