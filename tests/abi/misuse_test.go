package abi

import (
	"fmt"
	"testing"

	"github.com/lockstep-sim/lockstep/cuobjdump/fatbin"
)

const storesItsArgument = "  st.global.u64 [%rd1], %rd2;"

func TestMistakesInCallsAreErrorsAndNothingBreaks(t *testing.T) {
	image := write(t, ptxEntry(kernel("", storesItsArgument)))
	for _, d := range deliveries[:4] {
		t.Run(d.name, func(t *testing.T) {
			r := execute(t, quiet(d), compile(t, d, "misuse"), image)
			r.wantOK(t)
			if r.stderr != "" {
				t.Errorf("stderr %q", r.stderr)
			}
		})
	}
}

func TestManagedVariablesWithoutUsableCodeAreMemory(t *testing.T) {
	d := deliveries[2]
	program := compile(t, d, "managed")
	for name, c := range map[string]struct {
		entry fatbin.Entry
		code  string
	}{
		"PTX":               {ptxEntry(kernel(".global .attribute(.managed) .align 4 .b8 managed[64] = {5, 1};", "")), "261, launch 0\n"},
		"machine code only": {fatbin.New(fatbin.ELF, 90, "", []byte("\x7fELF")), "0, launch 209\n"},
		"damaged PTX":       {ptxEntry("nonsense"), "0, launch 218\n"},
	} {
		r := execute(t, quiet(d), program, write(t, c.entry))
		if r.code != 0 || r.stdout != c.code {
			t.Errorf("%s: status %d, output %q", name, r.code, r.stdout)
		}
		if c.code != "261, launch 0\n" {
			r.reports(t)
		}
	}
}

// Threads of the simulator start from the program's threads, whose mode of arithmetic they would inherit.
func TestArithmeticOfKernelsIsNotThatOfTheProgram(t *testing.T) {
	image := write(t, ptxEntry(kernel("", `
  mov.b32 %f1, 0x00000001;
  mov.b32 %f2, 0x00000002;
  add.f32 %f3, %f1, %f2;
  st.global.f32 [%rd1], %f3;
  mov.b32 %f1, 0x3f800001;
  mov.b32 %f2, 0x33c00000;
  add.f32 %f3, %f1, %f2;
  st.global.f32 [%rd1+4], %f3;
  mov.b64 %fd1, 10;
  mul.f64 %fd2, %fd1, 0.5;
  st.global.f64 [%rd1+8], %fd2;
  mov.f64 %fd3, 1.3e-315;
  st.global.f64 [%rd1+16], %fd3;
  mov.f64 %fd4, 0.1;
  st.global.f64 [%rd1+24], %fd4;`)))
	for _, d := range deliveries[:3] {
		t.Run(d.name, func(t *testing.T) {
			execute(t, quiet(d), compile(t, d, "fastmath"), image).wantOK(t)
		})
	}
}

func TestLongRunsDoNotGrow(t *testing.T) {
	d := deliveries[2]
	image := write(t, ptxEntry(kernel("", storesItsArgument)))
	r := execute(t, quiet(d), compile(t, d, "soak"), image)
	r.wantOK(t)
	if r.stderr != "" {
		t.Errorf("stderr %q", r.stderr)
	}
}

func TestMemoryIsWhatIsTouched(t *testing.T) {
	image := write(t, ptxEntry(kernel("", `
  mov.u32 %r2, %ctaid.x;
  mov.u32 %r3, %ntid.x;
  mad.lo.u32 %r1, %r2, %r3, %r1;
  mul.wide.u32 %rd3, %r1, 4096;
  add.u64 %rd4, %rd1, %rd3;
  st.global.u64 [%rd4], %rd2;`)))
	d := deliveries[2]
	r := execute(t, quiet(d), compile(t, d, "footprint"), image)
	var megabytes int
	if n, err := fmt.Sscan(r.stdout, &megabytes); n != 1 || r.code != 0 {
		t.Fatalf("status %d, %v\n%s%s", r.code, err, r.stdout, r.stderr)
	}
	if megabytes < 512 || megabytes > 700 { // 0.75 GB are 715
		t.Errorf("a process that touched 512 MB of 1 GB had %d MB", megabytes)
	}
}

func TestLinearFilteringWeighsNeighboursUpToTheEdges(t *testing.T) { // C35
	image := write(t, ptxEntry(kernel("", `
  mul.wide.u32 %rd3, %r1, 4;
  add.u64 %rd4, %rd1, %rd3;
  ld.global.f32 %f1, [%rd4];
  tex.1d.v4.f32.f32 {%f2, %f3, %f4, %f5}, [%rd2, {%f1}];
  st.global.f32 [%rd4], %f2;`)))
	d := deliveries[2]
	r := execute(t, quiet(d), compile(t, d, "texture"), image)
	if r.code != 0 || r.stdout != "10 10 10 15 22.5 40 \ndestroyed: 700\n" {
		t.Errorf("status %d, output %q\n%s", r.code, r.stdout, r.stderr)
	}
	r.reports(t)
}

func TestReferencesAreFoundByTheirNameInDeviceCode(t *testing.T) {
	image := write(t, ptxEntry(kernel(".global .texref _ZN5space1tE;", `
  mul.wide.u32 %rd3, %r1, 4;
  add.u64 %rd4, %rd1, %rd3;
  tex.1d.v4.f32.s32 {%f2, %f3, %f4, %f5}, [_ZN5space1tE, {%r1}];
  st.global.f32 [%rd4], %f2;`)))
	d := deliveries[1]
	execute(t, quiet(d), compile(t, d, "reference"), image).wantOK(t)
}
