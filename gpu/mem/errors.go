package mem

import (
	"errors"
	"fmt"
	"strconv"
)

// Reasons for which an operation is refused; an [*Error] wraps one of them.
var (
	// ErrOutOfMemory: the model's memory is full, or the host gives no more address space (CUDA error 2).
	ErrOutOfMemory = errors.New("out of memory")
	// ErrUnknown: the address belongs to no allocation (CUDA error 1).
	ErrUnknown = errors.New("not an allocated address")
	// ErrInterior: the address lies inside an allocation, not at its start (CUDA error 1).
	ErrInterior = errors.New("not the start of an allocation")
	// ErrFreed: the address belongs to an allocation that was freed (CUDA error 1).
	ErrFreed = errors.New("already freed")
	// ErrKind: the allocation is of a kind that the operation does not take (CUDA error 1).
	ErrKind = errors.New("wrong kind of memory")
	// ErrBounds: the range passes the end of the allocation it starts in (CUDA error 1).
	ErrBounds = errors.New("range passes the end of the allocation")
	// ErrInvalid: a size, alignment, width or pitch makes no sense (CUDA error 1).
	ErrInvalid = errors.New("invalid argument")
	// ErrForbidden: the device has no access of that kind to the mapped memory (see Access).
	ErrForbidden = errors.New("access is not granted")
	// ErrUnmapped: the host address is not mapped in this process (CUDA error 1).
	ErrUnmapped = errors.New("host address is not mapped")
	// ErrRegistered: part of the range is pinned already (CUDA error 712).
	ErrRegistered = errors.New("already registered")
	// ErrClosed: the address space was closed.
	ErrClosed = errors.New("address space is closed")
	// ErrNotRegistered: no registered range starts at the address (CUDA error 713).
	ErrNotRegistered = errors.New("not registered")
)

// outOfMemory is an ErrOutOfMemory with a cause other than the model's size.
type outOfMemory string

func (o outOfMemory) Error() string { return "out of memory: " + string(o) }
func (o outOfMemory) Unwrap() error { return ErrOutOfMemory }

// Error says what was attempted, where, and which allocation was concerned.
type Error struct {
	Op   string // verb, such as "free"
	Addr uint64 // 0 when the operation has no address
	Size uint64 // bytes, 0 when the operation has no size
	Near Block  // the allocation concerned; Size 0 when there is none
	Err  error  // one of the reasons of this package
}

// Error implements the error interface.
func (e *Error) Error() string {
	s := e.Op
	if e.Size != 0 {
		s += " " + strconv.FormatUint(e.Size, 10) + " bytes"
	}
	if e.Addr != 0 {
		s += fmt.Sprintf(" at %#x", e.Addr)
	}
	s += ": " + e.Err.Error()
	if e.Near.Size != 0 {
		s += " (" + e.Near.String() + ")"
	}
	return s
}

// Unwrap gives the reason.
func (e *Error) Unwrap() error { return e.Err }
