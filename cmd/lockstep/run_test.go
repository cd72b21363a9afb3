package main

import (
	"bytes"
	"debug/elf"
	"encoding/binary"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

func TestEnvironmentCarriesTheFlags(t *testing.T) {
	t.Setenv("LD_PRELOAD", "/elsewhere/other.so")
	c := runCommand{Model: "h200", Devices: 2}
	env := c.environment([]string{"HOME=/h", "LOCKSTEP_MODEL=stale"}, "/lib", "libcudart.so.13")
	want := []string{
		"HOME=/h",
		"LD_PRELOAD=/lib/libcudart.so.13:/lib/libcudart.so.12:/lib/libcudart.so.11.0:/lib/libcuda.so.1:/lib/libnvidia-ml.so.1:/elsewhere/other.so",
		"LOCKSTEP_DEVICES=2", "LOCKSTEP_MODEL=h200", "PTX_SIM_MODE_FUNC=1",
	}
	if !slices.Equal(env, want) {
		t.Errorf("got %q\nwant %q", env, want)
	}
	c.Timing = true
	if env := c.environment(nil, "/lib", "libcudart.so.13"); !slices.Contains(env, "PTX_SIM_MODE_FUNC=0") {
		t.Errorf("--timing leaves the functional mode on: %q", env)
	}
}

func TestVerdictOnPrograms(t *testing.T) {
	device := func(needed ...string) program { return program{device: true, needed: needed} }
	for _, c := range []struct {
		name, refusal, front string
		program              program
	}{
		{name: "script", front: fronts[0]},
		{name: "no device code", front: fronts[0], program: program{needed: []string{"libc.so.6"}}},
		{name: "static program", refusal: "statically linked", front: fronts[0], program: program{foreign: "statically linked"}},
		{name: "static runtime", front: fronts[0], program: program{device: true, runtime: true}},
		{name: "static runtime, stripped", refusal: "without -s", front: fronts[0], program: device()},
		{name: "shared runtime", front: "libcudart.so.13", program: device("libc.so.6", "libcudart.so.13")},
		{name: "runtime of a wheel", front: fronts[0], program: device("libcudart-d0da41ae.so.11.0")},
	} {
		t.Run(c.name, func(t *testing.T) {
			if err := c.program.refusal(); (err == nil) != (c.refusal == "") || err != nil && !strings.Contains(err.Error(), c.refusal) {
				t.Errorf("refusal: %v, want %q", err, c.refusal)
			}
			if f := c.program.front(); f != c.front {
				t.Errorf("front %s, want %s", f, c.front)
			}
		})
	}
}

func TestForeignFilesAreToldApart(t *testing.T) {
	folder := t.TempDir()
	header := elf.Header64{Type: uint16(elf.ET_EXEC), Machine: uint16(elf.EM_AARCH64), Version: 1, Ehsize: 64}
	copy(header.Ident[:], elf.ELFMAG)
	header.Ident[elf.EI_CLASS], header.Ident[elf.EI_DATA], header.Ident[elf.EI_VERSION] = 2, 1, 1
	var arm bytes.Buffer
	if err := binary.Write(&arm, binary.LittleEndian, header); err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		content []byte
		foreign string
	}{
		"script": {[]byte("#!/bin/sh\n"), ""},
		"empty":  {nil, ""},
		"arm":    {arm.Bytes(), "not a program for x86-64"},
	} {
		path := filepath.Join(folder, name)
		if err := os.WriteFile(path, c.content, 0o755); err != nil {
			t.Fatal(err)
		}
		if p, err := inspect(path); err != nil || p.foreign != c.foreign {
			t.Errorf("%s: %+v, %v", name, p, err)
		}
	}
}
