package host

import (
	"bytes"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/lockstep-sim/lockstep/cuobjdump/elf"
)

const (
	archiveMagic     = "!<arch>\n"
	thinArchiveMagic = "!<thin>\n"
	memberHeaderSize = 60
	memberHeaderEnd  = "`\n"
)

var errThinArchive = errors.New("a thin archive has no content of its own")

func isArchive(data []byte) bool {
	return bytes.HasPrefix(data, []byte(archiveMagic)) || bytes.HasPrefix(data, []byte(thinArchiveMagic))
}

// parseArchive reads the members of an ar archive that have device code.
func parseArchive(data []byte) ([]Object, error) {
	if bytes.HasPrefix(data, []byte(thinArchiveMagic)) {
		return nil, errThinArchive
	}
	var objects []Object
	var longNames []byte
	for at := len(archiveMagic); at < len(data); {
		header := data[at:]
		if len(header) < memberHeaderSize || string(header[58:60]) != memberHeaderEnd {
			return nil, fmt.Errorf("archive: no member header at byte %#x", at)
		}
		size, err := strconv.Atoi(strings.TrimRight(string(header[48:58]), " "))
		if err != nil || size < 0 || size > len(header)-memberHeaderSize {
			return nil, fmt.Errorf("archive: the member at byte %#x does not fit", at)
		}
		content := header[memberHeaderSize : memberHeaderSize+size]
		name := strings.TrimRight(string(header[:16]), " ")
		if name == "//" {
			longNames = content
		} else if elf.IsELF(content) {
			name = memberName(name, longNames)
			sections, err := parseObject(content)
			if err != nil {
				return nil, fmt.Errorf("member %s: %w", name, err)
			}
			if len(sections) > 0 {
				objects = append(objects, Object{Member: name, Sections: sections})
			}
		}
		at += memberHeaderSize + size + size%2
	}
	if len(objects) == 0 {
		return nil, ErrNoDeviceCode
	}
	return objects, nil
}

// memberName resolves a name as GNU ar writes it: "a.o/", or "/17" for one that
// starts at byte 17 of the table of long names.
func memberName(name string, longNames []byte) string {
	if digits, ok := strings.CutPrefix(name, "/"); ok {
		if at, err := strconv.Atoi(digits); err == nil && at >= 0 && at < len(longNames) {
			name, _, _ = strings.Cut(string(longNames[at:]), "\n")
		}
	}
	return strings.TrimSuffix(name, "/")
}
