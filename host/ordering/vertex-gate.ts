// May this seat make vertices: not while it might have forgotten some that it made (consensus 5.12). A second vertex with
// a number that is taken would be an equivocation, and cost the seat.
// Keeps: after a start nothing is made before others have said what they hold of this seat; a seat that may have forgotten
// vertices makes none before the second seal after the epoch that a quorum was in; both outlive a restart.

import type { Logger } from '../log.ts';
import { keyText } from '../store/prefixes.ts';
import { readJson, WriteSet } from '../store/write-set.ts';
import type { Store } from '../world/store.ts';
import { type Epoch, isQuorumAlone, isQuorumOf } from './epoch.ts';
import { OBSERVER } from './ordering.ts';

/** With an intact store: longest wait for further answers after the first one. */
const GREET_MS = 2000;
/** How long words of a few seats that nothing here confirms are waited for. */
const DOUBT_MS = 60_000;
const LOOK_MS = 500;

/** What another seat says: its running epoch, and this seat's newest sequence number there. */
export interface Told {
  epoch: number;
  own: number;
}

/** Where this node stands. */
export interface GateStanding {
  epoch: Epoch;
  /** Newest own sequence number of the running epoch, 0 = none. */
  own: number;
}

export interface VertexGateOptions {
  store: Store;
  clock: { monotonicMs(): number; setTimer(run: () => void, ms: number): () => void };
  log: Logger;
  seat: number;
  standing(): GateStanding;
  /** The key has not signed anything: a store that is empty was not lost. */
  isNewKey: boolean;
  /** Vertices may be made from now on. */
  onOpen(): void;
}

/** What the pipeline sees. */
export interface Gate {
  /** May vertices be made now. */
  readonly isOpen: boolean;
  /** Vertices may have been forgotten: why writes are not taken; else undefined. */
  readonly held: string | undefined;
  /** A vertex of this seat came that is not held here. Resolves when it is sure to be remembered. */
  foreign(): Promise<void>;
  /** The order went on. */
  look(): void;
}

/** For a node without others. */
export const OPEN_GATE: Gate = { isOpen: true, held: undefined, foreign: () => Promise.resolve(), look() {} };

/** `until`: first epoch in which vertices may be made again; null: not known yet. */
interface Remembered {
  until: number | null;
}

type Phase = 'greeting' | 'asking' | 'waiting' | 'open';

export class VertexGate implements Gate {
  readonly #answers = new Map<number, Told & { sinceMs: number }>();
  #phase: Phase;
  #until = 0;
  #cancel: () => void = () => {};

  private constructor(
    private readonly o: VertexGateOptions,
    { until }: Remembered,
    isNew: boolean,
  ) {
    this.#until = until ?? 0;
    if (o.seat === OBSERVER || isNew) this.#phase = 'open';
    else if (until === null) this.#phase = 'asking';
    else this.#phase = until > o.standing().epoch.number ? 'waiting' : 'greeting';
    this.#tell();
  }

  /** As the store says that this seat stands; a store that says nothing is new or lost. Shut until the first look. */
  static async open(o: VertexGateOptions): Promise<VertexGate> {
    const known = readJson<Remembered>(o.store.get(keyText('m', 'own_vertices')));
    const remembered = known ?? { until: o.isNewKey ? 0 : null };
    if (!known) await remember(o.store, remembered);
    return new VertexGate(o, remembered, !known && o.isNewKey);
  }

  stop(): void {
    this.#cancel();
  }

  get isOpen(): boolean {
    return this.#phase === 'open';
  }

