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

// differs lists by the beginning of their names the cases in which we do not do
// what the card did, and how.
var differs = map[string]string{
	"interleave":        "the layout of slices in shared memory is not known",
	"store_interleave":  "the layout of slices in shared memory is not known",
	"bulk_shared_":      "the card refuses a reduction into the CTA's own shared memory without a cluster",
	"store_im2col_f16_": "the card refuses some starts of a store of pixels, by a rule that is not known",
}

func known(name string) bool {
	for prefix := range differs {
		if strings.HasPrefix(name, prefix) {
			return true
		}
	}
	return false
}

// recorded is the number of cases with a record; the card's time ended before the
// others.
const recorded = 1502

func TestCopiesAreThoseOfTheCard(t *testing.T) {
	want := records(t)
	e, err := NewEngine()
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	cases := Cases()
	compared := 0
	for i := range cases {
		c := &cases[i]
		w, ok := want[c.Name]
		if !ok {
			continue
		}
		compared++
		if known(c.Name) {
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
	if compared < recorded {
		t.Errorf("%d of %d cases have a record, not %d", compared, len(cases), recorded)
	}
}
