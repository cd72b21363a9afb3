// Package mem is the memory of the simulated device: where allocations lie, which bytes back an
// address, and how bytes move between device and host.
//
//	program's pointer --> window (one compare) --> 2 MiB block --> allocation --> host bytes
//
// One process has one unified address space ([UVA]) that its devices ([Space]) share. Three sorts
// of addresses exist in it:
//
//   - Device memory lies in a window of its device. The program sees addresses that are reserved
//     but never mapped, so a host access faults as it does on hardware. The bytes lie in a second
//     range of equal size, right behind the first one, which only the simulator uses.
//   - Pinned and managed memory lies in the host-visible window and is mapped at the very address.
//   - Registered memory belongs to the program and is reached in place.
//
// Windows are reserved by the first allocation, opened up to the highest block ever used, and backed
// by the kernel (with huge pages) on first touch. Memory that is allocated and never touched costs
// nothing.
//
// Allocation follows the driver's: requests below 2 MiB share 2 MiB blocks in granules of 512
// bytes, larger ones take whole blocks. Both are address-ordered first fit, so the same calls give
// the same layout. Used memory is counted in whole blocks, against the size of the model's memory.
// Device memory that was never used before reads as zero; reused memory holds what its last owner
// left, unless the host took the pages back in between.
//
// Finding the allocation of an address takes no lock and may run in any goroutine while others
// allocate and free. Bytes of a freed allocation stay mapped until the owner is closed: a stale
// [isa.Span] reads old values or zeros, but never crashes.
//
// Addresses can also be reserved and physical memory of a device or the host be mapped there; a reservation that the device's
// window has no room for gets a window of its own.
//
// Not modelled: address translation and physical placement.
package mem
