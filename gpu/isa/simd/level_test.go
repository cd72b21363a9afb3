package simd

import "testing"

func TestLevelsHaveNames(t *testing.T) {
	for _, v := range Levels() {
		if got, err := ParseLevel(v.String()); got != v || err != nil {
			t.Errorf("%v is read as %v, %v", v, got, err)
		}
	}
	for _, name := range []string{"", "best"} {
		if got, err := ParseLevel(name); got != Best || err != nil {
			t.Errorf("%q is read as %v, %v", name, got, err)
		}
	}
	for _, name := range []string{"AVX2", "sse", "avx"} {
		if got, err := ParseLevel(name); err == nil {
			t.Errorf("%q is read as %v", name, got)
		}
	}
}

func TestBestIsTheHighestLevelOfTheProcessor(t *testing.T) {
	all := Levels()
	if got := Best.resolve(); got != all[len(all)-1] {
		t.Errorf("the best of %v is %v", all, got)
	}
	if all[0] != Go {
		t.Errorf("the levels are %v; Go is always there", all)
	}
}
