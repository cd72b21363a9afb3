package ast

// Type is the type of a register or variable. Formats such as bf16, tf32, f32x2
// and the narrow floats are types of instructions only, as ptxas has it.
type Type uint8

// Fundamental and opaque types (PTX ISA 5.2 and 5.3).
const (
	NoType Type = iota
	B8
	B16
	B32
	B64
	B128
	U8
	U16
	U32
	U64
	S8
	S16
	S32
	S64
	F16
	F16x2
	F32
	F64
	Pred
	Texref
	Samplerref
	Surfref
	numTypes
)

var typeNames = [numTypes]string{
	B8: "b8", B16: "b16", B32: "b32", B64: "b64", B128: "b128",
	U8: "u8", U16: "u16", U32: "u32", U64: "u64",
	S8: "s8", S16: "s16", S32: "s32", S64: "s64",
	F16: "f16", F16x2: "f16x2", F32: "f32", F64: "f64",
	Pred: "pred", Texref: "texref", Samplerref: "samplerref", Surfref: "surfref",
}

// sizes in bytes. A predicate has none; an opaque reference is a 64-bit handle.
var typeSizes = [numTypes]uint8{
	B8: 1, B16: 2, B32: 4, B64: 8, B128: 16,
	U8: 1, U16: 2, U32: 4, U64: 8,
	S8: 1, S16: 2, S32: 4, S64: 8,
	F16: 2, F16x2: 4, F32: 4, F64: 8,
	Texref: 8, Samplerref: 8, Surfref: 8,
}

// String returns the name without its dot.
func (t Type) String() string { return typeNames[t] }

// Size is the size in bytes, 0 for a predicate.
func (t Type) Size() int { return int(typeSizes[t]) }

// IsFloat reports whether t is a floating-point type.
func (t Type) IsFloat() bool { return t >= F16 && t <= F64 }

// IsOpaque reports whether t is a texture, sampler or surface reference.
func (t Type) IsOpaque() bool { return t >= Texref }

// IsSigned reports whether t is a signed integer.
func (t Type) IsSigned() bool { return t >= S8 && t <= S64 }

// IsBits reports whether t is an untyped bit type.
func (t Type) IsBits() bool { return t >= B8 && t <= B128 }

// TypeByName finds a type by its name without the dot; NoType when unknown.
func TypeByName(name string) Type {
	for t := B8; t < numTypes; t++ {
		if typeNames[t] == name {
			return t
		}
	}
	return NoType
}

// Space is a state space (PTX ISA 5.1).
type Space uint8

// State spaces. TexSpace is the deprecated .tex space of texture variables.
const (
	NoSpace Space = iota
	RegSpace
	ConstSpace
	GlobalSpace
	LocalSpace
	ParamSpace
	SharedSpace
	TexSpace
	numSpaces
)

var spaceNames = [numSpaces]string{
	RegSpace: "reg", ConstSpace: "const", GlobalSpace: "global", LocalSpace: "local",
	ParamSpace: "param", SharedSpace: "shared", TexSpace: "tex",
}

// String returns the name without its dot.
func (s Space) String() string { return spaceNames[s] }

// SpaceByName finds a space by its name without the dot; NoSpace when unknown.
func SpaceByName(name string) Space {
	for s := RegSpace; s < numSpaces; s++ {
		if spaceNames[s] == name {
			return s
		}
	}
	return NoSpace
}

// Linkage is the linking directive of a module-level item.
type Linkage uint8

// Linkages. Static items are private to their module.
const (
	Static Linkage = iota
	Extern
	Visible
	Weak
	Common
)

// String returns the directive without its dot, empty for Static.
func (l Linkage) String() string {
	return [...]string{"", "extern", "visible", "weak", "common"}[l]
}
