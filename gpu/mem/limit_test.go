package mem

import (
	"errors"
	"flag"
	"os"
	"os/exec"
	"strings"
	"testing"

	"golang.org/x/sys/unix"
)

var limited = flag.Bool("limited", false, "run the part of TestAddressSpaceLimitIsRespected that lives under a limit")

func TestAddressSpaceLimitIsRespected(t *testing.T) {
	if *limited {
		underLimit(t)
		return
	}
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	out, err := exec.Command(exe, "-test.run=^TestAddressSpaceLimitIsRespected$", "-limited").CombinedOutput()
	if err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}

// underLimit leaves this process 1 GiB of address space more than it has.
func underLimit(t *testing.T) {
	if addressSpaceLeft() != plentyOfAddresses {
		t.Skip("the machine has a limit of its own")
	}
	used, err := addressSpaceUsed()
	if err != nil {
		t.Skip(err)
	}
	limit := unix.Rlimit{Cur: used + 1<<30, Max: used + 1<<30}
	if err := unix.Setrlimit(unix.RLIMIT_AS, &limit); err != nil {
		t.Skip(err)
	}
	s, err := New(Config{DeviceBytes: 141 << 30})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.Alloc(100*mib, 0); err != nil {
		t.Error(err)
	}
	if _, err := s.AllocHost(100*mib, Pinned); err != nil {
		t.Error(err)
	}
	_, err = s.Alloc(10<<30, 0)
	if !errors.Is(err, ErrOutOfMemory) || !strings.Contains(err.Error(), "ulimit -v") {
		t.Error("allocation beyond the window:", err)
	}
	if left := addressSpaceLeft(); left < 400*mib {
		t.Errorf("the program is left %d MiB of addresses", left/mib)
	}
	tiny := unix.Rlimit{Cur: used, Max: used}
	if err := unix.Setrlimit(unix.RLIMIT_AS, &tiny); err != nil {
		t.Skip(err)
	}
	other, err := New(Config{DeviceBytes: 141 << 30})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := other.Alloc(1, 0); !errors.Is(err, ErrOutOfMemory) {
		t.Error("allocation without address space:", err)
	}
}
