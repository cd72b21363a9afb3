package gpgpusim

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/lockstep-sim/lockstep/gpu/option"
)

// Kind is the type of an option's value.
type Kind uint8

// The kinds.
const (
	Flag  Kind = iota // 0 or 1
	Whole             // a whole number, also 0x and octal with a leading 0
	Text
)

func (k Kind) check(text string) error {
	if k != Whole {
		return nil
	}
	if _, err := strconv.ParseInt(text, 0, 64); err != nil {
		return fmt.Errorf("%q is not a whole number", text)
	}
	return nil
}

// Option is a row of the table: an option of GPGPU-Sim and what becomes of it.
type Option struct {
	Name    string // with its dash
	Kind    Kind
	Default string // GPGPU-Sim's value without the option
	Rule    Rule
}

// Rule is what becomes of an option.
type Rule struct {
	// Doc names the parameters that the option becomes and how; of an option
	// without counterpart, the reason.
	Doc   string
	apply func(c *conversion, v *Value) error // nil: there is no counterpart
}

// Honoured reports that the option has a counterpart.
func (r *Rule) Honoured() bool { return r.apply != nil }

// same makes parameters of the same value.
func same(names ...string) Rule {
	return Rule{strings.Join(names, ", "), func(c *conversion, v *Value) error {
		for _, n := range names {
			c.set(n, v.Text)
		}
		return nil
	}}
}

// flag makes a parameter that is true or false, inverted if not is set.
func flag(name string, not bool) Rule {
	doc := name
	if not {
		doc = "not " + name
	}
	return Rule{doc, func(c *conversion, v *Value) error {
		c.set(name, strconv.FormatBool(v.Text == "1" != not))
		return nil
	}}
}

// as is a rule of its own.
func as(doc string, apply func(c *conversion, v *Value) error) Rule { return Rule{doc, apply} }

// with is the rule of an option that another one reads.
func with(option string) Rule {
	return Rule{"read with " + option, func(*conversion, *Value) error { return nil }}
}

// none is the rule of an option without counterpart.
func none(why string) Rule { return Rule{Doc: why} }

// find returns the row of an option, nil if there is none.
func find(name string) *Option {
	for i := range Options {
		if Options[i].Name == name {
			return &Options[i]
		}
	}
	return nil
}

// proposal names the option whose spelling is nearest, if any is near.
func proposal(name string) string {
	var names []string
	for i := range Options {
		names = append(names, Options[i].Name)
	}
	if best := option.Nearest(name, names); best != "" {
		return "; did you mean " + best + "?"
	}
	return ""
}
