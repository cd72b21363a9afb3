#!/usr/bin/env python3
"""Finds the coefficients of the multifunction unit in what record.sh dumped.

    scripts/record/vectors/fit.py DIR >gpu/isa/alu/zmufu.go

DIR holds dump.FUNCTION.FIRST.STEP.xz. Every result of the unit is the sum

    c0 << one  +  bias  +  c1 * t  +  c2 * square(t) << square

cut off to 24 bits, in units of 2^-lsb (gpu/isa/alu/mufu.go). The four numbers of
a function were found by looking; given them, each result bounds the sum from
both sides, and few integers, mostly one triple, satisfy all results of a piece.
It needs numpy.
"""
import lzma
import sys

import numpy as np


def dump(directory, name):
    """The 32-bit results of a dump: second differences as bytes, -128 before a plain value."""
    data = lzma.open(f"{directory}/dump.{name}.xz").read()
    code = np.frombuffer(data, np.uint8)
    marks, parts = np.flatnonzero(code == 128), []
    at, mark, last, slope = 0, 0, 0, 0
    while at < len(code):
        while mark < len(marks) and marks[mark] < at:
            mark += 1
        end = marks[mark] if mark < len(marks) else len(code)
        if end > at:
            steps = slope + np.cumsum(code[at:end].view(np.int8).astype(np.int64))
            values = last + np.cumsum(steps)
            parts.append(values)
            last, slope, at = int(values[-1]), int(steps[-1]), end
        if end < len(code):
            value = int.from_bytes(data[end + 1:end + 5], "little")
            parts.append(np.array([value]))
            last, slope, at = value, value - last, end + 5
    return np.concatenate(parts) & 0xFFFFFFFF


def square(t):
    high, low = t >> 9, t & 511
    s = high * high >> 1
    for k in range(1, 8):
        s = s + (low >> (9 - k)) * (high >> k & 1)
    return s


def bounds(bits, lsb):
    """Between what the sums lay that were cut off to these positive f32, in units of 2^-lsb."""
    shift = (bits >> 23) - 127 - 23 + lsb
    mantissa = bits & 0x7FFFFF | 0x800000
    low = np.where(shift >= 0, mantissa << np.maximum(shift, 0), mantissa >> np.maximum(-shift, 0))
    high = low + np.where(shift >= 0, (np.int64(1) << np.maximum(shift, 0)) - 1, 0)
    zero = bits == 0
    return np.where(zero, -(1 << 50), low), np.where(zero, 0, high)


class Function:
    def __init__(self, lsb, one, bias, squares, plus=0):
        self.lsb, self.one, self.bias, self.squares, self.plus = lsb, one, bias, squares, plus

    def piece(self, bits, t, skip=0):
        """The coefficients of one piece, from its results at the places t."""
        bits, t = bits[skip:], t[skip:]
        s = square(t) << self.squares
        value = (bits & 0x7FFFFFFF).astype(np.uint32).view(np.float32).astype(np.float64) * 2.0**self.lsb
        low, high = bounds(bits, self.lsb)
        fit = np.linalg.lstsq(np.stack([np.ones(len(t)), t, s.astype(float)], 1), value, rcond=None)[0]
        c1, c2, found = round(fit[1]), round(fit[2]), []
        near = sorted(range(-3, 4), key=abs)
        for d2 in near:
            for d1 in near:
                rest = (c1 + d1) * t + (c2 + d2) * s + self.bias
                c0 = -(-int((low - rest).max()) >> self.one)
                if c0 << self.one <= int((high - rest).min()):
                    found.append((c0 - (self.plus << self.lsb - self.one), c1 + d1, c2 + d2))
        if len(found) != 1:
            sys.exit(f"{len(found)} triples give a piece")
        return found[0]

    def pieces(self, bits, places=1 << 17, scale=1, skip=0):
        t = np.arange(places, dtype=np.int64) * scale
        return [self.piece(bits[i:i + places], t, skip if i == 0 else 0) for i in range(0, len(bits), places)]


def tangents(directory):
    bits, f, found = dump(directory, "tanh.0x3b800000.1"), Function(39, 15, 0, 0), []
    for i, chosen in enumerate((0, 0, 0, 1, 1, 2, 2, 2, 3, 4, 3)):
        found += f.pieces(bits[i << 23:i + 1 << 23:1 << 6 - chosen])
    return found


def tables(directory):
    read = lambda name: dump(directory, name)
    one = 0x3F800000
    yield "reciprocals", "1/x for x in [1, 2)", Function(40, 14, 2 * 2023 + 1, 1).pieces(read("rcp_ftz.0x3f800000.1"), 1 << 16, 2)
    yield "inverseRoots", "the reciprocal square root for x in [1, 2), then in [2, 4)", Function(40, 14, -1, 2).pieces(read("rsqrt_ftz.0x3f800000.1"), skip=1)
    yield "roots", "the square root for x in [1, 2), then in [2, 4)", Function(40, 15, -1, 1).pieces(read("sqrt_ftz.0x3f800000.1"))
    yield "powers", "2^x for x in [0, 1)", Function(38, 13, 6114, 0).pieces(read("ex2_ftz.0x3f000000.1")[1 << 23:] - (1 << 23))
    yield "logarithms", "the logarithm to base 2 for x in [1, 2)", Function(38, 12, 837, 1, plus=2).pieces(read("lg2_ftz.0x40800000.1"))
    # The cosine of the second quarter is minus the sine of the first.
    quarter = read("cos_turns.0x3d800000.1")[2 << 23:3 << 23] & 0x7FFFFFFF
    yield "sines", "the sine over a quarter turn", Function(37, 12, 0, 0).pieces(quarter)
    yield "tangents", "the hyperbolic tangent for x in [2^-8, 8)", tangents(directory)


print("// Code generated by scripts/record/vectors/fit.py from what a card gave; DO NOT EDIT.\n\npackage alu")
for name, meaning, found in tables(sys.argv[1]):
    print(f"\n// {name} is {meaning}.\nvar {name} = [...]piece{{")
    for i in range(0, len(found), 4):
        print("\t" + ", ".join("{%d, %d, %d}" % p for p in found[i:i + 4]) + ",")
    print("}")
