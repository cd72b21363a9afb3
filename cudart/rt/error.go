package rt

import (
	"errors"
	"fmt"
	"io/fs"
	"strings"

	"github.com/lockstep-sim/lockstep/cudart/rt/graph"
	"github.com/lockstep-sim/lockstep/cuobjdump/fatbin"
	"github.com/lockstep-sim/lockstep/gpu/exec"
	"github.com/lockstep-sim/lockstep/gpu/isa"
	"github.com/lockstep-sim/lockstep/gpu/mem"
)

// Error is a CUDA error code.
type Error int32

// Error says what the code means.
func (e Error) Error() string { return Text(e, 13) }

// The codes that this package returns.
const (
	Success                         Error = 0
	ErrInvalidValue                 Error = 1
	ErrMemoryAllocation             Error = 2
	ErrInitialization               Error = 3
	ErrInvalidConfiguration         Error = 9
	ErrInvalidPitchValue            Error = 12
	ErrInvalidSymbol                Error = 13
	ErrInvalidDevicePointer         Error = 17
	ErrInvalidTexture               Error = 18
	ErrInvalidTextureBinding        Error = 19
	ErrInvalidChannelDescriptor     Error = 20
	ErrInvalidMemcpyDirection       Error = 21
	ErrInvalidFilterSetting         Error = 26
	ErrInvalidNormSetting           Error = 27
	ErrInvalidSurface               Error = 37
	ErrMissingConfiguration         Error = 52
	ErrInvalidDeviceFunction        Error = 98
	ErrNoDevice                     Error = 100
	ErrInvalidDevice                Error = 101
	ErrInvalidKernelImage           Error = 200
	ErrDeviceUninitialized          Error = 201
	ErrNoKernelImage                Error = 209
	ErrUnsupportedLimit             Error = 215
	ErrPeerAccessUnsupported        Error = 217
	ErrInvalidPTX                   Error = 218
	ErrUnsupportedPTXVersion        Error = 222
	ErrUnsupportedExecAffinity      Error = 224
	ErrFileNotFound                 Error = 301
	ErrOperatingSystem              Error = 304
	ErrInvalidResourceHandle        Error = 400
	ErrIllegalState                 Error = 401
	ErrSymbolNotFound               Error = 500
	ErrNotReady                     Error = 600
	ErrIllegalAddress               Error = 700
	ErrLaunchOutOfResources         Error = 701
	ErrLaunchTimeout                Error = 702
	ErrPeerAccessAlreadyEnabled     Error = 704
	ErrPeerAccessNotEnabled         Error = 705
	ErrSetOnActiveProcess           Error = 708
	ErrAssert                       Error = 710
	ErrAlreadyRegistered            Error = 712
	ErrNotRegistered                Error = 713
	ErrIllegalInstruction           Error = 715
	ErrMisalignedAddress            Error = 716
	ErrInvalidAddressSpace          Error = 717
	ErrInvalidPC                    Error = 718
	ErrLaunchFailure                Error = 719
	ErrCooperativeTooLarge          Error = 720
	ErrNotPermitted                 Error = 800
	ErrNotSupported                 Error = 801
	ErrCaptureUnsupported           Error = 900
	ErrCaptureInvalidated           Error = 901
	ErrCaptureMerge                 Error = 902
	ErrCaptureUnmatched             Error = 903
	ErrCaptureUnjoined              Error = 904
	ErrCaptureIsolation             Error = 905
	ErrCaptureImplicit              Error = 906
	ErrCapturedEvent                Error = 907
	ErrCaptureWrongThread           Error = 908
	ErrGraphExecUpdate              Error = 910
	ErrInvalidClusterSize           Error = 912
	ErrInvalidResourceType          Error = 914
	ErrInvalidResourceConfiguration Error = 915
	ErrStreamDetached               Error = 917
	ErrUnknown                      Error = 999
)

// Failure is a code with the reason why a call returned it.
type Failure struct {
	Code   Error
	Reason string
}

func (f *Failure) Error() string { return f.Reason }

// Unwrap gives the code.
func (f *Failure) Unwrap() error { return f.Code }

// fail makes a Failure.
func fail(code Error, format string, args ...any) error {
	return &Failure{code, fmt.Sprintf(format, args...)}
}

