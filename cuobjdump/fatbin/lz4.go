package fatbin

// decodeLZ4 decodes one LZ4 block into dst, which has the exact size of the
// result. See the LZ4 Block Format Description: a sequence is a token, literals,
// and a match of at least four bytes that may overlap its own output; the last
// sequence ends after its literals.
func decodeLZ4(dst, src []byte) error {
	in, out := 0, 0
	for in < len(src) {
		token := src[in]
		in++
		literals, used, ok := lz4Length(int(token>>4), src[in:])
		in += used
		if !ok || literals > len(src)-in || literals > len(dst)-out {
			return corrupt(in, "lz4 literals run past the end")
		}
		copy(dst[out:], src[in:in+literals])
		in, out = in+literals, out+literals
		if in == len(src) {
			break
		}
		if len(src)-in < 2 {
			return corrupt(in, "lz4 match is cut off")
		}
		distance := int(src[in]) | int(src[in+1])<<8
		in += 2
		length, used, ok := lz4Length(int(token&15), src[in:])
		in += used
		length += 4
		if !ok || distance == 0 || distance > out || length > len(dst)-out {
			return corrupt(in, "lz4 match of %d bytes at distance %d does not fit", length, distance)
		}
		copyMatch(dst[:out+length], out, distance)
		out += length
	}
	if out != len(dst) {
		return corrupt(in, "lz4 block holds %d bytes, not %d", out, len(dst))
	}
	return nil
}

// lz4Length extends a four-bit length: 15 continues in bytes, of which each but
// the last is 255.
func lz4Length(nibble int, src []byte) (length, used int, ok bool) {
	if nibble < 15 {
		return nibble, 0, true
	}
	for used < len(src) {
		b := int(src[used])
		used++
		nibble += b
		if b < 255 {
			return nibble, used, true
		}
	}
	return nibble, used, false
}

// copyMatch fills dst from at to its end with the bytes distance before,
// doubling the copied stretch when the two overlap.
func copyMatch(dst []byte, at, distance int) {
	from := at - distance
	for at < len(dst) {
		at += copy(dst[at:], dst[from:at])
	}
}
