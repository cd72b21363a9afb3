package vectors

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/fnv"
	"io"

	"github.com/klauspost/compress/zstd"
)

// Record is what a card made of the forms.
type Record struct {
	Card    string
	Entries []Entry
}

// Entry is the results of a form: a hash of every part, and all of them if the
// record keeps them.
type Entry struct {
	Name   string
	Size   int
	Hashes []uint64
	Full   []byte
}

// partBytes is the number of bytes of results under one hash.
const partBytes = 8192

// keepBytes is the size up to which results may be kept in full, after
// compression.
const keepBytes = 4000

var encoder, _ = zstd.NewWriter(nil, zstd.WithEncoderLevel(zstd.SpeedBestCompression))

// Hashes are the hashes of the parts of results.
func Hashes(out []byte) (hashes []uint64) {
	for len(out) > 0 {
		part := out[:min(partBytes, len(out))]
		h := fnv.New64a()
		h.Write(part)
		hashes = append(hashes, h.Sum64())
		out = out[len(part):]
	}
	return hashes
}

// Add appends the results of a form.
func (r *Record) Add(f *Form, out []byte) {
	e := Entry{Name: f.Name, Size: len(out), Hashes: Hashes(out)}
	if !f.Many && len(encoder.EncodeAll(out, nil)) <= keepBytes {
		e.Full = bytes.Clone(out)
	}
	r.Entries = append(r.Entries, e)
}

// AddSums appends the sums of hashes that a card made of the results of a
// function of one word, one for each 2^20 operands; of them the lower half is
// kept.
func (r *Record) AddSums(name string, sums []uint64) {
	var b []byte
	for _, s := range sums {
		b = binary.LittleEndian.AppendUint32(b, uint32(s))
	}
	r.Entries = append(r.Entries, Entry{Name: name, Size: len(b), Hashes: Hashes(b), Full: b})
}

// Sum is the lower half of the hash of a function's results for operands
// block*2^20 to the next block.
func Sum(f func(x uint32) uint32, block uint32) uint32 {
	var sum uint64
	for i := range uint32(1 << 20) {
		x := block<<20 | i
		sum += mix(uint64(x)<<32 | uint64(f(x)))
	}
	return uint32(sum)
}

// Write stores the record, compressed.
func (r *Record) Write(w io.Writer) error {
	var b []byte
	text := func(s string) {
		b = binary.AppendUvarint(b, uint64(len(s)))
		b = append(b, s...)
	}
	text(r.Card)
	b = binary.AppendUvarint(b, uint64(len(r.Entries)))
	for _, e := range r.Entries {
		text(e.Name)
		b = binary.AppendUvarint(b, uint64(e.Size))
		for _, h := range e.Hashes {
			b = binary.LittleEndian.AppendUint64(b, h)
		}
		text(string(e.Full))
	}
	_, err := w.Write(encoder.EncodeAll(b, nil))
	return err
}

var errShort = errors.New("it ends too early")

// ReadRecord reads what Write stored.
func ReadRecord(stored []byte) (*Record, error) {
	d, err := zstd.NewReader(nil, zstd.WithDecoderMaxMemory(1<<30))
	if err != nil {
		return nil, err
	}
	defer d.Close()
	b, err := d.DecodeAll(stored, nil)
	if err != nil {
		return nil, fmt.Errorf("decompress a record: %w", err)
	}
	in := &input{rest: b}
	r := &Record{Card: string(in.bytes())}
	for n := in.number(); n > 0 && in.err == nil; n-- {
		e := Entry{Name: string(in.bytes()), Size: int(in.number())}
		for range (uint64(e.Size) + partBytes - 1) / partBytes {
			h := in.take(8)
			if in.err != nil {
				break
			}
			e.Hashes = append(e.Hashes, binary.LittleEndian.Uint64(h))
		}
		if full := in.bytes(); len(full) > 0 {
			e.Full = full
		}
		r.Entries = append(r.Entries, e)
	}
	if in.err != nil {
		return nil, fmt.Errorf("read a record: %w", in.err)
	}
	return r, nil
}

// input is the undecoded rest of a record; after an error it yields zeros.
type input struct {
	rest []byte
	err  error
}

func (in *input) number() uint64 {
	v, n := binary.Uvarint(in.rest)
	if n <= 0 {
		in.err = errShort
		return 0
	}
	in.rest = in.rest[n:]
	return v
}

func (in *input) take(n uint64) []byte {
	if uint64(len(in.rest)) < n {
		in.err = errShort
		return nil
	}
	b := in.rest[:n]
	in.rest = in.rest[n:]
	return b
}

func (in *input) bytes() []byte { return in.take(in.number()) }
