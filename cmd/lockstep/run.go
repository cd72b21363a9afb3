package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
)

// The statuses of a program that was not run, as env and timeout give them.
const (
	statusRefused  = 125
	statusNoRun    = 126
	statusNotFound = 127
)

// fronts are the libraries that programs of each CUDA major load.
var fronts = []string{"libcudart.so.12", "libcudart.so.13", "libcudart.so.11.0"}

// companions are the libraries of the driver, which programs of any major load, most of them by name at run time.
var companions = []string{"libcuda.so.1", "libnvidia-ml.so.1"}

type runCommand struct {
	Timing  bool     `help:"Model the GPU cycle by cycle; without it the program runs as fast as it can."`
	Model   string   `placeholder:"NAME" help:"GPU to simulate (LOCKSTEP_MODEL)."`
	Config  string   `placeholder:"FILE" help:"Options of the simulation (LOCKSTEP_CONFIG)."`
	Set     []string `sep:"none" placeholder:"NAME=VALUE" help:"A parameter of the model or of the run, more than files say (LOCKSTEP_SET)."`
	From    int      `name:"from-kernel" placeholder:"N" help:"With --timing: launches before number N, from 1, are only executed (LOCKSTEP_FROM_KERNEL)."`
	Regex   string   `name:"kernel-regex" placeholder:"RE" help:"With --timing: kernels whose name does not match are only executed (LOCKSTEP_KERNEL_REGEX)."`
	Output  string   `placeholder:"FORM" help:"Form of the statistics: text, gpgpusim, csv, json, ncu (LOCKSTEP_OUTPUT)."`
	Stats   string   `placeholder:"FILE" help:"Where the statistics go, instead of stderr (LOCKSTEP_STATS)."`
	Log     string   `placeholder:"LEVEL" help:"What lockstep says of itself (LOCKSTEP_LOG)."`
	Devices int      `placeholder:"N" help:"Number of GPUs (LOCKSTEP_DEVICES)."`
	Threads int      `placeholder:"N" help:"Host threads to simulate with (LOCKSTEP_THREADS)."`
	Program []string `arg:"" passthrough:"" help:"The program and its arguments."`
}

// Run replaces this process by the program, so that signals and exit status are the program's own.
func (c *runCommand) Run() error {
	arguments := c.Program
	if arguments[0] == "--" {
		arguments = arguments[1:]
	}
	if len(arguments) == 0 {
		return exitError{statusRefused, errors.New("no program to run")}
	}
	path, err := exec.LookPath(arguments[0])
	if err != nil {
		return exitError{notRunStatus(err), err}
	}
	p, err := inspect(path)
	if err != nil {
		return exitError{statusNoRun, err}
	}
	if err := p.refusal(); err != nil {
		return exitError{statusRefused, err}
	}
	folder, err := libraryFolder()
	if err != nil {
		return exitError{statusRefused, err}
	}
	err = syscall.Exec(path, arguments, c.environment(os.Environ(), folder, p.front()))
	return exitError{statusNoRun, fmt.Errorf("run %s: %w", path, err)}
}

func notRunStatus(err error) int {
	if errors.Is(err, fs.ErrPermission) {
		return statusNoRun
	}
	return statusNotFound
}

// environment adds to env what the libraries read. All fronts are preloaded, so that plug-ins built for another major
// find theirs too; the program's own comes first, which is what a look-up without a version finds.
func (c *runCommand) environment(env []string, folder, first string) []string {
	set := map[string]string{}
	if !c.Timing {
		set["PTX_SIM_MODE_FUNC"] = "1"
	} else {
		set["PTX_SIM_MODE_FUNC"] = "0"
	}
	for name, value := range map[string]string{
		"LOCKSTEP_MODEL": c.Model, "LOCKSTEP_CONFIG": c.Config, "LOCKSTEP_OUTPUT": c.Output, "LOCKSTEP_STATS": c.Stats, "LOCKSTEP_LOG": c.Log,
		"LOCKSTEP_SET": strings.Join(c.Set, ";"), "LOCKSTEP_KERNEL_REGEX": c.Regex,
	} {
		if value != "" {
			set[name] = value
		}
	}
	for name, value := range map[string]int{"LOCKSTEP_DEVICES": c.Devices, "LOCKSTEP_THREADS": c.Threads, "LOCKSTEP_FROM_KERNEL": c.From} {
		if value != 0 {
			set[name] = strconv.Itoa(value)
		}
	}
	set["LD_PRELOAD"] = preload(folder, first, os.Getenv("LD_PRELOAD"))
	env = slices.DeleteFunc(slices.Clone(env), func(line string) bool {
		name, _, _ := strings.Cut(line, "=")
		_, replaced := set[name]
		return replaced
	})
	for name, value := range set {
		env = append(env, name+"="+value)
	}
	slices.Sort(env)
	return env
}

func preload(folder, first, others string) string {
	list := []string{filepath.Join(folder, first)}
	for _, f := range fronts {
		if f != first {
			list = append(list, filepath.Join(folder, f))
		}
	}
	for _, f := range companions {
		list = append(list, filepath.Join(folder, f))
	}
	if others != "" {
		list = append(list, others)
	}
	return strings.Join(list, ":")
}

// libraryFolder finds the libraries beside this command, as built and as installed.
func libraryFolder() (string, error) {
	self, err := os.Executable()
	if err != nil {
		return "", err
	}
	if self, err = filepath.EvalSymlinks(self); err != nil {
		return "", err
	}
	prefix := filepath.Dir(filepath.Dir(self))
	candidates := []string{filepath.Join(prefix, "lib"), filepath.Join(prefix, "lib", "lockstep"), filepath.Dir(self)}
	for _, folder := range candidates {
		if complete(folder) {
			return folder, nil
		}
	}
	return "", fmt.Errorf("libcudart.so and its fronts are not in %s; \"make build\" puts them there", candidates[0])
}

func complete(folder string) bool {
	for _, f := range slices.Concat([]string{"libcudart.so"}, fronts, companions) {
		if _, err := os.Stat(filepath.Join(folder, f)); err != nil {
			return false
		}
	}
	return true
}
