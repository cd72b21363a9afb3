package host

import (
	"bytes"
	"strconv"
	"strings"

	"github.com/lockstep-sim/lockstep/cuobjdump/fatbin"
)

// maxPreamble is how far into a text the target is looked for.
const maxPreamble = 64 << 10

// ptxEntry makes an entry of PTX text. It reads no more than the two directives
// that open a module, .version and .target; ok is false without them.
func ptxEntry(text []byte) (e fatbin.Entry, ok bool) {
	words := strings.FieldsFunc(withoutComments(text[:min(len(text), maxPreamble)]), func(r rune) bool {
		return r == ' ' || r == '\t' || r == '\r' || r == '\n' || r == ',' || r == 0
	})
	if len(words) < 4 || words[0] != ".version" || words[2] != ".target" {
		return fatbin.Entry{}, false
	}
	major, minor, _ := strings.Cut(words[1], ".")
	sm, suffix, ok := target(words[3])
	if !ok {
		return fatbin.Entry{}, false
	}
	e = fatbin.New(fatbin.PTX, sm, suffix, text)
	e.ISAMajor, _ = strconv.Atoi(major)
	e.ISAMinor, _ = strconv.Atoi(minor)
	return e, true
}

// target reads the architecture of a .target directive: sm_90a, compute_80.
func target(word string) (sm int, suffix string, ok bool) {
	name, found := strings.CutPrefix(word, "sm_")
	if !found {
		if name, found = strings.CutPrefix(word, "compute_"); !found {
			return 0, "", false
		}
	}
	digits := strings.TrimRight(name, "af")
	sm, err := strconv.Atoi(digits)
	return sm, name[len(digits):], err == nil && sm > 0
}

// withoutComments blanks the comments of both kinds.
func withoutComments(text []byte) string {
	var out strings.Builder
	for {
		start := bytes.IndexByte(text, '/')
		if start < 0 || start+1 >= len(text) {
			break
		}
		end := ""
		switch text[start+1] {
		case '/':
			end = "\n"
		case '*':
			end = "*/"
		default:
			out.Write(text[:start+1])
			text = text[start+1:]
			continue
		}
		out.Write(text[:start])
		out.WriteByte(' ')
		n := bytes.Index(text[start+2:], []byte(end))
		if n < 0 {
			return out.String()
		}
		text = text[start+2+n+len(end):]
	}
	out.Write(text)
	return out.String()
}
