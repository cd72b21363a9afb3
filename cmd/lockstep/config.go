package main

import (
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/lockstep-sim/lockstep/gpu/gpgpusim"
)

type configCommand struct {
	Explain explainCommand `cmd:"" help:"Say what each option of a gpgpusim.config becomes, or why it has no counterpart."`
	Options optionsCommand `cmd:"" help:"Print the table of all options of GPGPU-Sim."`
}

type explainCommand struct {
	File string `arg:"" optional:"" default:"${gpgpusim}" help:"Configuration of GPGPU-Sim."`
	All  bool   `help:"Also options that the file does not give, with GPGPU-Sim's default."`
}

// Run prints one line for each option that the file gives, with what became of it.
func (c *explainCommand) Run() error {
	f, err := gpgpusim.Read(c.File, os.ReadFile)
	if err != nil {
		return err
	}
	t, err := gpgpusim.Translate(f)
	if err != nil {
		return err
	}
	c.write(os.Stdout, t)
	return nil
}

func (c *explainCommand) write(out io.Writer, t *gpgpusim.Translation) {
	given := map[*gpgpusim.Option]*gpgpusim.Value{}
	for _, v := range t.File.Values {
		given[v.Option] = v
	}
	for i := range gpgpusim.Options {
		o := &gpgpusim.Options[i]
		v := given[o]
		if v == nil && (!c.All || o.Default == "") {
			continue
		}
		place, text := "default", o.Default
		if v != nil {
			place, text = v.Place(), v.Text
		}
		fmt.Fprintf(out, "%s: %s %s\n    %s\n", place, o.Name, text, became(t, o))
	}
	fmt.Fprintln(out, t.Summary())
}

// became says what became of an option.
func became(t *gpgpusim.Translation, o *gpgpusim.Option) string {
	if !o.Rule.Honoured() {
		return "no counterpart: " + o.Rule.Doc
	}
	var list []string
	for _, s := range t.Became(o) {
		list = append(list, s.Name+" "+s.Value)
	}
	if len(list) == 0 {
		return o.Rule.Doc
	}
	return strings.Join(list, ", ")
}

type optionsCommand struct{}

// Run prints a table of all options, and one of the keys of interconnect files.
func (optionsCommand) Run() error {
	writeOptions(os.Stdout)
	return nil
}

func writeOptions(out io.Writer) {
	fmt.Fprint(out, "# Options of GPGPU-Sim\n\nWritten by `lockstep config options`; the table is `gpu/gpgpusim/table.go`. Parameters are those of `gpu/models`,\nwhich the tags of their fields explain.\n\n")
	fmt.Fprintln(out, "| option | default | becomes | no counterpart, since |")
	fmt.Fprintln(out, "|---|---|---|---|")
	for i := range gpgpusim.Options {
		o := &gpgpusim.Options[i]
		becomes, why := o.Rule.Doc, ""
		if !o.Rule.Honoured() {
			becomes, why = "", o.Rule.Doc
		}
		fmt.Fprintf(out, "| `%s` | %s | %s | %s |\n", o.Name, cell(o.Default), becomes, why)
	}
	fmt.Fprintln(out, "\n| key of an interconnect file | becomes | no counterpart, since |")
	fmt.Fprintln(out, "|---|---|---|")
	for i := range gpgpusim.NetworkOptions {
		o := &gpgpusim.NetworkOptions[i]
		becomes, why := o.Doc, ""
		if !o.Honoured() {
			becomes, why = "", o.Doc
		}
		fmt.Fprintf(out, "| `%s` | %s | %s |\n", o.Name, becomes, why)
	}
}
