// Who may be called next: a line of waiting items for each host, served in turns.
// Keeps: at most `most` items under way in all and `hostMost` for one host, so a slow receiver delays only itself.

interface Line<T> {
  items: T[];
  running: number;
  /** Stands among those that may start. */
  isOpen: boolean;
}

export class HostLines<T> {
  readonly #lines = new Map<string, Line<T>>();
  #open: Line<T>[] = [];
  #running = 0;

  constructor(
    private readonly most: number,
    private readonly hostMost: number,
  ) {}

  /** Items under way. */
  get running(): number {
    return this.#running;
  }

  push(host: string, item: T): void {
    let line = this.#lines.get(host);
    if (!line) {
      line = { items: [], running: 0, isOpen: false };
      this.#lines.set(host, line);
    }
    line.items.push(item);
    this.#offer(line);
  }

  #offer(line: Line<T>): void {
    if (line.isOpen || line.items.length === 0 || line.running >= this.hostMost) return;
    line.isOpen = true;
    this.#open.push(line);
  }

  /** The next item that may start, which counts as under way until `done`. */
  next(): T | undefined {
    if (this.#running >= this.most) return undefined;
    const line = this.#open.shift();
    if (!line) return undefined;
    line.isOpen = false;
    line.running++;
    this.#running++;
    const item = line.items.shift()!;
    this.#offer(line);
    return item;
  }

  done(host: string): void {
    const line = this.#lines.get(host)!;
    line.running--;
    this.#running--;
    if (line.running === 0 && line.items.length === 0) this.#lines.delete(host);
    else this.#offer(line);
  }

  clear(): void {
    for (const line of this.#lines.values()) line.items = [];
    for (const line of this.#open) line.isOpen = false;
    this.#open = [];
  }
}
