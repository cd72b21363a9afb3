package alu

// Curve is a function of the multifunction unit as numbers, for machine code
// that interpolates as the unit does: piece i at t is
//
//	C0[i]<<One + Bias + C1[i]*t + C2[i]*square(t)<<Square
type Curve struct {
	C0, C1, C2  []int32
	One, Square uint
	Bias        int64
}

// Curves lists the functions' curves by the names of their instructions.
func Curves() map[string]Curve {
	curves := map[string]Curve{}
	for name, c := range map[string]*curve{"rcp": &rcpCurve, "rsqrt": &rsqCurve, "sqrt": &sqrtCurve, "ex2": &ex2Curve, "lg2": &lg2Curve, "sin": &sinCurve} {
		x := Curve{One: c.one, Square: c.square, Bias: c.bias}
		for _, p := range c.pieces {
			x.C0, x.C1, x.C2 = append(x.C0, p.c0), append(x.C1, p.c1), append(x.C2, p.c2)
		}
		curves[name] = x
	}
	return curves
}
