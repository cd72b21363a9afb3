package tensormap

import (
	"encoding/binary"
	"testing"
)

func matrix() Request {
	return Request{Type: 7, Rank: 2, Address: 0x1000, Dims: []uint64{100, 50}, Strides: []uint64{400}, Steps: []uint32{1, 1}, Box: []uint32{32, 8}}
}

func image() Request {
	return Request{
		Type: 6, Rank: 4, Address: 0x1000, Dims: []uint64{64, 9, 7, 2}, Strides: []uint64{128, 1152, 8064}, Steps: []uint32{1, 1, 1, 1},
		Lower: []int32{-1, -2}, Upper: []int32{1, -3}, Channels: 64, Pixels: 100,
	}
}

func TestEncodedMapIsDecoded(t *testing.T) {
	b, err := EncodeTiled(matrix())
	if err != nil {
		t.Fatal(err)
	}
	m, ok := Decode(b[:])
	if !ok || m.Elem != F32 || m.Rank != 2 || m.Address != 0x1000 || m.Dim[1] != 50 || m.Stride[0] != 400 || m.Box[0] != 32 {
		t.Errorf("decoded %+v, %v", m, ok)
	}
	if b, err = EncodeIm2col(image()); err != nil {
		t.Fatal(err)
	}
	m, ok = Decode(b[:])
	if !ok || m.Mode != Im2col || m.Lower != [3]int32{-1, -2, 0} || m.Upper != [3]int32{1, -3, 0} || m.Channels != 64 || m.Pixels != 100 {
		t.Errorf("decoded %+v, %v", m, ok)
	}
}

func TestLargestDimensionFits(t *testing.T) {
	r := matrix()
	r.Dims[1] = 1 << 32
	b, err := EncodeTiled(r)
	if err != nil {
		t.Fatal(err)
	}
	if m, _ := Decode(b[:]); m.Dim[1] != 1<<32 {
		t.Errorf("dimension 1 is %d, want 2^32", m.Dim[1])
	}
}

func TestMapBeyondTheDocumentedBoundsIsRefused(t *testing.T) {
	for name, change := range map[string]func(r *Request){
		"type":                   func(r *Request) { r.Type = 16 },
		"rank 0":                 func(r *Request) { r.Rank = 0 },
		"rank 6":                 func(r *Request) { r.Rank = 6 },
		"interleave of rank 2":   func(r *Request) { r.Interleave = 1 },
		"address":                func(r *Request) { r.Address = 0x1008 },
		"empty dimension":        func(r *Request) { r.Dims[1] = 0 },
		"dimension beyond 2^32":  func(r *Request) { r.Dims[0] = 1<<32 + 1 },
		"stride of 8":            func(r *Request) { r.Strides[0] = 408 },
		"stride of 2^40":         func(r *Request) { r.Strides[0] = 1 << 40 },
		"empty box":              func(r *Request) { r.Box[1] = 0 },
		"box of 257":             func(r *Request) { r.Box[1] = 257 },
		"row of 4 bytes":         func(r *Request) { r.Box[0] = 1 },
		"step 0":                 func(r *Request) { r.Steps[1] = 0 },
		"step 9":                 func(r *Request) { r.Steps[1] = 9 },
		"row beyond the swizzle": func(r *Request) { r.Swizzle = 2 },
		"swizzle":                func(r *Request) { r.Swizzle = 7 },
		"NaN for integers":       func(r *Request) { r.Type, r.Fill = 2, 1 },
		"promotion":              func(r *Request) { r.Promotion = 4 },
	} {
		r := matrix()
		change(&r)
		if _, err := EncodeTiled(r); err == nil {
			t.Errorf("%s is taken", name)
		}
	}
}

func TestColumnBeyondTheDocumentedBoundsIsRefused(t *testing.T) {
	for name, change := range map[string]func(r *Request){
		"rank 2":           func(r *Request) { r.Rank = 2 },
		"corner of 9 bits": func(r *Request) { r.Lower[0] = -129 },
		"empty box":        func(r *Request) { r.Upper[0] = -10 },
		"257 channels":     func(r *Request) { r.Channels = 257 },
		"no pixels":        func(r *Request) { r.Pixels = 0 },
		"1025 pixels":      func(r *Request) { r.Pixels = 1025 },
	} {
		r := image()
		change(&r)
		if _, err := EncodeIm2col(r); err == nil {
			t.Errorf("%s is taken", name)
		}
	}
	r := image()
	if _, err := EncodeIm2colWide(r); err == nil {
		t.Error("im2col wide without swizzle is taken")
	}
	r.Swizzle, r.Newer = 3, true
	if _, err := EncodeIm2colWide(r); err != nil {
		t.Error(err)
	}
}

func TestAddressIsReplaced(t *testing.T) {
	b, _ := EncodeTiled(matrix())
	if err := ReplaceAddress(b[:], 0x2008); err == nil {
		t.Error("an address aligned to 8 bytes is taken")
	}
	if err := ReplaceAddress(b[:], 0x2010); err != nil {
		t.Fatal(err)
	}
	if m, _ := Decode(b[:]); m.Address != 0x2010 || m.Dim[0] != 100 {
		t.Errorf("decoded %+v", m)
	}
}

// TestMapsBearWhatCUTLASSEdits: it clears a bit of the second word, which no field may need.
func TestMapsBearWhatCUTLASSEdits(t *testing.T) {
	for elem := Elem(0); elem < elems; elem++ {
		m := Map{
			Mode: Im2colWide128, Rank: MaxRank, Elem: elem, Interleave: interleaves - 1, Swizzle: swizzles - 1, Atom: atoms - 1,
			FillNaN: true, Promotion: 3, Address: 1<<57 - 16,
		}
		b := m.Encode()
		word := binary.LittleEndian.Uint64(b[8:])
		binary.LittleEndian.PutUint64(b[8:], word&^(1<<21))
		if got, ok := Decode(b[:]); !ok || got.Elem != elem || got.Address != m.Address || got.Rank != m.Rank || got.Promotion != m.Promotion {
			t.Errorf("element type %d: %+v, %v", elem, got, ok)
		}
	}
}