// unsupported makes the Failure of an argument that lockstep does not honour.
func unsupported(format string, args ...any) error {
	return fail(ErrNotSupported, format+": not supported", args...)
}

// CodeOf is the code that a program sees for an error of this package or of one
// below.
func CodeOf(err error) Error {
	if err == nil {
		return Success
	}
	var code Error
	if errors.As(err, &code) {
		return code
	}
	var fault *exec.Fault
	if errors.As(err, &fault) {
		return faultCode(fault.Kind)
	}
	for _, c := range causes {
		if c.is(err) {
			return c.code
		}
	}
	return ErrUnknown
}

// causes are the errors of lower layers, the more special first.
var causes = []struct {
	is   func(error) bool
	code Error
}{
	{isError(mem.ErrOutOfMemory), ErrMemoryAllocation},
	{isError(mem.ErrRegistered), ErrAlreadyRegistered},
	{isError(mem.ErrNotRegistered), ErrNotRegistered},
	{isType[*mem.Error], ErrInvalidValue},
	{isError(graph.ErrForeign), ErrInvalidValue},
	{isError(graph.ErrDuplicate), ErrInvalidValue},
	{isError(graph.ErrMissing), ErrInvalidValue},
	{isError(graph.ErrSelf), ErrInvalidValue},
	{isError(graph.ErrCycle), ErrInvalidValue},
	{isType[*fatbin.NoImageError], ErrNoKernelImage},
	{isType[*fatbin.MachineCodeOnlyError], ErrNoKernelImage},
	{isType[*fatbin.CorruptError], ErrInvalidKernelImage},
	{isType[*isa.Unsupported], ErrNotSupported},
	{isError(fs.ErrNotExist), ErrFileNotFound},
}

func isError(target error) func(error) bool {
	return func(err error) bool { return errors.Is(err, target) }
}

func isType[T error](err error) bool {
	var e T
	return errors.As(err, &e)
}

// faultCode is the sticky error of a fault in a kernel, as measured.
func faultCode(kind isa.TrapKind) Error {
	code, ok := faultCodes[kind]
	if !ok {
		return ErrLaunchFailure
	}
	return code
}

var faultCodes = map[isa.TrapKind]Error{
	isa.IllegalAddress:     ErrIllegalAddress,
	isa.Misaligned:         ErrMisalignedAddress,
	isa.TrapInstruction:    ErrLaunchFailure,
	isa.AssertFailed:       ErrAssert,
	isa.IllegalInstruction: ErrIllegalInstruction,
	isa.InvalidSpace:       ErrInvalidAddressSpace,
	isa.InvalidPC:          ErrInvalidPC,
	isa.StackOverflow:      ErrIllegalAddress,
	isa.HeapCorruption:     ErrIllegalAddress,
	isa.BarrierMisuse:      ErrLaunchFailure,
	isa.ClusterMemory:      ErrLaunchFailure,
	isa.Deadlock:           ErrLaunchTimeout,
	isa.LimitReached:       ErrLaunchTimeout,
	isa.Internal:           ErrUnknown,
}

// Unrecognized is the name and the text of codes that do not exist.
const Unrecognized = "unrecognized error code"

// Name is the code's name in a CUDA major, such as cudaErrorInvalidValue.
func Name(e Error, major int) string {
	if t := find(e, major); t != nil {
		return t.Name
	}
	return Unrecognized
}

// Text is what cudaGetErrorString returns in a CUDA major.
func Text(e Error, major int) string {
	t := find(e, major)
	switch {
	case t == nil:
		return Unrecognized
	case major < 12 && t.Text11 != "":
		return t.Text11
	case major < 13 && t.Text12 != "":
		return t.Text12
	}
	return t.Text
}

func find(e Error, major int) *ErrorText {
	for i := range Errors {
		if t := &Errors[i]; t.Code == e && t.Since <= major {
			return t
		}
	}
	return nil
}

// oneLine keeps a report readable in a log.
func oneLine(err error) string {
	line, more, cut := strings.Cut(strings.TrimSpace(err.Error()), "\n")
	if cut && strings.TrimSpace(more) != "" {
		line += " ..."
	}
	return line
}
