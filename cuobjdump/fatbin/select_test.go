package fatbin

import (
	"errors"
	"strings"
	"testing"
)

// parseTargets reads "sm_90a compute_80 lto_90 sm_80:32" into entries.
func parseTargets(t *testing.T, list string) []Entry {
	t.Helper()
	var entries []Entry
	for _, word := range strings.Fields(list) {
		word, narrow := strings.CutSuffix(word, ":32")
		prefix, number, _ := strings.Cut(word, "_")
		kind, ok := map[string]Kind{"sm": ELF, "compute": PTX, "lto": LTOIR, "odd": 4}[prefix]
		if !ok {
			t.Fatalf("kind of %q", word)
		}
		sm := 0
		suffix := strings.TrimLeftFunc(number, func(r rune) bool {
			digit := r >= '0' && r <= '9'
			if digit {
				sm = sm*10 + int(r-'0')
			}
			return digit
		})
		e := New(kind, sm, suffix, []byte(word))
		if narrow {
			e.Flags &^= Is64Bit
		}
		entries = append(entries, e)
	}
	return entries
}

func TestSelectionFollowsTheDriver(t *testing.T) {
	const none = "-"
	for _, c := range []struct {
		device   int
		images   string
		elf, ptx string
	}{
		// Machine code: the same major number, a minor number not above.
		{90, "sm_90", "sm_90", none},
		{86, "sm_80", "sm_80", none},
		{89, "sm_80 sm_86", "sm_86", none},
		{89, "sm_86 sm_80", "sm_86", none},
		{80, "sm_86 compute_75", none, "compute_75"},
		{90, "sm_80 sm_89 compute_80", none, "compute_80"},
		{75, "sm_70", "sm_70", none},
		{75, "sm_72 sm_70", "sm_70", none},
		{121, "sm_120", "sm_120", none},
		{120, "sm_121 compute_120", none, "compute_120"},
		{120, "sm_100 compute_90", none, "compute_90"},
		// PTX: the newest target not above the device.
		{90, "compute_75 compute_90 compute_80", none, "compute_90"},
		{90, "compute_100 compute_52", none, "compute_52"},
		{75, "compute_35 compute_50", none, "compute_50"},
		{120, "compute_90", none, "compute_90"},
		// Both are reported.
		{90, "sm_90 compute_80", "sm_90", "compute_80"},
		{90, "sm_80 sm_90 compute_80 compute_90", "sm_90", "compute_90"},
		// "a": that SM and no other.
		{90, "sm_90a compute_90a", "sm_90a", "compute_90a"},
		{90, "sm_90 sm_90a", "sm_90a", none},
		{90, "compute_90a compute_90", none, "compute_90a"},
		{100, "sm_90a compute_90a compute_80", none, "compute_80"},
		{103, "sm_100a sm_100 compute_100a compute_100", "sm_100", "compute_100"},
		{120, "compute_90a compute_90", none, "compute_90"},
		// "f": the family, from that SM on.
		{100, "sm_100f compute_100f", "sm_100f", "compute_100f"},
		{103, "sm_100f compute_100f", "sm_100f", "compute_100f"},
		{107, "sm_103f", "sm_103f", none},
		{100, "sm_103f compute_103f compute_90", none, "compute_90"},
		{110, "compute_100f compute_90", none, "compute_90"},
		{120, "compute_100f compute_100", none, "compute_100"},
		{121, "sm_120f compute_120f", "sm_120f", "compute_120f"},
		{103, "compute_100f compute_103", none, "compute_103"},
		{103, "compute_100 compute_100f", none, "compute_100f"},
		{100, "sm_100f sm_100a sm_100", "sm_100a", none},
		// sm_101 is sm_110 by its old name.
		{110, "sm_101a compute_101a", "sm_101a", "compute_101a"},
		{110, "compute_101f", none, "compute_101f"},
		{110, "sm_100 compute_100", none, "compute_100"},
		{107, "sm_101 compute_101 compute_90", none, "compute_90"},
		// Mobile parts stand alone.
		{89, "sm_87 sm_86", "sm_86", none},
		{87, "sm_86 sm_87", "sm_87", none},
		{87, "sm_86 compute_86", none, "compute_86"},
		{62, "sm_61 sm_53 compute_50", none, "compute_50"},
		// Kinds and widths that never run.
		{90, "lto_90 compute_80", none, "compute_80"},
		{90, "odd_90 compute_80", none, "compute_80"},
		{90, "sm_90:32 compute_90:32 compute_80", none, "compute_80"},
		// The first of equals.
		{90, "compute_90 compute_90", none, "compute_90"},
	} {
		choice, err := Select(parseTargets(t, c.images), c.device)
		if err != nil {
			t.Errorf("sm_%d of %q: %v", c.device, c.images, err)
			continue
		}
		if got := name(choice.ELF); got != c.elf {
			t.Errorf("sm_%d of %q: machine code %s, want %s", c.device, c.images, got, c.elf)
		}
		if got := name(choice.PTX); got != c.ptx {
			t.Errorf("sm_%d of %q: PTX %s, want %s", c.device, c.images, got, c.ptx)
		}
	}
}

