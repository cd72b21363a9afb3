package main

// #include <stdlib.h>
// #include "lockstep.h"
import "C"

import (
	"sync"
	"unsafe"

	"github.com/lockstep-sim/lockstep/cudart/rt"
)

// jitOptions are a program's options for the compiler. Each value is the size of a pointer.
func jitOptions(count C.uint, options *C.int, values *C.uint64_t) ([]rt.JITOption, error) {
	if count == 0 {
		return nil, nil
	}
	if options == nil || values == nil {
		return nil, rt.ErrInvalidValue
	}
	list := make([]rt.JITOption, count)
	all := unsafe.Slice(values, int(count))
	for i, id := range unsafe.Slice(options, int(count)) {
		list[i] = rt.JITOption{ID: int32(id), Value: uint64(all[i]), Slot: address(unsafe.Pointer(&all[i]))}
	}
	return list, nil
}

// putHandles stores handles in a program's array of so many.
func putHandles(to *C.uint64_t, count int, all []uint64, err error) error {
	if err != nil {
		return err
	}
	if to == nil || count < 0 {
		return rt.ErrInvalidValue
	}
	slots := unsafe.Slice(to, count)
	for i := range min(count, len(all)) {
		slots[i] = C.uint64_t(all[i])
	}
	return nil
}

// putGlobal stores where a variable lies and its size, of which a program may want only one.
func putGlobal(addr, size *C.uint64_t, a, n uint64, err error) error {
	if err == nil && addr != nil {
		*addr = C.uint64_t(a)
	}
	if err == nil && size != nil {
		*size = C.uint64_t(n)
	}
	return err
}

// keptNames keeps the names handed to the program, which never frees them.
var keptNames sync.Map // string -> *C.char

// putName stores a pointer to a name that stays valid.
func putName(to *C.ls_string, name string, err error) error {
	if err != nil {
		return err
	}
	kept, ok := keptNames.Load(name)
	if !ok {
		kept, _ = keptNames.LoadOrStore(name, C.CString(name))
	}
	return put(to, C.ls_string(kept.(*C.char)), nil)
}

// cuModuleLoad loads device code from a file.
//
//cuda:support full
//export ls_cuModuleLoad
func ls_cuModuleLoad(module *C.CUhandle, path C.ls_string) C.CUresult {
	return call(func(t *rt.Thread) error {
		if module == nil || path == nil {
			return rt.ErrInvalidValue
		}
		v, err := t.ModuleLoad(C.GoString(path))
		return putInt(module, v, err)
	})
}

// cuModuleLoadData loads device code: PTX, a fat binary, or a cubin that carries PTX.
//
//cuda:support partial "machine code alone is refused"
//export ls_cuModuleLoadData
func ls_cuModuleLoadData(module *C.CUhandle, image C.uint64_t) C.CUresult {
	return ls_cuModuleLoadDataEx(module, image, 0, nil, nil)
}

// cuModuleLoadDataEx is cuModuleLoadData with options for the compiler.
//
//cuda:support partial "machine code alone is refused; options that steer optimisations have no effect"
//export ls_cuModuleLoadDataEx
func ls_cuModuleLoadDataEx(module *C.CUhandle, image C.uint64_t, count C.uint, options *C.int, values *C.uint64_t) C.CUresult {
	return call(func(t *rt.Thread) error {
		o, err := jitOptions(count, options, values)
		if err != nil {
			return err
		}
		if module == nil {
			return rt.ErrInvalidValue
		}
		v, err := t.ModuleLoadData(uint64(image), o)
		return putInt(module, v, err)
	})
}

// cuModuleLoadFatBinary loads device code from a fat binary.
//
//cuda:support partial "machine code alone is refused"
//export ls_cuModuleLoadFatBinary
func ls_cuModuleLoadFatBinary(module *C.CUhandle, image C.uint64_t) C.CUresult {
	return ls_cuModuleLoadDataEx(module, image, 0, nil, nil)
}

