package main

import "testing"

func BenchmarkCall(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		call(func(*Thread) Error { return Success })
	}
}
