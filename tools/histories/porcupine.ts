// A second judge that knows nothing of the order: porcupine searches for a linearization of the calls on each register.
// Keeps: a read takes part only if its answer is of an order at least as new as all that anybody had been shown before it
// was asked for, which is when a read has to be linearizable; older ones are the order-based judge's.
// Built from ./porcupine where there is Go; otherwise left out, with the reason.

import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Call, isExecuted, isSuccess, isWrite, type OrderedEvent } from './call.ts';
import type { Fault, Recorded } from './judge.ts';
import { workerBondOf } from './ledger.ts';
import { Shown } from './shown.ts';

const TIMEOUT_SECS = 20;
/** Calls of a register without a linearization that are shown. */
const MAX_SHOWN = 4;

/** As in porcupine/main.go. */
interface Operation {
  id: number;
  key: string;
  kind: 'read' | 'register' | 'move' | 'post' | 'claim' | 'refused-claim' | 'submit' | 'approve' | 'cancel';
  call: number;
  return: number;
  by?: string;
  balance?: number;
  staked?: number;
  shownBalance?: number;
  shownStaked?: number;
  shownStatus?: string;
  shownWorker?: string;
}

interface Report {
  operations: number;
  registers: number;
  illegal: { key: string; operations: number[] }[];
  undecided: string[];
}

export interface PorcupineResult extends Omit<Report, 'illegal'> {
  faults: Fault[];
}

/** The built judge; `close` removes it. */
export interface Porcupine {
  judge(recorded: Recorded): PorcupineResult;
  close(): void;
}

/** Builds the judge, or says why there is none. */
export function buildPorcupine(): Porcupine | { missing: string } {
  const up = import.meta.url.endsWith('.ts') ? './porcupine' : '../../../tools/histories/porcupine';
  const cwd = fileURLToPath(new URL(up, import.meta.url));
  const dir = mkdtempSync(join(tmpdir(), 'vws-porcupine-'));
  const program = join(dir, 'porcupine');
  const made = spawnSync('go', ['build', '-o', program, '.'], { cwd, encoding: 'utf8' });
  if (made.status !== 0) {
    rmSync(dir, { recursive: true, force: true });
    return { missing: made.error ? 'there is no Go here' : `it does not build: ${made.stderr.trim()}` };
  }
  return {
    judge: (recorded) => ask(program, recorded),
    close: () => rmSync(dir, { recursive: true, force: true }),
  };
}

function ask(program: string, recorded: Recorded): PorcupineResult {
  const { calls } = recorded;
  const input = JSON.stringify({ timeoutSecs: TIMEOUT_SECS, operations: operationsOf(recorded) });
  const { status, stdout, stderr } = spawnSync(program, { input, encoding: 'utf8', maxBuffer: 1 << 28 });
  if (status !== 0) throw new Error(`porcupine ended with ${status}: ${stderr}`);
  const { illegal, ...report } = JSON.parse(stdout) as Report;
  const faults = illegal.map(({ key, operations }) => {
    const all = [...new Set(operations)].map((id) => calls[id]!);
    const last = all.slice(-MAX_SHOWN);
    const text = `porcupine: ${all.length} calls on ${key} have no linearization; the last ${last.length}`;
    return { rule: 'porcupine' as const, text, calls: last };
  });
  return { ...report, faults };
}

/** Microseconds of the clients' clock. */
const micros = (ms: number): number => Math.round(ms * 1000);

function operationsOf({ calls, events }: Recorded): Operation[] {
  const registers = new Registers(calls, events);
  calls.forEach((call, id) => {
    if (isWrite(call)) registers.write(call, id);
    else registers.read(call, id);
  });
  return registers.operations;
}

/** The first start and the first answer of a signed request, which may have been sent more than once. */
interface Sent {
  startMs: number;
  endMs: number | undefined;
}

class Registers {
  readonly operations: Operation[] = [];
  readonly #shown: Shown;
  readonly #events: ReadonlyMap<string, OrderedEvent>;
  readonly #sent = new Map<string, Sent>();
  readonly #noted = new Set<string>();
  /** Agents whose money others or deadlines move, and tasks whose claim expired. */
  readonly #moved = new Set<string>();
  /** Payloads of the events that posted tasks, by task. */
  readonly #posted = new Map<string, OrderedEvent['payload']>();
  /** What became of the money of a task, by task. */
  readonly #settled = new Map<string, OrderedEvent>();

