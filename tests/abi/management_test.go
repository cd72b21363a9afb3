package abi

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// otherwise lists the lines in which we differ from the card's management library other than by a value that the model
// does not have, and why.
var otherwise = map[string]string{
	// The card was in use by others, and this program makes no context.
	"nvmlDeviceGetComputeRunningProcesses(dNb) -> 7":    "0",
	"nvmlDeviceGetComputeRunningProcesses_v2(dNb) -> 7": "0",
	"nvmlDeviceGetComputeRunningProcesses_v3(dNb) -> 7": "0",
	// The card was that of a virtual machine.
	"nvmlDeviceGetVirtualizationMode(db) -> 0 1": "0 0",
	// No event ever happens.
	"nvmlDeviceGetSupportedEventTypes(db) -> 0 65439 0": "0 0 0",
	// The model has one clock.
	"nvmlDeviceGetSupportedMemoryClocks(dnb) -> 0 3201 2201": "0 3201 0",
	// Unknown clocks are refused here whichever function asks for them.
	"nvmlDeviceGetClockInfo(d4b) -> 3": "2",
	"nvmlDeviceGetClockInfo(d5b) -> 3": "2",
}

// incomplete are the functions of which SUPPORT.md says that something is missing.
func incomplete(t *testing.T) map[string]bool {
	t.Helper()
	table, err := os.ReadFile(filepath.Join(root, "SUPPORT.md"))
	if err != nil {
		t.Fatal(err)
	}
	names := map[string]bool{}
	for _, row := range regexp.MustCompile("(?m)^\\| `(nvml\\w+)` \\|.*\\| (?:no|partial) \\|").FindAllSubmatch(table, -1) {
		names[string(row[1])] = true
	}
	return names
}

// testdata/management.log is what testdata/management.c printed on an H200 with driver 580.159. Where we answer that a
// value is not supported, SUPPORT.md says that something is missing.
func TestManagementReturnsTheCodesOfTheCard(t *testing.T) {
	const notSupported = "3"
	want, err := os.ReadFile("testdata/management.log")
	if err != nil {
		t.Fatal(err)
	}
	program := filepath.Join(programs, "management")
	gcc(t, "-O1", "-Wall", "-o", program, "testdata/management.c", "-ldl")
	r := execute(t, []string{"LD_LIBRARY_PATH=" + lib, "LOCKSTEP_LOG=quiet", "LOCKSTEP_MODEL=h200"}, program)
	if r.code != 0 {
		t.Errorf("status %d\n%s", r.code, r.stderr)
	}
	missing := incomplete(t)
	recorded, printed := strings.Split(string(want), "\n"), strings.Split(r.stdout, "\n")
	if len(recorded) != len(printed) {
		t.Fatalf("%d lines, the card has %d", len(printed), len(recorded))
	}
	for i, card := range recorded {
		call, answer := asked(printed[i])
		name, _, _ := strings.Cut(call, "(")
		if strings.HasPrefix(call, "field ") {
			name = "nvmlDeviceGetFieldValues"
		}
		switch other, stated := otherwise[card]; {
		case stated && answer != other, !stated && printed[i] != card && !(answer == notSupported && missing[name]):
			t.Errorf("line %d: %s\nthe card: %s", i+1, printed[i], card)
		}
	}
}

// asked splits a line into a question and its answer.
func asked(line string) (question, answer string) {
	for _, by := range []string{" -> ", ": "} {
		if question, answer, ok := strings.Cut(line, by); ok {
			return question, answer
		}
	}
	return line, ""
}
