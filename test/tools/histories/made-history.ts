// A history as a faultless service would give it: one state, a few nodes that follow it at their own pace, clients that
// overlap. Everything from a seed.

import { createHash } from 'node:crypto';
import type { Call, OrderedEvent } from '../../../tools/histories/call.ts';
import type { Recorded } from '../../../tools/histories/judge.ts';
import { SeededRandom } from '../../../tools/load/seeded-random.ts';

const MACHINES = ['a', 'b', 'c'];
const GRANT = 1_000_000;
const BUDGET = 1000;

interface Money {
  balance: number;
  staked: number;
  reserved: number;
}

const hash = (text: string): string => createHash('sha256').update(text).digest('hex');

export class MadeHistory {
  readonly calls: Call[] = [];
  readonly events: OrderedEvent[] = [];
  readonly workers = ['worker 1', 'worker 2', 'worker 3'].map(hash);
  readonly payers = ['payer 1', 'payer 2'].map(hash);
  readonly random: SeededRandom;
  #order = 0;
  #count = 0;
  #ms = 0;
  readonly #money = new Map<string, Money>();
  /** What a node has executed: order, and the money of everybody then. */
  readonly #seen = new Map<string, { order: number; money: Map<string, Money> }>();
  #tasks = 0;

  constructor(seed: number) {
    this.random = new SeededRandom(seed);
    for (const machine of MACHINES) this.#seen.set(machine, { order: 0, money: new Map() });
    for (const agent of [...this.workers, ...this.payers]) this.#register(agent);
  }

  get recorded(): Recorded {
    return { calls: this.calls, events: this.events };
  }

  /** `steps` things that agents do. */
  live(steps: number): this {
    for (let i = 0; i < steps; i++) {
      const what = this.random.below(6);
      if (what === 0) this.#stake();
      else if (what === 1) this.#transfer();
      else if (what === 2) this.#task();
      else this.read(this.random.pick([...this.workers, ...this.payers]), this.random.pick(MACHINES));
    }
    return this;
  }

  /** Adds a call as it is. */
  call(call: Partial<Call>): Call {
    this.#ms += 1 + this.random.below(5);
    const whole: Call = {
      agent: 1,
      machine: this.random.pick(MACHINES),
      method: 'GET',
      path: '/',
      startMs: this.#ms,
      endMs: this.#ms + 1 + this.random.below(20),
      ...call,
    };
    this.calls.push(whole);
    return whole;
  }

  /** An event, executed at this moment; the node that is named shows it from now on. */
  event(
    type: string,
    agent: string,
    payload: Record<string, unknown>,
    id = hash(`${++this.#count}`),
  ): OrderedEvent {
    this.#order += 1 + this.random.below(2);
    const event = { id, seq: this.events.length + 1, order: this.#order, type, agent, payload };
    this.events.push(event);
    return event;
  }

  /** A balance at a node, which may be behind, but not behind what it showed. */
  read(agent: string, machine: string): Call {
    if (this.random.below(3) > 0) this.follow(machine);
    const { order, money } = this.#seen.get(machine)!;
    const { balance, staked, reserved } = money.get(agent) ?? {};
    const path = `/v1/agents/${agent}/balance`;
    if (balance === undefined) return this.call({ machine, path, status: 404, code: 'agent_not_found' });
    return this.call({
      machine,
      path,
      status: 200,
      order,
      body: { balance, staked_amount: staked, reserved },
      minOrder: order,
    });
  }

  /** The node has executed all that there is. */
  follow(machine: string): void {
    const money = new Map([...this.#money].map(([agent, row]) => [agent, { ...row }]));
    this.#seen.set(machine, { order: this.#order, money });
  }

  /** A write that is executed at once; its answer comes a little later, from a node that has executed it. */
  write(path: string, actor: string, status: number, event: OrderedEvent, body: unknown = {}): Call {
    const machine = this.random.pick(MACHINES);
    this.follow(machine);
    // Nobody overlaps with what the next one sees: the answer is there before the next call.
    const call = this.call({
      method: 'POST',
      machine,
      path,
      actor,
      status,
      body,
      txId: event.id,
      order: event.order,
    });
    this.#ms = Math.max(this.#ms, call.endMs! + 1);
    return call;
  }

  #register(agent: string): void {
    this.#money.set(agent, { balance: GRANT - 1000, staked: 1000, reserved: 0 });
    const event = this.event('registration', agent, { onboarding_allocation: GRANT, staked_amount: 1000 });
    this.write('/v1/agents', agent, 201, event, { balance: GRANT - 1000, staked_amount: 1000 });
  }

  #stake(): void {
    const agent = this.random.pick(this.workers);
    const amount = this.random.between(1, 100);
    const money = this.#money.get(agent)!;
    money.balance -= amount;
    money.staked += amount;
    const event = this.event('stake', agent, { amount, staked_amount: money.staked });
    this.write('/v1/stake', agent, 200, event, { balance: money.balance, staked_amount: money.staked });
  }

  /** A transfer that is paid out or expires. */
  #transfer(): void {
    const [from, to] = this.random.below(2) === 0 ? this.payers : [...this.payers].reverse();
    const amount = this.random.between(1, 9000);
    const [a, b] = [this.#money.get(from!)!, this.#money.get(to!)!];
    a.balance -= amount;
    a.reserved += amount;
    const event = this.event('transfer', from!, { to_agent: to, amount });
    this.write('/v1/transfer', from!, 201, event, { balance: a.balance });
    const isPaid = this.random.below(2) === 0;
    a.reserved -= amount;
    if (isPaid) b.balance += amount - Math.floor(amount / 1000);
    else a.balance += amount;
    const settlement_state = isPaid ? 'settled' : 'adjusted';
    this.event('settlement', 'system:node', {
      target_event_id: event.id,
      target_type: 'transfer',
      settlement_state,
    });
  }

  /** Posted, wanted by two, claimed by one. */
  #task(): void {
    const [poster, first, second] = this.workers as [string, string, string];
    const id = hash(`task ${++this.#tasks}`).slice(0, 32);
    const path = `/v1/tasks/${id}`;
    const money = this.#money.get(poster)!;
    money.balance -= BUDGET;
    money.reserved += BUDGET;
    const posted = this.event('task_posted', poster, { task_id: id, budget: BUDGET, worker_bond: 0 });
    this.write('/v1/tasks', poster, 201, posted, { id });
    const claimed = this.event('task_claimed', first, { task_id: id });
    const won = this.write(`${path}/claim`, first, 200, claimed, { claimer_id: first });
    const times = { startMs: won.startMs + 0.5, endMs: won.endMs! + 0.5 };
    const refused = { method: 'POST', actor: second, status: 409, code: 'invalid_state' };
    this.call({
      ...refused,
      path: `${path}/claim`,
      machine: won.machine,
      txId: hash(`refused ${id}`),
      ...times,
    });
    this.call({
      path,
      status: 200,
      machine: won.machine,
      order: this.#order,
      body: { status: 'claimed', claimer_id: first },
    });
  }
}
