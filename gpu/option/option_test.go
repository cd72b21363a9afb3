package option_test

import (
	"strings"
	"testing"

	"github.com/lockstep-sim/lockstep/gpu/option"
)

type cache struct {
	Size    uint64 `opt:"l1.size" unit:"bytes" default:"1024" doc:"Capacity." src:"guess"`
	Latency int    `opt:"l1.latency" unit:"cycles" doc:"Hit latency."`
}

type device struct {
	Name    string `opt:"name" doc:"Name."`
	Cache   cache
	Clock   float64 `opt:"clock" unit:"MHz" default:"1.5"`
	Enabled bool    `opt:"enabled" default:"true"`
}

func TestSettingsReachTheirFields(t *testing.T) {
	var d device
	settings, err := option.Read(&d, "d.cfg", "# a device\nname NVIDIA H200 # card\n\nl1.latency -0x10 # microbench\nenabled 0\n")
	if err != nil {
		t.Fatal(err)
	}
	want := device{Name: "NVIDIA H200", Cache: cache{1024, -16}, Clock: 1.5}
	if d != want {
		t.Errorf("got %+v, want %+v", d, want)
	}
	if s := settings[2]; s.Name != "l1.latency" || s.Source != "microbench" || s.Unit != "cycles" || s.Value() != "-16" {
		t.Errorf("got setting %+v", s)
	}
	if s := settings[1]; s.Source != "guess" {
		t.Errorf("a default lost its source: %+v", s)
	}
}

func TestProblemsAreNamedWithTheirPlace(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"l1.sise 3", `d.cfg:1: unknown option "l1.sise"; did you mean "l1.size"?`},
		{"\ncompletelyelse 3", `d.cfg:2: unknown option "completelyelse"`},
		{"l1.size -1", `d.cfg:1: l1.size: "-1" is not a positive whole number of 64 bits`},
		{"enabled maybe", `d.cfg:1: enabled: "maybe" is not true or false`},
		{"clock fast", `d.cfg:1: clock: "fast" is not a number`},
		{"", `d.cfg: no value for l1.latency (Hit latency.)`},
	} {
		var d device
		_, err := option.Read(&d, "d.cfg", c.text)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%q: got %v, want %s", c.text, err, c.want)
		}
	}
}

func TestAPrefixPrecedesTheOptionsInside(t *testing.T) {
	type shape struct {
		Sets int `opt:"sets" default:"4"`
	}
	var d struct {
		First  shape `prefix:"l1."`
		Second shape `prefix:"l2."`
	}
	if _, err := option.Read(&d, "d.cfg", "l2.sets 64"); err != nil || d.First.Sets != 4 || d.Second.Sets != 64 {
		t.Errorf("got %+v, %v", d, err)
	}
}

func TestAnOverrideChangesWhatItNamesInAnyStruct(t *testing.T) {
	var a device
	var b struct {
		Width int `opt:"width" default:"8"`
	}
	if _, err := option.Read(&a, "a.cfg", "name x\nl1.latency 3"); err != nil {
		t.Fatal(err)
	}
	if _, err := option.Read(&b, "b.cfg", ""); err != nil {
		t.Fatal(err)
	}
	all := append(option.List(&a), option.List(&b)...)
	if err := option.Override(all, "o.cfg", "width 9\nl1.size 5\n"); err != nil {
		t.Fatal(err)
	}
	if b.Width != 9 || a.Cache != (cache{5, 3}) {
		t.Errorf("got %+v and %+v", a, b)
	}
	if err := option.Override(all, "o.cfg", "widht 9"); err == nil || !strings.Contains(err.Error(), `did you mean "width"?`) {
		t.Errorf("got %v", err)
	}
}

func TestLaterFilesCountMoreAndOtherNamesAreLeft(t *testing.T) {
	var d device
	settings, others, err := option.ReadPart(&d, option.File{Name: "a", Text: "name one\nl1.latency 3 # first\nother.thing 1"}, option.File{Name: "b", Text: "l1.latency 4 # second"})
	if err != nil || d.Name != "one" || d.Cache.Latency != 4 || settings[2].Source != "second" || len(others) != 1 || others[0] != "other.thing" {
		t.Errorf("got %+v, %v, %v", d, others, err)
	}
	_, _, err = option.ReadPart(&d, option.File{Name: "a", Text: "name one\nl1.latency 3"}, option.File{Name: "b", Text: "\nl1.latency x"})
	if err == nil || !strings.HasPrefix(err.Error(), "b:2:") {
		t.Errorf("got %v", err)
	}
}
