// Decides whether this seat may sign vertices: not while it may have lost some that it signed (consensus 5.12). A second
// vertex with a used seq is an equivocation and would cost the seat.
// Keeps: after a start nothing is signed before peers have reported which vertices of this seat they have, unless its
// last-signed record says that none is missing; a seat that may have lost vertices signs none before the second seal, or,
// where the others cannot sign without it, none but in a new incarnation; all of it survives a restart.
//
//   the record names what is stored ------------------------------------------+
//   new key, or                                                               v
//   intact store --> confirming -- claims of all, or of a quorum in 2 s ----> open <--+
//                        |                                                    ^ |     |
//   lost store, or       | unknown own vertex    the record's vertex arrived, | | unknown own vertex
//   record ahead         v                       or its epoch was sealed      | |     |
//        +---------> recovering ----------------------------------------------+ |     |
//                     |  |   ^--------------------------------------------------+     |
//                     |  |                                                            |
//                     |  +-- a quorum of others has reported, and they are none ------+ in a new
//                     |      without this seat, for some seconds                      | incarnation
//                     | open seats are a quorum without this one                      |
//                     v                                                               |
//                  waiting -- they are none any more, for some seconds ---------------+
//                     +------ the running epoch reaches `until` --> open

import type { Logger } from '../log.ts';
import { incarnationOf, MAX_INCARNATION } from '../wire/seq.ts';
import type { Store } from '../world/store.ts';
import { type Epoch, isQuorumAlone } from './epoch.ts';
import { OBSERVER } from './ordering.ts';
import { type OwnProgress, type PeerClaim, SeatClaims } from './seat-claims.ts';
import type { SignedRecord, SignedVertex } from './signed-record.ts';
import { readGate, type StoredGate, writeGate } from './stored-gate.ts';

/** With an intact store: the longest wait for further claims after the first one, once a quorum has reported. */
const MAX_FURTHER_CLAIMS_MS = 2000;
/**
 * With fewer, which may all be old copies as this store may be. Longer than a peer waits between two tries to dial: a seat
 * that was down for long hears the others only then.
 */
const MAX_FEW_CLAIMS_MS = 60_000;
/** How long the others must be no quorum without this seat before it resumes. */
const MIN_FOUND_MS = 5000;
/** Longer for each seat before this one that is held too: as few as necessary resume. */
const TURN_MS = 2000;
const RECHECK_MS = 500;

export interface VertexGateOptions {
  store: Store;
  clock: { monotonicMs(): number; setTimer(run: () => void, ms: number): () => void };
  log: Logger;
  seat: number;
  progress(): OwnProgress;
  /** Is a vertex of this seat stored here; `id` in hex. */
  hasVertex(id: string): boolean;
  /** Where the newest signed vertex is kept outside the data directory; undefined: nowhere. */
  record: Pick<SignedRecord, 'newest' | 'write'> | undefined;
  /** The key has not signed anything, as far as is known here: then an empty store has lost nothing. */
  isNewKey: boolean;
  /** An integer from 0 to 255 that nobody can foresee. */
  randomByte(): number;
  /** Vertices are made in this incarnation at least, up to and including epoch `until`. */
  startIncarnation(incarnation: number, until: number): void;
  /** Vertices may be made from now on, or not any more. */
  onChange(): void;
}

/** What the sequencer uses. */
export interface Gate {
  /** May vertices be made now. */
  readonly isOpen: boolean;
  /** Why writes are refused, when vertices may have been lost; else undefined. */
  readonly closedReason: string | undefined;
  /** A vertex of this seat arrived that this store did not have. Resolves when that is stored. */
  onUnknownOwnVertex(seq: number): Promise<void>;
  /** The newest vertex that was signed, to be called before it leaves. Resolves when the record of it is on disk. */
  onSigned(vertex: SignedVertex): Promise<void>;
  /** Decides again; to be called after each batch. */
  recheck(): void;
}

