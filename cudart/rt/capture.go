package rt

import (
	"slices"
	"sync"
	"sync/atomic"

	"github.com/lockstep-sim/lockstep/cudart/rt/graph"
	"github.com/lockstep-sim/lockstep/stream"
)

// Modes of capture (cudaStreamCaptureMode): how far calls that are unsafe are
// refused while it lasts.
const (
	captureGlobal  = 0
	captureLocal   = 1
	captureRelaxed = 2
)

// States of a stream (cudaStreamCaptureStatus).
const (
	notCapturing     = 0
	Capturing        = 1
	captureIsInvalid = 2
)

// capture is work of streams that becomes a graph.
type capture struct {
	id      uint64
	graph   *graph.Graph
	context *Context
	mode    int32
	thread  *Thread
	origin  *stream.Stream
	members []*member // the origin first
	invalid bool
	ended   bool
}

// member is a stream under capture. Its next node waits for tips.
type member struct {
	capture *capture
	stream  *stream.Stream
	tips    []graph.Edge // From only
	told    *CaptureInfo // what the program was told last, whose lists it may read
}

// mark is an event's place in a capture.
type mark struct {
	capture *capture
	tips    []graph.Edge
}

// captures are the captures of a process, under the lock of its graphs.
type captures struct {
	mu      sync.Mutex
	active  atomic.Int32 // how many there are
	all     []*capture
	members map[*stream.Stream]*member
	ids     uint64
}

// work finds the stream of a call that adds work to it. m is not nil when the
// stream is captured: the work becomes a node. Work of the legacy default stream
// would wait for streams under capture, which is refused.
func (t *Thread) work(h StreamHandle) (c *Context, s *stream.Stream, m *member, err error) {
	c, s, err = t.stream(h)
	x := &t.runtime.captures
	if err != nil || x.active.Load() == 0 {
		return c, s, nil, err
	}
	x.mu.Lock()
	defer x.mu.Unlock()
	m, err = x.of(c, s)
	return c, s, m, err
}

// of finds the capture that a stream takes part in. The lock is held.
func (x *captures) of(c *Context, s *stream.Stream) (*member, error) {
	if m := x.members[s]; m != nil {
		if m.capture.invalid {
			return nil, fail(ErrCaptureInvalidated, "the capture of the stream has failed before")
		}
		return m, nil
	}
	return nil, x.implicit(c, s)
}

// implicit refuses what would make the legacy default stream depend on a
// captured stream, and with it the captures.
func (x *captures) implicit(c *Context, s *stream.Stream) error {
	if s != c.engine.Legacy() {
		return nil
	}
	all := x.blocking(c)
	for _, p := range all {
		p.invalid = true
	}
	if len(all) > 0 {
		return fail(ErrCaptureImplicit, "the legacy default stream would wait for a captured stream")
	}
	return nil
}

// blocking are the captures of streams that the legacy default stream waits for.
func (x *captures) blocking(c *Context) []*capture {
	return slices.DeleteFunc(slices.Clone(x.all), func(p *capture) bool {
		return !slices.ContainsFunc(p.members, func(m *member) bool {
			return m.stream.Engine() == c.engine && m.stream.Mode() == stream.Blocking
		})
	})
}

// uncapturable is work for calls that have no node: a captured stream cannot take
// them.
func (t *Thread) uncapturable(h StreamHandle) (*Context, *stream.Stream, error) {
	c, s, err := t.stream(h)
	x := &t.runtime.captures
	if err != nil || x.active.Load() == 0 {
		return c, s, err
	}
	x.mu.Lock()
	defer x.mu.Unlock()
	m := x.members[s]
	if m == nil {
		return c, s, x.implicit(c, s)
	}
	m.capture.invalid = true
	return c, s, fail(ErrCaptureUnsupported, "the stream is being captured")
}

// observed is uncapturable for calls that ask how far a stream is, which is unsafe.
func (t *Thread) observed(h StreamHandle) (*Context, *stream.Stream, error) {
	c, s, err := t.uncapturable(h)
	if err == nil {
		err = t.unsafe()
	}
	return c, s, err
}

// spoil ends a capture because a call for it has failed.
func (t *Thread) spoil(m *member) {
	defer t.lock()()
	m.capture.invalid = true
}

