// Brings this node to where a peer is: asks one peer after the other for what is missing of the running epoch, and then of
// those after it, in the order in which that peer took it (consensus 5.11: dead vertices too, or a node that lags never
// seals).
// Keeps: one answer is waited for at a time; nothing more is asked while the inbox is full; what comes goes through the
// same check as everything else; a peer that lies about how far it is, or gives nothing, holds nobody up for long.

import type { Logger } from '../log.ts';
import type { Clock } from '../world/clock.ts';
import type { Inbox } from './inbox.ts';
import type { HeadMessage, Message } from './messages.ts';
import type { Peer } from './peer.ts';

/** Between two warnings that nobody has what is missing. */
const WARN_MS = 30_000;
/** How long a peer may lead by a few vertices, which are on their way, before it is asked. */
const PATIENCE_MS = 400;
const ANSWER_MS = 10_000;
const POLL_MS = 100;
/** Vertices under way above which nothing more is asked for. */
const MAX_UNDER_WAY = 2000;
/** Blocks behind a peer from which on this node is catching up, not just in time. */
const BEHIND_BLOCKS = 50;
const PROGRESS_MS = 2000;
/** Answers of little use in a row, less those of use, after which another peer is asked. */
const MAX_UNHELPFUL = 300;
/** For how long a peer that did not answer is the last to be asked. */
const ASIDE_MS = 60_000;
const MAX_KEYS = 1000;

type Synced = Extract<Message, { type: 'synced' }>;

/** Where this node stands. */
export interface LocalProgress {
  epoch: number;
  block: number;
  order: number;
  newest: readonly number[];
}

export interface CatchUpOptions {
  clock: Clock;
  log: Logger;
  inbox: Inbox;
  progress(): LocalProgress;
  /** Is one at least of these seats honest. */
  includesHonest(seats: readonly number[]): boolean;
  peers(): Iterable<Peer>;
}

interface Request {
  peer: Peer;
  epoch: number;
  cursor: number;
  sinceMs: number;
  /** How much its answers were of little use. */
  unhelpful: number;
}

export class CatchUp {
  #request: Request | undefined;
  /** Where the next question to a peer goes on. */
  readonly #cursors = new Map<string, { epoch: number; cursor: number }>();
  /** Peers that are ahead and do not have this epoch's vertices: they joined from a checkpoint behind it. */
  readonly #lacking = new Map<string, number>();
  /** When each key was asked last: the one that waits longest is next. */
  readonly #turns = new Map<string, number>();
  #leadHead: HeadMessage | undefined;
  #warnedMs = Number.NEGATIVE_INFINITY;
  #behindSinceMs: number | undefined;
  #cancel: () => void = () => {};
  #lastLogged: { ms: number; order: number } | undefined;
  #isStopped = false;
  /** Times a peer was asked. */
  requests = 0;

  constructor(private readonly options: CatchUpOptions) {
    this.#poll();
  }

  stop(): void {
    this.#isStopped = true;
    this.#cancel();
  }

  /** How far others are ahead in blocks, and their order; 0 when none is. */
  get gap(): { blocks: number; order: number } {
    const lead = this.#leadHead;
    if (!lead) return { blocks: 0, order: 0 };
    return { blocks: Math.max(0, lead.block - this.options.progress().block), order: lead.order };
  }

  /** So far behind that answers of this node would be of the past. */
  get isBehind(): boolean {
    const lead = this.#leadHead;
    if (!lead) return false;
    const { epoch, block } = this.options.progress();
    return lead.epoch > epoch + 1 || lead.block - block > BEHIND_BLOCKS;
  }

  /** A peer said how far it has come, or is gone. */
  headsChanged(): void {
    this.#leadHead = credibleLead(this.options.peers(), (seats) => this.options.includesHonest(seats));
  }

  peerLost(peer: Peer): void {
    if (this.#request?.peer === peer) this.#request = undefined;
    this.#cursors.delete(peer.key);
    this.#lacking.delete(peer.key);
    this.headsChanged();
  }

  /** An answer. Vertices are offered by the caller before: so many of them were not known. */
  onAnswer(peer: Peer, message: Synced, fresh: number): void {
    const asked = this.#request;
    if (asked?.peer !== peer || asked.epoch !== message.epoch) return;
    this.#request = undefined;
    const { epoch, cursor, isEnd, vertices } = message;
    const isNothing = isEnd && vertices.length === 0;
    if (isNothing && asked.cursor === 0 && (peer.head?.epoch ?? 0) > epoch) {
      this.#lacking.set(peer.key, epoch);
    }
    // Beyond the end the next question begins where the peer's order ended; what was given before and is missing all the
    // same, because there was no room for it, is found from the beginning.
    if (isNothing) this.#cursors.delete(peer.key);
    else this.#cursors.set(peer.key, { epoch, cursor });
    this.#behindSinceMs = undefined;
    if (isEnd) return;
    const isUseful = fresh > 0 && 2 * fresh >= vertices.length;
    const idle = Math.max(0, asked.unhelpful + (isUseful ? -1 : 1));
    if (idle > MAX_UNHELPFUL || cursor <= asked.cursor) this.#putAside(peer);
    else this.#askMore(peer, epoch, cursor, idle);
  }

  #putAside(peer: Peer): void {
    if (this.#turns.size >= MAX_KEYS) this.#turns.clear();
    this.#turns.set(peer.key, this.options.clock.monotonicMs() + ASIDE_MS);
    this.#cursors.delete(peer.key);
  }

  // Answers overlap with the checks of what came before, as far as there is room.
  #askMore(peer: Peer, epoch: number, cursor: number, idle: number): void {
    const { inbox } = this.options;
    if (inbox.underWay < MAX_UNDER_WAY && inbox.hasRoom && this.options.progress().epoch === epoch) {
      this.#ask(peer, epoch, cursor, idle);
    }
  }

