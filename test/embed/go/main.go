// Runs the vectors on the modules and compares the answers: host <vectors> <folder of modules> [rounds]
// or metered programs: host --programs <file>, or proofs of documents: host --proofs <file>

package main

import (
	"context"
	"fmt"
	"os"
	"strconv"
	"strings"
	"time"

	"github.com/tetratelabs/wazero"
)

func play(name string, lines []string, folder string, rounds int) (mismatches int) {
	started := time.Now()
	d := &door{prefix: strings.FieldsFunc(name, func(r rune) bool { return r == '.' || r == '-' })[0]}
	d.runtime = wazero.NewRuntime(context.TODO())
	d.compiled = must(d.runtime.CompileModule(context.TODO(), must(os.ReadFile(folder+"/"+name))))
	loaded, best, cases := time.Since(started), time.Hour, 0
	for range rounds {
		begun := time.Now()
		cases = 0
		for _, line := range lines {
			question, expected, isCase := strings.Cut(line, " = ")
			if !isCase {
				continue
			}
			cases++
			words := strings.Split(question, " ")
			if answer := d.answer(words[0], words[1:]); answer != expected {
				mismatches++
				fmt.Fprintf(os.Stderr, "%s: %.60s: %s, expected %s\n", name, question, answer, expected)
			}
		}
		best = min(best, time.Since(begun))
	}
	times := fmt.Sprintf("load_ms=%.1f run_ms=%.1f", loaded.Seconds()*1000, best.Seconds()*1000)
	fmt.Printf("%s cases=%d mismatches=%d %s\n", name, cases, mismatches, times)
	return mismatches
}

func main() {
	if os.Args[1] == "--programs" {
		if !playPrograms(os.Args[2]) {
			os.Exit(1)
		}
		return
	}
	if os.Args[1] == "--proofs" {
		if !playProofs(os.Args[2]) {
			os.Exit(1)
		}
		return
	}
	rounds, bad := 1, 0
	if len(os.Args) > 3 {
		rounds = must(strconv.Atoi(os.Args[3]))
	}
	for _, section := range strings.Split(string(must(os.ReadFile(os.Args[1]))), "\nmodule ")[1:] {
		lines := strings.Split(section, "\n")
		for _, name := range strings.Fields(lines[0]) {
			bad += play(name, lines[1:], os.Args[2], rounds)
		}
	}
	if bad > 0 {
		os.Exit(1)
	}
}
