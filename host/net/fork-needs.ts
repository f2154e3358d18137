// Which missing or refused vertices are needed: vertices of other seats are built on them, so no bound on forks applies
// (consensus 5.12).
// Keeps: an id is the hash of its header, so what is below a needed vertex is known from headers alone, whoever sent them;
// only vertices with a good signature make others needed; memory is bounded, and what was let go is learned again.

/** Needed ids, and ids whose parents are remembered. */
const MAX_IDS = 40_000;

export class ForkNeeds {
  readonly #needed = new Set<string>();
  /** Vertex that is not in the DAG -> its parents that were not either. */
  readonly #parents = new Map<string, readonly string[]>();

  has(key: string): boolean {
    return this.#needed.has(key);
  }

  /** These are needed, and everything below them that is known. */
  need(keys: readonly string[]): void {
    const open = [...keys];
    for (let key = open.pop(); key !== undefined; key = open.pop()) {
      if (!this.#needed.has(key)) addBounded(this.#needed, key);
      open.push(...(this.#parents.get(key) ?? []));
      this.#parents.delete(key);
    }
  }

  /** A vertex that waits or was refused: once it is needed, its parents are. */
  note(key: string, parents: readonly string[]): void {
    if (this.#needed.has(key)) {
      this.need(parents);
      return;
    }
    if (this.#parents.size >= MAX_IDS) this.#parents.delete(this.#parents.keys().next().value!);
    this.#parents.set(key, parents);
  }

  /** The vertex is in the DAG. */
  remove(key: string): void {
    this.#needed.delete(key);
    this.#parents.delete(key);
  }

  clear(): void {
    this.#needed.clear();
    this.#parents.clear();
  }
}

/** The oldest makes room. */
function addBounded(set: Set<string>, key: string): void {
  if (set.size >= MAX_IDS) set.delete(set.values().next().value!);
  set.add(key);
}
