package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/lockstep-sim/lockstep/gpu/gpgpusim"
)

func TestExplainSaysOfEachOptionWhatBecameOfIt(t *testing.T) {
	file := filepath.Join(t.TempDir(), "a.config")
	if err := os.WriteFile(file, []byte("-gpgpu_n_clusters 4\n-gpgpu_n_cores_per_cluster 1 -gpgpu_num_reg_banks 16\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	f, err := gpgpusim.Read(file, os.ReadFile)
	if err != nil {
		t.Fatal(err)
	}
	translation, err := gpgpusim.Translate(f)
	if err != nil {
		t.Fatal(err)
	}
	var short, long bytes.Buffer
	(&explainCommand{}).write(&short, translation)
	(&explainCommand{All: true}).write(&long, translation)
	for _, want := range []string{
		file + ":1: -gpgpu_n_clusters 4\n    sm.count 4, sm.groups 1,1,1,1, noc.groups 1",
		file + ":2: -gpgpu_num_reg_banks 16\n    no counterpart: a sub-core has two banks",
		"3 options read, 1 of them have no counterpart",
	} {
		if !strings.Contains(short.String(), want) {
			t.Errorf("%q is missing in\n%s", want, short.String())
		}
	}
	if want := "default: -gpgpu_n_mem 8\n    l2.channels 8"; strings.Contains(short.String(), want) || !strings.Contains(long.String(), want) {
		t.Errorf("%q belongs to --all alone", want)
	}
}

func TestTheTableOfOptionsIsCurrent(t *testing.T) {
	var b bytes.Buffer
	writeOptions(&b)
	have, err := os.ReadFile("../../gpu/gpgpusim/OPTIONS.md")
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(have, b.Bytes()) {
		t.Error("gpu/gpgpusim/OPTIONS.md is not current; make generate writes it")
	}
}
