package sample

import "github.com/lockstep-sim/lockstep/gpu/isa"

// Geometry is what the coordinates of an access are.
type Geometry struct {
	Dims   int
	Array  bool // a layer, a number in front
	Cube   bool // a direction, that chooses a face
	Sample bool // a number of a sample in front
}

// Detail says how the level of detail is chosen.
type Detail uint8

// The ways. Base is the first level.
const (
	Base Detail = iota
	Level
	Gradient
)

// Place is where an access falls.
type Place struct {
	Geometry
	Layer  uint32
	Sample int32
	At     [3]float32
	Cell   [3]int32 // instead of At when the coordinates are whole
	Offset [3]int32 // elements
	Detail Detail
	Number float32       // the level of detail
	Whole  int32         // the same for whole coordinates
	Slope  [2][3]float32 // derivatives of the coordinates
}

// offset is the offset of coordinate i, of which four bits count.
func (p *Place) offset(i int) int32 { return p.Offset[i] << 28 >> 28 }

// lacks reports an access that the image's resource does not serve: one of one
// dimension at whole coordinates reads memory, others read arrays. It gives zeros.
func (m *Image) lacks(p *Place) bool { return p.Dims == 1 && m.Resource == isa.LinearResource }

// Fetch reads the element at whole coordinates: zeros outside the image, its
// layers and levels. An access that chooses a level takes the nearest layer and element.
func (m *Image) Fetch(p *Place) Texel {
	if p.Dims == 1 && !p.Array && m.Resource != isa.LinearResource || p.Detail != Level && p.Layer >= max(m.Layers, 1) {
		return Texel{}
	}
	level := 0
	if p.Detail == Level {
		if level = int(p.Whole); level < 0 || level >= max(m.Levels, 1) {
			return Texel{}
		}
	}
	var cell [3]int32
	extent := m.size(level)
	for i := range p.Dims {
		x, n := int64(p.Cell[i])+int64(p.offset(i)), int64(extent[i])
		if p.Detail == Level {
			x = max(0, min(x, n-1))
		}
		if x < 0 || x >= n {
			return Texel{}
		}
		cell[i] = int32(x)
	}
	v := m.read(level, min(p.Layer, max(m.Layers, 1)-1), cell)
	return m.values(v)
}

// layer is the layer that a number chooses: the nearest there is, of a cubemap six
// at once.
func (m *Image) layer(n uint32) uint32 {
	switch {
	case m.Layers == 0:
		return 0
	case m.Cube:
		return 6 * min(n, m.Layers/6-1)
	}
	return min(n, m.Layers-1)
}

// Query is what an attribute of a level of a texture or surface is worth. Layers
// count as the dimension behind those of the image.
func Query(t *isa.Texture, attribute string, level int, surface bool) uint32 {
	half := func(n uint32) uint32 {
		if n == 0 || level < 0 || level >= max(t.Levels, 1) {
			return 0
		}
		return max(n>>level, 1)
	}
	layers := t.Layers
	if t.Cube && !surface {
		if layers /= 6; layers == 1 {
			layers = 0
		}
	}
	switch attribute {
	case "width":
		return half(t.Width)
	case "height":
		switch {
		case t.Height == 0 && t.Layers > 0:
			return t.Layers
		case t.Height == 0 && !surface && t.Resource != isa.LinearResource:
			return 1
		}
		return half(t.Height)
	case "depth":
		if t.Layers > 0 && t.Height > 0 {
			return layers
		}
		return half(t.Depth)
	case "array_size":
		return t.Layers
	case "normalized_coords":
		if t.Normalized {
			return 1
		}
		return 0
	case "num_mipmap_levels":
		return uint32(max(t.Levels, 1))
	case "num_samples":
		return max(t.Samples, 1)
	}
	return 0
}