/** For a node without others. */
export const OPEN_GATE: Gate = {
  isOpen: true,
  closedReason: undefined,
  onUnknownOwnVertex: () => Promise.resolve(),
  onSigned: () => Promise.resolve(),
  recheck() {},
};

type Phase = 'confirming' | 'recovering' | 'waiting' | 'open';

const MAY_HAVE_LOST = 'this node may have lost vertices it signed';

export class VertexGate implements Gate {
  readonly #claims: SeatClaims;
  #stored: StoredGate;
  #phase: Phase;
  /** The newest vertex that was signed, if the record names one that is not here. */
  #lost: SignedVertex | undefined;
  /** Since when the others are no quorum without this seat. */
  #foundMs: number | undefined;
  #cancelRecheck: () => void = () => {};
  /** Writes of the gate's row, one after the other. */
  #writing: Promise<void> = Promise.resolve();
  /** A decision is being stored. */
  #isDeciding = false;

  private constructor(
    private readonly options: VertexGateOptions,
    stored: StoredGate,
    phase: Phase,
  ) {
    this.#claims = new SeatClaims(options.seat, () => options.clock.monotonicMs());
    this.#stored = stored;
    this.#phase = phase;
    if (recordPlace(options) === 'missing') this.#lost = options.record?.newest;
    const { resumed } = stored;
    if (resumed && resumed.until >= options.progress().epoch.number)
      options.startIncarnation(resumed.incarnation, resumed.until);
    this.#logReason();
  }

  /** Starts in the stored phase; a store without one is new or was lost. Closed until the first `recheck`. */
  static async open(options: VertexGateOptions): Promise<VertexGate> {
    const known = readGate(options.store);
    const isNew = !known && options.isNewKey;
    const { stored, phase } = atStart(options, known ?? { until: isNew ? 0 : null });
    if (JSON.stringify(stored) !== JSON.stringify(known)) await writeGate(options.store, stored);
    return new VertexGate(options, stored, phase);
  }

  stop(): void {
    this.#cancelRecheck();
  }

  get isOpen(): boolean {
    return this.#phase === 'open';
  }

