package models_test

import (
	"strings"
	"testing"

	"github.com/lockstep-sim/lockstep/gpu/models"
)

func TestEveryModelAnswersAllAttributes(t *testing.T) {
	for _, name := range models.Names() {
		g, err := models.Load(name)
		if err != nil {
			t.Fatal(err)
		}
		if ids := g.Attributes(); len(ids) != 147 || ids[0] != 1 || ids[146] != 147 {
			t.Errorf("%s: attributes %v", name, ids)
		}
		for _, id := range []int{-1, 0, 148, 1 << 30} {
			if _, ok := g.Attribute(id); ok {
				t.Errorf("%s: attribute %d exists", name, id)
			}
		}
	}
}

func TestH200HasItsMeasuredValues(t *testing.T) {
	g, err := models.Load("")
	if err != nil {
		t.Fatal(err)
	}
	for id, want := range map[int]int32{1: 1024, 4: 64, 16: 132, 38: 62914560, 75: 9, 76: 0, 97: 232448, 111: 1024, 131: -1, 139: 590680286} {
		if got, _ := g.Attribute(id); got != want {
			t.Errorf("attribute %d is %d, want %d", id, got, want)
		}
	}
	if g.Name != "NVIDIA H200" || g.Architecture() != 90 || g.SM.Count != 132 {
		t.Errorf("got %q, sm_%d, %d SMs", g.Name, g.Architecture(), g.SM.Count)
	}
}

func TestUnknownModelNamesThoseThatExist(t *testing.T) {
	if _, err := models.Load("h20"); err == nil || !strings.Contains(err.Error(), "h200") {
		t.Errorf("got %v", err)
	}
}
