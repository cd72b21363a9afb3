// Package layout reads and writes the structures of the CUDA runtime API whose layout depends on the CUDA major that a
// program was built for. The table is layout.txt; the types are generated from it.
package layout

import (
	"bytes"
	"encoding/binary"
	"math"
)

// Version is the column of the table: the layout of a CUDA major.
type Version int

// The layouts.
const (
	V11 Version = iota
	V12
	V13
)

// Of returns the layout of a CUDA major; majors not known use their nearest neighbour's.
func Of(major int) Version {
	return Version(min(max(major, 11), 13) - 11)
}

// at picks the value of a version.
func at(v Version, v11, v12, v13 int) int {
	switch v {
	case V11:
		return v11
	case V12:
		return v12
	}
	return v13
}

// scalar are the types of fields.
type scalar interface {
	byte | uint16 | int32 | uint32 | uint64 | float32
}

// put writes x at offset, nowhere where the offset is negative.
func put[T scalar](b []byte, offset int, x T) {
	if offset < 0 {
		return
	}
	switch b := b[offset:]; x := any(x).(type) {
	case byte:
		b[0] = x
	case uint16:
		binary.LittleEndian.PutUint16(b, x)
	case int32:
		binary.LittleEndian.PutUint32(b, uint32(x))
	case uint32:
		binary.LittleEndian.PutUint32(b, x)
	case uint64:
		binary.LittleEndian.PutUint64(b, x)
	case float32:
		binary.LittleEndian.PutUint32(b, math.Float32bits(x))
	}
}

// get reads the value at offset into x, zero where the offset is negative.
func get[T scalar](b []byte, offset int, x *T) {
	if offset < 0 {
		*x = 0
		return
	}
	switch b := b[offset:]; x := any(x).(type) {
	case *byte:
		*x = b[0]
	case *uint16:
		*x = binary.LittleEndian.Uint16(b)
	case *int32:
		*x = int32(binary.LittleEndian.Uint32(b))
	case *uint32:
		*x = binary.LittleEndian.Uint32(b)
	case *uint64:
		*x = binary.LittleEndian.Uint64(b)
	case *float32:
		*x = math.Float32frombits(binary.LittleEndian.Uint32(b))
	}
}

// putAll writes the elements of an array.
func putAll[T scalar](b []byte, offset int, xs []T) {
	for i, x := range xs {
		if offset >= 0 {
			put(b, offset+i*binary.Size(x), x)
		}
	}
}

// getAll reads the elements of an array.
func getAll[T scalar](b []byte, offset int, xs []T) {
	for i := range xs {
		if offset >= 0 {
			get(b, offset+i*binary.Size(xs[i]), &xs[i])
		} else {
			xs[i] = 0
		}
	}
}

// SetString stores s in a character array, cut to leave room for its closing NUL.
func SetString(dst []byte, s string) {
	n := copy(dst[:len(dst)-1], s)
	clear(dst[n:])
}

// String returns the characters before the first NUL.
func String(src []byte) string {
	n := bytes.IndexByte(src, 0)
	if n < 0 {
		n = len(src)
	}
	return string(src[:n])
}
