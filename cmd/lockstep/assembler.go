package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/lockstep-sim/lockstep/cudart/solo"
	"github.com/lockstep-sim/lockstep/ptx/ops"
)

// assemblerName is the name under which the command takes ptxas's arguments. Compilers that end in ptxas and give its
// output to the driver (Triton, XLA) then give it PTX.
const assemblerName = "ptxas"

// assemblerVersion is what compilers look for: the CUDA release whose PTX is understood.
const assemblerVersion = "ptxas: PTX is checked and passed on as it is, for lockstep\n" +
	"Cuda compilation tools, release 13.0, V13.0.0\n"

// assemblerValues are the options of ptxas whose value may follow as an argument of its own.
var assemblerValues = []string{
	"-o", "--output-file", "-arch", "--gpu-name", "-m", "--machine", "-maxrregcount", "--maxrregcount", "-O", "--opt-level",
}

// assembly is a command line of ptxas. Other options are about machine code, of which none is made.
type assembly struct {
	input, output, target string
	version               bool
}

func parseAssembly(args []string) (a assembly, err error) {
	a.output = "elf.o" // as ptxas calls it
	for len(args) > 0 {
		name, value, given := strings.Cut(args[0], "=")
		args = args[1:]
		if !given && slices.Contains(assemblerValues, name) {
			if len(args) == 0 {
				return a, fmt.Errorf("option %s lacks its value", name)
			}
			value, args = args[0], args[1:]
		}
		switch {
		case name == "-o" || name == "--output-file":
			a.output = value
		case name == "-arch" || name == "--gpu-name":
			a.target = value
		case name == "-V" || name == "--version":
			a.version = true
		case strings.HasPrefix(name, "-"):
		case a.input != "":
			return a, fmt.Errorf("%s and %s: one file at a time", a.input, name)
		default:
			a.input = name
		}
	}
	if a.input == "" && !a.version {
		return a, errors.New("no input file")
	}
	return a, nil
}

// assemble does what ptxas does for its callers, but that the output is the text of the input, which ends with a zero for
// those that hand it to the driver as it is.
func assemble(args []string, stdout io.Writer) error {
	a, err := parseAssembly(args)
	if err != nil {
		return err
	}
	if a.version {
		_, err := io.WriteString(stdout, assemblerVersion)
		return err
	}
	var target ops.Target
	if a.target != "" {
		var ok bool
		if target, ok = ops.ParseTarget(a.target); !ok {
			return fmt.Errorf("no architecture is named %s", a.target)
		}
	}
	text, err := os.ReadFile(a.input)
	if err != nil {
		return err
	}
	if err := solo.Check(a.input, string(text), target); err != nil {
		return err
	}
	return os.WriteFile(a.output, append(text, 0), 0o644)
}
