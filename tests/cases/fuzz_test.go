package cases

import (
	"encoding/binary"
	"errors"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/lockstep-sim/lockstep/cudart/solo"
	"github.com/lockstep-sim/lockstep/gpu"
	"github.com/lockstep-sim/lockstep/gpu/exec"
	"github.com/lockstep-sim/lockstep/gpu/isa"
	"github.com/lockstep-sim/lockstep/gpu/mem"
)

// corpus holds the cases as the fuzz target takes them apart: words, numbers, punctuation.
type corpus struct {
	texts [][]string // tokens of each case
	pool  []string   // all tokens that occur, and numbers at the edges of types
}

var token = regexp.MustCompile(`//[^\n]*|[%.$\w]+|"[^"]*"|\s+|.`)

func readCorpus(t testing.TB) corpus {
	t.Helper()
	files, err := filepath.Glob("testdata/*.ptx")
	if err != nil || len(files) == 0 {
		t.Fatal("no cases", err)
	}
	c := corpus{pool: []string{"0", "1", "-1", "31", "32", "33", "255", "65536", "2147483647", "4294967295", "9223372036854775807", "0f7fc00000", "0d7ff0000000000000"}}
	known := map[string]bool{}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		tokens := token.FindAllString(string(text), -1)
		c.texts = append(c.texts, tokens)
		for _, word := range tokens {
			if !known[word] && strings.TrimSpace(word) != "" && !strings.HasPrefix(word, "//") {
				known[word] = true
				c.pool = append(c.pool, word)
			}
		}
	}
	return c
}

// edit changes a text: every six bytes of edits are one change of a token or of a stretch of them.
func (c *corpus) edit(text int, edits []byte) string {
	tokens := append([]string(nil), c.texts[text%len(c.texts)]...)
	for ; len(edits) >= 6 && len(tokens) > 0; edits = edits[6:] {
		at := int(binary.LittleEndian.Uint16(edits[1:])) % len(tokens)
		end := min(at+int(edits[5])%24, len(tokens))
		word := c.pool[int(binary.LittleEndian.Uint16(edits[3:]))%len(c.pool)]
		switch edits[0] % 5 {
		case 0:
			tokens[at] = word
		case 1: // a token from elsewhere in the same text
			tokens[at] = tokens[int(binary.LittleEndian.Uint16(edits[3:]))%len(tokens)]
		case 2: // a stretch twice
			tokens = append(tokens[:end:end], tokens[at:]...)
		case 3: // a stretch less
			tokens = append(tokens[:at:at], tokens[end:]...)
		case 4: // one more modifier or word
			tokens[at] += word
		}
	}
	return strings.Join(tokens, "")
}

// FuzzKernel runs changed cases. Whatever becomes of them, it is an error or an end: no panic, no endless run.
func FuzzKernel(f *testing.F) {
	c := readCorpus(f)
	for i := range c.texts {
		f.Add(i, []byte{})
	}
	f.Add(0, []byte("0123456789abcdef01"))
	f.Fuzz(func(t *testing.T, text int, edits []byte) {
		if text < 0 || len(edits) > 6*16 {
			t.Skip()
		}
		attempt(t, c.edit(text, edits))
	})
}

// attempt runs kernel k of a text, if it can be run.
func attempt(t *testing.T, text string) {
	p, err := solo.Load(gpu.Config{
		Memory: mem.Config{DeviceBytes: 64 << 20}, SMs: 2, ThreadsPerSM: 2048, Heap: 1 << 20, Stack: 1024,
		Limit: exec.Limit{Instructions: 20e3},
	}, "k.ptx", text)
	if err != nil {
		return
	}
	defer p.Close()
	k, err := p.Kernel("k")
	if err != nil {
		return
	}
	params := make([]byte, k.ParamBytes)
	buffer, err := p.Alloc(4 * bufferWords)
	if err != nil {
		return
	}
	if len(params) >= 8 {
		binary.LittleEndian.PutUint64(params, buffer)
	}
	_, err = p.Run(solo.Launch{Kernel: "k", Grid: [3]uint32{2, 1, 1}, Block: [3]uint32{48, 1, 1}}, params)
	var fault *exec.Fault
	if errors.As(err, &fault) && fault.Kind == isa.Internal {
		t.Fatalf("%v\n%s", fault, text)
	}
}