  constructor(calls: readonly Call[], events: readonly OrderedEvent[]) {
    this.#shown = new Shown(calls);
    this.#events = new Map(events.map((event) => [event.id, event]));
    const claimers = new Map<string, string>();
    for (const { type, agent, payload } of events) {
      const task = String(payload.task_id);
      if (type === 'task_posted') this.#posted.set(task, payload);
      if (type === 'task_claimed') claimers.set(task, agent);
      if (type === 'claim_expired') this.#moved.add(task);
      // The bond of the worker goes back without a request of its own.
      const loser = type === 'claim_expired' || type === 'task_cancelled' ? claimers.get(task) : undefined;
      if (loser !== undefined) this.#moved.add(loser);
      if (type !== 'transfer') continue;
      this.#moved.add(agent);
      this.#moved.add(String(payload.to_agent));
    }
    for (const event of events)
      if (event.type === 'task_settled') this.#settled.set(String(event.payload.task_id), event);
    for (const call of calls) {
      if (call.txId === undefined) continue;
      const { startMs, endMs } = this.#sent.get(call.txId) ?? { startMs: call.startMs, endMs: undefined };
      const ends = [endMs, isExecuted(call) ? call.endMs : undefined].filter((ms) => ms !== undefined);
      this.#sent.set(call.txId, {
        startMs: Math.min(startMs, call.startMs),
        endMs: ends.length === 0 ? undefined : Math.min(...ends),
      });
    }
  }

  read(call: Call, id: number): void {
    const { path, status, order, endMs, startMs } = call;
    if (!isSuccess(status) || order === undefined || endMs === undefined) return;
    if (order < (this.#shown.anywhere(startMs)?.order ?? 0)) return;
    const [, agent] = /^\/v1\/agents\/([0-9a-f]{64})\/balance$/.exec(path) ?? [];
    const [, task] = /^\/v1\/tasks\/([0-9a-f]{32})$/.exec(path) ?? [];
    const times = { id, kind: 'read' as const, call: micros(startMs), return: micros(endMs) };
    const body = call.body as Record<string, number & string>;
    if (agent !== undefined)
      this.#add(agent, { ...times, shownBalance: body.balance, shownStaked: body.staked_amount });
    if (task !== undefined)
      this.#add(task, { ...times, shownStatus: body.status, shownWorker: body.claimer_id ?? '' });
  }

  /** Every signed request once, as executed; and refusals of claims. */
  write(call: Call, id: number): void {
    const { txId, path, startMs, endMs, code, actor } = call;
    if (txId === undefined || actor === undefined) return;
    const [, task, what] = /^\/v1\/tasks\/([0-9a-f]{32})\/(\w+)$/.exec(path) ?? [];
    if (what === 'claim' && code === 'invalid_state' && endMs !== undefined) {
      const times = { id, call: micros(startMs), return: micros(endMs) };
      this.#add(task!, { ...times, kind: 'refused-claim' });
      return;
    }
    if (!this.#isFirst(call, txId)) return;
    const sent = this.#sent.get(txId)!;
    const end = sent.endMs === undefined ? -1 : micros(sent.endMs);
    const times = { id, by: actor, call: micros(sent.startMs), return: end };
    if (task === undefined) this.#moneyOf(call, times);
    else {
      this.#add(task, { ...times, kind: what as Operation['kind'] });
      this.#pay(task, what!, actor, times);
    }
  }

  /** Of the answers to one request the one that executed it; without one, what the order holds of it. */
  #isFirst(call: Call, txId: string): boolean {
    const isLater = this.#noted.has(txId);
    const counts = isExecuted(call) || (this.#sent.get(txId)!.endMs === undefined && this.#events.has(txId));
    if (isLater || !counts) return false;
    this.#noted.add(txId);
    return true;
  }

  #moneyOf({ txId, body, code }: Call, times: Pick<Operation, 'id' | 'call' | 'return'>): void {
    const event = this.#events.get(txId!);
    if (!event) return;
    const { agent, payload, type } = event;
    const amount = Number(payload.amount ?? 0);
    const shown = (code === undefined ? body : undefined) as Record<string, number> | undefined;
    const after = { shownBalance: shown?.balance, shownStaked: shown?.staked_amount };
    const grant = Number(payload.onboarding_allocation ?? 0);
    const staked = Number(payload.staked_amount ?? 0);
    if (type === 'registration')
      this.#add(agent, { ...times, ...after, kind: 'register', balance: grant - staked, staked });
    if (type === 'stake')
      this.#add(agent, { ...times, ...after, kind: 'move', balance: -amount, staked: amount });
    if (type === 'unstake')
      this.#add(agent, { ...times, ...after, kind: 'move', balance: amount, staked: -amount });
    if (type === 'task_claimed') {
      const posted = this.#posted.get(String(payload.task_id));
      if (posted) this.#add(agent, { ...times, kind: 'move', balance: -workerBondOf(posted) });
    }
    if (type !== 'task_posted') return;
    this.#add(String(payload.task_id), { ...times, kind: 'post' });
    this.#add(agent, { ...times, kind: 'move', balance: -Number(payload.budget) });
  }

  /** The money that the end of a task moves to its worker or back to its poster. */
  #pay(task: string, what: string, poster: string, times: Pick<Operation, 'id' | 'call' | 'return'>): void {
    const settled = this.#settled.get(task)?.payload;
    if (!settled) return;
    const posted = this.#posted.get(task);
    const bond = posted ? workerBondOf(posted) : 0;
    if (what === 'approve')
      this.#add(String(settled.claimer_id), {
        ...times,
        kind: 'move',
        balance: Number(settled.payout) + bond,
      });
    if (what === 'cancel') this.#add(poster, { ...times, kind: 'move', balance: Number(settled.refund) });
  }

  #add(key: string, operation: Omit<Operation, 'key'>): void {
    if (!this.#moved.has(key)) this.operations.push({ ...operation, key });
  }
}
