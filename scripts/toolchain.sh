#!/bin/bash
# Sets up nvcc 11.8, 12.4 and 13.0 below a folder, from Debian and PyPI only.
#
#   scripts/toolchain.sh [DIR]        default DIR: build/toolchain
#
# It makes DIR/11.8, DIR/12.4 and DIR/13.0, each with bin/ (nvcc, ptxas,
# fatbinary, cuobjdump, nvdisasm, ...), include/, lib64/ and nvvm/. A version
# that is already there is kept. Downloads stay in DIR/dl.
#
# The compilers of 11.8 and 12.4 are Debian's (non-free, bookworm and trixie),
# read through an apt configuration of this script's own: the machine's sources
# stay as they are. Their runtime and its headers, and all of 13.0, are wheels.
# nvcc 11.8 takes no host compiler newer than gcc 11, so its wrapper names g++-11.
set -euo pipefail

dir=$(mkdir -p "${1:-build/toolchain}" && cd "${1:-build/toolchain}" && pwd)
here=$(cd "$(dirname "$0")" && pwd)

say() { printf 'toolchain: %s\n' "$*"; }
die() { printf 'toolchain: %s\n' "$*" >&2; exit 1; }

# need PACKAGE COMMAND...: installs PACKAGE when the command does not run.
need() {
	local package=$1
	shift
	"$@" >/dev/null 2>&1 && return
	[ "$(id -u)" = 0 ] || die "please install $package (apt-get install $package)"
	say "installing $package"
	apt-get install -y -q --no-install-recommends "$package" >/dev/null ||
		{ apt-get update -q >/dev/null && apt-get install -y -q --no-install-recommends "$package" >/dev/null; }
}

# mirror prints the address of the Debian mirror that this machine uses.
mirror() {
	apt-get indextargets --format '$(SITE) $(RELEASE)' | awk '$2 == "bookworm" { print $1; exit }'
}

# apt_conf SUITE: an apt configuration that sees SUITE with non-free; prints its path.
apt_conf() {
	local root=$dir/dl/apt-$1 site
	site=$(mirror)
	[ -n "$site" ] || die "apt knows no mirror of Debian 12 (bookworm)"
	mkdir -p "$root/lists/partial" "$root/cache/archives/partial"
	printf 'deb [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] %s %s main non-free\n' \
		"$site" "$1" >"$root/sources.list"
	cat >"$root/apt.conf" <<-CONF
		Dir::Etc::sourcelist "$root/sources.list";
		Dir::Etc::sourceparts "-";
		Dir::State::lists "$root/lists";
		Dir::Cache "$root/cache";
		APT::Sandbox::User "root";
		APT::Architecture "amd64";
		Acquire::Languages "none";
	CONF
	printf '%s\n' "$root/apt.conf"
}

