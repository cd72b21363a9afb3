package main

import (
	"slices"
	"testing"
)

func TestDumpTakesCuobjdumpsSpellings(t *testing.T) {
	got := longForm([]string{"dump", "-lptx", "-xelf", "all", "a.out"})
	if want := []string{"dump", "--list-ptx", "--extract-elf", "all", "a.out"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	if got := longForm([]string{"run", "-ptx"}); got[1] != "-ptx" {
		t.Errorf("another command's argument became %s", got[1])
	}
}
