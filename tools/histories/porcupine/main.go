// Judges the operations of a history by porcupine (github.com/anishathalye/porcupine), a search for a linearization.
// In: JSON on stdin, see Input. Out: JSON on stdout, see Report. Every key is a register of its own.
//
// A task is a register of status and worker: posted once, claimed by one, delivered by that one, then approved or
// cancelled. An agent is a pair of counters, free balance and stake, moved by its own writes; answers show the values
// right after the write.

package main

import (
	"encoding/json"
	"fmt"
	"os"
	"sort"
	"time"

	"github.com/anishathalye/porcupine"
)

// Operation is one call as seen by its client. Return is below zero for a call without an answer: it may take effect at
// any time after its start.
type Operation struct {
	ID     int    `json:"id"`
	Key    string `json:"key"`
	Kind   string `json:"kind"`
	By     string `json:"by"`
	Call   int64  `json:"call"`
	Return int64  `json:"return"`
	// What the write adds to the counters of an agent.
	Balance int64 `json:"balance"`
	Staked  int64 `json:"staked"`
	// What the answer shows; absent: not shown.
	ShownBalance *int64  `json:"shownBalance"`
	ShownStaked  *int64  `json:"shownStaked"`
	ShownStatus  *string `json:"shownStatus"`
	ShownWorker  *string `json:"shownWorker"`
}

// Input is the whole history.
type Input struct {
	TimeoutSecs int         `json:"timeoutSecs"`
	Operations  []Operation `json:"operations"`
}

// Illegal is a register whose operations have no linearization: the fewest that were found, by start.
type Illegal struct {
	Key        string `json:"key"`
	Operations []int  `json:"operations"`
}

// Report is the verdict. Undecided names registers for which the time was too short.
type Report struct {
	Operations int       `json:"operations"`
	Registers  int       `json:"registers"`
	Illegal    []Illegal `json:"illegal"`
	Undecided  []string  `json:"undecided"`
}

type state struct {
	exists          bool
	balance, staked int64
	status, worker  string
}

func shows(s state, o Operation) bool {
	return (o.ShownBalance == nil || *o.ShownBalance == s.balance) &&
		(o.ShownStaked == nil || *o.ShownStaked == s.staked) &&
		(o.ShownStatus == nil || *o.ShownStatus == s.status) &&
		(o.ShownWorker == nil || *o.ShownWorker == s.worker)
}

// after gives the state behind an operation, and whether the operation is possible in this one.
func after(s state, o Operation) (state, bool) {
	next := s
	switch o.Kind {
	case "read":
		return s, s.exists && shows(s, o)
	case "register":
		next = state{exists: true, balance: o.Balance, staked: o.Staked}
		return next, !s.exists && shows(next, o)
	case "move":
		next.balance += o.Balance
		next.staked += o.Staked
		return next, s.exists && next.balance >= 0 && next.staked >= 0 && shows(next, o)
	case "post":
		next = state{exists: true, status: "open"}
		return next, !s.exists
	case "claim":
		next.status, next.worker = "claimed", o.By
		return next, s.status == "open" && shows(next, o)
	case "refused-claim":
		return s, s.exists && s.status != "open"
	case "submit":
		next.status = "submitted"
		return next, s.status == "claimed" && s.worker == o.By
	case "approve":
		next.status = "completed"
		return next, s.status == "submitted"
	case "cancel":
		next.status = "cancelled"
		return next, s.status == "open" || s.status == "claimed"
	}
	panic("unknown kind of operation: " + o.Kind)
}

var model = porcupine.Model{
	Init: func() interface{} { return state{} },
	Step: func(s, input, _ interface{}) (bool, interface{}) {
		next, isPossible := after(s.(state), input.(Operation))
		return isPossible, next
	},
	Equal: func(a, b interface{}) bool { return a == b },
}

func check(operations []Operation, timeout time.Duration) porcupine.CheckResult {
	last := int64(0)
	for _, o := range operations {
		last = max(last, o.Call, o.Return)
	}
	history := make([]porcupine.Operation, len(operations))
	for i, o := range operations {
		end := o.Return
		if end < 0 {
			end = last + 1
		}
		history[i] = porcupine.Operation{ClientId: i, Input: o, Call: o.Call, Return: end}
	}
	return porcupine.CheckOperationsTimeout(model, history, timeout)
}

// fewest leaves out what starts after the end of all that has no linearization, and then what only looks.
func fewest(operations []Operation, timeout time.Duration) []Operation {
	ended := int64(0)
	for i, o := range operations {
		if o.Call > ended && check(operations[:i], timeout) == porcupine.Illegal {
			operations = operations[:i]
			break
		}
		ended = max(ended, o.Return)
	}
	for i := 0; i < len(operations); {
		o := operations[i]
		onlyLooks := o.Kind == "read" || o.Kind == "refused-claim"
		without := append(append([]Operation{}, operations[:i]...), operations[i+1:]...)
		if onlyLooks && check(without, timeout) == porcupine.Illegal {
			operations = without
		} else {
			i++
		}
	}
	return operations
}

func main() {
	var in Input
	if err := json.NewDecoder(os.Stdin).Decode(&in); err != nil {
		fmt.Fprintln(os.Stderr, "bad input:", err)
		os.Exit(2)
	}
	timeout := time.Duration(in.TimeoutSecs) * time.Second
	byKey := map[string][]Operation{}
	for _, o := range in.Operations {
		byKey[o.Key] = append(byKey[o.Key], o)
	}
	keys := make([]string, 0, len(byKey))
	for key := range byKey {
		keys = append(keys, key)
	}
	sort.Strings(keys)
	report := Report{
		Operations: len(in.Operations),
		Registers:  len(keys),
		Illegal:    []Illegal{},
		Undecided:  []string{},
	}
	for _, key := range keys {
		operations := byKey[key]
		sort.SliceStable(operations, func(i, j int) bool { return operations[i].Call < operations[j].Call })
		switch check(operations, timeout) {
		case porcupine.Unknown:
			report.Undecided = append(report.Undecided, key)
		case porcupine.Illegal:
			ids := []int{}
			for _, o := range fewest(operations, timeout) {
				ids = append(ids, o.ID)
			}
			report.Illegal = append(report.Illegal, Illegal{Key: key, Operations: ids})
		}
	}
	if err := json.NewEncoder(os.Stdout).Encode(report); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(2)
	}
}
