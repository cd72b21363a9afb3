package main

import (
	"bytes"
	"strings"
	"testing"

	"github.com/lockstep-sim/lockstep/gpu/models"
)

func TestRowsOfTheTableAreEquallyWide(t *testing.T) {
	gpu, err := models.Load(models.Default)
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	tableOfDevices(&b, gpu, 2)
	for line := range strings.Lines(b.String()) {
		if line != "\n" && len(line) != len(smiRule) {
			t.Errorf("%d characters, want %d: %s", len(line), len(smiRule), line)
		}
	}
	if n := strings.Count(b.String(), gpu.Name); n != 2 {
		t.Errorf("%d devices in the table, want 2", n)
	}
}
