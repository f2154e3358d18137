// Recorded histories with one thing changed on purpose: each must be found, or the judges are worth nothing.

import { SeededRandom } from '../load/seeded-random.ts';
import { type Call, type Executed, isExecuted, isSuccess, isWrite, type OrderedEvent } from './call.ts';
import type { Recorded } from './judge.ts';
import { executedWrites, Shown } from './shown.ts';

export interface Mutation {
  name: string;
  /** Porcupine, which sees neither the order nor the reads behind it, must find it too. */
  isForPorcupine: boolean;
  /** Undefined: nothing in this history can be changed in that way. */
  apply(recorded: Recorded, random: SeededRandom): Recorded | undefined;
}

const BALANCE = /^\/v1\/agents\/([0-9a-f]{64})\/balance$/;

function pick<T>(rows: readonly T[], random: SeededRandom): T | undefined {
  return rows.length === 0 ? undefined : random.pick(rows);
}

/** The same history with other members in one call. */
function withCall(recorded: Recorded, call: Call, change: Partial<Call>): Recorded {
  const calls = recorded.calls.map((other) => (other === call ? { ...call, ...change } : other));
  return { ...recorded, calls };
}

const withEvents = (recorded: Recorded, events: readonly OrderedEvent[]): Recorded => ({
  ...recorded,
  events: events.map((event, i) => ({ ...event, seq: (recorded.events[0]?.seq ?? 1) + i })),
});

const firstAnswers = ({ calls }: Recorded): Executed[] =>
  calls.filter(isExecuted).filter(({ code }) => code === undefined);

/** Reads that have to be linearizable, of agents that have had other money before, with an earlier answer about it. */
function staleChoices({ calls, events }: Recorded): { call: Call; old: Call }[] {
  const shown = new Shown(calls);
  const paying = new Set(
    events.filter(({ type }) => type === 'transfer').flatMap((e) => [e.agent, String(e.payload.to_agent)]),
  );
  const reads = calls.filter((call) => {
    const agent = BALANCE.exec(call.path)?.[1];
    return agent !== undefined && !paying.has(agent) && isSuccess(call.status);
  });
  const stakes = executedWrites(calls).filter(({ path }) => /^\/v1\/(un)?stake$/.test(path));
  return reads.flatMap((call) => {
    if (call.order! < (shown.anywhere(call.startMs)?.order ?? 0)) return [];
    const agent = BALANCE.exec(call.path)![1]!;
    const ended = stakes.findLast((s) => s.actor === agent && s.endMs < call.startMs);
    const isAlone = (old: Call): boolean => old.endMs! < ended!.startMs;
    const old = ended && reads.findLast((r) => r.path === call.path && isAlone(r) && differs(r, call));
    return old ? [{ call, old }] : [];
  });
}

const stakedIn = ({ body }: Call): unknown => (body as { staked_amount?: number }).staked_amount;
const differs = (a: Call, b: Call): boolean => stakedIn(a) !== stakedIn(b);

export const MUTATIONS: readonly Mutation[] = [
  {
    name: 'an acknowledged write is lost',
    isForPorcupine: false,
    apply(recorded, random) {
      const lost = pick(firstAnswers(recorded), random);
      return (
        lost &&
        withEvents(
          recorded,
          recorded.events.filter(({ id }) => id !== lost.txId),
        )
      );
    },
  },
  {
    name: 'a write is at another place than its answer says',
    isForPorcupine: false,
    apply(recorded, random) {
      const call = pick(firstAnswers(recorded), random);
      return call && withCall(recorded, call, { order: call.order + 1 });
    },
  },
  {
    name: 'a write runs twice',
    isForPorcupine: false,
    apply(recorded, random) {
      const call = pick(firstAnswers(recorded), random);
      const event = recorded.events.find(({ id }) => id === call?.txId);
      const last = recorded.events.at(-1)!;
      return event && withEvents(recorded, [...recorded.events, { ...event, order: last.order + 1 }]);
    },
  },
  {
    name: 'a write is ordered before one that was answered before it was asked for',
    isForPorcupine: false,
    apply(recorded, random) {
      const first = pick(firstAnswers(recorded), random);
      const later =
        first &&
        pick(
          firstAnswers(recorded).filter((c) => c.order > first.order),
          random,
        );
      if (!later) return undefined;
      const startMs = later.endMs + 0.1;
      return withCall(recorded, first, { startMs, endMs: startMs + 0.1 });
    },
  },
  {
    name: 'a node goes back',
    isForPorcupine: false,
    apply(recorded, random) {
      const shown = new Shown(recorded.calls);
      const before = (call: Call): number => shown.before(call.machine, call.startMs)?.order ?? 0;
      const reads = recorded.calls.filter((c) => !isWrite(c) && isSuccess(c.status) && before(c) > 0);
      const call = pick(reads, random);
      return call && withCall(recorded, call, { order: before(call) - 1 });
    },
  },
  {
    name: 'a stale read as fresh',
    isForPorcupine: true,
    apply(recorded, random) {
      const choice = pick(staleChoices(recorded), random);
      return choice && withCall(recorded, choice.call, { body: choice.old.body });
    },
  },
  {
    name: 'a claim given twice',
    isForPorcupine: true,
    apply(recorded, random) {
      const refused = recorded.calls.filter((c) => c.path.endsWith('/claim') && c.code === 'invalid_state');
      const won = (call: Call): Executed | undefined =>
        firstAnswers(recorded).find(({ path }) => path === call.path);
      const call = pick(
        refused.filter((c) => won(c)),
        random,
      );
      if (!call) return undefined;
      const answer = { status: 200, code: undefined, order: won(call)!.order };
      return withCall(recorded, call, { ...answer, body: { claimer_id: call.actor } });
    },
  },
  {
    name: 'an own write is missed by a read that asks for it',
    isForPorcupine: false,
    apply(recorded, random) {
      const reads = recorded.calls.filter((c) => (c.minOrder ?? 0) > 1 && isSuccess(c.status));
      const call = pick(reads, random);
      if (!call) return undefined;
      const silent = recorded.calls.map((c) => (c === call ? c : { ...c, minOrder: undefined }));
      const others = { ...recorded, calls: silent };
      return withCall(others, call, { order: call.minOrder! - 1 });
    },
  },
  {
    name: 'a refused write is in the order',
    isForPorcupine: false,
    apply(recorded, random) {
      const sent = new Map<string, number>();
      for (const { txId } of recorded.calls) if (txId) sent.set(txId, (sent.get(txId) ?? 0) + 1);
      const call = pick(
        firstAnswers(recorded).filter(({ txId }) => sent.get(txId) === 1),
        random,
      );
      return call && withCall(recorded, call, { status: 409, code: 'invalid_state', order: undefined });
    },
  },
  {
    name: 'a read shows a unit too much',
    isForPorcupine: false,
    apply(recorded, random) {
      const call = pick(
        recorded.calls.filter((c) => BALANCE.test(c.path) && isSuccess(c.status)),
        random,
      );
      const body = call?.body as { balance: number } | undefined;
      return call && withCall(recorded, call, { body: { ...body, balance: body!.balance + 1 } });
    },
  },
];

/** All that this history can be changed to. */
export function mutationsOf(recorded: Recorded, seed: number): { mutation: Mutation; changed: Recorded }[] {
  const random = new SeededRandom(seed);
  return MUTATIONS.flatMap((mutation) => {
    const changed = mutation.apply(recorded, random);
    return changed ? [{ mutation, changed }] : [];
  });
}
