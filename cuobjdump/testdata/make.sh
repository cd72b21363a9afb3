#!/bin/sh
# Makes the fixtures of cuobjdump. Usage: make.sh FOLDER-WITH-11.8-12.4-13.0
# The folder is what scripts/toolchain.sh makes.
set -eu
out=$(cd "$(dirname "$0")" && pwd)

# The tools write their own path and that of the source into what they make;
# these two are the same on every machine.
cd /tmp && rm -rf fixtures && mkdir fixtures && cd fixtures
ln -s "$1" tools
cp "$out"/*.cu .

nvcc() { v=$1; shift; "/tmp/fixtures/tools/$v/bin/nvcc" -w "$@"; }
both() { echo "-gencode arch=compute_$1,code=[sm_$1,compute_$1]"; }
ptx() { echo "-gencode arch=compute_$1,code=compute_$1"; }


nvcc 11.8 -fatbin $(ptx 75) $(ptx 90) kernels.cu -o 11.8.fatbin
nvcc 11.8 -fatbin $(both 75) -Xfatbin -compress-all -lineinfo -Xptxas -O2 kernels.cu -o 11.8-all.fatbin
nvcc 12.4 -fatbin $(both 75) $(ptx 90a) kernels.cu -o 12.4.fatbin
nvcc 12.4 -fatbin $(both 90a) -Xfatbin -compress-all -lineinfo kernels.cu -o 12.4-all.fatbin
nvcc 13.0 -fatbin $(both 80) $(ptx 100f) --compress-mode=balance kernels.cu -o 13.0-balance.fatbin
nvcc 13.0 -fatbin $(both 80) $(ptx 90) --compress-mode=size kernels.cu -o 13.0-size.fatbin
nvcc 13.0 -fatbin $(ptx 80) $(ptx 90) --compress-mode=speed kernels.cu -o 13.0-speed.fatbin
nvcc 13.0 -fatbin $(ptx 80) --compress-mode=none kernels.cu -o 13.0-none.fatbin
nvcc 13.0 -fatbin -rdc=true -gencode arch=compute_90,code=lto_90 --compress-mode=size host.cu -o 13.0-lto.fatbin

nvcc 11.8 -cubin -arch=sm_90 -DCLUSTER kernels.cu -o 11.8-sm_90.cubin
nvcc 12.4 -cubin -arch=sm_90a -DCLUSTER kernels.cu -o 12.4-sm_90a.cubin
nvcc 13.0 -cubin -arch=sm_90 -DCLUSTER -DWIDE kernels.cu -o 13.0-sm_90.cubin
nvcc 13.0 -cubin -arch=sm_100a -DSMALL kernels.cu -o 13.0-sm_100a.cubin
nvcc 13.0 -cubin -arch=sm_80 -rdc=true kernels.cu -o 13.0-sm_80-rdc.cubin

object() { nvcc $1 -rdc=true -cudart shared $(both 80) $2 -x cu host.cu -c -o $3; }
object 12.4 "" 12.4-host.o
object 12.4 -DPART part.o
ar rcsD 12.4-host.a 12.4-host.o part.o
object 13.0 "" host.o
object 13.0 -DPART part.o
nvcc 13.0 -rdc=true -cudart shared $(both 80) host.o part.o -o 13.0-host
strip 13.0-host
cp *.fatbin *.cubin 12.4-host.a 13.0-host "$out"
rm -rf /tmp/fixtures
