package ast

import "strings"

// SpecialReg is a predefined read-only register.
type SpecialReg struct {
	Name string // with the percent sign
	Type Type
	Vec  uint8 // 4 for %tid and its like, 1 otherwise
}

// Specials lists the special registers (PTX ISA chapter 10). An Operand of kind
// Special has its index here.
var Specials = []SpecialReg{
	{"%tid", U32, 4},
	{"%ntid", U32, 4},
	{"%ctaid", U32, 4},
	{"%nctaid", U32, 4},
	{"%laneid", U32, 1},
	{"%warpid", U32, 1},
	{"%nwarpid", U32, 1},
	{"%smid", U32, 1},
	{"%nsmid", U32, 1},
	{"%gridid", U64, 1},
	{"%lanemask_eq", U32, 1},
	{"%lanemask_le", U32, 1},
	{"%lanemask_lt", U32, 1},
	{"%lanemask_ge", U32, 1},
	{"%lanemask_gt", U32, 1},
	{"%clock", U32, 1},
	{"%clock_hi", U32, 1},
	{"%clock64", U64, 1},
	{"%globaltimer", U64, 1},
	{"%globaltimer_lo", U32, 1},
	{"%globaltimer_hi", U32, 1},
	{"%is_explicit_cluster", Pred, 1},
	{"%clusterid", U32, 4},
	{"%nclusterid", U32, 4},
	{"%cluster_ctaid", U32, 4},
	{"%cluster_nctaid", U32, 4},
	{"%cluster_ctarank", U32, 1},
	{"%cluster_nctarank", U32, 1},
	{"%total_smem_size", U32, 1},
	{"%dynamic_smem_size", U32, 1},
	{"%aggr_smem_size", U32, 1},
	{"%reserved_smem_offset_begin", B32, 1},
	{"%reserved_smem_offset_end", B32, 1},
	{"%reserved_smem_offset_cap", B32, 1},
	{"%reserved_smem_offset_0", B32, 1},
	{"%reserved_smem_offset_1", B32, 1},
	{"%current_graph_exec", U64, 1},
	{"%locality_domain_id", U32, 1},
	{"%pm0", U32, 1},
	{"%pm1", U32, 1},
	{"%pm2", U32, 1},
	{"%pm3", U32, 1},
	{"%pm4", U32, 1},
	{"%pm5", U32, 1},
	{"%pm6", U32, 1},
	{"%pm7", U32, 1},
	{"%pm0_64", U64, 1},
	{"%pm1_64", U64, 1},
	{"%pm2_64", U64, 1},
	{"%pm3_64", U64, 1},
	{"%pm4_64", U64, 1},
	{"%pm5_64", U64, 1},
	{"%pm6_64", U64, 1},
	{"%pm7_64", U64, 1},
	{"%envreg0", B32, 1},
	{"%envreg1", B32, 1},
	{"%envreg2", B32, 1},
	{"%envreg3", B32, 1},
	{"%envreg4", B32, 1},
	{"%envreg5", B32, 1},
	{"%envreg6", B32, 1},
	{"%envreg7", B32, 1},
	{"%envreg8", B32, 1},
	{"%envreg9", B32, 1},
	{"%envreg10", B32, 1},
	{"%envreg11", B32, 1},
	{"%envreg12", B32, 1},
	{"%envreg13", B32, 1},
	{"%envreg14", B32, 1},
	{"%envreg15", B32, 1},
	{"%envreg16", B32, 1},
	{"%envreg17", B32, 1},
	{"%envreg18", B32, 1},
	{"%envreg19", B32, 1},
	{"%envreg20", B32, 1},
	{"%envreg21", B32, 1},
	{"%envreg22", B32, 1},
	{"%envreg23", B32, 1},
	{"%envreg24", B32, 1},
	{"%envreg25", B32, 1},
	{"%envreg26", B32, 1},
	{"%envreg27", B32, 1},
	{"%envreg28", B32, 1},
	{"%envreg29", B32, 1},
	{"%envreg30", B32, 1},
	{"%envreg31", B32, 1},
}

// SpecialByName finds a special register by its name with the percent sign; -1
// when there is none.
func SpecialByName(name string) int32 {
	if !strings.HasPrefix(name, "%") {
		return -1
	}
	for i := range Specials {
		if Specials[i].Name == name {
			return int32(i)
		}
	}
	return -1
}