# debs SUITE TO PACKAGE...: unpacks Debian packages of SUITE into TO.
debs() {
	local suite=$1 to=$2 conf got
	shift 2
	conf=$(apt_conf "$suite")
	got=$dir/dl/debs-$suite
	mkdir -p "$got" "$to"
	APT_CONFIG=$conf apt-get update -q >/dev/null
	(cd "$got" && APT_CONFIG=$conf apt-get download -q "$@" >/dev/null)
	for deb in "$got"/*.deb; do dpkg -x "$deb" "$to"; done
}

# wheels VERSION TO REQUIREMENT...: unpacks wheels into TO.
wheels() {
	local got=$dir/dl/wheels-$1 to=$2
	shift 2
	mkdir -p "$got" "$to"
	PIP_DISABLE_PIP_VERSION_CHECK=1 python3 -m pip download -q --no-deps --only-binary=:all: -d "$got" "$@"
	for wheel in "$got"/*.whl; do python3 -m zipfile -e "$wheel" "$to"; done
}

# from_debian VERSION SUITE CU RUNTIME NVCC [CCBIN]: a toolkit in the usual layout
# from Debian's compiler and the headers and runtime of the -cuCU wheels.
from_debian() {
	local v=$1 suite=$2 cu=$3 raw=$dir/dl/raw-$1 to=$dir/$1.part ccbin=${6:-}
	[ -x "$dir/$v/bin/nvcc" ] && { say "$v is there"; return; }
	say "fetching $v"
	rm -rf "$raw" "$to"
	debs "$suite" "$raw/deb" nvidia-cuda-toolkit libcu++-dev libcub-dev libthrust-dev
	wheels "$v" "$raw/whl" "nvidia-cuda-runtime-cu$cu==$4" "nvidia-cuda-nvcc-cu$cu==$5"
	mkdir -p "$to/bin" "$to/nvvm/bin" "$to/lib64" "$to/include"
	local tk=$raw/deb/usr/lib/nvidia-cuda-toolkit whl=$raw/whl/nvidia
	for tool in bin2c cu++filt cudafe++ cuobjdump fatbinary nvdisasm nvlink nvprune ptxas; do
		mv "$raw/deb/usr/bin/$tool" "$to/bin/"
	done
	mv "$tk/bin/crt" "$to/bin/crt"
	mv "$tk/bin/nvcc" "$to/bin/nvcc"
	mv "$tk/bin/cicc" "$to/nvvm/bin/"
	mv "$whl/cuda_nvcc/nvvm/libdevice" "$to/nvvm/"
	cp -r "$raw"/deb/usr/include/{cub,cuda,nv,thrust} "$whl"/cuda_{runtime,nvcc}/include/. "$to/include/"
	mv "$whl/cuda_runtime/lib"/libcudart.so.* "$to/lib64/"
	no_device_runtime "$to/lib64"
	cat >"$to/bin/nvcc.profile" <<-'PROFILE'
		TOP              = $(_HERE_)/..
		CICC_PATH        = $(TOP)/nvvm/bin
		NVVMIR_LIBRARY_DIR = $(TOP)/nvvm/libdevice
		PATH            += $(TOP)/nvvm/bin:$(_HERE_):
		INCLUDES        += "-I$(TOP)/include" $(_SPACE_)
		LIBRARIES       =+ $(_SPACE_) "-L$(TOP)/lib64"
	PROFILE
	[ -z "$ccbin" ] || wrap "$to" "-ccbin $ccbin"
	finish "$v"
}

# no_device_runtime FOLDER: an empty libcudadevrt.a. nvcc links one always; only
# kernels that launch kernels need what the real one holds.
no_device_runtime() {
	gcc -x c -c /dev/null -o "$1/none.o"
	ar rcD "$1/libcudadevrt.a" "$1/none.o"
	rm "$1/none.o"
}

# from_wheels VERSION: a toolkit from the unsuffixed wheels, which carry the compiler.
from_wheels() {
	local v=$1 raw=$dir/dl/raw-$1 to=$dir/$1.part
	[ -x "$dir/$v/bin/nvcc" ] && { say "$v is there"; return; }
	say "fetching $v"
	rm -rf "$raw" "$to"
	local names=(nvidia-cuda-{nvcc,runtime,crt,cccl} nvidia-nvvm)
	# cuobjdump and nvdisasm were first published as wheels with 13.2; they read older files.
	wheels "$v" "$raw" "${names[@]/%/==$v.*}" nvidia-cuda-cuobjdump==13.2.* nvidia-cuda-nvdisasm==13.2.*
	mv "$raw/nvidia/cu13" "$to"
	[ -d "$to/lib64" ] || mv "$to/lib" "$to/lib64"
	sed -i 's,/lib",/lib64",' "$to/bin/nvcc.profile"
	finish "$v"
}

# wrap TOOLKIT FLAGS: puts a script that adds FLAGS in front of TOOLKIT's nvcc.
wrap() {
	mkdir "$1/bin/real"
	mv "$1/bin/nvcc" "$1/bin/nvcc.profile" "$1/bin/real/"
	ln -s ../crt "$1/bin/real/crt"
	sed -i 's,\$(_HERE_),$(_HERE_)/..,g' "$1/bin/real/nvcc.profile"
	cat >"$1/bin/nvcc" <<-WRAPPER
		#!/bin/sh
		exec "\$(dirname "\$0")/real/nvcc" $2 "\$@"
	WRAPPER
}

# finish VERSION: links, modes, and a first compilation; then the folder gets its name.
finish() {
	local to=$dir/$1.part
	chmod -R a+rX "$to"
	find "$to/bin" "$to/nvvm/bin" -type f -exec chmod a+x {} +
	(cd "$to/lib64" && ln -sf libcudart.so.* libcudart.so)
	"$to/bin/nvcc" -cudart shared -arch=compute_75 -o "$to/check" "$here/toolchain_check.cu" ||
		die "nvcc $1 does not compile"
	"$to/bin/cuobjdump" -ptx "$to/check" | grep '\.visible \.entry' >/dev/null || die "no PTX in nvcc $1's program"
	rm -rf "$to/check" "$dir/dl/raw-$1" "${dir:?}/$1"
	mv "$to" "$dir/$1"
	say "$1 ready: $("$dir/$1/bin/nvcc" --version | sed -n 's/^Cuda compilation tools, //p')"
}

need g++ g++ --version
need python3-pip python3 -m pip --version
need g++-11 g++-11 --version
from_debian 11.8 bookworm 11 11.8.89 11.8.89 g++-11
from_debian 12.4 trixie 12 12.4.127 12.4.131
from_wheels 13.0