// refuse ends a capture because of a call that it cannot take.
func (t *Thread) refuse(m *member) error {
	t.spoil(m)
	return fail(ErrCaptureUnsupported, "the stream is being captured")
}

// unsafe refuses a call that may not be made while streams are captured, and
// ends the captures that it concerns: those that this thread began in a mode
// other than relaxed, and unless the thread is in a local mode the global ones
// of other threads (cudaThreadExchangeStreamCaptureMode).
func (t *Thread) unsafe() error {
	x := &t.runtime.captures
	if x.active.Load() == 0 || t.capture != captureGlobal && t.capture != captureLocal {
		return nil
	}
	x.mu.Lock()
	defer x.mu.Unlock()
	found := false
	for _, p := range x.all {
		if p.thread == t && p.mode != captureRelaxed || p.thread != t && p.mode == captureGlobal && t.capture == captureGlobal {
			p.invalid, found = true, true
		}
	}
	if found {
		return fail(ErrCaptureUnsupported, "a stream is being captured")
	}
	return nil
}

// idle refuses to wait for a device with a captured stream, in every mode.
func (t *Thread) idle(c *Context) error {
	x := &t.runtime.captures
	if x.active.Load() == 0 {
		return nil
	}
	x.mu.Lock()
	defer x.mu.Unlock()
	found := false
	for _, p := range x.all {
		if p.context == c {
			p.invalid, found = true, true
		}
	}
	if found {
		return fail(ErrCaptureUnsupported, "a stream of the device is being captured")
	}
	return nil
}

// uncaptured is context for calls that are unsafe.
func (t *Thread) uncaptured() (*Context, error) {
	c, err := t.context()
	if err == nil {
		err = t.unsafe()
	}
	return c, err
}

// add makes work of a captured stream a node.
func (t *Thread) add(m *member, k task) error {
	x := &t.runtime.captures
	x.mu.Lock()
	defer x.mu.Unlock()
	if m.capture.invalid || m.capture.ended {
		return fail(ErrCaptureInvalidated, "the capture of the stream has failed before")
	}
	n, err := m.capture.graph.Add(k, m.tips...)
	if err != nil {
		return err
	}
	t.runtime.name(n)
	m.tips = []graph.Edge{{From: n}}
	return nil
}

// join makes a stream a member of a capture, or a member wait for more.
func (x *captures) join(p *capture, s *stream.Stream, tips []graph.Edge) {
	m := x.members[s]
	if m == nil {
		m = &member{capture: p, stream: s}
		x.members[s] = m
		p.members = append(p.members, m)
	}
	m.tips = union(m.tips, tips)
}

// union adds the edges from nodes that are not there yet.
func union(a, b []graph.Edge) []graph.Edge {
	a = slices.Clip(a)
	for _, e := range b {
		if !slices.ContainsFunc(a, func(x graph.Edge) bool { return x.From == e.From }) {
			a = append(a, e)
		}
	}
	return a
}

// StreamBeginCapture is cudaStreamBeginCapture.
func (t *Thread) StreamBeginCapture(h StreamHandle, mode int32) error {
	c, s, err := t.capturable(h, mode)
	if err != nil {
		return err
	}
	x := &t.runtime.captures
	x.mu.Lock()
	defer x.mu.Unlock()
	return t.begin(c, s, mode, &graph.Graph{}, nil)
}

// StreamBeginCaptureToGraph is cudaStreamBeginCaptureToGraph: nodes are added to
// a graph of the program, behind some of its nodes.
func (t *Thread) StreamBeginCaptureToGraph(h StreamHandle, handle uint64, after []Dependency, mode int32) error {
	c, s, err := t.capturable(h, mode)
	if err != nil {
		return err
	}
	x := &t.runtime.captures
	x.mu.Lock()
	defer x.mu.Unlock()
	g, err := t.runtime.graph(handle)
	if err != nil {
		return err
	}
	tips, err := t.runtime.edges(g, after)
	if err != nil {
		return err
	}
	return t.begin(c, s, mode, g, tips)
}

// capturable finds a stream that may be captured.
func (t *Thread) capturable(h StreamHandle, mode int32) (*Context, *stream.Stream, error) {
	if mode < captureGlobal || mode > captureRelaxed {
		return nil, nil, fail(ErrInvalidValue, "capture mode %d", mode)
	}
	c, s, err := t.stream(h)
	if err == nil && s == c.engine.Legacy() {
		err = fail(ErrCaptureUnsupported, "the legacy default stream cannot be captured")
	}
	return c, s, err
}

