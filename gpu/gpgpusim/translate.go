package gpgpusim

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/lockstep-sim/lockstep/gpu/option"
)

// Translation is what a configuration means here.
type Translation struct {
	File     *File
	Model    string              // of gpu/models: what GPGPU-Sim has no option for is as there
	Settings []option.Assignment // a later one of a name counts
	became   map[*Option][]option.Assignment
}

// conversion is the state of Translate.
type conversion struct {
	problems
	file   *File
	values map[string]*Value // of all options, given or not
	now    *Value            // that is converted
	to     *Translation
}

// Translate makes parameters of a configuration. Options that it does not give
// have GPGPU-Sim's own values. All problems are reported at once.
func Translate(f *File) (*Translation, error) {
	t := &Translation{File: f, became: map[*Option][]option.Assignment{}}
	c := &conversion{file: f, values: map[string]*Value{}, to: t}
	for i := range Options {
		o := &Options[i]
		if c.values[o.Name] = f.index[o.Name]; c.values[o.Name] == nil {
			c.values[o.Name] = &Value{Option: o, Text: o.Default}
		}
	}
	t.Model = c.model()
	for i := range Options {
		o := &Options[i]
		c.now = c.values[o.Name]
		if !o.Rule.Honoured() || c.now.File == "" && c.now.Text == "" {
			continue
		}
		if err := o.Rule.apply(c, c.now); err != nil {
			c.complain(c.now.Place(), "%s %s: %v", o.Name, c.now.Text, err)
		}
	}
	return t, c.failure()
}

// model is the model of the nearest architecture.
func (c *conversion) model() string {
	switch cc := 10*c.int("-gpgpu_compute_capability_major") + c.int("-gpgpu_compute_capability_minor"); {
	case cc >= 120:
		return "rtx5070ti"
	case cc >= 90:
		return "h100"
	case cc > 80:
		return "rtx3070"
	case cc == 80:
		return "a100"
	case cc >= 75:
		return "rtx2060"
	}
	return "qv100"
}

// set makes a parameter of the present option.
func (c *conversion) set(name string, value any) {
	s := option.Assignment{Name: name, Value: fmt.Sprint(value), Source: c.now.Place() + " " + c.now.Option.Name}
	c.to.Settings = append(c.to.Settings, s)
	c.to.became[c.now.Option] = append(c.to.became[c.now.Option], s)
}

// int is the value of an option that is a whole number or a flag.
func (c *conversion) int(option string) int {
	n, err := strconv.ParseInt(c.values[option].Text, 0, 64)
	if err != nil {
		return 0 // was reported when the file was read
	}
	return int(n)
}

// text is the value of an option.
func (c *conversion) text(option string) string { return c.values[option].Text }

// Became lists the parameters that an option became.
func (t *Translation) Became(o *Option) []option.Assignment { return t.became[o] }

// Without lists the parameters but for those of one option.
func (t *Translation) Without(o *Option) (rest []option.Assignment) {
	for _, s := range t.Settings {
		if !slices.Contains(t.became[o], s) {
			rest = append(rest, s)
		}
	}
	return rest
}

// Echo lists the options of the file as GPGPU-Sim does at its start.
func (t *Translation) Echo() string {
	var b strings.Builder
	b.WriteString("GPGPU-Sim: Configuration options:\n\n")
	for _, v := range t.File.Values {
		fmt.Fprintf(&b, "%-20s %20s # %s\n", v.Option.Name, v.Text, v.Option.Rule.Doc)
	}
	return b.String()
}

// Summary is what one line says of the file: how much was read and how much of
// that has no counterpart.
func (t *Translation) Summary() string {
	without := 0
	for _, v := range t.File.Values {
		if !v.Option.Rule.Honoured() {
			without++
		}
	}
	return fmt.Sprintf("%s: %d options read, %d of them have no counterpart (\"lockstep config explain %s\" lists them); what GPGPU-Sim does not model is as in %s",
		t.File.Name, len(t.File.Values), without, t.File.Name, t.Model)
}

// ints reads numbers that commas divide.
func ints(text, divider string) (all []int, err error) {
	for _, s := range strings.Split(text, divider) {
		n, err := strconv.Atoi(strings.TrimSpace(s))
		if err != nil || n < 0 {
			return nil, fmt.Errorf("%q is not a list of whole numbers divided by %q", text, divider)
		}
		all = append(all, n)
	}
	return all, nil
}
