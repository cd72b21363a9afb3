package rt_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/lockstep-sim/lockstep/cudart/rt"
)

// options writes a file of options and returns its name.
func options(t *testing.T, text string) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "options.cfg")
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return file
}

func TestOptionsChangeTheModelAndItsTiming(t *testing.T) {
	file := options(t, "# a small GPU\nsm.count 4\nl1.mshrs 8\n")
	for _, functional := range []bool{false, true} {
		if _, err := rt.New(rt.Config{Functional: functional, Options: file, Devices: 1}); err != nil {
			t.Errorf("functional %v: %v", functional, err)
		}
	}
}

func TestWrongOptionsLeaveNoDevice(t *testing.T) {
	for _, c := range []struct {
		config rt.Config
		want   string
	}{
		{rt.Config{Options: options(t, "\nsm.cuont 4")}, `options.cfg:2: unknown option "sm.cuont"; did you mean "sm.count"?`},
		{rt.Config{Options: options(t, "l1.mshrs many")}, `options.cfg:1: l1.mshrs: "many" is not a whole number`},
		{rt.Config{Options: "absent.cfg"}, "read options: open absent.cfg"},
		{rt.Config{Output: "xml"}, `unknown form of output "xml"`},
		{rt.Config{Output: "json", Functional: true}, `output "json" was asked for, but functional execution has no statistics`},
		{rt.Config{Output: "json", Statistics: "absent/file"}, "write statistics: open absent/file"},
	} {
		c.config.Devices = 1
		r, err := rt.New(c.config)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("got %v, want %s", err, c.want)
		}
		if _, err := r.NewThread().GetDeviceCount(); err == nil {
			t.Errorf("%s: there is a device", c.want)
		}
	}
}
