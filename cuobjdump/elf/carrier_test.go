package elf

import (
	"slices"
	"testing"
)

func TestCarrierGivesItsTextsBack(t *testing.T) {
	want := []PTX{{"a.ptx", ".version 7.0\n"}, {"", "x"}, {"b", ""}}
	image := Carry(90, want...)
	size, err := Size(func(n int) []byte { return image[:min(n, len(image))] })
	if err != nil || size != len(image) {
		t.Errorf("size %d, %v; it has %d bytes", size, err, len(image))
	}
	c, err := Parse(image)
	if err != nil {
		t.Fatal(err)
	}
	if got := c.File.Carried(); !slices.Equal(got, want) || c.SM != 90 {
		t.Errorf("sm_%d, %q", c.SM, got)
	}
}