  #ask(peer: Peer, epoch: number, cursor: number, idle: number): void {
    const { newest } = this.options.progress();
    this.requests += 1;
    this.#request = { peer, epoch, cursor, sinceMs: this.options.clock.monotonicMs(), unhelpful: idle };
    peer.send({ type: 'sync', epoch, cursor, seqs: newest });
  }

  #poll(): void {
    if (this.#isStopped) return;
    const nowMs = this.options.clock.monotonicMs();
    if (this.#request && nowMs - this.#request.sinceMs > ANSWER_MS) {
      this.#putAside(this.#request.peer);
      this.#request = undefined;
    }
    if (!this.#request) this.#askNext(nowMs);
    this.#logProgress(nowMs);
    this.#cancel = this.options.clock.setTimer(() => this.#poll(), POLL_MS);
  }

  #askNext(nowMs: number): void {
    const { inbox } = this.options;
    if (inbox.underWay >= MAX_UNDER_WAY || !inbox.hasRoom) return;
    const standing = this.options.progress();
    const ahead = [...this.options.peers()].filter((peer) => isAhead(peer, standing));
    const [leader] = ahead
      .filter(({ key }) => this.#lacking.get(key) !== standing.epoch)
      .sort((a, b) => this.#askAfterMs(a) - this.#askAfterMs(b));
    if (!leader) {
      this.#behindSinceMs = undefined;
      if (ahead.length > 0) this.#warn(nowMs, standing.epoch);
      return;
    }
    this.#behindSinceMs ??= nowMs;
    const { head } = leader;
    const isFar = head!.epoch > standing.epoch || head!.block - standing.block > BEHIND_BLOCKS;
    if (!isFar && nowMs - this.#behindSinceMs < PATIENCE_MS) return;
    const known = this.#cursors.get(leader.key);
    if (this.#askAfterMs(leader) < nowMs) this.#turns.set(leader.key, nowMs);
    this.#ask(leader, standing.epoch, known?.epoch === standing.epoch ? known.cursor : 0, 0);
  }

  #askAfterMs({ key }: Peer): number {
    return this.#turns.get(key) ?? Number.NEGATIVE_INFINITY;
  }

  // Nothing here is ever wiped by the program: the way out is the operator's.
  #warn(nowMs: number, epoch: number): void {
    if (nowMs - this.#warnedMs < WARN_MS) return;
    this.#warnedMs = nowMs;
    this.options.log.error(
      { epoch },
      'no connected peer has the vertices of this epoch any more: connect one that has, or start with an empty --data directory and --join checkpoint',
    );
  }

  #logProgress(nowMs: number): void {
    if (!this.isBehind) {
      if (this.#lastLogged) this.options.log.info({ order: this.options.progress().order }, 'caught up');
      this.#lastLogged = undefined;
      return;
    }
    const { order } = this.options.progress();
    if (this.#lastLogged && nowMs - this.#lastLogged.ms < PROGRESS_MS) return;
    const rate = this.#lastLogged
      ? ((order - this.#lastLogged.order) * 1000) / (nowMs - this.#lastLogged.ms)
      : 0;
    const to = this.gap.order;
    const secondsLeft = rate > 0 ? Math.round((to - order) / rate) : undefined;
    this.options.log.info({ order, to, verticesPerSecond: Math.round(rate), secondsLeft }, 'catching up');
    this.#lastLogged = { ms: nowMs, order };
  }
}

function isAhead({ head, isReady }: Peer, own: LocalProgress): boolean {
  if (!isReady || !head || head.epoch < own.epoch) return false;
  if (head.epoch > own.epoch) return true;
  return head.seqs.some((seq, seat) => seq > (own.newest[seat] ?? 0));
}

/**
 * The furthest head that an honest seat vouches for: as many as that say they are there or further. Where too few are
 * connected, the least of theirs.
 */
function credibleLead(
  peers: Iterable<Peer>,
  isBacked: (seats: readonly number[]) => boolean,
): HeadMessage | undefined {
  const told = [...peers].flatMap(({ head, seat }) => (head ? [{ head, seat }] : []));
  const ofSeats = told.filter(({ seat }) => seat !== undefined);
  const sorted = (ofSeats.length > 0 ? ofSeats : told).sort(
    (a, b) => b.head.epoch - a.head.epoch || b.head.block - a.head.block,
  );
  const seats: number[] = [];
  for (const { head, seat } of sorted) {
    if (seat !== undefined) seats.push(seat);
    if (isBacked(seats)) return head;
  }
  return sorted.at(-1)?.head;
}
