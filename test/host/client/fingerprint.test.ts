import { describe, expect, it } from 'vitest';
import {
  checkFingerprint,
  type FingerprintEntry,
  replayFingerprint,
} from '../../../host/client/fingerprint.ts';
import type { Agent, LedgerEvent, Task } from '../../../host/client/objects.ts';
import type { Reply } from '../../../host/client/transport.ts';
import { firstFingerprint, nextFingerprint, shaHex } from '../../model/hashing.ts';

const ID = 'agent-7';
const idOf = (n: number): string => shaHex(`event ${n}`);

/** The chain as test/model has it, written without JCS and without the node's SHA-256. */
const modelled = (entries: readonly FingerprintEntry[]): string =>
  entries.reduce(
    (hash, { event_id, category, outcome, value, score_bp }) =>
      nextFingerprint(hash, {
        eventId: event_id,
        category,
        completed: outcome === 'completed',
        scoreBp: score_bp,
        value: BigInt(value),
      }),
    firstFingerprint(ID),
  );

describe('the chain of protocol 6.15', () => {
  const entries: FingerprintEntry[] = [
    { event_id: idOf(1), category: 'câ"ts', outcome: 'completed', value: 2 ** 53 - 1, score_bp: 7600 },
    { event_id: idOf(2), category: 'transfer', outcome: 'completed', value: 0, score_bp: 0 },
    { event_id: idOf(3), category: 'code', outcome: 'failed', value: 0, score_bp: 0 },
  ];

  it('starts with the agent and has a step for each piece of work', () => {
    expect(replayFingerprint(ID, [])).toBe(firstFingerprint(ID));
    expect(replayFingerprint(ID, entries)).toBe(modelled(entries));
  });

  it('depends on every member and on the order', () => {
    const whole = replayFingerprint(ID, entries);
    const [first, second, third] = entries as [FingerprintEntry, FingerprintEntry, FingerprintEntry];
    const changes: Partial<FingerprintEntry>[] = [
      { event_id: idOf(9) },
      { category: 'cats' },
      { outcome: 'failed' },
      { value: 1 },
      { score_bp: 7601 },
    ];
    for (const change of changes) {
      expect(replayFingerprint(ID, [{ ...first, ...change }, second, third])).not.toBe(whole);
    }
    expect(replayFingerprint(ID, [second, first, third])).not.toBe(whole);
    expect(replayFingerprint(ID, [first, second])).not.toBe(whole);
    expect(replayFingerprint('other', entries)).not.toBe(whole);
  });
});

type Told = Pick<LedgerEvent, 'event_type'> & Partial<LedgerEvent>;

/** A node that has executed these events, each at its own order number, and reports this profile of the agent. */
function nodeWith(
  events: readonly Told[],
  tasks: Record<string, object>,
  profile: Partial<Agent>,
  order: number,
) {
  const all = events.map((event, i) => ({
    event_id: idOf(i),
    seq: i + 1,
    order: i + 1,
    payload: {},
    ...event,
  }));
  let asked = 0;
  return {
    asked: () => asked,
    async read<T>(path: string, query: Record<string, unknown> = {}): Promise<Reply<T>> {
      const head = { status: 200, total: undefined, retryAfterSecs: undefined, isBehind: false };
      if (path === `/v1/agents/${ID}`) return { ...head, order, body: { agent_id: ID, ...profile } as T };
      expect(path).toBe('/v1/events/recent');
      const { event_type, agent_id, per_page, page } = query as Record<string, number>;
      expect(agent_id).toBe('system:node');
      const rows = all.filter((event) => event.event_type === String(event_type)).reverse();
      const from = (page! - 1) * per_page!;
      return { ...head, order: undefined, body: rows.slice(from, from + per_page!) as T };
    },
    async event(id: string): Promise<LedgerEvent> {
      asked++;
      return all.find(({ event_id }) => event_id === id) as unknown as LedgerEvent;
    },
    tasks: { get: async (id: string) => tasks[id] as Task },
  };
}

