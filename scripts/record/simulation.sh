#!/bin/bash
# Compares how fast GPGPU-Sim and lockstep simulate a program in time, both as a QV100.
#
#   scripts/record/simulation.sh GPGPUSIM PROGRAM [ARGUMENT...]
#
# GPGPUSIM is a tree of GPGPU-Sim 4.2, built; CUDA_INSTALL_PATH is the toolkit that it was built with.
# PROGRAM is linked with the shared runtime of that toolkit and holds PTX. Rates are thread instructions,
# as GPGPU-Sim counts them, in a second of processor time; lockstep's second figure is how many times as
# many a second of the clock two threads simulate, which a busy machine spoils.
set -euo pipefail

simulator=$(cd "$1" && pwd)
program=$(realpath "$2")
shift 2
lockstep=$(cd "$(dirname "$0")/../.." && pwd)/build/bin/lockstep
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cp "$simulator"/configs/tested-cfgs/SM7_QV100/* "$work"

(
	set +eu
	cd "$simulator" && . ./setup_environment release >/dev/null
	cd "$work" && TIMEFORMAT='%U %R' && { time "$program" "$@" >log 2>errors; } 2>theirs
)
instructions=$(awk '/^gpu_tot_sim_insn/ { n = $3 } END { print n }' "$work/log")
[ "${instructions:-0}" -gt 0 ] || { echo "$(basename "$program"): GPGPU-Sim executed no instruction; the end of what it printed:" >&2; tail -n 5 "$work/log" "$work/errors" >&2; exit 1; }
read -r theirs _ <"$work/theirs"
for threads in 1 2; do
	TIMEFORMAT='%U %R'
	{ time "$lockstep" run --timing --model qv100 --threads $threads -- "$program" "$@" >/dev/null 2>&1; } 2>"$work/ours$threads"
done
read -r ours alone <"$work/ours1"
read -r _ both <"$work/ours2"
awk -v n="$instructions" -v theirs="$theirs" -v ours="$ours" -v alone="$alone" -v both="$both" -v name="$(basename "$program")" 'BEGIN {
	printf "%s: %d thread instructions; GPGPU-Sim %.3f M/s, lockstep %.1f M/s, %.0f times as many; two threads %.2f times\n", name, n, n / theirs / 1e6, n / ours / 1e6, theirs / ours, alone / both
}'
