// Which item may start next: one queue for each host, served in turns.
// Keeps: at most `maxRunning` items running in total and `maxPerHost` of one host, so a slow receiver delays only itself.

interface Line<T> {
  items: T[];
  running: number;
  /** Listed among the lines from which an item may start. */
  isOpen: boolean;
}

export class HostLines<T> {
  readonly #lines = new Map<string, Line<T>>();
  #open: Line<T>[] = [];
  #running = 0;

  constructor(
    private readonly maxRunning: number,
    private readonly maxPerHost: number,
  ) {}

  /** How many items are running. */
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
    if (line.isOpen || line.items.length === 0 || line.running >= this.maxPerHost) return;
    line.isOpen = true;
    this.#open.push(line);
  }

  /** The next item that may start, which counts as running until `done`. */
  next(): T | undefined {
    if (this.#running >= this.maxRunning) return undefined;
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