  get held(): string | undefined {
    if (this.#phase === 'waiting')
      return `this seat may have forgotten vertices and makes none before epoch ${this.#until}`;
    return this.#phase === 'asking'
      ? 'this seat may have forgotten vertices and asks the others for them'
      : undefined;
  }

  /** A seat said where it stands. */
  told(seat: number, { epoch, own }: Told): void {
    if (seat === this.o.seat) return;
    const sinceMs = this.#answers.get(seat)?.sinceMs ?? this.o.clock.monotonicMs();
    this.#answers.set(seat, { epoch, own, sinceMs });
    this.look();
  }

  async foreign(): Promise<void> {
    if (this.held !== undefined) return;
    this.o.log.error(
      { seat: this.o.seat },
      'a vertex of this seat came that is not in this store: the store is an old copy, or another node has this key, too',
    );
    this.#phase = 'asking';
    this.#tell();
    await remember(this.o.store, { until: null });
    this.look();
  }

  look(): void {
    this.#cancel();
    if (this.#phase === 'open') return;
    const { epoch } = this.o.standing();
    if (this.#phase === 'waiting' ? epoch.number >= this.#until : isQuorumAlone(epoch, this.o.seat)) {
      this.#open();
    } else if (this.#phase !== 'waiting' && !this.#isUnconfirmed()) this.#answered(epoch);
    if (!this.isOpen) this.#cancel = this.o.clock.setTimer(() => this.look(), LOOK_MS);
  }

  /** Seats say more than is here; a few that nothing confirms may be liars, and are not waited for without end. */
  #isUnconfirmed(): boolean {
    const { epoch, own } = this.o.standing();
    const nowMs = this.o.clock.monotonicMs();
    let weight = 0n;
    let isFresh = false;
    for (const [seat, told] of this.#answers) {
      if (told.epoch < epoch.number || (told.epoch === epoch.number && told.own <= own)) continue;
      weight += epoch.seats[seat]?.weight ?? 0n;
      isFresh ||= nowMs - told.sinceMs < DOUBT_MS;
    }
    const total = epoch.seats.reduce((sum, seat) => sum + seat.weight, 0n);
    return isFresh || 1000n * weight > 333n * total;
  }

  // Nothing that was said is missing here: is that enough.
  #answered(epoch: Epoch): void {
    const seats = [...this.#answers.keys()];
    if (this.#phase === 'greeting') {
      const firstMs = Math.min(...[...this.#answers.values()].map(({ sinceMs }) => sinceMs));
      const isLong = this.o.clock.monotonicMs() - firstMs >= GREET_MS;
      if (isLong || isQuorumOf(epoch, [this.o.seat, ...seats])) this.#open();
      return;
    }
    const others = epoch.seats.flatMap(({ weight }, seat) =>
      weight > 0n && seat !== this.o.seat ? [seat] : [],
    );
    if (!isQuorumOf(epoch, others)) {
      // Such a network bears no fault anyway: it goes on from the highest own vertex that anybody has.
      if (others.every((seat) => this.#answers.has(seat))) this.#resume();
    } else if (isQuorumOf(epoch, seats)) this.#wait(epoch);
  }

  #resume(): void {
    this.#remember(0, () => this.#open());
  }

  // An epoch that opened took a quorum in the one before it, so this seat can have been ahead of the answers by one.
  #wait(epoch: Epoch): void {
    const told = [...this.#answers.values()].map((answer) => answer.epoch);
    const until = 2 + Math.max(...told.filter((number) => number <= epoch.number));
    this.#remember(until, () => {
      this.#phase = 'waiting';
      this.#until = until;
      this.#tell();
      this.look();
    });
  }

  #remember(until: number, then: () => void): void {
    const before = this.#phase;
    remember(this.o.store, { until })
      .then(() => {
        if (this.#phase === before) then();
      })
      .catch((error) => this.o.log.error({ err: error }, 'what is known of own vertices was not stored'));
  }

  #open(): void {
    this.#phase = 'open';
    this.#cancel();
    this.o.onOpen();
  }

  #tell(): void {
    if (this.held !== undefined) this.o.log.warn({ seat: this.o.seat }, this.held);
  }
}

async function remember(store: Store, what: Remembered): Promise<void> {
  const set = new WriteSet(store);
  set.putJson(keyText('m', 'own_vertices'), what);
  await store.write(set.ops());
}
