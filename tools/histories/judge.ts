// Judges a history with the order that the nodes agreed on as the witness: linearizability (Herlihy and Wing 1990) without
// a search, because every answer names its place.
// Keeps: rules see what clients saw and what the order holds, never the inside of a node; all times are of one clock.

import { type Call, callText, type Executed, isSuccess, isWrite, type OrderedEvent } from './call.ts';
import { LedgerModel } from './ledger.ts';
import { executedWrites, Shown } from './shown.ts';
import { valueFaults } from './values.ts';

export type Rule =
  | 'order'
  | 'model'
  | 'place'
  | 'refused'
  | 'real time'
  | 'went back'
  | 'min order'
  | 'claim'
  | 'value'
  | 'porcupine';

export interface Recorded {
  calls: readonly Call[];
  /** All executed events, by seq. */
  events: readonly OrderedEvent[];
}

export interface Fault {
  /** The rule that does not hold. */
  rule: Rule;
  text: string;
  /** The offending call, behind the one that it contradicts. */
  calls: readonly Call[];
}

/** All that does not hold, the shortest pair of calls first. */
export function judge({ calls, events }: Recorded): Fault[] {
  const model = new LedgerModel(events);
  const shown = new Shown(calls);
  const executed = executedWrites(calls);
  const faults = [
    ...orderFaults(events),
    ...model.faults.map((text) => ({ rule: 'model' as const, text, calls: [] })),
    ...placeFaults(executed, events),
    ...refusedFaults(calls, events),
    ...overtakenFaults(executed),
    ...staleFaults(calls, shown),
    ...minOrderFaults(calls),
    ...claimFaults(executed, events),
    ...valueFaults({ calls, executed, events, model, shown }),
  ];
  return faults.sort((a, b) => spanMs(a) - spanMs(b));
}

/** The shortest of each rule. */
export function shortest(faults: readonly Fault[]): Fault[] {
  const seen = new Set<Rule>();
  return faults.filter(({ rule }) => !seen.has(rule) && seen.add(rule));
}

/** The text, with the calls below it. */
export const faultText = ({ text, calls }: Fault): string =>
  [text, ...calls.map((call) => `  ${callText(call)}`)].join('\n');

/** From the first start to the last end; what names no pair comes last. */
function spanMs({ calls }: Fault): number {
  if (calls.length === 0) return Number.POSITIVE_INFINITY;
  const ends = calls.map(({ startMs, endMs }) => endMs ?? startMs);
  return Math.max(...ends) - Math.min(...calls.map(({ startMs }) => startMs));
}

/** The order itself: every event once, orders never fall. */
function orderFaults(events: readonly OrderedEvent[]): Fault[] {
  const faults: Fault[] = [];
  const seen = new Map<string, OrderedEvent>();
  for (const [i, event] of events.entries()) {
    const { id, seq, order } = event;
    const before = events[i - 1];
    if (before && seq !== before.seq + 1)
      faults.push({ rule: 'order', text: `event ${seq} follows event ${before.seq}`, calls: [] });
    if (before && order < before.order)
      faults.push({
        rule: 'order',
        text: `event ${seq} is at order ${order}, behind ${before.order}`,
        calls: [],
      });
    const first = seen.get(id);
    if (first)
      faults.push({
        rule: 'order',
        text: `${id} is event ${first.seq} and event ${seq}: it ran twice`,
        calls: [],
      });
    seen.set(id, event);
  }
  return faults;
}

/** Every write that was answered as executed is in the order, at the place that the answer names. */
function placeFaults(executed: readonly Executed[], events: readonly OrderedEvent[]): Fault[] {
  const orders = new Map(events.map(({ id, order }) => [id, order]));
  return executed.flatMap((call) => {
    const order = orders.get(call.txId);
    if (order === call.order) return [];
    const where = order === undefined ? 'nowhere in the order' : `at order ${order}`;
    return [
      {
        rule: 'place' as const,
        text: `answered as executed at order ${call.order}, and ${where}`,
        calls: [call],
      },
    ];
  });
}

/** A write that was sent once and refused has left no event. */
function refusedFaults(calls: readonly Call[], events: readonly OrderedEvent[]): Fault[] {
  const ids = new Set(events.map(({ id }) => id));
  const sent = new Map<string, number>();
  for (const { txId } of calls) if (txId !== undefined) sent.set(txId, (sent.get(txId) ?? 0) + 1);
  return calls.flatMap((call) => {
    const { txId, status = 0 } = call;
    const isRefused = isWrite(call) && status >= 400 && status < 500 && txId !== undefined;
    if (!isRefused || sent.get(txId) !== 1 || !ids.has(txId)) return [];
    return [{ rule: 'refused' as const, text: 'refused, and yet in the order', calls: [call] }];
  });
}

/** A write that was answered before another was asked for has a lower order. */
function overtakenFaults(executed: readonly Executed[]): Fault[] {
  const faults: Fault[] = [];
  const byStart = [...executed].sort((a, b) => a.startMs - b.startMs);
  const byEnd = [...executed].sort((a, b) => a.endMs - b.endMs);
  let ended = 0;
  let newest: Executed | undefined;
  for (const call of byStart) {
    for (; ended < byEnd.length && byEnd[ended]!.endMs < call.startMs; ended++) {
      if (!newest || byEnd[ended]!.order >= newest.order) newest = byEnd[ended];
    }
    if (!newest || newest.order < call.order || newest.txId === call.txId) continue;
    const text = `asked for after another write was answered, and ordered before it or with it`;
    faults.push({ rule: 'real time', text, calls: [newest, call] });
  }
  return faults;
}

/** No answer of a node shows less than that node has shown before. */
function staleFaults(calls: readonly Call[], shown: Shown): Fault[] {
  return calls.flatMap((call) => {
    if (isWrite(call) || call.order === undefined || !isSuccess(call.status)) return [];
    const before = shown.before(call.machine, call.startMs);
    if (!before || before.order <= call.order) return [];
    return [
      {
        rule: 'went back' as const,
        text: `${call.machine} went back from order ${before.order}`,
        calls: [before, call],
      },
    ];
  });
}

/** A read that asks for an order is answered with it, or refused. */
function minOrderFaults(calls: readonly Call[]): Fault[] {
  return calls.flatMap((call) => {
    const { minOrder = 0, order, status } = call;
    if (!isSuccess(status) || order === undefined || order >= minOrder) return [];
    const source = calls.find((other) => isWrite(other) && other.order === minOrder);
    const text = `asked for order ${minOrder} at least, and answered with ${order}`;
    return [{ rule: 'min order' as const, text, calls: source ? [source, call] : [call] }];
  });
}

/** A task has one worker at a time: of two claims that were answered as executed, the first expired before the second. */
function claimFaults(executed: readonly Executed[], events: readonly OrderedEvent[]): Fault[] {
  const expired = new Set<string>();
  for (const { type, payload } of events) if (type === 'claim_expired') expired.add(String(payload.task_id));
  const faults: Fault[] = [];
  const given = new Map<string, Executed>();
  for (const call of [...executed].sort((a, b) => a.order - b.order)) {
    const task = /^\/v1\/tasks\/([^/]+)\/claim$/.exec(call.path)?.[1];
    if (task === undefined || expired.has(task)) continue;
    const first = given.get(task);
    if (first && first.txId !== call.txId)
      faults.push({ rule: 'claim', text: 'one task was claimed twice', calls: [first, call] });
    given.set(task, call);
  }
  return faults;
}
