// Decides whether this seat may sign vertices: not while it may have lost some that it signed (consensus 5.12). A second
// vertex with a used sequence number is an equivocation and would cost the seat.
// Keeps: after a start nothing is signed before peers have reported which vertices of this seat they have; a seat that may
// have lost vertices signs none before the second seal after the newest epoch known to a quorum; both survive a restart.
//
//   new key ------------------------------------------------------------------+
//                                                                             v
//   intact store --> confirming -- claims of a quorum, or 2 s of claims --> open
//                        |                                                    ^ |
//   lost store           | unknown own vertex      others bear no fault, and  | | unknown own
//        |               v                         all of them have reported  | | vertex
//        +---------> recovering ----------------------------------------------+ |
//                     |      ^--------------------------------------------------+
//                     | a quorum of others has reported
//                     v
//                  waiting -- the running epoch reaches `reopenEpoch` --> open

import type { Logger } from '../log.ts';
import { rowKey } from '../store/prefixes.ts';
import { readJson, WriteSet } from '../store/write-set.ts';
import type { Store } from '../world/store.ts';
import { type Epoch, includesHonest, isQuorumAlone, isQuorumOf } from './epoch.ts';
import { OBSERVER } from './ordering.ts';

/** With an intact store: the longest wait for further claims after the first one. */
const MAX_FURTHER_CLAIMS_MS = 2000;
/** How long unconfirmed claims of a minority are waited for. */
const MAX_UNCONFIRMED_MS = 60_000;
const RECHECK_MS = 500;

/** What a peer reports, unproven: its running epoch, and the newest sequence number of this seat that it has there. */
export interface PeerClaim {
  epoch: number;
  seq: number;
}

/** What this node has: the running epoch, and the newest sequence number of this seat in it, 0 = none. */
export interface OwnProgress {
  epoch: Epoch;
  seq: number;
}

export interface VertexGateOptions {
  store: Store;
  clock: { monotonicMs(): number; setTimer(run: () => void, ms: number): () => void };
  log: Logger;
  seat: number;
  progress(): OwnProgress;
  /** The key has not signed anything yet, so an empty store has lost nothing. */
  isNewKey: boolean;
  /** Vertices may be made from now on. */
  onOpen(): void;
}

/** What the sequencer uses. */
export interface Gate {
  /** May vertices be made now. */
  readonly isOpen: boolean;
  /** Why writes are refused, when vertices may have been lost; else undefined. */
  readonly closedReason: string | undefined;
  /** A vertex of this seat arrived that this store did not have. Resolves when that is stored. */
  onUnknownOwnVertex(): Promise<void>;
  /** Decides again; to be called after each batch. */
  recheck(): void;
}

/** For a node without others. */
export const OPEN_GATE: Gate = {
  isOpen: true,
  closedReason: undefined,
  onUnknownOwnVertex: () => Promise.resolve(),
  recheck() {},
};

/** As stored under `m:own_vertices`; `until`: first epoch in which vertices may be made again, null = not known yet. */
interface StoredGate {
  until: number | null;
}

type Phase = 'confirming' | 'recovering' | 'waiting' | 'open';

const MAY_HAVE_LOST = 'this node may have lost vertices it signed';

export class VertexGate implements Gate {
  /** By seat; `sinceMs`: when the seat first reported anything. */
  readonly #claims = new Map<number, PeerClaim & { sinceMs: number }>();
  #phase: Phase;
  #reopenEpoch = 0;
  #cancelRecheck: () => void = () => {};

  private constructor(
    private readonly options: VertexGateOptions,
    { until }: StoredGate,
    isNew: boolean,
  ) {
    this.#reopenEpoch = until ?? 0;
    if (options.seat === OBSERVER || isNew) this.#phase = 'open';
    else if (until === null) this.#phase = 'recovering';
    else this.#phase = until > options.progress().epoch.number ? 'waiting' : 'confirming';
    this.#logReason();
  }

  /** Starts in the stored phase; a store without one is new or was lost. Closed until the first `recheck`. */
  static async open(options: VertexGateOptions): Promise<VertexGate> {
    const known = readJson<StoredGate>(options.store.get(rowKey.meta('own_vertices')));
    const stored = known ?? { until: options.isNewKey ? 0 : null };
    if (!known) await writeGate(options.store, stored);
    return new VertexGate(options, stored, !known && options.isNewKey);
  }

  stop(): void {
    this.#cancelRecheck();
  }

  get isOpen(): boolean {
    return this.#phase === 'open';
  }

