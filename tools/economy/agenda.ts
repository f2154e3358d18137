// The schedule: actions by second of consensus time, those of one second in the order they were scheduled.

interface Entry {
  secs: number;
  turn: number;
  act: () => void;
}

export class Agenda {
  #entries: Entry[] = [];
  #turn = 0;

  /** Second of the next action, Infinity when there is none. */
  get next(): number {
    return this.#entries[0]?.secs ?? Number.POSITIVE_INFINITY;
  }

  set(secs: number, act: () => void): void {
    const entry = { secs, turn: this.#turn++, act };
    const heap = this.#entries;
    let place = heap.push(entry) - 1;
    while (place > 0) {
      const parent = (place - 1) >> 1;
      if (isBefore(heap[parent]!, entry)) break;
      heap[place] = heap[parent]!;
      place = parent;
    }
    heap[place] = entry;
  }

  /** Runs all due actions, including those that become due meanwhile. */
  runDue(secs: number): void {
    while (this.next <= secs) this.#take().act();
  }

  #take(): Entry {
    const heap = this.#entries;
    const first = heap[0]!;
    const last = heap.pop()!;
    if (heap.length > 0) this.#sink(last);
    return first;
  }

  #sink(entry: Entry): void {
    const heap = this.#entries;
    let place = 0;
    for (;;) {
      let child = 2 * place + 1;
      if (child >= heap.length) break;
      if (child + 1 < heap.length && isBefore(heap[child + 1]!, heap[child]!)) child++;
      if (isBefore(entry, heap[child]!)) break;
      heap[place] = heap[child]!;
      place = child;
    }
    heap[place] = entry;
  }
}

const isBefore = (a: Entry, b: Entry): boolean => a.secs < b.secs || (a.secs === b.secs && a.turn < b.turn);
