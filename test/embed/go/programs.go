// Runs metered programs in wazero and compares how they end: protocol 14.2, 14.5 and 14.6.
// The lines of the file are described in ../js/programs.mjs.

package main

import (
	"context"
	"encoding/hex"
	"fmt"
	"os"
	"strconv"
	"strings"

	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/api"
)

// By the stop global: what a trap means.
var ends = []string{"trapped", "out_of_fuel", "out_of_stack", "unreachable"}

// The output of a program; false if it trapped, nil if it names bytes that are not its own.
func runProgram(module api.Module, input []byte) ([]byte, bool) {
	context, memory := context.TODO(), module.Memory()
	if start := module.ExportedFunction("vws_start"); start != nil {
		if _, err := start.Call(context); err != nil {
			return nil, false
		}
	}
	at, err := module.ExportedFunction("vws_input").Call(context, uint64(len(input)))
	if err != nil {
		return nil, false
	}
	if !memory.Write(uint32(at[0]), input) {
		return nil, true
	}
	result, err := module.ExportedFunction("vws_run").Call(context, uint64(uint32(at[0])), uint64(len(input)))
	if err != nil {
		return nil, false
	}
	length := uint32(result[0])
	output, isInside := memory.Read(uint32(result[0]>>32), length)
	if !isInside || length > 1_048_576 {
		return nil, true
	}
	return append([]byte{}, output...), true
}

func answerProgram(runtime wazero.Runtime, code []byte, fuel int32, input []byte) string {
	compiled := must(runtime.CompileModule(context.TODO(), code))
	defer compiled.Close(context.TODO())
	module := must(runtime.InstantiateModule(context.TODO(), compiled, wazero.NewModuleConfig().WithName("")))
	defer module.Close(context.TODO())
	counter := module.ExportedGlobal("vws_fuel").(api.MutableGlobal)
	counter.Set(uint64(uint32(fuel)))
	output, isReturned := runProgram(module, input)
	used := min(fuel, fuel-int32(uint32(counter.Get())))
	switch {
	case !isReturned:
		return fmt.Sprintf("%s %d ", ends[module.ExportedGlobal("vws_stop").Get()], used)
	case output == nil:
		return fmt.Sprintf("bad_range %d ", used)
	}
	return fmt.Sprintf("returned %d %s", used, show(output))
}

// Prints cases, mismatches and a digest of all answers; true if there are no mismatches.
func playPrograms(file string) bool {
	cases, mismatches, answers := 0, 0, strings.Builder{}
	runtime := wazero.NewRuntime(context.TODO())
	for _, line := range strings.Split(string(must(os.ReadFile(file))), "\n") {
		question, expected, isCase := strings.Cut(line, " = ")
		if !isCase {
			continue
		}
		words := strings.Split(question, " ")
		code, fuel, input := must(hex.DecodeString(words[0])), must(strconv.Atoi(words[1])), must(hex.DecodeString(words[2]))
		answer := answerProgram(runtime, code, int32(fuel), input)
		answers.WriteString(answer + "\n")
		if answer != expected {
			mismatches++
			fmt.Fprintf(os.Stderr, "program %d: %s, expected %s\n", cases, answer, expected)
		}
		cases++
	}
	fmt.Printf("programs cases=%d mismatches=%d answers=%s\n", cases, mismatches, show([]byte(answers.String())))
	return mismatches == 0
}
