// Which missing or refused vertices are needed: vertices of other seats are built on them, so no bound on forks applies
// (consensus 5.12).
// Keeps: an id is the hash of its header, so what is below a needed vertex is known from headers alone, whoever sent them;
// only vertices with a good signature make others needed; memory is bounded, and what was let go is learned again.

/** Needed ids, and ids whose parents are remembered. */
const MAX_IDS = 40_000;

export class ForkNeeds {
  /** Needed vertex -> a seat that builds on it. */
  readonly #needed = new Map<string, number>();
  /** Vertex that is not in the DAG -> its parents that were not either. */
  readonly #parents = new Map<string, readonly string[]>();

  /** `canVouch`: may what this seat builds on come in although it is held back. */
  constructor(private readonly canVouch: (seat: number) => boolean) {}

  has(key: string): boolean {
    return this.#needed.has(key);
  }

  /** The seat that made it needed, if it is; one that can vouch, if there is one. */
  voucherOf(key: string): number | undefined {
    return this.#needed.get(key);
  }

  /** These are needed by a seat, and everything below them that is known. */
  need(keys: readonly string[], by: number): void {
    const open = [...keys];
    for (let key = open.pop(); key !== undefined; key = open.pop()) {
      const before = this.#needed.get(key);
      if (before === by || (before !== undefined && this.canVouch(before))) continue;
      setBounded(this.#needed, key, by);
      open.push(...(this.#parents.get(key) ?? []));
    }
  }

  /** A vertex that waits or was refused: once it is needed, its parents are. */
  note(key: string, parents: readonly string[]): void {
    setBounded(this.#parents, key, parents);
    const by = this.#needed.get(key);
    if (by !== undefined) this.need(parents, by);
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
function setBounded<T>(map: Map<string, T>, key: string, value: T): void {
  if (map.size >= MAX_IDS && !map.has(key)) map.delete(map.keys().next().value!);
  map.set(key, value);
}
