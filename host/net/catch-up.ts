// Catches up with peers: fetches the missing vertices of the running epoch, then of the epochs after it, from one peer at a
// time, by that peer's positions (consensus 5.11: dropped vertices too, or a lagging node never seals). The peer leaves out
// each seat's vertices up to the newest one here; if parents are missing after that, a seat may have forked, and the peer is
// asked for everything that is not ordered here (consensus 5.12).
// Keeps: one request at a time; none while the inbox is full; what arrives takes the same check as everything else; a peer
// that lies about its head, or sends nothing useful, delays this node only briefly.

import type { Logger } from '../log.ts';
import type { Clock } from '../world/clock.ts';
import type { Inbox } from './inbox.ts';
import type { HeadMessage, Message } from './messages.ts';
import type { Peer } from './peer.ts';
import { MAX_POSITIONS } from './vertex-server.ts';

/** Between two warnings that no peer has what is missing. */
const WARN_MS = 30_000;
/** How long a peer may be ahead by a few vertices before it is asked: they are probably on their way. */
const PATIENCE_MS = 400;
const ANSWER_MS = 10_000;
const POLL_MS = 100;
/** No request while more vertices are under way in the inbox. */
const MAX_UNDER_WAY = 2000;
/** A node this many blocks behind its peers counts as catching up. */
const BEHIND_BLOCKS = 50;
const PROGRESS_MS = 2000;
/** After this long it is another peer's turn, if one is ahead: whoever sends a vertex every few seconds helps, and would be asked for ever. */
const TURN_MS = 10_000;
/** Unhelpful answers of a peer, less the helpful ones, after which another peer is asked. */
const MAX_UNHELPFUL = 300;
/** For how long a peer that did not answer is asked only after all others. */
const ASIDE_MS = 60_000;
/**
 * For how long a peer whose turn brought nothing is not asked at all, even if it alone is ahead: doubled each time, until an
 * answer of it helps. Short enough that an honest peer behind a bad link delays this node little.
 */
const FIRST_REST_MS = 500;
const MAX_REST_MS = 10_000;
/** Peers whose times are remembered. */
const MAX_KEYS = 1000;

type Synced = Extract<Message, { type: 'synced' }>;

/** How far this node has come. */
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
  /** Is at least one of these seats honest. */
  includesHonest(seats: readonly number[]): boolean;
  peers(): Iterable<Peer>;
}

/** Where a peer is asked next; `isWhole`: for vertices up to the newest here too. */
interface Place {
  epoch: number;
  cursor: number;
  isWhole: boolean;
}

interface Request extends Place {
  peer: Peer;
  sinceMs: number;
  /** When the turn of this peer began. */
  turnMs: number;
  /** Vertices waited for parents when it was sent. */
  hadWaiting: boolean;
  /** Its unhelpful answers, less the helpful ones. */
  unhelpful: number;
}

export class CatchUp {
  #request: Request | undefined;
  readonly #places = new Map<string, Place>();
  /** When each peer was last asked: the one that waits longest is next. */
  readonly #askedMs = new Map<string, number>();
  /** Until when a peer is asked only after all others. */
  readonly #asideUntilMs = new Map<string, number>();
  /** Until when a peer is not asked, and for how long it was the last time. */
  readonly #rests = new Map<string, { untilMs: number; ms: number }>();
  /** How long a peer was waited for when its links broke, since an answer of it last helped. */
  readonly #waitedMs = new Map<string, number>();
  #leadHead: HeadMessage | undefined;
  #warnedMs = Number.NEGATIVE_INFINITY;
  #behindSinceMs: number | undefined;
  #cancel: () => void = () => {};
  #lastLogged: { ms: number; order: number } | undefined;
  #isStopped = false;
  /** Had the last turn a peer that anybody may be. */
  #wasStranger = true;
  /** Number of requests sent. */
  requests = 0;

  constructor(private readonly options: CatchUpOptions) {
    this.#poll();
  }

  stop(): void {
    this.#isStopped = true;
    this.#cancel();
  }

  /** How many blocks others are ahead, and their order number; 0 when none is. */
  get gap(): { blocks: number; order: number } {
    const lead = this.#leadHead;
    if (!lead) return { blocks: 0, order: 0 };
    return { blocks: Math.max(0, lead.block - this.options.progress().block), order: lead.order };
  }

  /** Is this node so far behind that its answers would be outdated. */
  get isBehind(): boolean {
    const lead = this.#leadHead;
    if (!lead) return false;
    const { epoch, block } = this.options.progress();
    return lead.epoch > epoch + 1 || lead.block - block > BEHIND_BLOCKS;
  }

  /** A peer reported a new head, or is gone. */
  headsChanged(): void {
    this.#leadHead = credibleLead(this.options.peers(), (seats) => this.options.includesHonest(seats));
  }

