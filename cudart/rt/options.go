package rt

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"

	"github.com/lockstep-sim/lockstep/gpu/gpgpusim"
	"github.com/lockstep-sim/lockstep/gpu/models"
	"github.com/lockstep-sim/lockstep/gpu/option"
	"github.com/lockstep-sim/lockstep/gpu/timing/chip"
)

// options are what a configuration file can say beside the parameters of models.
// What the environment says counts more.
type options struct {
	Functional bool   `opt:"run.functional" default:"false" doc:"Results only, no simulated time (PTX_SIM_MODE_FUNC)."`
	Output     string `opt:"run.output" default:"" doc:"Form of the statistics: text, gpgpusim, csv, json, ncu (LOCKSTEP_OUTPUT)."`
	Statistics string `opt:"run.statistics" default:"" doc:"File of the statistics; stdout is that of the program (LOCKSTEP_STATS)."`
	FromKernel int    `opt:"run.from_kernel" default:"0" doc:"Number, from 1, of the first launch that takes simulated time; those before are only executed (LOCKSTEP_FROM_KERNEL)."`
	Progress   int    `opt:"progress.seconds" unit:"seconds" default:"1" doc:"From one line of progress to the next on a terminal; 0 for none."`
	Debug      debugOptions
	Trace      traceOptions
}

// debugOptions ask for the instructions of threads.
type debugOptions struct {
	File   string `opt:"debug.file" default:"" doc:"File that gets each instruction that a thread executes, and what it computes; empty for none."`
	Thread int    `opt:"debug.thread" default:"1" doc:"Number of the thread, from 1 over all grids in the order of their launches; 0 for all."`
}

// traceOptions ask for events of the timing model.
type traceOptions struct {
	Components string `opt:"trace.components" default:"" doc:"Events to write, divided by commas: WARP_SCHEDULER, SCOREBOARD, MEMORY_PARTITION_UNIT, INTERCONNECT, LIVENESS."`
	Core       int    `opt:"trace.core" default:"0" doc:"SM whose events are written; -1 for all."`
	Partition  int    `opt:"trace.partition" default:"-1" doc:"Memory channel whose events are written; -1 for all."`
	File       string `opt:"trace.file" default:"" doc:"File that they go to instead of stderr."`
}

// configured is a model with the program's own options.
type configured struct {
	model  *models.GPU
	timing *chip.Config
	run    *options
}

// configure reads the model and applies the program's own options: GPGPU-Sim's
// file, then lockstep's.
func (r *Runtime) configure() error {
	c := &r.config
	legacy, own, err := readOptions(c)
	if err != nil {
		return err
	}
	name := c.Model
	var assigned []option.Assignment
	if legacy != nil {
		name, assigned = legacy.Model, legacy.Settings
		r.watching.legacy = legacy.Echo()
		c.Stderr(fmt.Appendf(nil, "lockstep: %s\n", legacy.Summary()))
	}
	x, err := configuration(name, assigned, own)
	if err != nil {
		return err
	}
	if legacy != nil {
		if err := verify(x, legacy, own); err != nil {
			return err
		}
	}
	r.model = x.model
	return r.apply(x.run, x.timing)
}

// configuration is a model of which options have been replaced.
func configuration(name string, assigned []option.Assignment, own []option.File) (*configured, error) {
	x := &configured{timing: &chip.Config{}, run: &options{}}
	var err error
	if x.model, err = models.Load(name); err != nil {
		return nil, err
	}
	if _, err := models.Read(x.model.Model, x.timing); err != nil {
		return nil, err
	}
	run, err := option.Read(x.run, "defaults of a run", "")
	if err != nil {
		return nil, err
	}
	return x, x.model.Override(func(settings []*option.Setting) error {
		settings = append(append(settings, option.List(x.timing)...), run...)
		if err := option.Apply(settings, assigned); err != nil {
			return err
		}
		for _, f := range own {
			if err := option.Override(settings, f.Name, f.Text); err != nil {
				return err
			}
		}
		return nil
	})
}

// check reports parameters that no GPU can have together.
func (x *configured) check() error {
	_, err := chip.New(x.timing, int(x.model.SM.Count), 1, nil)
	return err
}

// verify names the option of a file of GPGPU-Sim without which the parameters
// could be.
func verify(x *configured, legacy *gpgpusim.Translation, own []option.File) error {
	wrong := x.check()
	if wrong == nil {
		return nil
	}
	for _, v := range legacy.File.Values {
		y, err := configuration(legacy.Model, legacy.Without(v.Option), own)
		if err == nil && len(legacy.Became(v.Option)) > 0 && y.check() == nil {
			return fmt.Errorf("%s: %s %s: %w", v.Place(), v.Option.Name, v.Text, wrong)
		}
	}
	return fmt.Errorf("%s: %w", legacy.File.Name, wrong)
}

// apply sets what the environment left open.
func (r *Runtime) apply(run *options, timing *chip.Config) error {
	c := &r.config
	if !c.ModeGiven {
		c.Functional = c.Functional || run.Functional
	}
	if c.Output == "" && !c.Functional {
		c.Output = run.Output
	}
	if c.Statistics == "" {
		c.Statistics = run.Statistics
	}
	if c.FromKernel == 0 {
		c.FromKernel = run.FromKernel
	}
	if err := r.watch(run); err != nil {
		return err
	}
	if !c.Functional {
		r.timing.model = timing
	} else if c.Output != "" {
		return fmt.Errorf("output %q was asked for, but functional execution has no statistics of time", c.Output)
	}
	return r.openStatistics()
}

// settings makes lines of assignments name=value that semicolons divide.
func settings(text string) string {
	var lines []string
	for assignment := range strings.SplitSeq(text, ";") {
		name, value, _ := strings.Cut(assignment, "=")
		lines = append(lines, strings.TrimSpace(name)+" "+value)
	}
	return strings.Join(lines, "\n")
}

// readOptions reads the options of the run: GPGPU-Sim's file, nil if there is none,
// and lockstep's own, of which later ones count more. Options may name either.
func readOptions(c *Config) (legacy *gpgpusim.Translation, own []option.File, err error) {
	file := c.Simulator
	if c.Options != "" {
		text, err := os.ReadFile(c.Options)
		if err != nil {
			return nil, own, fmt.Errorf("read options: %w", err)
		}
		if gpgpusim.Is(string(text)) {
			file = c.Options
		} else {
			own = append(own, option.File{Name: c.Options, Text: string(text)})
		}
	}
	if c.Set != "" {
		own = append(own, option.File{Name: "LOCKSTEP_SET", Text: settings(c.Set)})
	}
	if file == "" {
		return nil, own, nil
	}
	if _, err := os.Stat(file); errors.Is(err, fs.ErrNotExist) {
		return nil, own, nil
	}
	if c.Model != "" && file == c.Simulator {
		c.Stderr(fmt.Appendf(nil, "lockstep: %s is not read: the model %s was asked for\n", file, c.Model))
		return nil, own, nil
	}
	read, err := gpgpusim.Read(file, os.ReadFile)
	if err != nil {
		return nil, own, err
	}
	if legacy, err = gpgpusim.Translate(read); err == nil && c.Model != "" {
		legacy.Model = c.Model
	}
	return legacy, own, err
}