// cuModuleUnload unloads device code.
//
//cuda:support full
//export ls_cuModuleUnload
func ls_cuModuleUnload(module C.CUhandle) C.CUresult {
	return call(func(t *rt.Thread) error { return t.ModuleUnload(uint64(module)) })
}

// cuModuleGetLoadingMode tells whether device code is loaded when it is used.
//
//cuda:support full
//export ls_cuModuleGetLoadingMode
func ls_cuModuleGetLoadingMode(mode *C.int) C.CUresult {
	return call(func(t *rt.Thread) error {
		const lazy = 2
		return put(mode, lazy, nil)
	})
}

// cuModuleGetFunction finds a kernel.
//
//cuda:support full
//export ls_cuModuleGetFunction
func ls_cuModuleGetFunction(function *C.CUhandle, module C.CUhandle, name C.ls_string) C.CUresult {
	return call(func(t *rt.Thread) error {
		if function == nil || name == nil {
			return rt.ErrInvalidValue
		}
		v, err := t.ModuleGetFunction(uint64(module), C.GoString(name))
		return putInt(function, v, err)
	})
}

// cuModuleGetFunctionCount returns the number of kernels.
//
//cuda:support full
//export ls_cuModuleGetFunctionCount
func ls_cuModuleGetFunctionCount(count *C.uint, module C.CUhandle) C.CUresult {
	return call(func(t *rt.Thread) error {
		all, err := t.ModuleFunctions(uint64(module))
		return putInt(count, len(all), err)
	})
}

// cuModuleEnumerateFunctions returns the kernels.
//
//cuda:support full
//export ls_cuModuleEnumerateFunctions
func ls_cuModuleEnumerateFunctions(functions *C.CUhandle, count C.uint, module C.CUhandle) C.CUresult {
	return call(func(t *rt.Thread) error {
		all, err := t.ModuleFunctions(uint64(module))
		return putHandles(functions, int(count), all, err)
	})
}

// cuModuleGetGlobal_v2 finds a variable.
//
//cuda:support full
//export ls_cuModuleGetGlobal_v2
func ls_cuModuleGetGlobal_v2(addr, size *C.uint64_t, module C.CUhandle, name C.ls_string) C.CUresult {
	return call(func(t *rt.Thread) error {
		if name == nil || addr == nil && size == nil {
			return rt.ErrInvalidValue
		}
		a, n, err := t.ModuleGetGlobal(uint64(module), C.GoString(name))
		return putGlobal(addr, size, a, n, err)
	})
}

// cuModuleGetTexRef finds a texture reference.
//
//cuda:support full
//export ls_cuModuleGetTexRef
func ls_cuModuleGetTexRef(reference *C.CUhandle, module C.CUhandle, name C.ls_string) C.CUresult {
	return call(func(t *rt.Thread) error {
		if reference == nil || name == nil {
			return rt.ErrInvalidValue
		}
		v, err := t.ModuleGetReference(uint64(module), C.GoString(name), false)
		return putInt(reference, v, err)
	})
}

// cuModuleGetSurfRef finds a surface reference.
//
//cuda:support full
//export ls_cuModuleGetSurfRef
func ls_cuModuleGetSurfRef(reference *C.CUhandle, module C.CUhandle, name C.ls_string) C.CUresult {
	return call(func(t *rt.Thread) error {
		if reference == nil || name == nil {
			return rt.ErrInvalidValue
		}
		v, err := t.ModuleGetReference(uint64(module), C.GoString(name), true)
		return putInt(reference, v, err)
	})
}

// cuLinkCreate_v2 begins a link.
//
//cuda:support full
//export ls_cuLinkCreate_v2
func ls_cuLinkCreate_v2(count C.uint, options *C.int, values *C.uint64_t, state *C.CUhandle) C.CUresult {
	return call(func(t *rt.Thread) error {
		o, err := jitOptions(count, options, values)
		if err != nil {
			return err
		}
		if state == nil {
			return rt.ErrInvalidValue
		}
		v, err := t.LinkCreate(o)
		return putInt(state, v, err)
	})
}

