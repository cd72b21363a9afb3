#!/bin/bash
# Builds the programs of tests/apps with every toolkit into tests/apps/prebuilt, and
# writes tests/apps/manifest.txt.
#
#   scripts/fixtures.sh [TOOLCHAIN [NAME...]]     default TOOLCHAIN: build/toolchain
#
# TOOLCHAIN is what scripts/toolchain.sh made. With names, only those programs are built.
# The work is done below one fixed folder, since nvcc writes source paths into line
# tables and names of static symbols: the same toolkits give the same bytes anywhere.
set -euo pipefail

root=$(cd "$(dirname "$0")/.." && pwd)
toolchain=$(cd "${1:-$root/build/toolchain}" && pwd) || { echo "run make toolchain first" >&2; exit 1; }
shift || true
apps=$root/tests/apps
export out=$apps/prebuilt work=/tmp/lockstep-fixtures

# target TOOLKIT: the PTX that a program carries unless its row says otherwise.
target() { [ "$1" = 11.8 ] && echo 70 || echo 75; }

# since ROW_FLAGS: the first toolkit that a row's program is built with.
since() { [[ " $1 " =~ \ since=([^ ]+)\  ]] && echo "${BASH_REMATCH[1]}"; }

# flags TOOLKIT ROW_FLAGS: the compiler's flags for a row.
flags() {
	local arch rest
	arch=$(target "$1")
	rest=" $2 "
	if [[ $rest =~ \ ptx=([^ ]+)\  ]]; then
		arch=${BASH_REMATCH[1]}
		rest=${rest/ ptx=$arch / }
	fi
	rest=${rest/ since=$(since "$2") / }
	# The linker joins machine code only, so relocatable programs carry some.
	if [[ $rest == *" -rdc=true "* ]]; then
		echo "-gencode arch=compute_$arch,code=[sm_$arch,compute_$arch]" $rest
	else
		echo "-gencode arch=compute_$arch,code=compute_$arch" $rest
	fi
}

# build TOOLKIT NAME ROW_FLAGS: one program and the libraries that belong to it.
build() {
	local v=$1 name=$2 f sources lib
	[[ ! $v < $(since "$3") ]] || return 0
	f=$(flags "$v" "$3")
	local nvcc=("$work/cuda/$v/bin/nvcc" -std=c++17 -O2 -cudart shared -Wno-deprecated-gpu-targets
		-Xlinker -s,--build-id=none,-z,noseparate-code)
	cd "$work/apps"
	sources=$name.cu
	[ -d "$name" ] && sources=$(find "$name" -name '*.cu' ! -name 'lib_*' | sort)
	"${nvcc[@]}" $f -Xlinker '-rpath,$ORIGIN' -o "$out/$v/$name" $sources
	for lib in "$name"/lib_*.cu; do
		[ -f "$lib" ] || continue
		"${nvcc[@]}" $f -shared -Xcompiler -fPIC -o "$out/$v/${name}_$(basename "${lib#*lib_}" .cu).so" "$lib"
	done
}

# rows prints NAME and FLAGS of each program, first rows only.
rows() { sed '/^#/d; /^$/d' "$apps/apps.txt" | awk -F' *[|] *' '$1 !~ /:/ { print $1 "|" $2 }'; }

# manifest prints a line a file: program, toolkit, flags, digest.
manifest() {
	echo "# Written by scripts/fixtures.sh: file | nvcc | flags | sha256"
	for v in 11.8 12.4 13.0; do
		version=$("$work/cuda/$v/bin/nvcc" --version | sed -n 's/.* V//p')
		rows | while IFS='|' read -r name f; do
			for file in "$out/$v/$name" "$out/$v/${name}"_?.so; do
				[ -f "$file" ] || continue
				echo "$v/$(basename "$file") | $version | $(flags "$v" "$f") | $(sha256sum "$file" | cut -d' ' -f1)"
			done
		done
	done
}

mkdir -p "$work" "$out"/{11.8,12.4,13.0}
rm -rf "$work/apps" "$work/cuda"
mkdir "$work/apps"
cp -r "$apps"/*.cu "$apps"/*.h "$apps"/*/ "$work/apps/"
ln -s "$toolchain" "$work/cuda"
export -f build flags target since
rows | while IFS='|' read -r name f; do
	[ $# = 0 ] || [[ " $* " == *" $name "* ]] || continue
	for v in 11.8 12.4 13.0; do printf '%s\0%s\0%s\0' "$v" "$name" "$f"; done
done | xargs -0 -r -n 3 -P 2 bash -euc 'build "$@"' build
manifest >"$apps/manifest.txt"
du -sh "$out"
