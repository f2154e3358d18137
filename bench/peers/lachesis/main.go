// Orders a DAG file with lachesis-base; reports the time that took and when each vertex became final.
// Usage: lachesis <dag file> <answer file> <runs>
//
// DAG file, int32 little-endian: seats, vertices, then for each vertex: creator, index of its self-parent or -1, seq,
// lamport, number of parents, their indexes (self-parent first). Answer file: for each vertex the index of the vertex
// whose arrival made it final, or -1. Prints the seconds of each run, one per line.
//
// Keeps: only Process is timed, since that is what a node does with another node's vertex; the frames that vertices
// claim come from an earlier run. Everything is in memory, with the caches of a live network.
package main

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"os"
	"strconv"
	"time"

	"github.com/Fantom-foundation/lachesis-base/abft"
	"github.com/Fantom-foundation/lachesis-base/hash"
	"github.com/Fantom-foundation/lachesis-base/inter/dag"
	"github.com/Fantom-foundation/lachesis-base/inter/idx"
	"github.com/Fantom-foundation/lachesis-base/inter/pos"
	"github.com/Fantom-foundation/lachesis-base/kvdb"
	"github.com/Fantom-foundation/lachesis-base/kvdb/memorydb"
	"github.com/Fantom-foundation/lachesis-base/lachesis"
	"github.com/Fantom-foundation/lachesis-base/utils/adapters"
	"github.com/Fantom-foundation/lachesis-base/utils/cachescale"
	"github.com/Fantom-foundation/lachesis-base/vecfc"
)

type event struct {
	dag.MutableBaseEvent
	place int32
}

func must(err error) {
	if err != nil {
		panic(err)
	}
}

// readDag returns the number of seats and the events, parents first, without frames.
func readDag(path string) (int32, []*event) {
	data, err := os.ReadFile(path)
	must(err)
	words := make([]int32, len(data)/4)
	must(binary.Read(bytes.NewReader(data), binary.LittleEndian, words))
	at := 0
	next := func() int32 { at++; return words[at-1] }
	seats, count := next(), next()
	events := make([]*event, count)
	for i := range events {
		e := &event{place: int32(i)}
		e.SetEpoch(abft.FirstEpoch)
		e.SetCreator(idx.ValidatorID(next() + 1))
		next()
		e.SetSeq(idx.Event(next()))
		e.SetLamport(idx.Lamport(next()))
		parents := make(hash.Events, next())
		for p := range parents {
			parents[p] = events[next()].ID()
		}
		e.SetParents(parents)
		var tail [24]byte
		binary.BigEndian.PutUint32(tail[:], uint32(i))
		e.SetID(tail)
		events[i] = e
	}
	return seats, events
}

type source map[hash.Event]dag.Event

func (s source) HasEvent(h hash.Event) bool      { return s[h] != nil }
func (s source) GetEvent(h hash.Event) dag.Event { return s[h] }

type node struct {
	*abft.IndexedLachesis
	events source
}

// newNode is one epoch over seats of equal weight; confirmed is called for each event once it is final.
func newNode(seats int32, confirmed func(*event)) node {
	crit := func(err error) { panic(err) }
	openEpoch := func(idx.Epoch) kvdb.Store { return memorydb.New() }
	store := abft.NewStore(memorydb.New(), openEpoch, crit, abft.DefaultStoreConfig(cachescale.Identity))
	validators := make(pos.ValidatorsBuilder)
	for i := int32(1); i <= seats; i++ {
		validators[idx.ValidatorID(i)] = 1
	}
	must(store.ApplyGenesis(&abft.Genesis{Validators: validators.Build(), Epoch: abft.FirstEpoch}))
	events := make(source)
	index := &adapters.VectorToDagIndexer{Index: vecfc.NewIndex(crit, vecfc.DefaultConfig(cachescale.Identity))}
	engine := abft.NewIndexedLachesis(store, events, index, crit, abft.DefaultConfig())
	must(engine.Bootstrap(lachesis.ConsensusCallbacks{
		BeginBlock: func(*lachesis.Block) lachesis.BlockCallbacks {
			return lachesis.BlockCallbacks{ApplyEvent: func(e dag.Event) { confirmed(e.(*event)) }}
		},
	}))
	return node{engine, events}
}

func main() {
	seats, events := readDag(os.Args[1])
	runs, err := strconv.Atoi(os.Args[3])
	must(err)

	builder := newNode(seats, func(*event) {})
	for _, e := range events {
		id := e.ID()
		must(builder.Build(e))
		// Build sets its own id.
		var tail [24]byte
		copy(tail[:], id[8:])
		e.SetID(tail)
		builder.events[e.ID()] = e
		must(builder.Process(e))
	}

	finalAt := make([]int32, len(events))
	for i := 0; i < runs; i++ {
		for v := range finalAt {
			finalAt[v] = -1
		}
		var now int32
		n := newNode(seats, func(e *event) { finalAt[e.place] = now })
		started := time.Now()
		for _, e := range events {
			now = e.place
			n.events[e.ID()] = e
			must(n.Process(e))
		}
		fmt.Println(time.Since(started).Seconds())
	}
	out := new(bytes.Buffer)
	must(binary.Write(out, binary.LittleEndian, finalAt))
	must(os.WriteFile(os.Args[2], out.Bytes(), 0o644))
}
