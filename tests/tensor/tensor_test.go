package tensor

import (
	"errors"
	"io/fs"
	"os"
	"strconv"
	"strings"
	"testing"
)

// record is what a card did with a case.
type record struct {
	encoding, running int
	digest            string
}

func records(t *testing.T) map[string]record {
	t.Helper()
	text, err := os.ReadFile("testdata/h200.txt")
	if errors.Is(err, fs.ErrNotExist) {
		t.Skip("there is no record of a card: scripts/record/tensor")
	}
	if err != nil {
		t.Fatal(err)
	}
	all := map[string]record{}
	for _, line := range strings.Split(string(text), "\n") {
		f := strings.Fields(line)
		if len(f) < 3 || f[0] == "#" {
			continue
		}
		var r record
		r.encoding, _ = strconv.Atoi(f[1])
		r.running, _ = strconv.Atoi(f[2])
		if len(f) > 3 {
			r.digest = f[3]
		}
		all[f[0]] = r
	}
	return all
}

func TestCopiesAreThoseOfTheCard(t *testing.T) {
	want := records(t)
	e, err := NewEngine()
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	cases := Cases()
	for i := range cases {
		c := &cases[i]
		w, ok := want[c.Name]
		if !ok {
			t.Errorf("%s has no record: scripts/record/tensor", c.Name)
			continue
		}
		result, encoding, running := e.Run(c)
		switch {
		case (encoding != nil) != (w.encoding != 0):
			t.Errorf("%s: encoding gives %v, the card's driver %d", c.Name, encoding, w.encoding)
		case (running != nil) != (w.running != 0):
			t.Errorf("%s: running gives %v, the card %d", c.Name, running, w.running)
		case encoding == nil && running == nil && Digest(result) != w.digest:
			t.Errorf("%s: the result differs", c.Name)
		}
	}
}
