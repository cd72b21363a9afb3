#!/bin/bash
# Measures the programs of tests/accuracy on this machine's card.
#
#   scripts/record/accuracy.sh OUT
#
# Wants nvcc and ncu on the PATH, and ncu's permission to read counters. OUT receives micro.txt, traffic.txt,
# hopper.txt, tma.txt and fit.txt, medians of three runs of the microbenchmarks, and kernels.csv, medians of five runs of the
# kernels under ncu, which flushes the caches before each. Clocks are left as they are: cycles are counted, and both programs
# leave the card at its highest clock. launch.csv holds what kernels of fit.cu that do next to nothing take.
set -euo pipefail

here=$(cd "$(dirname "$0")/../../tests/accuracy" && pwd)
mkdir -p "$1"
out=$(cd "$1" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

for name in micro traffic hopper tma fit; do
	nvcc -w -std=c++17 -arch=sm_90a -cudart shared -o $name "$here/$name.cu"
done
nvcc -std=c++17 -arch=sm_90 -cudart shared -o kernels "$here/kernels.cu"
card="# $(nvidia-smi --query-gpu=name,driver_version --format=csv,noheader), nvcc $(nvcc --version | sed -n 's/.* V//p'), $(date -u +%F)"

for name in micro traffic hopper tma fit; do
	for run in 1 2 3; do ./$name >"$name.$run"; done
	{
		echo "$card"
		sort -s -k1,1 $name.1 $name.2 $name.3 | sort -k1,1 -k2,2n | awk 'NR % 3 == 2'
	} >"$out/$name.txt"
done

# The kernel's time is that of the SMs: what is around it, some 3,000 cycles, belongs to the launch.
metrics=(
	sm__cycles_active.max
	gpc__cycles_elapsed.max
	smsp__inst_executed.sum
	smsp__thread_inst_executed.sum
	l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum
	l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum
	lts__t_sectors_srcunit_tex_op_read.sum
	lts__t_sectors_srcunit_tex_op_write.sum
	dram__bytes_read.sum
	dram__bytes_write.sum
)
for run in 1 2 3 4 5; do
	ncu --clock-control none --csv --metrics "$(IFS=, && echo "${metrics[*]}")" ./kernels >ncu.$run.csv
done
{
	echo "$card"
	echo "kernel,$(IFS=, && echo "${metrics[*]}")"
	python3 - "${metrics[@]}" <<'PY'
import csv, statistics, sys
kernels = {}
for run in range(1, 6):
    for row in csv.DictReader(line for line in open(f"ncu.{run}.csv") if line.startswith('"')):
        values = kernels.setdefault(row["Kernel Name"].split("(")[0], {})
        values.setdefault(row["Metric Name"], []).append(float(row["Metric Value"].replace(",", "")))
for name, values in kernels.items():
    print(",".join([name] + ["%d" % statistics.median(values[m]) for m in sys.argv[1:]]))
PY
} >"$out/kernels.csv"

# Medians of three runs.
for run in 1 2 3; do
	ncu --clock-control none --csv --metrics sm__cycles_active.max ./fit launch >launch.$run.csv
done
{
	echo "$card"
	echo "kernel,ctas,threads,sm__cycles_active.max"
	python3 - <<'PY'
import csv, statistics
kernels = {}
for run in range(1, 4):
    for row in csv.DictReader(line for line in open(f"launch.{run}.csv") if line.startswith('"')):
        shape = [row[k].strip("()").split(",")[0] for k in ("Grid Size", "Block Size")]
        kernels.setdefault((row["Kernel Name"].split("(")[0], *shape), []).append(int(row["Metric Value"].replace(",", "")))
for name, values in kernels.items():
    print(",".join([*name, "%d" % statistics.median(values)]))
PY
} >"$out/launch.csv"
