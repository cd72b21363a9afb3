package models

import (
	"embed"
	"encoding/binary"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/lockstep-sim/lockstep/gpu/option"
)

// Default is the model that is simulated unless another is asked for.
const Default = "h200"

// Compared is the model whose times tests/accuracy compares with a card's.
const Compared = "h200"

//go:embed *.cfg
var files embed.FS

// GPU is a model: all that programs can learn about a device.
type GPU struct {
	Model       string // file name without its ending
	Name        string `opt:"name" doc:"Name that programs see."`
	TotalMemory uint64 `opt:"total_memory" unit:"bytes" doc:"Device memory that programs can allocate."`

	Launch   Launch
	SM       SM
	Memory   Memory
	Host     Host
	Features Features
	Interop  Interop
	Board    Board
	Texture  Texture
	Volume   Volume
	Surface  Surface

	groups     []int
	attributes []*option.Setting // by number of cudaDeviceGetAttribute; nil where there is none
}

// Names lists the models.
func Names() []string {
	entries, err := files.ReadDir(".")
	if err != nil {
		return nil
	}
	var names []string
	for _, e := range entries {
		names = append(names, strings.TrimSuffix(e.Name(), ".cfg"))
	}
	return names
}

// Load reads what programs can learn of a model; the empty name is the default.
func Load(name string) (*GPU, error) {
	g := &GPU{}
	settings, err := Read(name, g)
	if err != nil {
		return nil, err
	}
	if g.Model = name; name == "" {
		g.Model = Default
	}
	for _, s := range settings {
		if err := g.index(s); err != nil {
			return nil, err
		}
	}
	g.groups, err = g.SM.groups()
	return g, err
}

// Override lets set replace parameters of the model. Where that changes the number
// of multiprocessors but says nothing of groups, they are one group.
func (g *GPU) Override(set func(own []*option.Setting) error) error {
	count, sizes := g.SM.Count, g.SM.GroupSizes
	if err := set(option.List(g)); err != nil {
		return err
	}
	if g.SM.Count != count && g.SM.GroupSizes == sizes {
		g.SM.GroupSizes = ""
	}
	var err error
	g.groups, err = g.SM.groups()
	return err
}

// Groups is the number of multiprocessors of each group (GPC), within which a
// cluster lies.
func (g *GPU) Groups() []int { return g.groups }

// groups reads GroupSizes; a GPU of which they are not known is one group.
func (s *SM) groups() (sizes []int, err error) {
	if s.GroupSizes == "" {
		return []int{int(s.Count)}, nil
	}
	sum := 0
	for _, text := range strings.Split(s.GroupSizes, ",") {
		n, err := strconv.Atoi(text)
		if err != nil || n < 1 {
			return nil, fmt.Errorf("sm.groups %q: %q is no number of multiprocessors", s.GroupSizes, text)
		}
		sizes = append(sizes, n)
		sum += n
	}
	if sum != int(s.Count) {
		return nil, fmt.Errorf("sm.groups %q: %d multiprocessors, the GPU has %d", s.GroupSizes, sum, s.Count)
	}
	return sizes, nil
}

// Read sets those options of target that a model's file has; the empty name is
// the default.
func Read(name string, target any) ([]*option.Setting, error) {
	files, err := Files(name)
	if err != nil {
		return nil, err
	}
	settings, _, err := option.ReadPart(target, files...)
	return settings, err
}

// like begins the line with which a model names another whose values it has where
// it says nothing itself.
const like = "like "

// Files returns the text of a model, after that of the model that it is like.
// Sources of the latter say so.
func Files(name string) ([]option.File, error) {
	if name == "" {
		name = Default
	}
	text, err := files.ReadFile(name + ".cfg")
	if err != nil {
		return nil, fmt.Errorf("unknown model %q; there are %s", name, strings.Join(Names(), ", "))
	}
	own := option.File{Name: name + ".cfg", Text: string(text)}
	parent, rest, found := strings.Cut(own.Text, "\n")
	if !found || !strings.HasPrefix(parent, like) {
		return []option.File{own}, nil
	}
	own.Text = "\n" + rest
	parent = strings.TrimSpace(strings.TrimPrefix(parent, like))
	text, err = files.ReadFile(parent + ".cfg")
	if err != nil {
		return nil, fmt.Errorf("model %s is like %q, which does not exist", name, parent)
	}
	return []option.File{{Name: parent + ".cfg", Text: inherited(string(text), parent)}, own}, nil
}

// inherited replaces the sources of a model's lines.
func inherited(text, parent string) string {
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		if line, _, sourced := strings.Cut(line, " #"); sourced && !strings.HasPrefix(line, "#") {
			lines[i] = line + " # guess: as " + parent
		}
	}
	return strings.Join(lines, "\n")
}

// index notes which attribute a setting is.
func (g *GPU) index(s *option.Setting) error {
	tag, ok := s.Tag("attr")
	if !ok {
		return nil
	}
	id, err := strconv.Atoi(tag)
	if err != nil {
		return fmt.Errorf("attribute number of %s: %w", s.Name, err)
	}
	if id >= len(g.attributes) {
		g.attributes = append(g.attributes, make([]*option.Setting, id+1-len(g.attributes))...)
	}
	g.attributes[id] = s
	return nil
}

// Attribute is the value of an attribute of cudaDeviceGetAttribute; ok is false
// for numbers that do not exist.
func (g *GPU) Attribute(id int) (value int32, ok bool) {
	if id < 0 || id >= len(g.attributes) || g.attributes[id] == nil {
		return 0, false
	}
	return int32(g.attributes[id].Int()), true
}

// Attributes lists the numbers of all attributes.
func (g *GPU) Attributes() []int {
	var ids []int
	for id, s := range g.attributes {
		if s != nil {
			ids = append(ids, id)
		}
	}
	return slices.Clip(ids)
}

// UUID tells the devices of a process apart. It is made up: the letters of
// lockstep, the kind of card, the number of the device.
func (g *GPU) UUID(ordinal int) [16]byte {
	id := [16]byte{'l', 'o', 'c', 'k', 's', 't', 'e', 'p'}
	binary.BigEndian.PutUint32(id[8:], uint32(g.Board.PCIID))
	binary.BigEndian.PutUint32(id[12:], uint32(ordinal))
	return id
}

// Architecture is the compute capability as in sm_90.
func (g *GPU) Architecture() int { return int(g.SM.Major*10 + g.SM.Minor) }
