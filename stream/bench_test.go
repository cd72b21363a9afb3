package stream_test

import (
	"testing"

	"github.com/lockstep-sim/lockstep/stream"
)

func BenchmarkGridsInOneStream(b *testing.B) {
	e := newEngine()
	s := e.NewStream(stream.Blocking, 0)
	for b.Loop() {
		submit(b, s, (&grid{turns: 1}).command())
	}
	s.Synchronize()
}

func BenchmarkCopyAndWait(b *testing.B) {
	e := newEngine()
	for b.Loop() {
		submit(b, e.Legacy(), stream.Do(func() error { return nil })).Wait()
	}
}

func BenchmarkGridsInManyStreams(b *testing.B) {
	e := newEngine()
	b.SetParallelism(32)
	b.RunParallel(func(pb *testing.PB) {
		s := e.NewStream(stream.Blocking, 0)
		for pb.Next() {
			if _, err := s.Submit((&grid{turns: 1}).command()); err != nil {
				b.Fatal(err)
			}
		}
		s.Synchronize()
		s.Destroy()
	})
}
