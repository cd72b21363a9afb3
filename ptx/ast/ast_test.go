package ast

import "testing"

func TestTypesAreFoundByTheirNames(t *testing.T) {
	for typ := B8; typ < numTypes; typ++ {
		if got := TypeByName(typ.String()); got != typ || typ.String() == "" {
			t.Errorf("type %d is named %q, which finds %d", typ, typ, got)
		}
		if (typ.Size() == 0) != (typ == Pred) {
			t.Errorf("size of %s is %d", typ, typ.Size())
		}
	}
	if TypeByName("bf16") != NoType || SpaceByName("heap") != NoSpace || SpaceByName("shared") != SharedSpace {
		t.Error("unknown and known names are mixed up")
	}
}

func TestSpecialRegistersAreListedOnce(t *testing.T) {
	seen := map[string]bool{}
	for i, s := range Specials {
		if seen[s.Name] || s.Name[0] != '%' || SpecialByName(s.Name) != int32(i) {
			t.Errorf("%s: listed twice or not found", s.Name)
		}
		seen[s.Name] = true
	}
	if SpecialByName("%r1") != -1 || SpecialByName("tid") != -1 {
		t.Error("found a special register that is none")
	}
}

func TestErrorsPointIntoTheLine(t *testing.T) {
	m := &Module{File: "f.ptx", Text: "first\n\tsecond line\r\nlast"}
	for _, c := range []struct {
		pos  Pos
		want string
	}{
		{0, "f.ptx:1:1: no\nfirst\n^"},
		{7, "f.ptx:2:2: no\n\tsecond line\n\t^"},
		{14, "f.ptx:2:9: no\n\tsecond line\n\t       ^"},
		{20, "f.ptx:3:1: no\nlast\n^"},
		{24, "f.ptx:3:5: no\nlast\n    ^"},
		{99, "f.ptx:3:5: no\nlast\n    ^"},
	} {
		if got := m.Errorf(c.pos, "no").Error(); got != c.want {
			t.Errorf("at %d:\n%s\nwant\n%s", c.pos, got, c.want)
		}
	}
}

func TestVariableSizes(t *testing.T) {
	for _, c := range []struct {
		v           Var
		size, align int
	}{
		{Var{Type: U32, Vec: 1}, 4, 4},
		{Var{Type: F32, Vec: 4}, 16, 16},
		{Var{Type: U16, Vec: 2, Dims: []int64{3, 5}}, 60, 4},
		{Var{Type: B8, Vec: 1, Dims: []int64{12}, Align: 8}, 12, 8},
		{Var{Type: B8, Vec: 1, Dims: []int64{0}, Unsized: true}, 0, 1},
		{Var{Type: Texref, Vec: 1}, 8, 8},
	} {
		if int(c.v.Size()) != c.size || c.v.Alignment() != c.align {
			t.Errorf("%+v: size %d, alignment %d", c.v, c.v.Size(), c.v.Alignment())
		}
	}
}
