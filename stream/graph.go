package stream

// Step is a command of a graph. After are the steps, by their place before this
// one, that it waits for. Record marks an event when the step is complete; Wait
// is an event that it waits for, as marked when the graph is launched. On is a
// stream of the device that executes the step, nil for the graph's own.
type Step struct {
	Command      Command
	After        []int
	Record, Wait *Event
	On           *Stream
	Urgent       bool // Priority counts, and not the stream's
	Priority     int
}

// Repeat is a command that is executed by steps: f returns them when the command
// is ready, and again each time they are complete, until there are none.
func Repeat(f func() ([]Step, error)) Command { return Command{expand: f} }

// Launch adds a graph of commands behind those of the stream and behind an
// earlier launch, whose ticket may be zero. Later commands of the stream wait
// for all its steps.
func (s *Stream) Launch(steps []Step, before Ticket) (Ticket, error) {
	mu := &s.engine.system.mu
	mu.Lock()
	defer mu.Unlock()
	begin, err := s.submit(Command{}, before.n)
	if err != nil {
		return Ticket{begin}, err
	}
	hold := &node{stream: s} // end must not run before its edges are there
	end, err := s.submit(Command{}, hold)
	if err != nil {
		return Ticket{end}, err
	}
	l := launch{stream: s, begin: begin, end: end}
	l.add(steps)
	l.start()
	end.release()
	return Ticket{end}, nil
}

// launch is a graph that becomes commands.
type launch struct {
	stream     *Stream
	begin, end *node // begin is nil for a body, whose steps start at once
	nodes      []node
}

// add makes commands of the steps, each between begin and end.
func (l *launch) add(steps []Step) {
	y := l.stream.engine.system
	l.nodes = make([]node, len(steps))
	for i := range steps {
		s, n := &steps[i], &l.nodes[i]
		n.command, n.stream, n.inner, n.urgency = s.Command, l.stream, true, l.stream.priority
		if s.On != nil {
			n.stream = s.On
		}
		if s.Urgent {
			n.urgency = s.Priority
		}
		if l.begin == nil {
			n.seq, n.turn = l.end.seq, l.end.turn+uint64(i)+1
		} else {
			y.seq++
			n.seq = y.seq
		}
		n.stream.engine.pending++
		n.waits = 1 // not before all edges are there
		n.after(l.begin)
		for _, p := range s.After {
			n.after(&l.nodes[p])
		}
		if s.Wait != nil {
			n.after(s.Wait.record)
		}
		if s.Record != nil {
			n.command.stamped = true
			s.Record.record = n
		}
		l.end.after(n)
	}
}

// start lets the steps go that wait for nothing.
func (l *launch) start() {
	for i := range l.nodes {
		l.nodes[i].release()
	}
}

// release takes away one reason to wait.
func (n *node) release() {
	n.waits--
	if n.waits == 0 {
		n.stream.engine.push(n)
	}
}

// enter makes n wait for the steps of its body, after which it is ready again;
// without steps it is complete.
func (n *node) enter(steps []Step) {
	if len(steps) == 0 {
		n.stream.engine.complete(n, nil)
		return
	}
	n.waits = 1
	l := launch{stream: n.stream, end: n}
	l.add(steps)
	n.release()
	l.start()
}
