// A module in wazero: a door answers the questions of ../vectors.txt.
// Questions and answers: ../README.md; what they call: assembly/README.md. What cannot be, a trap too, is a panic.

package main

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"maps"
	"slices"
	"strconv"

	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/api"
)

// Bytes that consensus.wasm has written when a call gave n: the first number and n times the second.
var written = map[string][2]int32{"insert": {0, 1}, "preview": {0, 1}, "explain": {0, 1}, "figures": {0, 1},
	"timely": {0, 1}, "snapshot_part": {0, 1}, "next_block": {0, 56}, "block_part": {56, 36}, "evidence_part": {0, 72}}

const pageBytes = 8192

func must[T any](value T, err error) T {
	if err != nil {
		panic(err)
	}
	return value
}

// Bytes are written as x and hex.
func unhex(text string) []byte { return must(hex.DecodeString(text[1:])) }

func show(data []byte) string {
	if sum := sha256.Sum256(data); len(data) > 64 {
		data = sum[:16]
	}
	return hex.EncodeToString(data)
}

type door struct {
	prefix   string
	runtime  wazero.Runtime
	compiled wazero.CompiledModule
	module   api.Module
	config   []byte
	pages    map[uint32][]byte
}

func (d *door) open() {
	if d.module != nil {
		d.module.Close(context.TODO())
	}
	d.module = must(d.runtime.InstantiateModule(context.TODO(), d.compiled, wazero.NewModuleConfig()))
}

func (d *door) call(name string, args ...uint64) int32 {
	results := must(d.module.ExportedFunction(d.prefix+"_"+name).Call(context.TODO(), args...))
	return api.DecodeI32(append(results, 0)[0])
}

func (d *door) read(at, length int32) []byte {
	view, _ := d.module.Memory().Read(uint32(at), uint32(length))
	return slices.Clone(view)
}

func (d *door) write(at int32, data []byte) { d.module.Memory().Write(uint32(at), data) }

func (d *door) put(data []byte) uint64 {
	d.write(d.call("in_ptr"), data)
	return uint64(len(data))
}

func (d *door) answer(verb string, args []string) string {
	switch verb {
	case "new": // That of ed25519.wasm takes 16 random bytes.
		d.open()
		d.pages = map[uint32][]byte{}
		if len(args) > 0 {
			d.write(d.call("jobs_ptr"), unhex(args[0]))
			d.call("init")
		}
		return fmt.Sprint(d.call("abi_version"))
	case "reload":
		return d.reload()
	case "load":
		return d.load(args)
	case "init":
		d.config = unhex(args[0])
	}
	values := make([]uint64, len(args))
	for i, arg := range args {
		if arg[0] == 'x' {
			values[i] = d.put(unhex(arg))
		} else {
			values[i] = must(strconv.ParseUint(arg, 10, 32))
		}
	}
	if verb == "explain" { // Its input has one length only.
		values = nil
	}
	result := d.call(verb, values...)
	length := written[verb][0] + written[verb][1]*result
	if d.prefix == "core" {
		length = d.call("out_len")
	}
	if result < 0 || length == 0 {
		return fmt.Sprint(result)
	}
	out := d.read(d.call("out_ptr"), length)
	for at := 0; verb == "dirty" && at < len(out); at += 4 {
		number := binary.LittleEndian.Uint32(out[at:])
		d.pages[number] = d.read(d.page(number))
	}
	return fmt.Sprintf("%d:%s", result, show(out))
}

// Where a page of the state is, and its length: the last one may be shorter.
func (d *door) page(number uint32) (at, length int32) {
	from := pageBytes * int32(number)
	return d.call("state_ptr") + from, min(pageBytes, d.call("state_bytes")-from)
}

// A new core, as it is after the import of all pages that are not zero.
func (d *door) reload() string {
	d.open()
	code, all := d.call("init", d.put(d.config))|d.call("import", 0), []byte{}
	for _, number := range slices.Sorted(maps.Keys(d.pages)) {
		if page := d.pages[number]; slices.Max(page) > 0 {
			name := binary.LittleEndian.AppendUint32(nil, number)
			all = append(append(all, name...), page...)
			at, _ := d.page(number)
			d.write(at, page)
			d.put(name)
			code |= d.call("import", 1)
		}
	}
	return fmt.Sprintf("%d:%s", code|d.call("import_end", 0), show(all))
}

func (d *door) load(jobs []string) string {
	from := int32(0)
	for i, text := range jobs {
		job := unhex(text)
		place := []int32{from, int32(len(job) - 112)}
		d.write(d.call("jobs_ptr")+128*int32(i), must(binary.Append(job[:112:112], binary.LittleEndian, place)))
		d.write(d.call("messages_ptr")+from, job[112:])
		from += place[1]
	}
	return fmt.Sprint(d.call("load", uint64(len(jobs))))
}
