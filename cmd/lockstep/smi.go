package main

import (
	"bufio"
	"fmt"
	"io"
	"os"

	"github.com/lockstep-sim/lockstep/gpu/models"
)

type smiCommand struct {
	List  bool   `short:"L" help:"One line a GPU."`
	Model string `placeholder:"NAME" env:"LOCKSTEP_MODEL" default:"${model}" help:"GPU to show."`
	Count int    `name:"devices" env:"LOCKSTEP_DEVICES" default:"1" help:"Number of GPUs."`
}

func (c *smiCommand) Run() error {
	gpu, err := models.Load(c.Model)
	if err != nil {
		return err
	}
	out := bufio.NewWriter(os.Stdout)
	if c.List {
		listDevices(out, gpu, c.Count)
	} else {
		tableOfDevices(out, gpu, c.Count)
	}
	return out.Flush()
}

func listDevices(w io.Writer, gpu *models.GPU, count int) {
	for i := range count {
		id := gpu.UUID(i)
		fmt.Fprintf(w, "GPU %d: %s (UUID: GPU-%x-%x-%x-%x-%x)\n", i, gpu.Name, id[:4], id[4:6], id[6:8], id[8:10], id[10:])
	}
}

const (
	smiRule  = "+-----------------------------------------------------------------------------------------+\n"
	smiSplit = "+-----------------------------------------+------------------------+----------------------+\n"
)

// tableOfDevices prints the table of nvidia-smi. What a simulated card has not, a fan or a temperature, is N/A.
func tableOfDevices(w io.Writer, gpu *models.GPU, count int) {
	fmt.Fprint(w, smiRule)
	fmt.Fprintf(w, "| lockstep %-24.24s Simulated GPU: %-15.15s CUDA Version: %-8s |\n", version, gpu.Model, "13.0")
	fmt.Fprint(w, "|", smiSplit[1:len(smiSplit)-2], "|\n")
	fmt.Fprint(w, "| GPU  Name                 Persistence-M | Bus-Id          Disp.A | Volatile Uncorr. ECC |\n")
	fmt.Fprint(w, "| Fan  Temp   Perf          Pwr:Usage/Cap |           Memory-Usage | GPU-Util  Compute M. |\n")
	fmt.Fprint(w, "|                                         |                        |               MIG M. |\n")
	fmt.Fprint(w, "|=========================================+========================+======================|\n")
	for i := range count {
		deviceRows(w, gpu, i)
	}
	fmt.Fprint(w, "\n", smiRule)
	fmt.Fprint(w, "| Processes:                                                                              |\n")
	fmt.Fprint(w, "|  GPU   GI   CI        PID   Type   Process name                              GPU Memory |\n")
	fmt.Fprint(w, "|        ID   ID                                                               Usage      |\n")
	fmt.Fprint(w, "|=========================================================================================|\n")
	fmt.Fprint(w, "|  No running processes found                                                             |\n")
	fmt.Fprint(w, smiRule)
}

func deviceRows(w io.Writer, gpu *models.GPU, index int) {
	ecc, mode := "N/A", "Default"
	if gpu.Memory.ECC != 0 {
		ecc = "0"
	}
	if gpu.Board.ComputeMode != 0 {
		mode = "E. Process"
	}
	bus := fmt.Sprintf("%08X:%02X:%02X.0", gpu.Board.PCIDomain, int(gpu.Board.PCIBus)+index, gpu.Board.PCIDevice)
	memory := fmt.Sprintf("0MiB / %6dMiB", gpu.TotalMemory>>20)
	fmt.Fprintf(w, "| %3d  %-28.28s  N/A  | %18s Off | %20s |\n", index, gpu.Name, bus, ecc)
	fmt.Fprintf(w, "| %-4s  %-6s %-9s %16s | %22s | %8s %11s |\n", "N/A", "N/A", "P0", "N/A /  N/A", memory, "0%", mode)
	fmt.Fprintf(w, "| %39s | %22s | %20s |\n", "", "", "N/A")
	fmt.Fprint(w, smiSplit)
}
