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

func TestListedDevicesHaveTheUUIDsOfTheirProperties(t *testing.T) {
	gpu, err := models.Load("h200")
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	listDevices(&b, gpu, 2)
	const want = "GPU 0: NVIDIA H200 (UUID: GPU-6c6f636b-7374-6570-2335-10de00000000)\n" +
		"GPU 1: NVIDIA H200 (UUID: GPU-6c6f636b-7374-6570-2335-10de00000001)\n"
	if b.String() != want {
		t.Errorf("got %s", &b)
	}
}
