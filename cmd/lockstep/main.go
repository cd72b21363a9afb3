// Command lockstep runs CUDA programs on a simulated GPU and shows what is inside them.
//
//	lockstep run ./app args      run a program
//	lockstep smi                 the simulated GPU, as nvidia-smi would show it
//	lockstep dump ./app          the device code of a program
//	lockstep ptx check k.ptx     what is wrong with a PTX text
//	lockstep ptx run k.ptx       a kernel without a host program
//	lockstep config explain F    what a configuration of GPGPU-Sim means here
//	ptxas k.ptx -o k.cubin       for compilers that call ptxas: PTX is checked and passed on
package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/alecthomas/kong"

	"github.com/lockstep-sim/lockstep/gpu/gpgpusim"
	"github.com/lockstep-sim/lockstep/gpu/models"
)

// version is set by the build.
var version = "unknown"

type commandLine struct {
	Run     runCommand     `cmd:"" help:"Run a program on the simulated GPU."`
	SMI     smiCommand     `cmd:"" name:"smi" help:"Show the simulated GPU."`
	Dump    dumpCommand    `cmd:"" help:"List, print or extract the device code of a file, as cuobjdump does."`
	PTX     ptxCommand     `cmd:"" name:"ptx" help:"Check, run and look up PTX."`
	Config  configCommand  `cmd:"" help:"Explain configurations of GPGPU-Sim."`
	Version versionCommand `cmd:"" help:"Print the version."`
}

type versionCommand struct{}

func (versionCommand) Run() error {
	_, err := fmt.Println("lockstep", version)
	return err
}

// exitError ends the command with a status of its own.
type exitError struct {
	status int
	err    error
}

func (e exitError) Error() string { return e.err.Error() }
func (e exitError) Unwrap() error { return e.err }

func main() {
	if filepath.Base(os.Args[0]) == assemblerName {
		end(assemble(os.Args[1:], os.Stdout))
	}
	var c commandLine
	parser := kong.Must(&c, kong.Name("lockstep"), kong.UsageOnError(),
		kong.Vars{"model": models.Default, "gpgpusim": gpgpusim.Name},
		kong.Description("A CUDA runtime on a simulated GPU: unmodified programs run without a card."))
	k, err := parser.Parse(longForm(os.Args[1:]))
	parser.FatalIfErrorf(err)
	end(k.Run())
}

// end ends the process, with a line that tells an error.
func end(err error) {
	if err == nil {
		os.Exit(0)
	}
	fmt.Fprintln(os.Stderr, "lockstep:", err)
	status := 1
	if e := (exitError{}); errors.As(err, &e) {
		status = e.status
	}
	os.Exit(status)
}
