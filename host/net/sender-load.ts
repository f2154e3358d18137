// How much is kept of what peers sent, for each sender and in all.
// Keeps: a flooding sender fills its own share only.

export interface Bound {
  count: number;
  bytes: number;
}

const fits = (load: Bound, bytes: number, max: Bound): boolean =>
  load.count < max.count && load.bytes + bytes <= max.bytes;

export class SenderLoad {
  readonly #bySender = new Map<string, Bound>();
  readonly all: Bound = { count: 0, bytes: 0 };

  constructor(
    private readonly maxPerSender: Bound,
    private readonly max: Bound,
  ) {}

  /** Does one more with this many bytes fit. */
  hasRoom(from: string, bytes: number): boolean {
    return !this.isFull(from, bytes) && fits(this.all, bytes, this.max);
  }

  /** Would one more with this many bytes exceed what this sender may have. */
  isFull(from: string, bytes: number): boolean {
    return !fits(this.#loadOf(from), bytes, this.maxPerSender);
  }

  /** The sender with most bytes. */
  get fullest(): string | undefined {
    let most = -1;
    let fullest: string | undefined;
    for (const [sender, { bytes }] of this.#bySender) {
      if (bytes > most) [most, fullest] = [bytes, sender];
    }
    return fullest;
  }

  add(from: string, bytes: number): void {
    this.#change(from, bytes, 1);
  }

  remove(from: string, bytes: number): void {
    this.#change(from, -bytes, -1);
  }

  clear(): void {
    this.#bySender.clear();
    this.all.count = 0;
    this.all.bytes = 0;
  }

  #loadOf(from: string): Bound {
    return this.#bySender.get(from) ?? { count: 0, bytes: 0 };
  }

  #change(from: string, bytes: number, count: number): void {
    const own = this.#loadOf(from);
    for (const load of [own, this.all]) {
      load.count += count;
      load.bytes += bytes;
    }
    if (own.count === 0) this.#bySender.delete(from);
    else this.#bySender.set(from, own);
  }
}
