// An agent's capability fingerprint, recomputed from the events that a node serves (protocol 6.15).
// Keeps: one step for each completion and failure of protocol 6.10, in execution order, each named by the system event
// that decided it. A node that omits, adds or changes a piece of work, or changes their order, gives another hash.
// Cost: every task_settled, claim_expired and settlement event is read, newest first, until all steps are found; the
// API has no list of them by agent.

import { concat, toHex, utf8 } from '../wire/bytes.ts';
import { sha256 } from '../wire/hash.ts';
import { jcs } from '../wire/json.ts';
import type { Query } from './calls.ts';
import type { Agent, EventRow, LedgerEvent, Task } from './objects.ts';
import type { Reply } from './transport.ts';

const SYSTEM_AGENT = 'system:node';
const PAGE = 200;
/** Events requested at a time. */
const AT_ONCE = 8;
const BP = 10_000;
const DECIDING = ['claim_expired', 'task_settled', 'settlement'] as const;
/** Resolutions of a dispute; any other end of an uncompleted task is not a failure of the worker. */
const BY_DISPUTE = new Set<unknown>(['dispute_quorum', 'dispute_deadline']);

/** One piece of work; `value` in micro-units and `score_bp` are 0 for transfers and for failures. */
export interface FingerprintEntry {
  event_id: string;
  category: string;
  outcome: 'completed' | 'failed';
  value: number;
  score_bp: number;
}

/** The reads of a VwsClient that a replay needs. */
interface FingerprintReads {
  read<T>(path: string, query?: Query): Promise<Reply<T>>;
  event(id: string): Promise<LedgerEvent>;
  readonly tasks: { get(taskId: string): Promise<Task> };
}

export interface ReplayedFingerprint {
  /** As reported in the profile, and as computed from the events. */
  told: string;
  replayed: string;
  isEqual: boolean;
  /** In execution order. */
  entries: FingerprintEntry[];
}

/** hex64. `entries` in execution order. */
export function replayFingerprint(agentId: string, entries: readonly FingerprintEntry[]): string {
  let hash = sha256(utf8(`vws-fingerprint-v1:${agentId}`));
  for (const { event_id, category, outcome, value, score_bp } of entries) {
    const step = sha256(utf8(jcs({ event_id, category, outcome, value, score_bp })));
    hash = sha256(concat(hash, step));
  }
  return toHex(hash);
}

/**
 * Replays an agent's fingerprint from the events of a node and compares it with the one in the agent's profile.
 * Work that is decided while this runs does not count: the profile belongs to one order number, that of
 * X-Service-Order.
 * Errors: those of the reads, `agent_not_found` among them.
 */
export async function checkFingerprint(
  reads: FingerprintReads,
  agentId: string,
): Promise<ReplayedFingerprint> {
  const { body: agent, order } = await reads.read<Agent>(`/v1/agents/${encodeURIComponent(agentId)}`);
  const entries = await new WorkHistory(reads, agent, order ?? Number.POSITIVE_INFINITY).entries();
  const replayed = replayFingerprint(agent.agent_id, entries);
  const told = agent.capability_fingerprint;
  return { told, replayed, isEqual: told === replayed, entries };
}

/** Finds the work of one agent up to an order number. */
class WorkHistory {
  /** By seq of the deciding event. */
  readonly #found = new Map<number, FingerprintEntry>();

  constructor(
    private readonly reads: FingerprintReads,
    private readonly agent: Agent,
    private readonly lastOrder: number,
  ) {}

  async entries(): Promise<FingerprintEntry[]> {
    for (const type of DECIDING) await this.#search(type);
    return [...this.#found].sort(([a], [b]) => a - b).map(([, entry]) => entry);
  }

  get #isComplete(): boolean {
    return this.#found.size >= this.agent.fingerprint_version;
  }

  async #search(type: (typeof DECIDING)[number]): Promise<void> {
    const query = { event_type: type, agent_id: SYSTEM_AGENT, per_page: PAGE };
    // New events shift the older ones to later pages, so a page may repeat some but never skips one.
    for (let page = 1; !this.#isComplete; page++) {
      const { body: rows } = await this.reads.read<EventRow[]>('/v1/events/recent', { ...query, page });
      const due = rows.filter(({ order }) => order <= this.lastOrder);
      for (let i = 0; i < due.length && !this.#isComplete; i += AT_ONCE) {
        await Promise.all(due.slice(i, i + AT_ONCE).map((row) => this.#take(row)));
      }
      if (rows.length < PAGE) return;
    }
  }

  async #take({ event_id, event_type, seq }: EventRow): Promise<void> {
    const { payload } = await this.reads.event(event_id);
    const entry =
      event_type === 'settlement'
        ? await this.#ofSettlement(event_id, payload)
        : await this.#ofTask(event_id, payload, event_type === 'claim_expired');
    if (entry) this.#found.set(seq, entry);
  }

  async #ofTask(
    eventId: string,
    payload: LedgerEvent['payload'],
    isExpired: boolean,
  ): Promise<FingerprintEntry | undefined> {
    if (payload.claimer_id !== this.agent.agent_id) return undefined;
    const task = await this.reads.tasks.get(payload.task_id as string);
    if (!isExpired && task.status === 'completed') {
      // A subtask whose parent was closed: its work was accepted but never paid, and is not counted.
      if (task.payout_status !== 'paid') return undefined;
      const score = Math.round((task.verification?.deterministic_report.overall ?? 0) * BP);
      return completed(eventId, task.category, payload.payout as number, score);
    }
    return isExpired || BY_DISPUTE.has(payload.resolution) ? failed(eventId, task.category) : undefined;
  }

  async #ofSettlement(
    eventId: string,
    payload: LedgerEvent['payload'],
  ): Promise<FingerprintEntry | undefined> {
    const { target_type: category, settlement_reason: reason } = payload;
    if (category !== 'transfer' && category !== 'generation') return undefined;
    if (reason !== 'verified' && reason !== 'rejected') return undefined;
    const target = await this.reads.event(payload.target_event_id as string);
    if (target.agent_id !== this.agent.agent_id) return undefined;
    if (reason === 'rejected') return failed(eventId, category);
    if (category === 'transfer') return completed(eventId, category, 0, 0);
    const value = payload.verified_value as number;
    const score = (BigInt(value) * BigInt(BP)) / BigInt(target.claimed_value as number);
    return completed(eventId, category, value, Number(score));
  }
}

const completed = (eventId: string, category: string, value: number, scoreBp: number): FingerprintEntry => ({
  event_id: eventId,
  category,
  outcome: 'completed',
  value,
  score_bp: scoreBp,
});
const failed = (eventId: string, category: string): FingerprintEntry => ({
  event_id: eventId,
  category,
  outcome: 'failed',
  value: 0,
  score_bp: 0,
});
