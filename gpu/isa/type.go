package isa

// Type is the type of an operand as an instruction names it.
type Type uint8

// The types, by their PTX names.
const (
	NoType Type = iota
	U8
	U16
	U32
	U64
	S8
	S16
	S32
	S64
	B8
	B16
	B32
	B64
	B128
	F16
	F16x2
	BF16
	BF16x2
	TF32
	F32
	F32x2
	F64
	Pred
	U16x2
	S16x2
	E4M3
	E5M2
	E2M3
	E3M2
	E2M1
	E4M3x2
	E5M2x2
	E2M3x2
	E3M2x2
	E2M1x2
	UE8M0x2
	S2F6x2
	E4M3x4
	E5M2x4
	E2M3x4
	E3M2x4
	E2M1x4
	U8x4
	S8x4
	S2
	U2
	S4
	U4
	B1
	B1024
	typeCount
)

type typeFacts struct {
	name string
	bits uint16
	kind Kind
}

// Kind classes types by how their bits are read.
type Kind uint8

// The kinds.
const (
	Bits Kind = iota
	Unsigned
	Signed
	Float
	Predicate
)

var types = [typeCount]typeFacts{
	NoType: {"", 0, Bits},
	U8:     {"u8", 8, Unsigned}, U16: {"u16", 16, Unsigned}, U32: {"u32", 32, Unsigned}, U64: {"u64", 64, Unsigned},
	S8: {"s8", 8, Signed}, S16: {"s16", 16, Signed}, S32: {"s32", 32, Signed}, S64: {"s64", 64, Signed},
	B8: {"b8", 8, Bits}, B16: {"b16", 16, Bits}, B32: {"b32", 32, Bits}, B64: {"b64", 64, Bits}, B128: {"b128", 128, Bits},
	F16: {"f16", 16, Float}, F16x2: {"f16x2", 32, Float}, BF16: {"bf16", 16, Float}, BF16x2: {"bf16x2", 32, Float},
	TF32: {"tf32", 32, Float}, F32: {"f32", 32, Float}, F32x2: {"f32x2", 64, Float}, F64: {"f64", 64, Float},
	Pred:  {"pred", 1, Predicate},
	U16x2: {"u16x2", 32, Unsigned}, S16x2: {"s16x2", 32, Signed},
	E4M3: {"e4m3", 8, Float}, E5M2: {"e5m2", 8, Float}, E4M3x2: {"e4m3x2", 16, Float}, E5M2x2: {"e5m2x2", 16, Float},
	E2M3: {"e2m3", 6, Float}, E3M2: {"e3m2", 6, Float}, E2M1: {"e2m1", 4, Float},
	E2M3x2: {"e2m3x2", 16, Float}, E3M2x2: {"e3m2x2", 16, Float}, E2M1x2: {"e2m1x2", 8, Float}, UE8M0x2: {"ue8m0x2", 16, Float},
	S2F6x2: {"s2f6x2", 16, Signed},
	E4M3x4: {"e4m3x4", 32, Float}, E5M2x4: {"e5m2x4", 32, Float}, E2M3x4: {"e2m3x4", 32, Float}, E3M2x4: {"e3m2x4", 32, Float}, E2M1x4: {"e2m1x4", 16, Float},
	U8x4: {"u8x4", 32, Unsigned}, S8x4: {"s8x4", 32, Signed},
	S2: {"s2", 2, Signed}, U2: {"u2", 2, Unsigned},
	S4: {"s4", 4, Signed}, U4: {"u4", 4, Unsigned}, B1: {"b1", 1, Bits}, B1024: {"b1024", 1024, Bits},
}

var typeNames = func() map[string]Type {
	names := make(map[string]Type, typeCount)
	for t := range types {
		names[types[t].name] = Type(t)
	}
	return names
}()

// ParseType returns the type of a PTX type name without its dot, NoType if
// there is none.
func ParseType(name string) Type { return typeNames[name] }

// String is the PTX name of the type without its dot.
func (t Type) String() string { return types[t].name }

// Bits is the width of a value in bits.
func (t Type) Bits() int { return int(types[t].bits) }

// Bytes is the width of a value in bytes; zero for predicates and sub-byte types.
func (t Type) Bytes() int { return int(types[t].bits) / 8 }

// Rows is the number of register rows a value occupies.
func (t Type) Rows() int { return (int(types[t].bits) + 31) / 32 }

// Kind tells how the bits are read.
func (t Type) Kind() Kind { return types[t].kind }

// IsFloat reports a floating-point type.
func (t Type) IsFloat() bool { return types[t].kind == Float }

// IsSigned reports a signed integer type.
func (t Type) IsSigned() bool { return types[t].kind == Signed }
