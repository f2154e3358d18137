// Which item may start next: one line for each owner and host, served in turns.
// Keeps: limits for one host, so that a slow receiver delays only itself; for one owner, who may have any number of host
// names; and for all owners together who were slow last time, since owners cost little. Whoever answers soon finds a
// place, whatever others do. An item that waits for one limit never holds a place of another.

/** How many may run at once. */
interface Most {
  running: number;
  ofOwner: number;
  ofHost: number;
  /** Of all owners together whose latest item was slow. */
  ofSlow: number;
}

interface Line<T> {
  owner: string;
  host: string;
  items: T[];
}

/** A limit, and the lines that wait for it. */
interface Gate<T> {
  most: number;
  running: number;
  waiting: Line<T>[];
  /** Lines and running items that name it: without any it is forgotten. */
  uses: number;
}

/** An item that runs until `end`. */
export interface Started<T> {
  item: T;
  end(isSlow: boolean): void;
}

/** Owners who are remembered as slow; beyond it the oldest is forgotten. */
const MAX_SLOW = 10_000;

const isFull = ({ running, most }: Gate<unknown>): boolean => running >= most;
const newGate = <T>(most: number): Gate<T> => ({ most, running: 0, waiting: [], uses: 0 });

export class FairLines<T> {
  readonly #lines = new Map<string, Line<T>>();
  readonly #owners = new Map<string, Gate<T>>();
  readonly #hosts = new Map<string, Gate<T>>();
  readonly #slowGate: Gate<T>;
  readonly #slow = new Set<string>();
  /** Lines with items that wait for no limit but that of all. */
  #open: Line<T>[] = [];
  #running = 0;

  constructor(private readonly most: Most) {
    this.#slowGate = newGate(most.ofSlow);
  }

  /** How many items are running. */
  get running(): number {
    return this.#running;
  }

  push(owner: string, host: string, item: T): void {
    const key = `${owner} ${host}`;
    const line = this.#lines.get(key);
    if (line) {
      line.items.push(item);
      return;
    }
    const added = { owner, host, items: [item] };
    this.#lines.set(key, added);
    this.#use(this.#owners, owner, this.most.ofOwner);
    this.#use(this.#hosts, host, this.most.ofHost);
    this.#open.push(added);
  }

  #use(gates: Map<string, Gate<T>>, name: string, most: number): Gate<T> {
    const gate = gates.get(name) ?? newGate<T>(most);
    gates.set(name, gate);
    gate.uses++;
    return gate;
  }

  #leave(gates: Map<string, Gate<T>>, name: string): void {
    if (--gates.get(name)!.uses === 0) gates.delete(name);
  }

  #gatesOf({ owner, host }: Line<T>): Gate<T>[] {
    const own = [this.#owners.get(owner)!, this.#hosts.get(host)!];
    return this.#slow.has(owner) ? [...own, this.#slowGate] : own;
  }

  /** The next item that may start. */
  next(): Started<T> | undefined {
    while (this.#running < this.most.running) {
      const line = this.#open.shift();
      if (!line) return undefined;
      const gates = this.#gatesOf(line);
      const full = gates.find(isFull);
      // It may have been let go for a place that it doesn't take: of another limit, or because its owner is no longer slow.
      for (const gate of full ? new Set([...gates, this.#slowGate]) : [this.#slowGate]) {
        if (!isFull(gate)) this.#letOneGo(gate);
      }
      if (!full) return this.#start(line, gates);
      full.waiting.push(line);
    }
    return undefined;
  }

  #letOneGo(gate: Gate<T>): void {
    const line = gate.waiting.shift();
    if (line) this.#open.push(line);
  }

  #start(line: Line<T>, gates: readonly Gate<T>[]): Started<T> {
    const { owner, host } = line;
    const item = line.items.shift()!;
    this.#running++;
    for (const gate of gates) gate.running++;
    this.#use(this.#owners, owner, this.most.ofOwner);
    this.#use(this.#hosts, host, this.most.ofHost);
    if (line.items.length > 0) this.#open.push(line);
    else this.#forget(line);
    const end = (isSlow: boolean): void => {
      this.#running--;
      this.#judge(owner, isSlow);
      for (const gate of gates) {
        gate.running--;
        this.#letOneGo(gate);
      }
      this.#leave(this.#owners, owner);
      this.#leave(this.#hosts, host);
    };
    return { item, end };
  }

  #judge(owner: string, isSlow: boolean): void {
    this.#slow.delete(owner);
    if (!isSlow) return;
    this.#slow.add(owner);
    if (this.#slow.size > MAX_SLOW) for (const oldest of this.#slow) return void this.#slow.delete(oldest);
  }

  #forget({ owner, host }: Line<T>): void {
    this.#lines.delete(`${owner} ${host}`);
    this.#leave(this.#owners, owner);
    this.#leave(this.#hosts, host);
  }

  clear(): void {
    for (const line of this.#lines.values()) this.#forget(line);
    for (const gate of [...this.#owners.values(), ...this.#hosts.values(), this.#slowGate]) gate.waiting = [];
    this.#open = [];
  }
}
