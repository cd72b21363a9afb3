// Arrays whose memory is mapped, as the driver's interface describes them.
#pragma once

typedef struct {
  int resourceType, pad0;
  CUhandle resource;
  int subresourceType, pad1;
  union {
    unsigned level[8]; // the same as box, by number
    struct {
      unsigned level, layer, x, y, z, width, height, depth;
    } box;
    struct {
      unsigned layer, pad;
      unsigned long long offset, size;
    } tail;
  } at;
  int operation, handleType;
  CUhandle handle;
  unsigned long long offset;
  unsigned mask, flags, reserved[2];
} mapInfo;
typedef struct {
  unsigned tile[3], tailFirst;
  unsigned long long tailSize;
  unsigned flags, reserved[4];
} sparse;
typedef struct {
  size_t size, alignment;
  unsigned reserved[4];
} requirements;

CUresult cuMemMapArrayAsync(mapInfo *, unsigned, CUstream), cuArrayGetSparseProperties(sparse *, CUarray);
CUresult cuMipmappedArrayGetSparseProperties(sparse *, CUhandle), cuArrayGetMemoryRequirements(requirements *, CUarray, CUdevice);
CUresult cuMipmappedArrayGetMemoryRequirements(requirements *, CUhandle, CUdevice);