  get closedReason(): string | undefined {
    if (this.#phase !== 'waiting' && this.#phase !== 'recovering') return undefined;
    const lost =
      this.#lost && `vertex ${this.#lost.seq} of epoch ${this.#lost.epoch}, signed here, is missing`;
    const forced = this.#stored.isForced ? '. Its operator decided that it resumes' : '';
    return `${lost ?? MAY_HAVE_LOST}; ${this.#whatFor}${forced}`;
  }

  get #whatFor(): string {
    if (this.#foundMs !== undefined)
      return 'the others cannot sign without it, so it resumes in a new incarnation';
    if (this.#phase === 'waiting') return `it signs none before epoch ${this.#stored.until}`;
    const seats = this.#claims.all.map(({ seat }) => seat);
    const heard = seats.length === 0 ? 'none has' : `seats ${seats.join(', ')} have`;
    return `waiting for peers to report them before it signs again (${heard})`;
  }

  onPeerClaim(seat: number, claim: PeerClaim): void {
    const isFirst = this.#claims.add(seat, claim);
    if (isFirst && this.closedReason !== undefined && !this.#isDeciding)
      this.#write(this.#stored).catch((error) =>
        this.options.log.error({ err: error }, 'cannot store what a seat reported'),
      );
    this.recheck();
  }

  /** The link to a seat was lost. */
  onPeerGone(seat: number): void {
    this.#claims.gone(seat);
  }

  async onSigned(vertex: SignedVertex): Promise<void> {
    await this.options.record?.write(vertex);
  }

  async onUnknownOwnVertex(seq: number): Promise<void> {
    if (this.closedReason !== undefined || this.#isOfBefore(seq)) return;
    this.options.log.error(
      { seat: this.options.seat },
      "received an unknown vertex signed with this node's key: the data directory is an old copy, or a second node uses the key",
    );
    this.#phase = 'recovering';
    this.#logReason();
    this.options.onChange();
    this.#stored = this.#held(null);
    await this.#write(this.#stored);
    this.recheck();
  }

  /** Is it one of those that were lost when the seat resumed: nothing is made in its incarnation any more. */
  #isOfBefore(seq: number): boolean {
    const { resumed } = this.#stored;
    const progress = this.options.progress();
    const isResumed = resumed !== undefined && resumed.until >= progress.epoch.number;
    const incarnation = Math.max(incarnationOf(progress.seq), isResumed ? resumed.incarnation : 0);
    return incarnationOf(seq) < incarnation;
  }

  recheck(): void {
    this.#cancelRecheck();
    if (this.#phase === 'open' || this.#isDeciding) return;
    const { until } = this.#stored;
    const progress = this.options.progress();
    const { epoch } = progress;
    const isOver = this.#phase === 'waiting' && until !== null && epoch.number >= until;
    if (isOver || this.#hasFoundRecord(epoch)) this.#reopen();
    else if (isQuorumAlone(epoch, this.options.seat)) this.#openAlone(progress);
    else if (this.#claims.areAhead(progress)) this.#foundMs = undefined;
    else if (this.#phase === 'confirming') this.#confirm(epoch);
    else this.#decide(progress);
    if (!this.isOpen) this.#cancelRecheck = this.options.clock.setTimer(() => this.recheck(), RECHECK_MS);
  }

  /** The record names the last vertex that was signed: with it, or beyond its epoch, nothing is lost. */
  #hasFoundRecord({ number }: Epoch): boolean {
    const lost = this.#lost;
    return lost !== undefined && (number > lost.epoch || this.options.hasVertex(lost.id));
  }

  #openAlone(progress: OwnProgress): void {
    if (this.#lost) this.#resume(progress);
    else this.#open();
  }

  // This node has everything that was claimed: are the claims enough.
  #confirm(epoch: Epoch): void {
    const maxMs = this.#claims.makeQuorum(epoch) ? MAX_FURTHER_CLAIMS_MS : MAX_FEW_CLAIMS_MS;
    const isLong = this.options.clock.monotonicMs() - this.#claims.firstMs >= maxMs;
    if (isLong || this.#claims.hasAll(epoch)) this.#open();
  }

  /** The seat may have lost vertices, and has everything that was claimed of it. */
  #decide(progress: OwnProgress): void {
    const { epoch } = progress;
    const isHeard = this.#stored.isForced ? !this.#claims.isEmpty : this.#claims.hasQuorum(epoch);
    if (!isHeard || this.#claims.isOpenQuorum(epoch) || this.#nextIncarnation(progress) > MAX_INCARNATION) {
      this.#foundMs = undefined;
      if (isHeard && this.#phase === 'recovering') this.#waitForSeal(epoch);
      return;
    }
    const nowMs = this.options.clock.monotonicMs();
    this.#foundMs ??= nowMs;
    if (nowMs - this.#foundMs >= MIN_FOUND_MS + TURN_MS * this.#claims.heldBefore) this.#resume(progress);
  }

  /**
   * First epoch in which nothing can have been signed: after that of the record; else the second after the newest that was
   * reported, since an epoch that opened had a quorum in the one before it, so that this seat can have been ahead by one.
   */
  #freeEpoch({ number }: Epoch): number {
    if (this.#lost) return this.#lost.epoch + 1;
    return 2 + (this.#claims.isEmpty ? number : this.#claims.newestEpoch(number));
  }

  #waitForSeal(epoch: Epoch): void {
    this.#settle(this.#held(this.#freeEpoch(epoch)), () => {
      this.#phase = 'waiting';
      this.#logReason();
      this.recheck();
    });
  }

  /** Only vertices that are here count: a liar may report any number. */
  #nextIncarnation({ seq }: OwnProgress): number {
    const known = Math.max(incarnationOf(seq), this.#stored.resumed?.incarnation ?? 0);
    if (this.#lost) return 1 + Math.max(known, incarnationOf(this.#lost.seq));
    return 1 + known;
  }

  /** Without a record an incarnation that was lost whole may have been the next one: a random step passes it. */
  #resume(progress: OwnProgress): void {
    const { log, seat, startIncarnation } = this.options;
    const step = this.#lost ? 0 : this.options.randomByte();
    const incarnation = Math.min(MAX_INCARNATION, this.#nextIncarnation(progress) + step);
    const resumed = { incarnation, until: this.#freeEpoch(progress.epoch) - 1 };
    const isForced = this.#stored.isForced === true;
    this.#settle({ until: 0, resumed }, () => {
      log.warn(
        { seat, ...resumed, isForced, claims: this.#claims.all },
        'this seat resumes in a new incarnation; writes that were acknowledged before may be lost if a third of the weight did so',
      );
      startIncarnation(incarnation, resumed.until);
      this.#open();
    });
  }

  /** Nothing is lost any more. */
  #reopen(): void {
    this.#settle(opened(this.#stored), () => this.#open());
  }

  #held(until: number | null): StoredGate {
    const { resumed, isForced } = this.#stored;
    return { until, ...(resumed ? { resumed } : {}), ...(isForced ? { isForced } : {}) };
  }

  /** Stores what was decided, then changes the phase, unless something else changed it meanwhile. */
  #settle(gate: StoredGate, then: () => void): void {
    const before = this.#phase;
    this.#isDeciding = true;
    this.#stored = gate;
    this.#write(gate)
      .then(() => {
        this.#isDeciding = false;
        if (this.#phase === before) then();
      })
      .catch((error) => {
        this.#isDeciding = false;
        this.options.log.error({ err: error }, 'cannot store the state of the vertex gate');
      });
  }

  /** With what others reported, as long as the seat is held: the operator's command shows it. */
  #write(gate: StoredGate): Promise<void> {
    const row = gate.until === 0 ? gate : { ...gate, claims: this.#claims.all };
    this.#writing = this.#writing.catch(() => {}).then(() => writeGate(this.options.store, row));
    return this.#writing;
  }

  #open(): void {
    if (this.closedReason !== undefined)
      this.options.log.info({ seat: this.options.seat }, 'this seat signs again');
    this.#phase = 'open';
    this.#lost = undefined;
    this.#foundMs = undefined;
    this.#cancelRecheck();
    this.options.onChange();
  }

  #logReason(): void {
    const reason = this.closedReason;
    if (reason !== undefined) this.options.log.warn({ seat: this.options.seat }, reason);
  }
}

/** A seat that has lost nothing. */
const opened = ({ resumed }: StoredGate): StoredGate => ({ until: 0, ...(resumed ? { resumed } : {}) });

/** Whether the vertex that the record names is stored; undefined: the record does not tell what was lost. */
function recordPlace({ record, progress, hasVertex }: VertexGateOptions): 'here' | 'missing' | undefined {
  const newest = record?.newest;
  if (!newest) return undefined;
  const { epoch, seq } = progress();
  if (newest.epoch > epoch.number) return 'missing';
  // What the store has beyond the record was signed without it: before a crash, or by somebody else.
  if (newest.epoch < epoch.number) return seq === 0 ? 'here' : undefined;
  if (hasVertex(newest.id)) return seq === newest.seq ? 'here' : undefined;
  return seq < newest.seq ? 'missing' : undefined;
}

function atStart(options: VertexGateOptions, stored: StoredGate): { stored: StoredGate; phase: Phase } {
  if (options.seat === OBSERVER) return { stored, phase: 'open' };
  const place = recordPlace(options);
  if (place === 'here') return { stored: stored.until === 0 ? stored : opened(stored), phase: 'open' };
  if (place === 'missing') return { stored: { ...stored, until: null }, phase: 'recovering' };
  if (stored.until === null) return { stored, phase: 'recovering' };
  return { stored, phase: stored.until > options.progress().epoch.number ? 'waiting' : 'confirming' };
}
