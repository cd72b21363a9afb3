# make            the libraries in build/lib, the command in build/bin
# make demo       builds, then runs a CUDA program that ships with the project
# make test       builds, then runs every test
# make check      formatting, vet, static analysis, generated files, builds without cgo
# make bench      the figures of the README; fails where a kernel has become 10 % slower (ACCEPT=1 accepts it)
# make generate   derived files (z*, SUPPORT.md) from their tables
# make toolchain  nvcc 11.8, 12.4 and 13.0 below DIR (default build/toolchain)
# make fixtures   the prebuilt programs of tests/apps, with the toolchain in DIR
# make clean      removes what was built

GO ?= go
CC ?= gcc
VERSION ?= $(shell git describe --always --dirty 2>/dev/null || echo unknown)

LIB := build/lib
BIN := build/bin
FRONTS := $(addprefix $(LIB)/,libcudart.so.11.0 libcudart.so.12 libcudart.so.13 libcuda.so.1 libnvidia-ml.so.1)

.PHONY: build demo test check bench core fronts command generate toolchain fixtures clean

build: core fronts command

# ---- what people run

demo: build
	@$(BIN)/lockstep run -- tests/apps/prebuilt/13.0/demo

test: build
	$(GO) test ./...

STATICCHECK := honnef.co/go/tools/cmd/staticcheck@v0.8.2

check:
	@out=$$(gofmt -l .); [ -z "$$out" ] || { echo "not formatted:"; echo "$$out"; exit 1; }
	$(GO) vet ./...
	CGO_ENABLED=0 $(GO) build $$($(GO) list -f '{{if .GoFiles}}{{.ImportPath}}{{end}}' ./... | grep -v '/cudart$$')
	$(GO) run $(STATICCHECK) ./...
	@$(MAKE) --no-print-directory generate
	@git diff --exit-code --stat -- SUPPORT.md ptx/SUPPORT.md gpu/gpgpusim/OPTIONS.md $$(git ls-files | grep -E '(^|/)z[^/]*\.(go|c|S|s|h)$$') || \
		{ echo "generated files are not current: commit what make generate wrote"; exit 1; }

bench: build
	$(GO) test ./tests/bench -run '^$$' -bench 'Idle|FirstCall|SmallProgram|GEMM|Launch|Timing' -benchtime 2s
	$(GO) test ./tests/bench -v -run '^TestFigures$$' -figures $(if $(ACCEPT),-accept)

# ---- the core: Go, holds every API symbol

CORE_LDFLAGS := -s -w '-extldflags=-Wl,-soname,libcudart.so -Wl,--version-script=$(CURDIR)/build/libcudart.map'

core:
	$(GO) build -buildmode=c-shared -ldflags="$(CORE_LDFLAGS)" -o $(LIB)/libcudart.so ./cudart
	@rm -f $(LIB)/libcudart.h

# ---- the fronts: the C part of cudart without Go, one a library of NVIDIA's that programs load

FRONT_SOURCES := $(addprefix cudart/,zsymbols.S slots.c registration.c configuration.c errors.c zerrors.c signals.c \
	exit.c loader.c management.c entries.c embedded.c patch.c objects.c nvrtc.c front/front.c)
FRONT_HEADERS := cudart/trampoline.h cudart/lockstep.h cudart/embedded.h cudart/cuda_types.h \
	cudart/driver_types.h
FRONT_CFLAGS := -O2 -Wall -Wextra -fPIC -fvisibility=hidden -shared -s -Wl,-z,nodelete,-z,now,-z,initfirst,--hash-style=gnu

# SANITIZE=1 builds them with AddressSanitizer and UndefinedBehaviorSanitizer, for programs that are built so too.
ifdef SANITIZE
FRONT_CFLAGS += -g -fno-omit-frame-pointer -fsanitize=address,undefined -fno-sanitize-recover=undefined
endif

fronts: $(FRONTS)

# $(call front,soname,major of the runtime or 0,bits of the groups in zsymbols.S,bit of the major)
define front
$(LIB)/$(1): $(FRONT_SOURCES) $(FRONT_HEADERS) build/$(1).map
	@mkdir -p $(LIB)
	$(CC) $(FRONT_CFLAGS) -DLS_FRONT_MAJOR=$(2) -DLS_GROUPS=$(3) -DLS_MAJORS=$(4) -Wl,-soname,$(1) \
		-Wl,--version-script=build/$(1).map -o $$@ $(FRONT_SOURCES) -lpthread -ldl
endef
$(eval $(call front,libcudart.so.11.0,11,1,1))
$(eval $(call front,libcudart.so.12,12,1,2))
$(eval $(call front,libcudart.so.13,13,1,4))
# A program that needs the driver may contain the static runtime, whose trampolines are therefore there too.
$(eval $(call front,libcuda.so.1,0,3,0))
$(eval $(call front,libnvidia-ml.so.1,0,5,0))

# ---- the command line

command:
	CGO_ENABLED=0 $(GO) build -ldflags="-X main.version=$(VERSION)" -o $(BIN)/lockstep ./cmd/lockstep
	@ln -sf lockstep $(BIN)/ptxas # the same command under another name

# ---- generated files

generate:
	$(GO) generate ./...
	$(GO) run ./scripts/genlayout
	$(GO) run ./scripts/generrors
	$(GO) run ./scripts/gencudart
	$(GO) run ./scripts/gensimd
	$(GO) run ./scripts/genptx
	$(GO) run ./cmd/lockstep config options >gpu/gpgpusim/OPTIONS.md

# ---- programs for the tests, built by NVIDIA's compiler

DIR ?= build/toolchain

toolchain:
	scripts/toolchain.sh $(DIR)

fixtures:
	scripts/fixtures.sh $(DIR)

clean:
	rm -rf $(LIB) $(BIN)
