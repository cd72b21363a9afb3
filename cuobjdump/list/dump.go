package list

import (
	"fmt"

	"github.com/lockstep-sim/lockstep/cuobjdump/elf"
	"github.com/lockstep-sim/lockstep/cuobjdump/fatbin"
)

// dump prints an image's header, and its text or resources where asked for.
func (d *dumper) dump(m *image) error {
	if !m.bare {
		d.header(m)
	}
	switch {
	case m.Kind == fatbin.PTX && d.options.PTX:
		text, err := m.Payload()
		if err != nil {
			return err
		}
		d.printf("%s\n", text)
	case m.Kind == fatbin.ELF && d.options.Resources:
		data, err := m.Payload()
		if err != nil {
			return err
		}
		cubin, err := elf.Parse(data)
		if err != nil {
			return fmt.Errorf("%s: %w", m.name, err)
		}
		d.resources(cubin)
	}
	return nil
}

// header prints what the container says of an image.
func (d *dumper) header(m *image) {
	kind, rule := m.Kind.String(), "================"
	optionsName := "ptxasOptions"
	if m.Kind == fatbin.LTOIR {
		kind, rule, optionsName = "nvvm", rule+"=", "nvvmOptions"
	}
	d.printf("\nFatbin %s code:\n%s\narch = %s\ncode version = [%d,%d]\n", kind, rule, m.Target(), m.ISAMajor, m.ISAMinor)
	for _, system := range []struct {
		flag fatbin.Flags
		name string
	}{{fatbin.ForLinux, "linux"}, {fatbin.ForMac, "mac"}, {fatbin.ForWindows, "windows"}} {
		if m.Flags&system.flag != 0 {
			d.printf("host = %s\n", system.name)
		}
	}
	bits := 32
	if m.Flags&fatbin.Is64Bit != 0 {
		bits = 64
	}
	d.printf("compile_size = %dbit\n", bits)
	if m.Flags&fatbin.HasDebug != 0 {
		d.printf("has debug info\n")
	}
	if m.Compressed() {
		d.printf("compressed\n")
	}
	if m.Name != "" {
		d.printf("identifier = %s\n", m.Name)
	}
	if m.HasOptions {
		d.printf("%s = %s\n", optionsName, m.Options)
	}
}

// resources prints a cubin's needs, in bytes except for registers and counts.
func (d *dumper) resources(c *elf.Cubin) {
	d.printf("\nResource usage:\n Common:\n  GLOBAL:%d", c.GlobalSize)
	d.banks(c.Banks)
	d.printf("\n")
	for i := range c.Functions {
		f := &c.Functions[i]
		stack := fmt.Sprint(f.StackSize)
		if f.StackSize == elf.Unbounded {
			stack = "UNKNOWN"
		}
		d.printf(" Function %s:\n  REG:%d STACK:%s SHARED:%d LOCAL:%d", f.Name, f.Registers, stack, f.SharedSize, f.LocalSize)
		d.banks(f.Banks)
		d.printf(" TEXTURE:%d SURFACE:%d SAMPLER:%d\n", f.Textures, f.Surfaces, f.Samplers)
	}
}

func (d *dumper) banks(banks []elf.Bank) {
	for _, b := range banks {
		d.printf(" CONSTANT[%d]:%d", b.Index, len(b.Data))
	}
}
