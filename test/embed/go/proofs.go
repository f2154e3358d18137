// Checks proofs of documents against a pinned state root: consensus 5.18. Needs no module and nothing but SHA-256.
// The lines of the file are described in its head; who pins a root gets it from a checkpoint that seats signed.

package main

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"os"
	"slices"
	"strings"
)

const (
	maxProofBytes = 262144
	maxKeyBytes   = 33
)

// A part of the tree: the nibbles with which all its keys begin.
type place struct {
	depth  int
	prefix []byte
}

type leaf struct{ key, value []byte }

func prefixOf(key []byte, depth int) []byte {
	prefix := bytes.Clone(key[:(depth+1)/2])
	if depth%2 == 1 {
		prefix[len(prefix)-1] &= 0xf0
	}
	return prefix
}

func (p place) holds(key []byte) bool {
	return 2*len(key) >= p.depth && bytes.Equal(prefixOf(key, p.depth), p.prefix)
}

func (p place) below(nibble int) place {
	prefix := make([]byte, (p.depth+2)/2)
	copy(prefix, p.prefix)
	prefix[p.depth/2] |= byte(nibble << (4 * (1 - p.depth%2)))
	return place{p.depth + 1, prefix}
}

// Whether a key from first to last may lie here.
func (p place) mayHold(first, last []byte) bool {
	low, high := make([]byte, len(first)), bytes.Repeat([]byte{0xff}, len(first))
	copy(low, p.prefix)
	copy(high, p.prefix)
	if p.depth%2 == 1 && p.depth/2 < len(high) {
		high[p.depth/2] |= 0x0f
	}
	return bytes.Compare(low, last) <= 0 && bytes.Compare(high, first) >= 0
}

type tree struct {
	data   []byte
	bad    bool
	leaves []leaf
	hidden []place
}

func (t *tree) take(count int) []byte {
	if t.bad || count > len(t.data) {
		t.bad = true
		return make([]byte, count)
	}
	part := t.data[:count]
	t.data = t.data[count:]
	return part
}

func (t *tree) node(at place) []byte {
	switch t.take(1)[0] {
	case 0:
		t.hidden = append(t.hidden, at)
		return t.take(32)
	case 1:
		key := t.take(int(t.take(1)[0]))
		one := leaf{key, t.take(32)}
		t.bad = t.bad || len(key) > maxKeyBytes || !at.holds(key)
		t.leaves = append(t.leaves, one)
		return hash([]byte{0, byte(len(key))}, key, one.value)
	case 2:
		return t.branch(at)
	}
	t.bad = true
	return nil
}

func (t *tree) branch(at place) []byte {
	depth := int(t.take(1)[0])
	prefix, mask := t.take((depth+1)/2), t.take(2)
	bits := int(mask[0]) | int(mask[1])<<8
	isPlaced := depth >= at.depth && depth < 2*maxKeyBytes && at.holds(prefix)
	if t.bad || !isPlaced || !bytes.Equal(prefixOf(prefix, depth), prefix) || bits&(bits-1) == 0 {
		t.bad = true
		return nil
	}
	parts := [][]byte{{1, byte(depth)}, prefix, mask}
	for nibble := 0; nibble < 16 && !t.bad; nibble++ {
		if bits&(1<<nibble) != 0 {
			parts = append(parts, t.node(place{depth, prefix}.below(nibble)))
		}
	}
	return hash(parts...)
}

func hash(parts ...[]byte) []byte {
	sum := sha256.Sum256(bytes.Join(parts, nil))
	return sum[:]
}

// All leaves from first to last under a state root; false if that is not what the proof shows.
func proven(stateRoot, coreRoot, first, last, proof []byte) ([]leaf, bool) {
	t := &tree{data: proof}
	root := make([]byte, 32)
	if len(proof) > 0 {
		root = t.node(place{})
	}
	isRead := !t.bad && len(t.data) == 0 && len(proof) <= maxProofBytes
	if !isRead || !bytes.Equal(hash([]byte("VWS-STATE-V2"), coreRoot, root), stateRoot) {
		return nil, false
	}
	if slices.ContainsFunc(t.hidden, func(p place) bool { return p.mayHold(first, last) }) {
		return nil, false
	}
	return slices.DeleteFunc(t.leaves, func(one leaf) bool {
		return bytes.Compare(one.key, first) < 0 || bytes.Compare(one.key, last) > 0
	}), true
}

func playProofs(path string) bool {
	cases, mismatches := 0, 0
	for _, line := range strings.Split(string(must(os.ReadFile(path))), "\n") {
		question, expected, isCase := strings.Cut(line, " = ")
		if !isCase || strings.HasPrefix(line, "#") {
			continue
		}
		cases++
		var words [5][]byte
		for i, word := range strings.Fields(question) {
			words[i] = must(hex.DecodeString(strings.Trim(word, "-")))
		}
		answer := "no"
		if leaves, isShown := proven(words[0], words[1], words[2], words[3], words[4]); isShown {
			var all []byte
			for _, one := range leaves {
				all = append(append(all, one.key...), one.value...)
			}
			answer = fmt.Sprintf("%d %x", len(leaves), hash(all)[:16])
		}
		if answer != expected {
			mismatches++
			fmt.Fprintf(os.Stderr, "proof %d: %s, expected %s\n", cases, answer, expected)
		}
	}
	fmt.Printf("proofs cases=%d mismatches=%d\n", cases, mismatches)
	return mismatches == 0
}