func name(e *Entry) string {
	if e == nil {
		return "-"
	}
	return string(e.stored)
}

func TestTheFirstOfEqualImagesIsTaken(t *testing.T) {
	entries := parseTargets(t, "compute_90 compute_90")
	choice, err := Select(entries, 90)
	if err != nil || choice.PTX != &entries[0] {
		t.Errorf("got %v, %v", choice.PTX, err)
	}
}

func TestNoSuitableImageIsItsOwnError(t *testing.T) {
	for _, c := range []struct {
		device int
		images string
		want   []string
	}{
		{90, "", []string{"sm_90", "no device code", "code=compute_90"}},
		{90, "sm_80 sm_86", []string{"sm_90", "machine code for sm_80, sm_86", "PTX must be embedded", "arch=compute_90,code=compute_90"}},
		{75, "sm_80 compute_80", []string{"machine code for sm_80 and PTX for compute_80"}},
		{100, "compute_90a", []string{"PTX for compute_90a"}},
		{90, "lto_90", []string{"link-time code for lto_90", "PTX must be embedded"}},
		{90, "sm_90:32", []string{"sm_90 (32-bit)"}},
	} {
		choice, err := Select(parseTargets(t, c.images), c.device)
		var none *NoImageError
		if !errors.As(err, &none) || choice.ELF != nil || choice.PTX != nil {
			t.Errorf("sm_%d of %q: %v", c.device, c.images, err)
			continue
		}
		for _, want := range c.want {
			if !strings.Contains(err.Error(), want) {
				t.Errorf("sm_%d of %q: %q lacks %q", c.device, c.images, err, want)
			}
		}
		if strings.Contains(c.images, "compute") && strings.Contains(err.Error(), "embedded") {
			t.Errorf("sm_%d of %q: advice to embed PTX, which is there: %v", c.device, c.images, err)
		}
	}
}

func TestMachineCodeAloneIsExplained(t *testing.T) {
	choice, err := Select(parseTargets(t, "sm_80 sm_90a compute_100"), 90)
	if err != nil {
		t.Fatal(err)
	}
	_, err = choice.NeedPTX()
	var only *MachineCodeOnlyError
	if !errors.As(err, &only) || only.ELF.Target() != "sm_90a" {
		t.Fatalf("got %v", err)
	}
	for _, want := range []string{"no PTX for sm_90", "sm_80, sm_90a", "PTX for compute_100", "-gencode arch=compute_90a,code=compute_90a"} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("%q lacks %q", err, want)
		}
	}
	var nothing Choice
	if _, err := nothing.NeedPTX(); err == nil {
		t.Error("an empty choice has PTX")
	}
	choice, err = Select(parseTargets(t, "sm_90 compute_80"), 90)
	if err != nil {
		t.Fatal(err)
	}
	if e, err := choice.NeedPTX(); err != nil || e.SM != 80 {
		t.Errorf("got %v, %v", e, err)
	}
}
