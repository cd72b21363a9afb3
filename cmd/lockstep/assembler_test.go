package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestAssemblerPassesPTXOn(t *testing.T) {
	const good = ".version 8.0\n.target sm_90\n.address_size 64\n.visible .entry k() { ret; }\n"
	folder := t.TempDir()
	input, wrong, output := filepath.Join(folder, "in"), filepath.Join(folder, "wrong"), filepath.Join(folder, "out")
	for name, text := range map[string]string{input: good, wrong: strings.Replace(good, "ret;", "return;", 1)} {
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for _, c := range []struct{ arguments, want string }{ // want: part of the error; empty if the text comes out
		{"IN -o OUT -arch=sm_90a --warn-on-spills", ""},
		{"-lineinfo -v --gpu-name=sm_90 IN -o OUT", ""},
		{"-O 3 -arch sm_100 -maxrregcount 32 --output-file=OUT IN", ""},
		{"-arch=sm_80 IN -o OUT", "sm_90"},
		{"-arch=sm_1 IN -o OUT", "no architecture is named sm_1"},
		{"WRONG -o OUT", "return"},
		{"-o OUT", "no input file"},
		{"IN WRONG -o OUT", "one file at a time"},
		{"IN -o", "lacks its value"},
		{"ABSENT -o OUT", "no such file"},
	} {
		os.Remove(output)
		line := strings.NewReplacer("IN", input, "WRONG", wrong, "OUT", output).Replace(c.arguments)
		err := assemble(strings.Fields(line), new(bytes.Buffer))
		text, _ := os.ReadFile(output)
		switch {
		case c.want == "" && (err != nil || string(text) != good+"\x00"):
			t.Errorf("%s: %v, %q", c.arguments, err, text)
		case c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want) || len(text) > 0):
			t.Errorf("%s: %v, output %q", c.arguments, err, text)
		}
	}
	var said bytes.Buffer
	if err := assemble([]string{"--version"}, &said); err != nil || !strings.Contains(said.String(), ", release 13.0,") {
		t.Errorf("version: %v, %q", err, &said)
	}
}
