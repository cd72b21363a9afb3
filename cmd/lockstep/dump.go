package main

import (
	"bufio"
	"os"

	"github.com/lockstep-sim/lockstep/cuobjdump/list"
)

type dumpCommand struct {
	ListPTX    bool   `name:"list-ptx" help:"List PTX images (-lptx)."`
	ListELF    bool   `name:"list-elf" help:"List cubins (-lelf)."`
	ExtractPTX string `name:"extract-ptx" placeholder:"NAME" help:"Write the PTX images whose name contains NAME, or all, to files (-xptx)."`
	ExtractELF string `name:"extract-elf" placeholder:"NAME" help:"Write the cubins whose name contains NAME, or all, to files (-xelf)."`
	PTX        bool   `name:"dump-ptx" help:"Print PTX text (-ptx)."`
	Resources  bool   `name:"dump-resource-usage" help:"Print what each kernel needs (-res-usage)."`
	All        bool   `name:"all-fatbin" help:"Include relocatable code where linked code is present (-all)."`
	File       string `arg:"" help:"Program, library, object, archive, fat binary, cubin or PTX file."`
}

// dumpShort are cuobjdump's spellings with one dash.
var dumpShort = map[string]string{
	"-lptx": "--list-ptx", "-lelf": "--list-elf", "-xptx": "--extract-ptx", "-xelf": "--extract-elf",
	"-ptx": "--dump-ptx", "-res-usage": "--dump-resource-usage", "-all": "--all-fatbin",
}

// longForm replaces cuobjdump's spellings in the arguments of the dump command.
func longForm(arguments []string) []string {
	if len(arguments) == 0 || arguments[0] != "dump" {
		return arguments
	}
	long := make([]string, len(arguments))
	for i, a := range arguments {
		long[i] = a
		if l, ok := dumpShort[a]; ok {
			long[i] = l
		}
	}
	return long
}

// Run prints the device code of a file.
func (c *dumpCommand) Run() error {
	out := bufio.NewWriter(os.Stdout)
	err := list.Dump(out, c.File, list.Options{
		ListPTX: c.ListPTX, ListELF: c.ListELF, ExtractPTX: c.ExtractPTX, ExtractELF: c.ExtractELF, Folder: ".",
		PTX: c.PTX, Resources: c.Resources, All: c.All,
	})
	if flush := out.Flush(); err == nil {
		err = flush
	}
	return err
}