// cuLinkAddData_v2 adds device code to a link.
//
//cuda:support partial "PTX, also in fat binaries, cubins, objects and libraries; no NVVM IR, which NVIDIA's compiler alone reads"
//export ls_cuLinkAddData_v2
func ls_cuLinkAddData_v2(state C.CUhandle, kind C.int, data C.uint64_t, size C.size_t, name C.ls_string, count C.uint, options *C.int, values *C.uint64_t) C.CUresult {
	return call(func(t *rt.Thread) error {
		return t.LinkAddData(uint64(state), int(kind), uint64(data), uint64(size), C.GoString(name))
	})
}

// cuLinkAddFile_v2 adds a file to a link.
//
//cuda:support partial "PTX, also in fat binaries, cubins, objects and libraries; no NVVM IR, which NVIDIA's compiler alone reads"
//export ls_cuLinkAddFile_v2
func ls_cuLinkAddFile_v2(state C.CUhandle, kind C.int, path C.ls_string, count C.uint, options *C.int, values *C.uint64_t) C.CUresult {
	return call(func(t *rt.Thread) error {
		if path == nil {
			return rt.ErrInvalidValue
		}
		return t.LinkAddFile(uint64(state), int(kind), C.GoString(path))
	})
}

// cuLinkCreate is cuLinkCreate_v2.
//
//cuda:support full
//export ls_cuLinkCreate
func ls_cuLinkCreate(count C.uint, options *C.int, values *C.uint64_t, state *C.CUhandle) C.CUresult {
	return ls_cuLinkCreate_v2(count, options, values, state)
}

// cuLinkAddData is cuLinkAddData_v2.
//
//cuda:support partial "as cuLinkAddData_v2"
//export ls_cuLinkAddData
func ls_cuLinkAddData(state C.CUhandle, kind C.int, data C.uint64_t, size C.size_t, name C.ls_string, count C.uint, options *C.int, values *C.uint64_t) C.CUresult {
	return ls_cuLinkAddData_v2(state, kind, data, size, name, count, options, values)
}

// cuLinkAddFile is cuLinkAddFile_v2.
//
//cuda:support partial "as cuLinkAddFile_v2"
//export ls_cuLinkAddFile
func ls_cuLinkAddFile(state C.CUhandle, kind C.int, path C.ls_string, count C.uint, options *C.int, values *C.uint64_t) C.CUresult {
	return ls_cuLinkAddFile_v2(state, kind, path, count, options, values)
}

// cuLinkComplete ends a link: the image is an ELF file that carries the PTX.
//
//cuda:support full
//export ls_cuLinkComplete
func ls_cuLinkComplete(state C.CUhandle, image *unsafe.Pointer, size *C.size_t) C.CUresult {
	return call(func(t *rt.Thread) error {
		if image == nil {
			return rt.ErrInvalidValue
		}
		linked, err := t.LinkComplete(uint64(state))
		if err != nil {
			return err
		}
		kept := C.CBytes(linked)
		if old, ok := linkedImages.Swap(uint64(state), kept); ok {
			C.free(old.(unsafe.Pointer))
		}
		*image = kept
		if size != nil {
			*size = C.size_t(len(linked))
		}
		return nil
	})
}

// linkedImages are the results of links, which live until cuLinkDestroy.
var linkedImages sync.Map // handle -> unsafe.Pointer

// cuLinkDestroy forgets a link.
//
//cuda:support full
//export ls_cuLinkDestroy
func ls_cuLinkDestroy(state C.CUhandle) C.CUresult {
	return call(func(t *rt.Thread) error {
		if kept, ok := linkedImages.LoadAndDelete(uint64(state)); ok {
			C.free(kept.(unsafe.Pointer))
		}
		return t.LinkDestroy(uint64(state))
	})
}
