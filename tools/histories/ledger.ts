// A small model of the money and the tasks of agents, made from events alone: what a read at an order must show.
// Keeps: independent of the node's code; an event that does not fit what was before it is a fault of the order.
// Agents that did something outside of the model (verdicts, bonds, work of validators) are not judged.

import type { OrderedEvent } from './call.ts';

export interface Money {
  balance: number;
  staked: number;
  reserved: number;
}

export interface TaskState {
  status: string;
  claimer: string | undefined;
}

interface Step<T> {
  seq: number;
  order: number;
  state: T;
}

/** The states of one thing, oldest first. */
class Timeline<T> {
  readonly steps: Step<T>[] = [];

  get last(): T | undefined {
    return this.steps.at(-1)?.state;
  }

  set(event: OrderedEvent, state: T): void {
    this.steps.push({ seq: event.seq, order: event.order, state });
  }

  /** After everything up to and with this order. */
  at(order: number): T | undefined {
    return this.steps.findLast((step) => step.order <= order)?.state;
  }

  afterSeq(seq: number): T | undefined {
    return this.steps.findLast((step) => step.seq <= seq)?.state;
  }

  /** Each state that held at some order of the window, both ends with it; undefined for "not there yet". */
  within(least: number, most: number): (T | undefined)[] {
    const inside = this.steps.filter(({ order }) => order > least && order <= most);
    return [this.at(least), ...inside.map(({ state }) => state)];
  }
}

interface OpenTransfer {
  from: string;
  to: string;
  amount: number;
}

interface TaskMoney {
  poster: string;
  budget: number;
  /** What a claim reserves of its worker, and what is reserved of one now. */
  workerBond: number;
  bonded: { agent: string; amount: number }[];
}

const TOKEN = 1_000_000;

/** What a dispute costs whoever loses it (protocol 15.4). */
function disputeBond(budget: number): number {
  return Math.max(Math.floor(budget / 4), Math.min(budget, 10 * TOKEN));
}

/** What a claim on a task reserves of its worker (protocol 15.2). `posted`: the payload of its event. */
export function workerBondOf({ worker_bond, budget, acceptance }: OrderedEvent['payload']): number {
  return Number(worker_bond ?? (acceptance === undefined ? disputeBond(Number(budget)) : 0));
}

/** Protocol 6.2. */
const FEE_BPS = 10n;

/** Types that move money in ways that the model leaves out. */
const OUTSIDE = new Set([
  'generation',
  'challenge_opened',
  'validator_applied',
  'replay_submitted',
  'subtask_posted',
]);

export class LedgerModel {
  readonly faults: string[] = [];
  readonly #money = new Map<string, Timeline<Money>>();
  readonly #tasks = new Map<string, Timeline<TaskState>>();
  readonly #taskMoney = new Map<string, TaskMoney>();
  readonly #transfers = new Map<string, OpenTransfer>();
  readonly #outside = new Set<string>();

  constructor(events: readonly OrderedEvent[]) {
    for (const event of events) this.#apply(event);
  }

  /** The money of an agent; undefined for one that the model does not know or does not judge. */
  moneyOf(agent: string): Timeline<Money> | undefined {
    return this.#outside.has(agent) ? undefined : this.#money.get(agent);
  }

  task(id: string): Timeline<TaskState> | undefined {
    return this.#tasks.get(id);
  }