  get closedReason(): string | undefined {
    if (this.#phase === 'waiting') return `${MAY_HAVE_LOST}; it signs none before epoch ${this.#reopenEpoch}`;
    if (this.#phase !== 'recovering') return undefined;
    return `${MAY_HAVE_LOST}; waiting for peers to report them before it signs again`;
  }

  onPeerClaim(seat: number, { epoch, seq }: PeerClaim): void {
    if (seat === this.options.seat) return;
    const sinceMs = this.#claims.get(seat)?.sinceMs ?? this.options.clock.monotonicMs();
    this.#claims.set(seat, { epoch, seq, sinceMs });
    this.recheck();
  }

  async onUnknownOwnVertex(): Promise<void> {
    if (this.closedReason !== undefined) return;
    this.options.log.error(
      { seat: this.options.seat },
      "received an unknown vertex signed with this node's key: the data directory is an old copy, or a second node uses the key",
    );
    this.#phase = 'recovering';
    this.#logReason();
    await writeGate(this.options.store, { until: null });
    this.recheck();
  }

  recheck(): void {
    this.#cancelRecheck();
    if (this.#phase === 'open') return;
    const { epoch } = this.options.progress();
    if (this.#phase === 'waiting') {
      if (epoch.number >= this.#reopenEpoch) this.#open();
    } else if (isQuorumAlone(epoch, this.options.seat)) this.#open();
    else if (!this.#hasMissingVertices()) this.#decide(epoch);
    if (!this.isOpen) this.#cancelRecheck = this.options.clock.setTimer(() => this.recheck(), RECHECK_MS);
  }

  /**
   * Do peers claim more than this node has. A minority whose claims nothing here confirms may be lying: it is waited for
   * only for a minute.
   */
  #hasMissingVertices(): boolean {
    const { epoch, seq } = this.options.progress();
    const nowMs = this.options.clock.monotonicMs();
    const ahead = [...this.#claims].filter(
      ([, claim]) => claim.epoch > epoch.number || (claim.epoch === epoch.number && claim.seq > seq),
    );
    const isRecent = ahead.some(([, { sinceMs }]) => nowMs - sinceMs < MAX_UNCONFIRMED_MS);
    const seats = ahead.map(([seat]) => seat);
    return isRecent || includesHonest(epoch, seats);
  }

  // This node has everything that was claimed: are the claims enough.
  #decide(epoch: Epoch): void {
    const seats = [...this.#claims.keys()];
    if (this.#phase === 'confirming') {
      const firstMs = Math.min(...[...this.#claims.values()].map(({ sinceMs }) => sinceMs));
      const isLong = this.options.clock.monotonicMs() - firstMs >= MAX_FURTHER_CLAIMS_MS;
      if (isLong || isQuorumOf(epoch, [this.options.seat, ...seats])) this.#open();
      return;
    }
    const others = epoch.seats.flatMap(({ weight }, seat) =>
      weight > 0n && seat !== this.options.seat ? [seat] : [],
    );
    if (!isQuorumOf(epoch, others)) {
      // Such a network tolerates no fault anyway: this seat resumes after its highest vertex that anybody has.
      if (others.every((seat) => this.#claims.has(seat))) this.#write(0, () => this.#open());
    } else if (isQuorumOf(epoch, seats)) this.#waitForSecondSeal(epoch);
  }

  // An epoch that opened had a quorum in the one before it, so this seat can have been ahead of the claims by one epoch.
  #waitForSecondSeal(epoch: Epoch): void {
    const claimed = [...this.#claims.values()].map((claim) => claim.epoch);
    const reopenEpoch = 2 + Math.max(...claimed.filter((number) => number <= epoch.number));
    this.#write(reopenEpoch, () => {
      this.#phase = 'waiting';
      this.#reopenEpoch = reopenEpoch;
      this.#logReason();
      this.recheck();
    });
  }

  /** Stores the epoch, then changes the phase, unless something else changed it meanwhile. */
  #write(until: number, then: () => void): void {
    const before = this.#phase;
    writeGate(this.options.store, { until })
      .then(() => {
        if (this.#phase === before) then();
      })
      .catch((error) => this.options.log.error({ err: error }, 'cannot store the state of the vertex gate'));
  }

  #open(): void {
    this.#phase = 'open';
    this.#cancelRecheck();
    this.options.onOpen();
  }

  #logReason(): void {
    const reason = this.closedReason;
    if (reason !== undefined) this.options.log.warn({ seat: this.options.seat }, reason);
  }
}

async function writeGate(store: Store, gate: StoredGate): Promise<void> {
  const set = new WriteSet(store);
  set.putJson(rowKey.meta('own_vertices'), gate);
  await store.write(set.ops());
}
