package fatbin

import (
	"fmt"
	"slices"
	"strings"
)

// Choice is what a device takes from a fat binary. The driver runs ELF when
// there is one and compiles PTX otherwise; a simulator may prefer either.
type Choice struct {
	ELF *Entry // nil when no cubin suits the device
	PTX *Entry // nil when no PTX suits the device

	entries []Entry
	device  int
}

// Select picks for a device, given as its SM number (90 for an H200), by the
// driver's rule.
//
// A cubin suits when its major number is the device's and its minor number is
// not above it; PTX suits when its target is not above the device. An "a" target
// suits its own SM only, an "f" target the members of its family from its SM on.
// Mobile parts (Tegra) and others do not run each other's cubins. Among suitable
// images the highest target wins, and at one target "a" before "f" before none.
// Images for 32-bit processes never suit.
//
// Without any suitable image the error is a *NoImageError. The choice points
// into entries.
func Select(entries []Entry, device int) (Choice, error) {
	choice := Choice{entries: entries, device: device}
	for i := range entries {
		e := &entries[i]
		if e.Flags&Is64Bit == 0 {
			continue
		}
		switch {
		case e.Kind == ELF && cubinSuits(e, device):
			choice.ELF = better(choice.ELF, e)
		case e.Kind == PTX && ptxSuits(e, device):
			choice.PTX = better(choice.PTX, e)
		}
	}
	if choice.ELF == nil && choice.PTX == nil {
		return choice, &NoImageError{Device: device, Images: images(entries)}
	}
	return choice, nil
}

// NeedPTX returns the PTX of the choice, or a *MachineCodeOnlyError when only a
// cubin suits the device.
func (c Choice) NeedPTX() (*Entry, error) {
	switch {
	case c.PTX != nil:
		return c.PTX, nil
	case c.ELF != nil:
		return nil, &MachineCodeOnlyError{Device: c.device, ELF: c.ELF, Images: images(c.entries)}
	}
	return nil, &NoImageError{Device: c.device, Images: images(c.entries)}
}

// better keeps the first of equals.
func better(have, e *Entry) *Entry {
	if have == nil || e.SM > have.SM || e.SM == have.SM && rank(e.Suffix) > rank(have.Suffix) {
		return e
	}
	return have
}

func rank(suffix string) int { return slices.Index([]string{"", "f", "a"}, suffix) }

func cubinSuits(e *Entry, device int) bool {
	if isTegra(e.SM) != isTegra(device) {
		return false
	}
	return ptxSuits(e, device) && family(e.SM) == family(device)
}

func ptxSuits(e *Entry, device int) bool {
	switch e.Suffix {
	case "a":
		return canonical(e.SM) == canonical(device)
	case "f":
		return family(e.SM) == family(device) && canonical(e.SM) <= canonical(device)
	}
	return canonical(e.SM) <= canonical(device)
}

// canonical is the present number of an SM: CUDA 13.0 renamed sm_101 to sm_110.
func canonical(sm int) int {
	if sm == 101 {
		return 110
	}
	return sm
}

// family is the major number, within which cubins and "f" targets carry over.
func family(sm int) int { return canonical(sm) / 10 }

// isTegra names the SMs of mobile parts of which cubins are not interchangeable
// with those of cards (CUDA programming guide, "Binary Compatibility").
func isTegra(sm int) bool { return slices.Contains([]int{32, 53, 62, 72, 87}, sm) }

// NoImageError says that nothing in a fat binary runs on the device. For a CUDA
// program it is cudaErrorNoKernelImageForDevice (209).
type NoImageError struct {
	Device int
	Images Images
}

func (e *NoImageError) Error() string {
	message := fmt.Sprintf("no kernel image for sm_%d: the program has %s", e.Device, e.Images)
	if len(e.Images.PTX) == 0 {
		message += "; " + advice(fmt.Sprint(e.Device))
	}
	return message
}

// MachineCodeOnlyError says that a fat binary runs on the device as machine code
// only, and PTX was needed. A driver would run it; a simulator that executes PTX
// answers cudaErrorNoKernelImageForDevice (209).
type MachineCodeOnlyError struct {
	Device int
	ELF    *Entry // that a driver would run
	Images Images
}

func (e *MachineCodeOnlyError) Error() string {
	return fmt.Sprintf("no PTX for sm_%d: the program has %s; %s", e.Device, e.Images, advice(fmt.Sprint(e.ELF.SM, e.ELF.Suffix)))
}

func advice(target string) string {
	return fmt.Sprintf("PTX must be embedded: nvcc -gencode arch=compute_%[1]s,code=compute_%[1]s", target)
}

// Images lists the targets in a fat binary by kind, each once and in order, such
// as "sm_80" and "compute_90a".
type Images struct {
	MachineCode, PTX, LTO []string
}

func images(entries []Entry) Images {
	var list Images
	add := func(to *[]string, prefix string, e *Entry) {
		name := fmt.Sprintf("%s_%d%s", prefix, e.SM, e.Suffix)
		if e.Flags&Is64Bit == 0 {
			name += " (32-bit)"
		}
		if !slices.Contains(*to, name) {
			*to = append(*to, name)
		}
	}
	for i := range entries {
		switch e := &entries[i]; e.Kind {
		case ELF:
			add(&list.MachineCode, "sm", e)
		case PTX:
			add(&list.PTX, "compute", e)
		case LTOIR:
			add(&list.LTO, "lto", e)
		}
	}
	return list
}

func (l Images) String() string {
	var parts []string
	for _, kind := range []struct {
		name    string
		targets []string
	}{
		{"machine code for ", l.MachineCode},
		{"PTX for ", l.PTX},
		{"link-time code for ", l.LTO},
	} {
		if len(kind.targets) > 0 {
			parts = append(parts, kind.name+strings.Join(kind.targets, ", "))
		}
	}
	if len(parts) == 0 {
		return "no device code"
	}
	return strings.Join(parts, " and ")
}
