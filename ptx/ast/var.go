package ast

// Var is a variable or parameter in any space but .reg; a parameter of old text
// may be in .reg too.
type Var struct {
	Pos     Pos // of the name
	Name    string
	Space   Space
	Type    Type
	Vec     uint8 // elements of a vector type, 1 for a scalar
	Linkage Linkage
	// Unsized is set for name[], whose first dimension is left open; it counts
	// as the length of the initialiser where there is one.
	Unsized bool
	Managed bool // .attribute(.managed)
	// Scope is the index in Body.Scopes of the declaring block, -1 outside.
	Scope int32
	// Align is the declared alignment in bytes, 0 when not given.
	Align int
	// Bank is the number of a banked .const[n], 0 otherwise.
	Bank int
	// Dims holds the array dimensions, outermost first; nil for a scalar. An
	// open dimension without initialiser is 0.
	Dims    []int64
	Ptr     *Ptr       // .ptr of a kernel parameter
	Unified *[2]uint64 // .attribute(.unified(a, b))
	Init    *Image     // nil when there is no initialiser
	Fields  []Field    // initialiser of a texture, sampler or surface reference
	// Reg is the index in Body.Regs of a parameter in .reg space, in the copy
	// that Body.Vars holds; -1 otherwise.
	Reg int32
}

// Ptr is the .ptr attribute of a kernel parameter.
type Ptr struct {
	Space Space // NoSpace when not given: a generic pointer
	Align int   // 0 when not given
}

// Field is one setting of an opaque variable, such as filter_mode = nearest.
type Field struct {
	Pos   Pos
	Name  string
	Value string // an identifier, or empty
	Int   int64  // when Value is empty
}

// Elem is the size of one array element in bytes.
func (v *Var) Elem() int { return v.Type.Size() * int(v.Vec) }

// Len is the number of array elements, 1 for a scalar.
func (v *Var) Len() int64 {
	n := int64(1)
	for _, d := range v.Dims {
		n *= d
	}
	return n
}

// Size is the size in bytes; 0 for an open array without initialiser.
func (v *Var) Size() int64 { return v.Len() * int64(v.Elem()) }

// Alignment is the declared alignment or else the natural one, in bytes.
func (v *Var) Alignment() int {
	if v.Align != 0 {
		return v.Align
	}
	return max(v.Elem(), 1)
}

// Image is initial memory contents: Data in little-endian order, zero from its
// end on, and the addresses to be added to it.
type Image struct {
	Data   []byte
	Relocs []Reloc
	// Labels of a section, in order.
	Labels []ImageLabel
}

// Reloc is an address inside an image. The value stored is
// ((address of Name) - (address of Minus) + Addend) & Mask, shifted right to
// the lowest bit of Mask, in Width bytes at Offset.
type Reloc struct {
	Pos     Pos
	Offset  int64
	Width   uint8
	Generic bool   // the generic address is meant: generic(name)
	Mask    uint64 // all ones when the whole address is stored
	Addend  int64
	Name    string
	Minus   string // in sections: the label subtracted; empty otherwise
}

// ImageLabel is a label inside a section.
type ImageLabel struct {
	Pos    Pos
	Name   string
	Offset int64
}
