package elf

import (
	"bytes"
	"encoding/binary"
)

// PTX is a PTX text that a carrier holds, with the name of its source.
type PTX struct{ Name, Text string }

// carrierSection is the section of one text: the name, a zero byte, the text.
const carrierSection = ".lockstep.ptx"

const (
	typeExecutable  = 2
	typeStrings     = 3 // SHT_STRTAB
	typeProgramBits = 1 // SHT_PROGBITS
	abiCUDA         = 0x41
	abiVersion      = 8
)

// Carry writes an ELF file for sm that holds PTX where a cubin has machine code:
// what a linker or assembler of this project gives to programs that expect a
// cubin from it.
func Carry(sm int, texts ...PTX) []byte {
	names := "\x00.shstrtab\x00" + carrierSection + "\x00"
	bodies := [][]byte{[]byte(names)}
	for _, t := range texts {
		bodies = append(bodies, []byte(t.Name+"\x00"+t.Text))
	}
	le := binary.LittleEndian
	out := make([]byte, headerSize)
	headers := make([]byte, sectionHeaderSize*(len(bodies)+1))
	for i, body := range bodies {
		h := headers[sectionHeaderSize*(i+1):]
		le.PutUint32(h, uint32(len("\x00.shstrtab\x00")))
		le.PutUint32(h[4:], typeProgramBits)
		if i == 0 {
			le.PutUint32(h, 1)
			le.PutUint32(h[4:], typeStrings)
		}
		le.PutUint64(h[24:], uint64(len(out)))
		le.PutUint64(h[32:], uint64(len(body)))
		le.PutUint64(h[48:], 1)
		out = append(out, body...)
	}
	out = append(out, make([]byte, -len(out)&7)...)
	copy(out, []byte{0x7f, 'E', 'L', 'F', 2, 1, 1, abiCUDA, abiVersion})
	le.PutUint16(out[16:], typeExecutable)
	le.PutUint16(out[18:], MachineCUDA)
	le.PutUint32(out[20:], 1)
	le.PutUint64(out[40:], uint64(len(out)))
	le.PutUint32(out[48:], uint32(sm)<<8)
	le.PutUint16(out[52:], headerSize)
	le.PutUint16(out[54:], programHeaderSize)
	le.PutUint16(out[58:], sectionHeaderSize)
	le.PutUint16(out[60:], uint16(len(bodies)+1))
	le.PutUint16(out[62:], 1)
	return append(out, headers...)
}

// Carried returns the texts of a carrier, none of another file.
func (f *File) Carried() []PTX {
	var all []PTX
	for _, s := range f.Sections {
		if s.Name != carrierSection {
			continue
		}
		if name, text, ok := bytes.Cut(s.Data, []byte{0}); ok {
			all = append(all, PTX{string(name), string(text)})
		}
	}
	return all
}
