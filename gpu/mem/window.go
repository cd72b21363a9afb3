package mem

import (
	"bytes"
	"os"
	"strconv"

	"golang.org/x/sys/unix"
)

// Places tried for windows: low addresses that loaders, stacks and sanitizers leave alone, so that
// a program sees the same pointers on every run. Where all are taken the kernel chooses.
const (
	placeFirst = 0x2000_0000_0000
	placeStep  = 0x0100_0000_0000
	places     = 32
)

// smallestWindow is the least worth having, in bytes.
const smallestWindow = 16 * blockSize

// window is a reserved range of addresses and the bytes behind it. Bytes below the open mark may
// be accessed; the mark only rises.
type window struct {
	base  uint64
	bytes []byte // the bytes of addresses base and up
	open  uint64 // bytes opened so far
	whole []byte // everything reserved, for the unmapping
	names []byte // addresses that are reserved apart from the bytes, or nil
}

// reserve makes a window of want bytes, or of as many as there is address space for. With apart,
// the bytes lie in a second range behind the addresses, which stay unmapped.
func reserve(want uint64, apart bool) (*window, error) {
	copies := uint64(1)
	if apart {
		copies = 2
	}
	// A program under an address space limit needs the rest of it: windows take at most a quarter.
	want = max(roundUp(want, blockSize), smallestWindow)
	size := min(want, addressSpaceLeft()/(4*copies)&^(blockSize-1))
	for ; size >= smallestWindow; size = (size / 2) &^ (blockSize - 1) {
		whole, err := place(size*copies + blockSize)
		if err != nil {
			continue
		}
		start := roundUp(addressOf(whole), blockSize)
		skip := start - addressOf(whole) + size*(copies-1)
		w := &window{base: start, whole: whole, bytes: whole[skip : skip+size : skip+size]}
		if apart {
			// Children of the program have no use for device memory; this spares them its page tables.
			// Where the advice is not known, nothing is lost.
			_ = unix.Madvise(w.bytes, unix.MADV_DONTFORK)
		}
		return w, nil
	}
	return nil, outOfMemory("no address space for a memory window (see ulimit -v)")
}

// reserveLow makes a window of n bytes whose addresses lie below 4 GiB.
func reserveLow(n uint64) (*window, error) {
	const first, step, top = 0x1000_0000, 0x1000_0000, 1 << 32
	for base := uint64(first); base+n <= top; base += step {
		names, err := mapRange(base, n)
		if err != nil {
			continue
		}
		whole, err := place(n + blockSize)
		if err != nil {
			return nil, joined(err, unmapRange(names))
		}
		skip := roundUp(addressOf(whole), blockSize) - addressOf(whole)
		return &window{base: base, whole: whole, bytes: whole[skip : skip+n : skip+n], names: names}, nil
	}
	return nil, outOfMemory("no address space below 4 GiB for a memory window")
}

// reserveApart makes a window of just n bytes whose addresses and bytes need not be neighbours: of the largest, the gaps
// between what a process has hold only one each.
func reserveApart(n uint64) (*window, error) {
	if n > addressSpaceLeft()/2 {
		return nil, outOfMemory("no address space for a reservation of that size (see ulimit -v)")
	}
	names, err := place(n + blockSize)
	if err != nil {
		return nil, outOfMemory("no address space for a reservation of that size")
	}
	whole, err := place(n)
	if err != nil {
		return nil, joined(unmapRange(names), outOfMemory("no address space for the bytes of a reservation"))
	}
	_ = unix.Madvise(whole, unix.MADV_DONTFORK) // as in reserve
	return &window{base: roundUp(addressOf(names), blockSize), bytes: whole, whole: whole, names: names}, nil
}

func place(n uint64) ([]byte, error) {
	for i := range uint64(places) {
		if b, err := mapRange(placeFirst+i*placeStep, n); err == nil {
			return b, nil
		} else if err == unix.ENOMEM {
			return nil, err
		}
	}
	return mapRange(0, n)
}

// plentyOfAddresses stands for no limit, in bytes.
const plentyOfAddresses = 1 << 46

// addressSpaceLeft is what the process may still map, in bytes.
func addressSpaceLeft() uint64 {
	var limit unix.Rlimit
	if err := unix.Getrlimit(unix.RLIMIT_AS, &limit); err != nil || limit.Cur >= plentyOfAddresses {
		return plentyOfAddresses
	}
	used, err := addressSpaceUsed()
	if err != nil {
		return limit.Cur
	}
	return limit.Cur - min(used, limit.Cur)
}

// addressSpaceUsed is what the process has mapped or reserved, in bytes.
func addressSpaceUsed() (uint64, error) {
	statm, err := os.ReadFile("/proc/self/statm")
	if err != nil {
		return 0, err
	}
	pages, _, _ := bytes.Cut(statm, []byte(" "))
	n, err := strconv.ParseUint(string(pages), 10, 64)
	return n * uint64(os.Getpagesize()), err
}

// openTo makes the bytes below upTo accessible.
func (w *window) openTo(upTo uint64) error {
	if upTo <= w.open {
		return nil
	}
	fresh := w.bytes[w.open:upTo]
	if err := unix.Mprotect(fresh, unix.PROT_READ|unix.PROT_WRITE); err != nil {
		return err
	}
	// Kernels without huge pages refuse the advice; small pages are slower and nothing else.
	_ = unix.Madvise(fresh, unix.MADV_HUGEPAGE)
	w.open = upTo
	return nil
}

// discard gives the pages of [lo, hi), offsets from the base, back to the host.
func (w *window) discard(lo, hi uint64) {
	// Private anonymous memory always takes this advice, and a refusal would only keep the pages.
	_ = unix.Madvise(w.bytes[lo:hi], unix.MADV_DONTNEED)
}

func (w *window) close() error {
	err := unmapRange(w.whole)
	if w.names != nil {
		err = joined(err, unmapRange(w.names))
	}
	return err
}