describe('a replay from the events of a node', () => {
  const settlement = (target: number, type: string, reason: string, more = {}): Told => ({
    event_type: 'settlement',
    payload: { target_event_id: idOf(target), target_type: type, settlement_reason: reason, ...more },
  });
  const settled = (task_id: string, resolution: string, claimer_id: string, payout = 0): Told => ({
    event_type: 'task_settled',
    payload: { task_id, resolution, claimer_id, payout },
  });
  const events: Told[] = [
    { event_type: 'generation', agent_id: ID, claimed_value: 3 },
    { event_type: 'transfer', agent_id: ID },
    { event_type: 'transfer', agent_id: 'other' },
    settlement(0, 'generation', 'verified', { verified_value: 2 }),
    settled('done', 'approved', ID, 1_998_000),
    settlement(1, 'transfer', 'rejected'),
    settlement(2, 'transfer', 'verified'),
    { event_type: 'claim_expired', payload: { task_id: 'late', claimer_id: ID } },
    settled('lost', 'dispute_quorum', ID),
    settled('won', 'dispute_deadline', ID, 500),
    settled('done', 'approved', 'other', 7),
    settled('part', 'parent_closed', ID),
    settlement(1, 'transfer', 'expired'),
    settlement(4, 'task_submitted', 'verified'),
    settlement(1, 'transfer', 'verified'),
    settled('returned', 'approved', ID),
  ];
  const task = (status: string, category: string, overall = 0, payout_status = 'paid'): object => ({
    status,
    payout_status,
    category,
    verification: { deterministic_report: { overall } },
  });
  const tasks = {
    done: task('completed', 'content', 0.7601),
    late: task('open', 'code'),
    lost: task('cancelled', 'code'),
    won: task('completed', 'data', 1),
    part: task('cancelled', 'code'),
    // A subtask that was completed, but whose parent was closed before it was paid.
    returned: task('completed', 'code', 1, 'refunded'),
  };
  const entry = (n: number, category: string, value?: number, score_bp = 0): FingerprintEntry => ({
    event_id: idOf(n),
    category,
    outcome: value === undefined ? 'failed' : 'completed',
    value: value ?? 0,
    score_bp,
  });
  const want = [
    entry(3, 'generation', 2, 6666),
    entry(4, 'content', 1_998_000, 7601),
    entry(5, 'transfer'),
    entry(7, 'code'),
    entry(8, 'code'),
    entry(9, 'data', 500, 10_000),
    entry(14, 'transfer', 0),
  ];

  it('finds each row of protocol 6.10 in execution order, and nothing else', async () => {
    const told = modelled(want);
    const node = nodeWith(events, tasks, { capability_fingerprint: told, fingerprint_version: 7 }, 99);
    expect(await checkFingerprint(node, ID)).toEqual({ told, replayed: told, isEqual: true, entries: want });
  });

  it('counts nothing that was decided after the profile was read', async () => {
    const before = want.slice(0, 6);
    const profile = { capability_fingerprint: modelled(before), fingerprint_version: 6 };
    const node = nodeWith(events, tasks, profile, 14);
    expect(await checkFingerprint(node, ID)).toMatchObject({ isEqual: true, entries: before });
  });

  it('detects a profile that claims work that never happened', async () => {
    const told = modelled([...want, entry(12, 'code', 5, 10_000)]);
    const node = nodeWith(events, tasks, { capability_fingerprint: told, fingerprint_version: 8 }, 99);
    expect(await checkFingerprint(node, ID)).toMatchObject({
      isEqual: false,
      told,
      replayed: modelled(want),
    });
  });

  it('reads more than one page and stops once all is found', async () => {
    const others = Array.from({ length: 450 }, () => settled('done', 'approved', 'other', 7));
    const profile = { capability_fingerprint: modelled(want), fingerprint_version: 7 };
    const hidden = nodeWith([...events, ...others], tasks, profile, 9999);
    expect(await checkFingerprint(hidden, ID)).toMatchObject({ isEqual: true, entries: want });
    const newcomer = nodeWith(
      others,
      tasks,
      { capability_fingerprint: modelled([]), fingerprint_version: 0 },
      9999,
    );
    expect(await checkFingerprint(newcomer, ID)).toMatchObject({ isEqual: true, entries: [] });
    expect(newcomer.asked()).toBe(0);
  });
});
