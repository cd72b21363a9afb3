package agree

import (
	"flag"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/lockstep-sim/lockstep/cudart/solo"
	"github.com/lockstep-sim/lockstep/ptx/ops"
)

var (
	corpus = flag.String("corpus", "", "folder of .ptx files to compare verdicts on")
	ptxas  = flag.String("ptxas", "", "assemblers, divided by commas")
)

func TestCorpusIsJudgedAsPtxasJudgesIt(t *testing.T) {
	if *corpus == "" || *ptxas == "" {
		t.Skip("no -corpus and -ptxas")
	}
	o, err := newOracle(*ptxas, filepath.Join(*corpus, "verdicts"))
	if err != nil {
		t.Fatal(err)
	}
	files, accepted, refused, undecided := 0, 0, 0, 0
	err = filepath.WalkDir(*corpus, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(path, ".ptx") {
			return err
		}
		raw, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		theirs, err := o.refuses(string(raw))
		if err != nil {
			return err
		}
		if theirs == noTarget {
			undecided++
			return nil
		}
		files++
		ours := solo.Check(filepath.Base(path), string(raw), ops.Target{})
		switch {
		case theirs == "" && ours == nil:
			accepted++
		case theirs != "" && ours != nil:
			refused++
		case ours != nil:
			t.Errorf("%s: only lockstep refuses it: %s", path, lines(ours.Error()))
		default:
			t.Errorf("%s: only ptxas refuses it: %s", path, lines(theirs))
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	fmt.Printf("%d files: both accept %d, both refuse %d, they differ on %d; %d have a target that no assembler has\n", files, accepted, refused, files-accepted-refused, undecided)
}

// lines are the first lines of a message.
func lines(s string) string {
	all := strings.SplitN(strings.TrimSpace(s), "\n", 4)
	return strings.Join(all[:min(3, len(all))], "\n\t")
}