  #apply(event: OrderedEvent): void {
    const { type, agent, payload } = event;
    const amount = Number(payload.amount ?? 0);
    if (OUTSIDE.has(type)) this.#outside.add(agent);
    switch (type) {
      case 'registration': {
        const staked = Number(payload.staked_amount);
        const balance = Number(payload.onboarding_allocation) - staked;
        this.#timeline(agent).set(event, { balance, staked, reserved: 0 });
        break;
      }
      case 'faucet_grant':
        this.#move(event, agent, { balance: amount });
        break;
      case 'canary_return':
        this.#move(event, agent, { balance: -amount });
        break;
      case 'stake':
      case 'unstake':
        this.#stake(event, type === 'stake' ? amount : -amount);
        break;
      case 'transfer': {
        this.#transfers.set(event.id, { from: agent, to: String(payload.to_agent), amount });
        this.#move(event, agent, { balance: -amount, reserved: amount });
        break;
      }
      case 'settlement':
        this.#settle(event);
        break;
      case 'slash':
        this.#move(event, String(payload.target_agent), { staked: -amount });
        break;
      default:
        if (payload.task_id !== undefined) this.#task(event, String(payload.task_id));
    }
  }

  #timeline(agent: string): Timeline<Money> {
    const known = this.#money.get(agent);
    if (known) return known;
    const made = new Timeline<Money>();
    this.#money.set(agent, made);
    return made;
  }

  #move(event: OrderedEvent, agent: string, by: Partial<Money>): void {
    const timeline = this.#money.get(agent);
    // Operators of seats have no registration: their fees are not modelled.
    if (!timeline?.last) return;
    const { balance, staked, reserved } = timeline.last;
    const after = {
      balance: balance + (by.balance ?? 0),
      staked: staked + (by.staked ?? 0),
      reserved: reserved + (by.reserved ?? 0),
    };
    timeline.set(event, after);
    if (Object.values(after).some((value) => value < 0) && !this.#outside.has(agent))
      this.faults.push(`${placeText(event)} takes more than ${agent} has`);
  }

  #stake(event: OrderedEvent, by: number): void {
    this.#move(event, event.agent, { balance: -by, staked: by });
    const after = this.moneyOf(event.agent)?.last;
    if (after && after.staked !== event.payload.staked_amount)
      this.faults.push(
        `${placeText(event)} makes ${after.staked} staked, not ${event.payload.staked_amount}`,
      );
  }

  #settle(event: OrderedEvent): void {
    const { payload } = event;
    if (payload.target_type !== 'transfer') return;
    const transfer = this.#transfers.get(String(payload.target_event_id));
    if (!transfer) {
      this.faults.push(`${placeText(event)} settles a transfer that is not open`);
      return;
    }
    this.#transfers.delete(String(payload.target_event_id));
    const { from, to, amount } = transfer;
    const isPaid = payload.settlement_state === 'settled';
    const fee = isPaid ? Number((BigInt(amount) * FEE_BPS) / 10_000n) : 0;
    this.#move(event, from, { balance: isPaid ? 0 : amount, reserved: -amount });
    if (isPaid) this.#move(event, to, { balance: amount - fee });
  }

  #task(event: OrderedEvent, id: string): void {
    const { agent, payload, type } = event;
    const timeline = this.#tasks.get(id) ?? new Timeline<TaskState>();
    this.#tasks.set(id, timeline);
    const { status, claimer } = timeline.last ?? { status: 'none', claimer: undefined };
    const expect = (...fitting: string[]): void => {
      if (fitting.includes(status)) return;
      this.faults.push(`${placeText(event)}: task ${id} is ${status}${claimer ? ` by ${claimer}` : ''}`);
    };
    switch (type) {
      case 'task_posted':
        expect('none');
        this.#postedBy(agent, id, payload);
        this.#move(event, agent, { balance: -Number(payload.budget), reserved: Number(payload.budget) });
        timeline.set(event, { status: 'open', claimer: undefined });
        break;
      case 'task_claimed':
        expect('open');
        this.#bond(event, id, agent, this.#taskMoney.get(id)?.workerBond ?? 0);
        timeline.set(event, { status: 'claimed', claimer: agent });
        break;
      case 'claim_expired':
      case 'task_released':
        expect('claimed');
        this.#unbond(event, id);
        timeline.set(event, { status: 'open', claimer: undefined });
        break;
      case 'task_submitted':
        expect('claimed');
        timeline.set(event, { status: 'submitted', claimer });
        break;
      case 'task_disputed':
        expect('submitted');
        this.#dispute(event, id, claimer);
        timeline.set(event, { status: 'disputed', claimer });
        break;
      case 'task_cancelled':
        expect('open', 'claimed');
        timeline.set(event, { status: 'cancelled', claimer });
        break;
      case 'task_declined':
        expect('open');
        timeline.set(event, { status: 'cancelled', claimer });
        break;
      case 'task_settled':
        this.#pay(event, id, timeline);
        break;
    }
  }

  #postedBy(poster: string, id: string, payload: OrderedEvent['payload']): void {
    const [budget, workerBond] = [Number(payload.budget), workerBondOf(payload)];
    this.#taskMoney.set(id, { poster, budget, workerBond, bonded: [] });
  }

  #bond(event: OrderedEvent, id: string, agent: string, amount: number): void {
    this.#taskMoney.get(id)?.bonded.push({ agent, amount });
    this.#move(event, agent, { balance: -amount, reserved: amount });
  }

  #unbond(event: OrderedEvent, id: string): void {
    const money = this.#taskMoney.get(id);
    for (const { agent, amount } of money?.bonded.splice(0) ?? [])
      this.#move(event, agent, { balance: amount, reserved: -amount });
  }

  /** How a dispute ends, and who pays the judges, is not modelled: neither side is judged. */
  #dispute({ agent }: OrderedEvent, id: string, claimer: string | undefined): void {
    const poster = this.#taskMoney.get(id)?.poster;
    for (const side of [agent, poster, claimer]) if (side !== undefined) this.#outside.add(side);
  }

  #pay(event: OrderedEvent, id: string, timeline: Timeline<TaskState>): void {
    const money = this.#taskMoney.get(id);
    if (!money) return;
    this.#unbond(event, id);
    const { payload } = event;
    const claimer = payload.claimer_id === undefined ? undefined : String(payload.claimer_id);
    this.#taskMoney.delete(id);
    const [payout, refund] = [Number(payload.payout), Number(payload.refund)];
    this.#move(event, money.poster, { balance: refund, reserved: -money.budget });
    if (claimer !== undefined && payout > 0) this.#move(event, claimer, { balance: payout });
    const isCompleted = refund === 0;
    timeline.set(event, { status: isCompleted ? 'completed' : 'cancelled', claimer: timeline.last?.claimer });
  }
}

const placeText = ({ type, seq, order, id }: OrderedEvent): string =>
  `${type} ${id} (seq ${seq}, order ${order})`;
