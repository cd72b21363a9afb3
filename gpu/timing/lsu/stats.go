package lsu

import "fmt"

// Stats counts what an SM's memory pipeline did.
type Stats struct {
	Accepted    uint64 `stat:"accepted" unit:"instructions" doc:"Memory instructions taken from the sub-cores."`
	Done        uint64 `stat:"done" unit:"instructions" doc:"Memory instructions answered."`
	Loads       uint64 `stat:"loads" unit:"instructions" doc:"Global and local loads answered."`
	LoadCycles  uint64 `stat:"load_cycles" unit:"cycles" doc:"Sum over these loads of the time from the sub-core to the answer."`
	Refused     uint64 `stat:"refused" unit:"tries" doc:"Tries that found the pending request table full."`
	Requests    uint64 `stat:"requests" unit:"requests" doc:"Requests of lines that instructions became."`
	Sectors     uint64 `stat:"sectors" unit:"sectors" doc:"Sectors of these requests."`
	Passes      uint64 `stat:"shared_passes" unit:"passes" doc:"Passes through the banks of shared memory."`
	Conflicts   uint64 `stat:"shared_conflicts" unit:"passes" doc:"Passes beyond those that the width of the accesses asks for."`
	Shared      uint64 `stat:"shared_instructions" unit:"instructions" doc:"Instructions that went to shared memory."`
	Remote      uint64 `stat:"remote" unit:"instructions" doc:"Instructions that went to the shared memory of other SMs."`
	RemoteBytes uint64 `stat:"remote_bytes" unit:"bytes" doc:"Bytes that they read and wrote there."`
	BankStalls  uint64 `stat:"l1_bank_stalls" unit:"requests" doc:"Requests that waited a cycle for a tag bank."`
	Stalls      uint64 `stat:"l1_stalls" unit:"requests" doc:"Requests that waited a cycle for L1 or the network."`
	Sent        uint64 `stat:"sent" unit:"packets" doc:"Packets sent to L2."`
	Received    uint64 `stat:"received" unit:"packets" doc:"Replies from L2."`
	Lines       uint64 `stat:"lines" unit:"lines" doc:"Lines of code and constants fetched from L2."`
}

// Check verifies that instructions and packets are neither lost nor made up.
func (s *Stats) Check(inside int) error {
	switch {
	case s.Accepted != s.Done+uint64(inside):
		return fmt.Errorf("%d memory instructions were accepted, %d are done and %d inside", s.Accepted, s.Done, inside)
	case s.Received > s.Sent:
		return fmt.Errorf("%d packets were sent, %d came back", s.Sent, s.Received)
	}
	return nil
}
