// Rules about values: what an answer shows is what the model gives at the answer's place of the order, and a refusal is
// right at some order that the node may have been at when it refused.

import { type Call, type Executed, isSuccess, isWrite, type OrderedEvent } from './call.ts';
import type { Fault } from './judge.ts';
import type { LedgerModel, Money, TaskState } from './ledger.ts';
import type { Shown } from './shown.ts';

interface Judged {
  calls: readonly Call[];
  executed: readonly Executed[];
  events: readonly OrderedEvent[];
  model: LedgerModel;
  shown: Shown;
}

const BALANCE = /^\/v1\/agents\/([0-9a-f]{64})\/balance$/;
const TASK = /^\/v1\/tasks\/([0-9a-f]{32})$/;
const CLAIM = /^\/v1\/tasks\/([0-9a-f]{32})\/claim$/;
const EVENT = /^\/v1\/events\/([0-9a-f]{64})$/;

export function valueFaults(judged: Judged): Fault[] {
  const events = new Map(judged.events.map((event) => [event.id, event]));
  const faults: Fault[] = [];
  for (const call of judged.calls) {
    const text = isWrite(call) ? refusedClaim(call, judged) : readFault(call, judged, events);
    if (text !== undefined) faults.push({ rule: 'value', text, calls: withCause(call, judged) });
  }
  for (const call of judged.executed) {
    const text = replyFault(call, judged, events);
    if (text !== undefined) faults.push({ rule: 'value', text, calls: [call] });
  }
  return faults;
}

/** The call, behind what makes it wrong: the newest write about its subject, or what the node had shown before. */
function withCause(call: Call, { executed, shown }: Judged): Call[] {
  const before = shown.before(call.machine, call.startMs);
  if (call.order === undefined) return before ? [before, call] : [call];
  const known = call.order;
  const subject = /[0-9a-f]{32,64}/.exec(call.path)?.[0];
  let cause: Executed | undefined;
  for (const other of executed) {
    const isAbout = subject !== undefined && isAboutSubject(other, subject);
    if (!isAbout || other.order > known) continue;
    if (!cause || other.order > cause.order) cause = other;
  }
  return cause ? [cause, call] : [call];
}

function isAboutSubject({ path, txId, body }: Executed, subject: string): boolean {
  if (path.includes(subject) || txId === subject) return true;
  const { id, agent_id } = (body ?? {}) as { id?: string; agent_id?: string };
  return id === subject || agent_id === subject;
}

function readFault(
  call: Call,
  judged: Judged,
  events: ReadonlyMap<string, OrderedEvent>,
): string | undefined {
  if (call.status === 404) return absentFault(call, judged, events);
  if (!isSuccess(call.status) || call.order === undefined) return undefined;
  const { order, path, body } = call;
  const { model } = judged;
  const event = EVENT.exec(path)?.[1];
  if (event !== undefined) {
    const known = events.get(event);
    return known && known.order <= order ? undefined : `an event of order ${known?.order} at order ${order}`;
  }
  if (body === undefined) return undefined;
  const agent = BALANCE.exec(path)?.[1];
  if (agent !== undefined) return moneyFault(body, model.moneyOf(agent)?.at(order), `at order ${order}`);
  const task = TASK.exec(path)?.[1];
  if (task !== undefined) return taskFault(body, model.task(task)?.at(order), order);
  return undefined;
}

interface BalanceBody {
  balance?: number;
  staked_amount?: number;
  reserved?: number;
}

/** Undefined members are not compared. `is`: undefined for agents that the model leaves out. */
function moneyFault(body: unknown, is: Money | undefined, where: string): string | undefined {
  if (!is) return undefined;
  const { balance, staked_amount: staked, reserved } = body as BalanceBody;
  const shown = { balance, staked, reserved };
  const differs = (Object.keys(shown) as (keyof Money)[]).filter(
    (name) => shown[name] !== undefined && shown[name] !== is[name],
  );
  if (differs.length === 0) return undefined;
  const each = differs.map((name) => `${name} ${shown[name]} and not ${is[name]}`);
  return `shows ${each.join(', ')} ${where}`;
}

function taskFault(body: unknown, is: TaskState | undefined, order: number): string | undefined {
  const { status, claimer_id } = body as { status: string; claimer_id?: string };
  if (!is) return `shows a task that is not there at order ${order}`;
  const text = (s: string, by: string | undefined): string => (by === undefined ? s : `${s} by ${by}`);
  const [shown, right] = [text(status, claimer_id), text(is.status, is.claimer)];
  return shown === right ? undefined : `shows a task ${shown} and not ${right} at order ${order}`;
}

/** Not found, though the node had shown a state in which it is there. */
function absentFault(
  call: Call,
  { model, shown }: Judged,
  events: ReadonlyMap<string, OrderedEvent>,
): string | undefined {
  const least = shown.before(call.machine, call.startMs)?.order ?? 0;
  const { path } = call;
  const [event, agent, task] = [EVENT, BALANCE, TASK].map((pattern) => pattern.exec(path)?.[1]);
  const isThere =
    (event !== undefined && (events.get(event)?.order ?? Number.POSITIVE_INFINITY) <= least) ||
    (agent !== undefined && model.moneyOf(agent)?.at(least) !== undefined) ||
    (task !== undefined && model.task(task)?.at(least) !== undefined);
  return isThere ? `not found at a node that had shown order ${least}` : undefined;
}

/** A claim that was refused because of the task's state, though it was open at every order that the node may have been at. */
function refusedClaim(call: Call, { model, shown }: Judged): string | undefined {
  const task = CLAIM.exec(call.path)?.[1];
  if (task === undefined || call.endMs === undefined) return undefined;
  const least = shown.before(call.machine, call.startMs)?.order ?? 0;
  const states = model.task(task)?.within(least, shown.most(call.endMs)) ?? [];
  if (call.code === 'task_not_found')
    return states[0] === undefined ? undefined : `not found at a node that had shown order ${least}`;
  if (call.code !== 'invalid_state') return undefined;
  if (states.some((state) => state !== undefined && state.status !== 'open')) return undefined;
  return 'refused for its state while the task was open';
}

/** What a write's own answer shows is the state right after it. */
function replyFault(
  call: Executed,
  { model }: Judged,
  events: ReadonlyMap<string, OrderedEvent>,
): string | undefined {
  const event = events.get(call.txId);
  if (!event || call.body === undefined || !isSuccess(call.status) || call.code !== undefined)
    return undefined;
  if (CLAIM.test(call.path)) {
    const { claimer_id } = call.body as { claimer_id?: string };
    return claimer_id === event.agent ? undefined : `the claim of ${event.agent} shows ${claimer_id}`;
  }
  if (!/^\/v1\/(agents|transfer|stake|unstake|faucet)$/.test(call.path)) return undefined;
  return moneyFault(call.body, model.moneyOf(event.agent)?.afterSeq(event.seq), 'after its own execution');
}