// begin starts a capture. The lock is held.
func (t *Thread) begin(c *Context, s *stream.Stream, mode int32, g *graph.Graph, tips []graph.Edge) error {
	x := &t.runtime.captures
	if m := x.members[s]; m != nil {
		return fail(ErrIllegalState, "the stream is being captured already")
	}
	x.ids++
	p := &capture{id: x.ids, graph: g, context: c, mode: mode, thread: t, origin: s}
	if g.Handle == 0 {
		t.runtime.nameGraph(g)
	}
	if x.members == nil {
		x.members = map[*stream.Stream]*member{}
	}
	x.all = append(x.all, p)
	x.join(p, s, tips)
	x.active.Add(1)
	return nil
}

// end takes a capture apart. The lock is held.
func (x *captures) end(p *capture) {
	p.ended = true
	for _, m := range p.members {
		delete(x.members, m.stream)
	}
	x.all = slices.DeleteFunc(x.all, func(q *capture) bool { return q == p })
	x.active.Add(-1)
}

// leave takes a stream that is destroyed out of its capture, which ends with its
// origin.
func (r *Runtime) leave(s *stream.Stream) {
	x := &r.captures
	if x.active.Load() == 0 {
		return
	}
	x.mu.Lock()
	defer x.mu.Unlock()
	m := x.members[s]
	if m == nil {
		return
	}
	delete(x.members, s) // its work stays, and is joined or not
	if p := m.capture; p.origin == s {
		x.end(p)
		r.destroyGraph(p.graph)
	}
}

// StreamEndCapture is cudaStreamEndCapture. The handle of the graph is 0 when the
// capture failed; the graph is destroyed, also one that the program made.
func (t *Thread) StreamEndCapture(h StreamHandle) (uint64, error) {
	_, s, err := t.stream(h)
	if err != nil {
		return 0, err
	}
	x := &t.runtime.captures
	x.mu.Lock()
	defer x.mu.Unlock()
	m := x.members[s]
	if m == nil {
		return 0, fail(ErrIllegalState, "the stream is not being captured")
	}
	p := m.capture
	if p.origin != s {
		p.invalid = true
		return 0, fail(ErrCaptureUnmatched, "the capture began in another stream")
	}
	x.end(p)
	switch {
	case p.mode != captureRelaxed && p.thread != t:
		err = fail(ErrCaptureWrongThread, "another thread began the capture")
	case p.invalid:
		err = fail(ErrCaptureInvalidated, "a call during the capture has failed")
	case !p.joined():
		err = fail(ErrCaptureUnjoined, "work of another stream was not joined")
	default:
		return p.graph.Handle, nil
	}
	t.runtime.destroyGraph(p.graph)
	return 0, err
}

// joined reports that the work of all members precedes the end of the origin's.
func (p *capture) joined() bool {
	var ends []*graph.Node
	for _, e := range p.members[0].tips {
		ends = append(ends, e.From)
	}
	for _, m := range p.members[1:] {
		for _, e := range m.tips {
			if !graph.Reaches(ends, e.From) {
				return false
			}
		}
	}
	return true
}

// StreamIsCapturing is cudaStreamIsCapturing.
func (t *Thread) StreamIsCapturing(h StreamHandle) (int32, error) {
	i, err := t.StreamGetCaptureInfo(h)
	return i.Status, err
}

// CaptureInfo says what is captured of a stream. Dependencies are the handles of
// the nodes that the next one will wait for; they stay until it is there.
type CaptureInfo struct {
	Status       int32
	ID, Graph    uint64
	Dependencies []uint64
	Data         []EdgeData
}

// EdgeData is cudaGraphEdgeData in the memory of a program.
type EdgeData [8]byte

// Of is what an edge carries.
func (d EdgeData) Of() graph.Data { return graph.Data{From: d[0], To: d[1], Type: d[2]} }

// DataOf is what an edge carries, for the program.
func DataOf(d graph.Data) EdgeData { return EdgeData{d.From, d.To, d.Type} }

