// Package exec is the functional engine: it knows data and no time.
//
//	Grid --> clusters --> CTAs --> warps --> paths --> handlers of gpu/isa rows
//
// A Grid runs the CTAs of one launch, those of a cluster together and in turns on
// one goroutine; without clusters each CTA is one of its own. Each warp is a set of paths: lanes that
// share a program counter and a frame. A warp starts with one path; a divergent
// branch splits it, and a join (the branch's immediate post-dominator, or the
// instruction after a call) waits for the lanes and makes them one path again.
// Every runnable path makes progress: a path that runs long while other lanes
// wait for it at a join loses them, so that a lane which spins on a lock lets
// the holder go on (independent thread scheduling, sm_70 and later).
//
// Results do not depend on the host: CTAs that may communicate run in a fixed
// order in time slices, all others run on every core.
//
// Not modelled: time, caches, banks. gpu/timing calls Step for these.
package exec