  /**
   * One of its links was closed: a question or its answer may be lost, and is not waited for. Who breaks its links before it
   * has answered gains nothing by that over one that is silent.
   */
  linkLost(peer: Peer): void {
    const asked = this.#request;
    if (asked?.peer !== peer) return;
    this.#request = undefined;
    const nowMs = this.options.clock.monotonicMs();
    const waitedMs = (this.#waitedMs.get(peer.key) ?? 0) + nowMs - asked.sinceMs;
    setBounded(this.#waitedMs, peer.key, waitedMs);
    if (waitedMs > ANSWER_MS) this.#putAside(peer);
  }

  peerLost(peer: Peer): void {
    this.linkLost(peer);
    this.#places.delete(peer.key);
    this.headsChanged();
  }

  /** Is an answer of this peer waited for. */
  isAnswer(peer: Peer, { epoch }: Pick<Synced, 'epoch'>): boolean {
    return this.#request?.peer === peer && this.#request.epoch === epoch;
  }

  /** An answer, whose vertices the caller has offered to the inbox; `fresh` of them were accepted. */
  onAnswer(peer: Peer, message: Synced, fresh: number): void {
    const asked = this.#request;
    if (asked?.peer !== peer || asked.epoch !== message.epoch) return;
    this.#request = undefined;
    const { isEnd, vertices } = message;
    const isNothing = isEnd && vertices.length === 0;
    const place = this.#placeAfter(asked, message);
    this.#places.set(peer.key, place);
    this.#behindSinceMs = undefined;
    const isHelpful = fresh > 0 && 2 * fresh >= vertices.length;
    if (isHelpful) {
      this.#rests.delete(peer.key);
      this.#waitedMs.delete(peer.key);
    }
    // It claims to be ahead and has nothing that would bring this node further.
    else if (isNothing && asked.cursor === 0) this.#rest(peer);
    if (isEnd) return;
    const unhelpful = Math.max(0, asked.unhelpful + (isHelpful ? -1 : 1));
    if (unhelpful > MAX_UNHELPFUL || isNoProgress(asked, message)) this.#putAside(peer);
    else this.#askMore(asked, place, unhelpful);
  }

  // The next request starts where this answer ended. Once that gives nothing, the one after starts from the beginning, to
  // find vertices that were sent before and found no room; and if vertices go on waiting for parents at the end, those of
  // other branches are asked for once.
  #placeAfter(asked: Request, { epoch, cursor, isEnd, vertices }: Synced): Place {
    if (!isEnd) return { epoch, cursor, isWhole: asked.isWhole };
    if (!asked.isWhole && asked.hadWaiting && this.options.inbox.hasWaiting) {
      return { epoch, cursor: 0, isWhole: true };
    }
    return { epoch, cursor: vertices.length === 0 ? 0 : cursor, isWhole: false };
  }

  /** Is everything that is not ordered here being fetched, parents first. */
  get isFetchingWhole(): boolean {
    return this.#request?.isWhole === true;
  }

  #rest({ key }: Peer): void {
    const ms = Math.min(MAX_REST_MS, 2 * (this.#rests.get(key)?.ms ?? FIRST_REST_MS / 2));
    setBounded(this.#rests, key, { untilMs: this.options.clock.monotonicMs() + ms, ms });
  }

  #putAside(peer: Peer): void {
    const { key } = peer;
    this.#rest(peer);
    setBounded(this.#asideUntilMs, key, this.options.clock.monotonicMs() + ASIDE_MS);
    this.#places.delete(key);
  }

  // The next answer is fetched while the last one is checked, as long as there is room.
  #askMore({ peer, turnMs }: Request, place: Place, unhelpful: number): void {
    const { inbox, clock } = this.options;
    if (clock.monotonicMs() - turnMs >= TURN_MS) return;
    if (inbox.underWay < MAX_UNDER_WAY && inbox.hasRoom && this.options.progress().epoch === place.epoch) {
      this.#ask(peer, place, unhelpful, turnMs);
    }
  }

  #ask(peer: Peer, place: Place, unhelpful: number, turnMs: number): void {
    const { epoch, cursor, isWhole: mayBeWhole } = place;
    const { inbox, clock } = this.options;
    const hadWaiting = inbox.hasWaiting;
    const isWhole = mayBeWhole && hadWaiting;
    this.requests += 1;
    const sinceMs = clock.monotonicMs();
    this.#request = { peer, epoch, cursor, isWhole, hadWaiting, sinceMs, turnMs, unhelpful };
    peer.send({ type: 'sync', epoch, cursor, seqs: isWhole ? [] : this.options.progress().newest });
  }

  #poll(): void {
    if (this.#isStopped) return;
    this.options.inbox.recheckHeld();
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
    const able = ahead.filter(({ head }) => head!.from.epoch <= standing.epoch);
    if (able.length === 0) {
      this.#behindSinceMs = undefined;
      if (ahead.length > 0) this.#warn(nowMs, standing.epoch, ahead);
      return;
    }
    const [leader] = able
      .filter(({ key }) => (this.#rests.get(key)?.untilMs ?? nowMs) <= nowMs)
      .sort(
        (a, b) =>
          this.#rankOf(a, nowMs) - this.#rankOf(b, nowMs) || this.#askAfterMs(a) - this.#askAfterMs(b),
      );
    if (!leader) return;
    this.#behindSinceMs ??= nowMs;
    const { head } = leader;
    const isFar = head!.epoch > standing.epoch || head!.block - standing.block > BEHIND_BLOCKS;
    if (!isFar && nowMs - this.#behindSinceMs < PATIENCE_MS) return;
    const known = this.#places.get(leader.key);
    const { epoch } = standing;
    setBounded(this.#askedMs, leader.key, nowMs);
    this.#wasStranger = isStranger(leader);
    this.#ask(leader, known?.epoch === epoch ? known : { epoch, cursor: 0, isWhole: false }, 0, nowMs);
  }

  /**
   * Keys without a seat that connect by themselves are anybody's, and a new one was never asked: they have every second turn at
   * most, as long as others are ahead.
   */
  #rankOf(peer: Peer, nowMs: number): number {
    const isAside = (this.#asideUntilMs.get(peer.key) ?? nowMs) > nowMs;
    return (isAside ? 2 : 0) + (this.#wasStranger && isStranger(peer) ? 1 : 0);
  }

  /** Peers of one rank are asked in the order of this. */
  #askAfterMs({ key }: Peer): number {
    const never = Number.NEGATIVE_INFINITY;
    return Math.max(this.#askedMs.get(key) ?? never, this.#asideUntilMs.get(key) ?? never);
  }

  // The program never deletes data by itself: the operator must act.
  #warn(nowMs: number, epoch: number, ahead: readonly Peer[]): void {
    if (nowMs - this.#warnedMs < WARN_MS) return;
    this.#warnedMs = nowMs;
    const peers = ahead.map(({ key, head }) => ({ key, from_order: head!.from.order }));
    this.options.log.error(
      { epoch, peers },
      'no connected peer has the vertices of this epoch any more: connect to one that has, or start with an empty --data directory and --join checkpoint',
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

const isStranger = ({ seat, isDialed }: Peer): boolean => seat === undefined && !isDialed;

function isAhead({ head, isReady }: Peer, own: LocalProgress): boolean {
  if (!isReady || !head || head.epoch < own.epoch) return false;
  if (head.epoch > own.epoch) return true;
  return own.newest.some((seq, seat) => (head.seqs[seat] ?? 0) > seq);
}

/**
 * The furthest head that at least one honest seat has reached: seats with a third of the weight or more report it or a
 * further one. If too few are connected, the lowest of their heads.
 */
function credibleLead(
  peers: Iterable<Peer>,
  includesHonest: (seats: readonly number[]) => boolean,
): HeadMessage | undefined {
  const claims = [...peers].flatMap(({ head, seat }) => (head ? [{ head, seat }] : []));
  const ofSeats = claims.filter(({ seat }) => seat !== undefined);
  const sorted = (ofSeats.length > 0 ? ofSeats : claims).sort(
    (a, b) => b.head.epoch - a.head.epoch || b.head.block - a.head.block,
  );
  return honestHead(sorted, includesHonest) ?? sorted.at(-1)?.head;
}

/**
 * As `credibleLead`, of order numbers: a head whose block is credible may still lie about its order. Undefined: too few have said
 * how far they are.
 */
export function credibleOrder(
  peers: Iterable<Peer>,
  includesHonest: (seats: readonly number[]) => boolean,
): number | undefined {
  const claims = [...peers].flatMap(({ head, seat }) => (head && seat !== undefined ? [{ head, seat }] : []));
  return honestHead(
    claims.sort((a, b) => b.head.order - a.head.order),
    includesHonest,
  )?.order;
}

/** Of heads, the furthest first, the one with which at least one honest seat has reported it or a further one. */
function honestHead(
  sorted: readonly { head: HeadMessage; seat: number | undefined }[],
  includesHonest: (seats: readonly number[]) => boolean,
): HeadMessage | undefined {
  const seats: number[] = [];
  for (const { head, seat } of sorted) {
    if (seat !== undefined) seats.push(seat);
    if (includesHonest(seats)) return head;
  }
  return undefined;
}

/** Answers that are not the end bring vertices or, in a sealed epoch, pass many positions that the asking node has. */
const isNoProgress = (asked: Request, { cursor, vertices, epoch }: Synced): boolean => {
  if (vertices.length > 0) return cursor <= asked.cursor;
  const isSealed = (asked.peer.head?.epoch ?? 0) > epoch;
  return !isSealed || cursor < asked.cursor + MAX_POSITIONS;
};

/** Forgets all entries rather than exceed MAX_KEYS. */
function setBounded<T>(map: Map<string, T>, key: string, value: T): void {
  if (map.size >= MAX_KEYS && !map.has(key)) map.clear();
  map.set(key, value);
}
