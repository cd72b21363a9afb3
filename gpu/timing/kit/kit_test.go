package kit

import (
	"math/rand/v2"
	"slices"
	"strconv"
	"testing"
)

func TestQueueIsBoundedAndKeepsOrder(t *testing.T) {
	q := NewQueue[int](3)
	for i := range 3 {
		if !q.Push(i) {
			t.Fatalf("push %d was refused", i)
		}
	}
	if q.Push(3) || !q.Full() {
		t.Error("a full queue took another element")
	}
	if v, _ := q.Pop(); v != 0 {
		t.Errorf("popped %d, want 0", v)
	}
	q.Push(3)
	if *q.At(2) != 3 || *q.Front() != 1 {
		t.Errorf("front %d and last %d, want 1 and 3", *q.Front(), *q.At(2))
	}
	q.Clear()
	if _, ok := q.Pop(); ok || q.Front() != nil || q.Len() != 0 {
		t.Error("a cleared queue is not empty")
	}
}

func TestPipeDelaysByItsLatency(t *testing.T) {
	p := NewPipe[int](5)
	if p.Next() != Never {
		t.Error("an empty pipe has a next element")
	}
	for i := range 20 {
		p.Push(Cycle(i), i)
	}
	for now := Cycle(0); now < 30; now++ {
		v, ok := p.Pop(now)
		if want := now >= 5 && now < 25; ok != want || ok && v != int(now)-5 {
			t.Fatalf("cycle %d: got %d, %v", now, v, ok)
		}
	}
}

func TestWheelHandsOutEventsInOrder(t *testing.T) {
	type event struct {
		at  Cycle
		seq int
	}
	rng := rand.New(rand.NewPCG(1, 2))
	w := NewWheel[event]()
	var want, got []event
	now, seq := Cycle(0), 0
	for range 5000 {
		for range rng.IntN(4) {
			d := Cycle(rng.IntN(40))
			if rng.IntN(20) == 0 {
				d = Cycle(rng.IntN(5000))
			}
			e := event{now + d, seq}
			seq++
			want = append(want, e)
			w.At(e.at, e)
		}
		for e, ok := w.Pop(now); ok; e, ok = w.Pop(now) {
			got = append(got, e)
		}
		now += Cycle(1 + rng.IntN(30))
	}
	for e, ok := w.Pop(Never - 1); ok; e, ok = w.Pop(Never - 1) {
		got = append(got, e)
	}
	slices.SortStableFunc(want, func(a, b event) int { return int(a.at) - int(b.at) })
	if !slices.Equal(got, want) {
		t.Error("events came out of order or were lost")
	}
	if w.Len() != 0 || w.Next() != Never {
		t.Errorf("%d events are left", w.Len())
	}
}

func TestActiveSetIteratesInAscendingOrder(t *testing.T) {
	s := NewActiveSet(200)
	for _, i := range []int{199, 0, 64, 63, 5} {
		s.Add(i)
	}
	s.Remove(5)
	var got []int
	for i := range s.All {
		got = append(got, i)
		s.Remove(i)
	}
	if want := []int{0, 63, 64, 199}; !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
	if !s.Empty() || s.Has(63) {
		t.Error("the set is not empty")
	}
}

func TestSlabRecyclesRecordsWithTheirContent(t *testing.T) {
	var s Slab[[]int]
	a, b := s.New(), s.New()
	*s.At(a) = make([]int, 0, 8)
	s.Free(a)
	if c := s.New(); c != a || cap(*s.At(c)) != 8 {
		t.Errorf("record %d of capacity %d, want %d of 8", c, cap(*s.At(c)), a)
	}
	if s.Used() != 2 || a == b {
		t.Errorf("%d records in use, want 2", s.Used())
	}
}

func TestNothingAllocatesOnceGrown(t *testing.T) {
	w := NewWheel[[2]uint64]()
	p := NewPipe[int](4)
	var s Slab[int]
	now := Cycle(0)
	step := func() {
		now++
		w.At(now+7, [2]uint64{})
		w.Pop(now)
		p.Push(now, 1)
		p.Pop(now)
		s.Free(s.New())
	}
	for range 100 {
		step()
	}
	if n := testing.AllocsPerRun(1000, step); n != 0 {
		t.Errorf("%v allocations a cycle", n)
	}
}

func BenchmarkWheel(b *testing.B) {
	for _, pending := range []int{4, 64, 1024} {
		b.Run(strconv.Itoa(pending), func(b *testing.B) {
			w := NewWheel[[2]uint64]()
			rng := rand.New(rand.NewPCG(1, 2))
			var delays [256]Cycle
			for i := range delays {
				delays[i] = Cycle(1 + rng.IntN(200))
			}
			for i := range pending {
				w.At(delays[i%256], [2]uint64{})
			}
			for i := range b.N {
				now := w.Next()
				v, _ := w.Pop(now)
				w.At(now+delays[i%256], v)
			}
		})
	}
}

func BenchmarkQueue(b *testing.B) {
	q := NewQueue[uint64](8)
	for i := range b.N {
		q.Push(uint64(i))
		q.Pop()
	}
}

func BenchmarkActiveSetOf256With8(b *testing.B) {
	s := NewActiveSet(256)
	for i := range 8 {
		s.Add(i * 31)
	}
	sum := 0
	for b.Loop() {
		for i := range s.All {
			sum += i
		}
	}
	_ = sum
}

func BenchmarkSlab(b *testing.B) {
	var s Slab[[14]uint64]
	for range b.N {
		i := s.New()
		s.At(i)[0]++
		s.Free(i)
	}
}