// StreamGetCaptureInfo is cudaStreamGetCaptureInfo.
func (t *Thread) StreamGetCaptureInfo(h StreamHandle) (CaptureInfo, error) {
	c, s, err := t.stream(h)
	x := &t.runtime.captures
	if err != nil || x.active.Load() == 0 {
		return CaptureInfo{}, err
	}
	x.mu.Lock()
	defer x.mu.Unlock()
	m := x.members[s]
	if m == nil {
		if s == c.engine.Legacy() && len(x.blocking(c)) > 0 {
			err = fail(ErrCaptureImplicit, "a stream that the legacy default stream waits for is being captured")
		}
		return CaptureInfo{}, err
	}
	if m.capture.invalid {
		return CaptureInfo{Status: captureIsInvalid}, nil
	}
	i := CaptureInfo{Status: Capturing, ID: m.capture.id, Graph: m.capture.graph.Handle}
	for _, e := range m.tips {
		i.Dependencies = append(i.Dependencies, e.From.Handle)
		i.Data = append(i.Data, DataOf(e.Data))
	}
	m.told = &i
	return i, nil
}

// Flags of cudaStreamUpdateCaptureDependencies.
const (
	dependenciesAdd = 0
	dependenciesSet = 1
)

// StreamUpdateCaptureDependencies is cudaStreamUpdateCaptureDependencies.
func (t *Thread) StreamUpdateCaptureDependencies(h StreamHandle, list []Dependency, flags uint32) error {
	if flags > dependenciesSet {
		return fail(ErrInvalidValue, "flags %#x", flags)
	}
	c, s, err := t.stream(h)
	if err != nil {
		return err
	}
	x := &t.runtime.captures
	x.mu.Lock()
	defer x.mu.Unlock()
	m, err := x.of(c, s)
	if err != nil {
		return err
	}
	if m == nil {
		return fail(ErrIllegalState, "the stream is not being captured")
	}
	tips, err := t.runtime.edges(m.capture.graph, list)
	if err != nil {
		return err
	}
	if flags == dependenciesAdd {
		tips = union(m.tips, tips)
	}
	m.tips = tips
	return nil
}

// recordCaptured makes an event mark the place of a captured stream.
func (t *Thread) recordCaptured(m *member, e *Event) {
	x := &t.runtime.captures
	x.mu.Lock()
	defer x.mu.Unlock()
	e.mark = &mark{m.capture, slices.Clone(m.tips)}
}

// waitMarked makes a stream wait for a place in a capture, of which it becomes
// part.
func (t *Thread) waitMarked(c *Context, s *stream.Stream, e *Event) error {
	x := &t.runtime.captures
	x.mu.Lock()
	defer x.mu.Unlock()
	p := e.mark.capture
	m := x.members[s]
	switch {
	case m != nil && m.capture.invalid:
		return fail(ErrCaptureInvalidated, "the capture has failed before")
	case p.ended:
		if m != nil {
			m.capture.invalid = true
		}
		return fail(ErrInvalidValue, "the event was recorded in a capture that has ended")
	case s == c.engine.Legacy():
		p.invalid = true
		return fail(ErrCaptureImplicit, "the legacy default stream would wait for a captured stream")
	case p.invalid:
		return fail(ErrCaptureInvalidated, "the capture has failed before")
	case m != nil && m.capture != p:
		m.capture.invalid, p.invalid = true, true
		return fail(ErrCaptureMerge, "the event belongs to another capture")
	}
	x.join(p, s, e.mark.tips)
	return nil
}

// isolated ends the capture of a stream that should wait for work outside.
func (t *Thread) isolated(m *member) error {
	t.spoil(m)
	return fail(ErrCaptureIsolation, "the event was recorded outside of the capture")
}

// captured refuses to ask for the state of an event that marks captured work.
func (t *Thread) captured(e *Event) error {
	if e.mark == nil {
		return nil
	}
	x := &t.runtime.captures
	x.mu.Lock()
	defer x.mu.Unlock()
	if e.mark.capture.ended {
		return fail(ErrInvalidValue, "the event was recorded in a capture that has ended")
	}
	return fail(ErrCapturedEvent, "the event was recorded in a captured stream")
}

// askable refuses to ask for the state of an event, which is unsafe, and ends the
// capture of one that marks captured work.
func (t *Thread) askable(e *Event) error {
	err := t.captured(e)
	if err == nil {
		return t.unsafe()
	}
	x := &t.runtime.captures
	x.mu.Lock()
	defer x.mu.Unlock()
	e.mark.capture.invalid = true
	return err
}
