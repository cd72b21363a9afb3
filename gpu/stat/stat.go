package stat

import (
	"reflect"
	"strconv"
	"strings"
)

// Counter is a counter and its value where it is counted.
type Counter struct {
	Name, Unit, Doc string
	Value           *uint64
}

// List returns the counters of the struct that target points to, in the order of
// its fields. They keep pointing into it.
func List(target any) []Counter {
	return list(reflect.ValueOf(target).Elem(), "", nil)
}

func list(v reflect.Value, prefix string, to []Counter) []Counter {
	for i := range v.NumField() {
		f := v.Type().Field(i)
		name, ok := f.Tag.Lookup("stat")
		switch kind := f.Type.Kind(); {
		case ok && kind == reflect.Array:
			to = elements(v.Field(i), &f, prefix+name, to)
		case ok:
			to = append(to, counter(v.Field(i), &f, prefix+name))
		case kind == reflect.Struct:
			to = list(v.Field(i), prefix+f.Tag.Get("prefix"), to)
		}
	}
	return to
}

// elements lists the counters of an array.
func elements(v reflect.Value, f *reflect.StructField, name string, to []Counter) []Counter {
	labels := strings.Split(f.Tag.Get("of"), ",")
	for i := range v.Len() {
		label := strconv.Itoa(i)
		if len(labels) == v.Len() {
			label = labels[i]
		}
		to = append(to, counter(v.Index(i), f, name+"."+label))
	}
	return to
}

func counter(v reflect.Value, f *reflect.StructField, name string) Counter {
	return Counter{Name: name, Unit: f.Tag.Get("unit"), Doc: f.Tag.Get("doc"), Value: v.Addr().Interface().(*uint64)}
}

// Add adds the counters of the struct that from points to to those of to, which
// points to one of the same type.
func Add(to, from []Counter) {
	for i := range from {
		*to[i].Value += *from[i].Value
	}
}

// Values copies what the counters stand at.
func Values(counters []Counter, to []uint64) []uint64 {
	to = to[:0]
	for i := range counters {
		to = append(to, *counters[i].Value)
	}
	return to
}
