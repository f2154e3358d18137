// How much is held of what peers sent, of each and in all.
// Keeps: one who floods fills the room of one, and leaves that of the others.

export interface Bound {
  count: number;
  bytes: number;
}

const fits = (load: Bound, bytes: number, most: Bound): boolean =>
  load.count < most.count && load.bytes + bytes <= most.bytes;

export class SenderLoad {
  readonly #of = new Map<string, Bound>();
  readonly all: Bound = { count: 0, bytes: 0 };

  constructor(
    private readonly mostOfOne: Bound,
    private readonly most: Bound,
  ) {}

  /** Does one more of so many bytes fit. */
  hasRoom(from: string, bytes: number): boolean {
    return fits(this.#loadOf(from), bytes, this.mostOfOne) && fits(this.all, bytes, this.most);
  }

  add(from: string, bytes: number): void {
    this.#change(from, bytes, 1);
  }

  remove(from: string, bytes: number): void {
    this.#change(from, -bytes, -1);
  }

  clear(): void {
    this.#of.clear();
    this.all.count = 0;
    this.all.bytes = 0;
  }

  #loadOf(from: string): Bound {
    return this.#of.get(from) ?? { count: 0, bytes: 0 };
  }

  #change(from: string, bytes: number, count: number): void {
    const own = this.#loadOf(from);
    for (const load of [own, this.all]) {
      load.count += count;
      load.bytes += bytes;
    }
    if (own.count === 0) this.#of.delete(from);
    else this.#of.set(from, own);
  }
}
