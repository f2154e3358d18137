// A market for router tests: the core and the router model fed with the same commands, compared after each block.
// Keeps: of tasks it knows only what routing needs (claims, completions, failures, deadlines of open and claimed
// tasks), all unassured; one vertex a block unless said otherwise. Commands must be acceptable to the core.

import { expect } from 'vitest';
import * as abi from '../../assembly/abi.ts';
import { COMMAND_STEPS, type RoutedTask, RouterModel, type TaskRecord } from '../model/router.ts';
import { backing, type ModelStanding, newStanding, noteFee } from '../model/standing.ts';
import { Core, type CoreConfig, type EventOutcome, hex, type Outcome, unhex } from './driver.ts';
import { config, hash, LAUNCH, params, seatRecord } from './fixture.ts';
import * as market from './market-records.ts';
import * as records from './records.ts';
import { shownRoute } from './router-shown.ts';

const DELIVERY_SECS = 600;
const EXCLUSIVE_SECS = 60;
const OPEN_SECS = 30 * 86_400;
const NOTICE_SECS = 60;
// Each agent's stake backs all the claims that this market makes.
const STAKE = 20n;
const PARAMS = params({
  [abi.PARAM_CLAIM_BUDGET]: 1e15,
  [abi.PARAM_CLAIM_STAKE]: 1,
  [abi.PARAM_ONBOARDING_DAILY_BUDGET]: 1e15,
});

export interface MarketAgent {
  index: number;
  id: string;
  key: Uint8Array;
  claimed: number;
  records: Map<string, TaskRecord>;
  standing: ModelStanding;
}

export interface MarketTask extends RoutedTask {
  status: 'open' | 'claimed' | 'submitted';
  claimer: number;
  overallBp: number;
  expires: number;
  exclusiveUntil: number;
  claimDeadline: number;
  /** End of a notice, 0 = none. */
  cancelAt: number;
}

const deadlineOf = (t: MarketTask): number => {
  if (t.status === 'claimed') return t.cancelAt || t.claimDeadline;
  if (t.status === 'submitted') return Number.POSITIVE_INFINITY;
  return t.exclusiveUntil > 0 ? Math.min(t.exclusiveUntil, t.expires) : t.expires;
};

export class Market {
  core: Core;
  readonly config: CoreConfig;
  readonly model: RouterModel;
  readonly agents: MarketAgent[] = [];
  readonly tasks = new Map<string, MarketTask>();
  readonly leaves = new Map<number, Uint8Array>();
  now = LAUNCH;
  blocks = 0;
  #order = 0;
  #count = 0;
  #told = 0;
  #parts: Uint8Array[] = [];
  #entries = 0;

  constructor(over: Partial<CoreConfig> = {}, seed = 0) {
    this.config = config({ params: PARAMS, ...over });
    this.#count = seed * 1_000_000;
    this.core = new Core(this.config);
    this.core.apply(seatRecord(0), records.genesisEnd());
    this.model = new RouterModel(
      {
        agentId: (agent) => this.#agent(agent).id,
        claimed: (agent) => this.#agent(agent).claimed,
        completed: (agent) => [...this.#agent(agent).records.values()].reduce((n, r) => n + r.completed, 0),
        record: (agent, category) => this.#agent(agent).records.get(category),
        backing: (agent) => backing(this.#agent(agent).standing),
      },
      COMMAND_STEPS,
    );
  }

  // Agent 0 of the core is the operator of the seat.
  #agent(index: number): MarketAgent {
    return this.agents[index - 1]!;
  }

  #actor(agent: MarketAgent): market.Actor {
    return { txid: unhex(hash(`market ${this.#count++}`)), key: agent.key };
  }

  #add(record: Uint8Array): void {
    this.#parts.push(record);
    this.#entries++;
  }

  /** A claim of generated value, which expires without a trace: fills the out buffer when its deadline comes. */
  claimValue(agent: MarketAgent): void {
    const actor = this.#actor(agent);
    const head = { auth: abi.AUTH_TX_V1, txid: actor.txid, actor: actor.key };
    this.#add(records.generation(head, agent.key, 5n));
  }

  /** Registers an agent; a name gives it a free-form id. */
  join(name?: string): MarketAgent {
    const publicKey = unhex(hash(`market key ${this.#count++}`));
    const id = name ?? hex(publicKey);
    const key = name === undefined ? publicKey : unhex(hash(id));
    const actor = { auth: abi.AUTH_TX_V1, txid: unhex(hash(`market ${this.#count++}`)), actor: key };
    this.#add(records.register(actor, publicKey, STAKE, id));
    const agent = {
      index: this.agents.length + 1,
      id,
      key,
      claimed: 0,
      records: new Map(),
      standing: newStanding(),
    };
    this.agents.push(agent);
    return agent;
  }

  offer(agent: MarketAgent, terms: Partial<market.OfferTerms>): void {
    const all = { price: 0n, most: 1, categories: ['code'], tags: [], ...terms };
    this.#add(market.registerOffer(this.#actor(agent), all));
    this.#routed(() => this.model.register(agent.index, all));
  }

  withdraw(agent: MarketAgent): void {
    this.#add(market.removeOffer(this.#actor(agent)));
    this.#routed(() => this.model.remove(agent.index));
  }

  setAvailable(agent: MarketAgent, available: boolean): void {
    this.#add(market.setAvailable(this.#actor(agent), available));
    this.#routed(() => this.model.setAvailable(agent.index, available));
  }

  post(poster: MarketAgent, terms: Partial<market.TaskTerms>): MarketTask {
    const all = { budget: 1_000_000n, category: 'code', tags: [], exclusive: false, ...terms };
    const actor = this.#actor(poster);
    this.#add(market.createTask(actor, all));
    const task: MarketTask = {
      ...all,
      id: market.taskId(actor.txid),
      poster: poster.index,
      barred: new Set(),
      routedTo: undefined,
      status: 'open',
      claimer: 0,
      overallBp: 0,
      expires: this.now + OPEN_SECS,
      exclusiveUntil: 0,
      claimDeadline: 0,
      cancelAt: 0,
    };
    this.tasks.set(task.id, task);
    this.#routed(() => this.model.opened(task));
    return task;
  }

  // Whoever is assigned an exclusive task by this has it for a while; who lost an assignment has it no more.
  #routed(act: () => void): void {
    const before = this.model.routes.length;
    act();
    for (const task of this.model.waiting) (task as MarketTask).exclusiveUntil = 0;
    for (const route of this.model.routes.slice(before)) {
      const task = this.tasks.get(route.task)!;
      task.exclusiveUntil = task.exclusive ? this.now + EXCLUSIVE_SECS : 0;
    }
  }

  claim(agent: MarketAgent, task: MarketTask): void {
    this.#add(market.claimTask(this.#actor(agent), task.id));
    task.status = 'claimed';
    task.claimer = agent.index;
    task.claimDeadline = this.now + DELIVERY_SECS;
    task.exclusiveUntil = 0;
    agent.claimed++;
    this.model.closed(task);
  }

  submit(task: MarketTask, overallBp: number): void {
    const agent = this.#agent(task.claimer);
    this.#add(market.submitTask(this.#actor(agent), task.id, overallBp));
    task.status = 'submitted';
    task.cancelAt = 0;
    task.overallBp = overallBp;
    agent.claimed--;
  }

  approve(task: MarketTask): void {
    this.#add(market.approveTask(this.#actor(this.#agent(task.poster)), task.id));
    const record = this.#record(task);
    record.completed++;
    record.scoreBp += BigInt(task.overallBp);
    const [worker, poster] = [this.#agent(task.claimer), this.#agent(task.poster)];
    const keys = { agent: hex(worker.key), counterparty: hex(poster.key) };
    noteFee(worker.standing, keys, task.budget / 1000n, this.now, 86_400);
    this.tasks.delete(task.id);
  }

  cancel(task: MarketTask): void {
    this.#add(market.cancelTask(this.#actor(this.#agent(task.poster)), task.id));
    if (task.status === 'claimed') task.cancelAt = Math.min(this.now + NOTICE_SECS, task.claimDeadline);
    else this.#end(task);
  }

  #record(task: MarketTask): TaskRecord {
    const all = this.#agent(task.claimer).records;
    const record = all.get(task.category) ?? { completed: 0, failed: 0, scoreBp: 0n };
    all.set(task.category, record);
    return record;
  }

  #end(task: MarketTask): void {
    if (task.status === 'open') this.model.closed(task);
    if (task.status === 'claimed') this.#agent(task.claimer).claimed--;
    this.tasks.delete(task.id);
  }

  #fire(task: MarketTask): void {
    if (task.status === 'claimed' && task.cancelAt === 0) {
      this.#record(task).failed++;
      this.#agent(task.claimer).claimed--;
      task.barred.add(task.claimer);
      task.status = 'open';
      task.expires = this.now + OPEN_SECS;
      this.#routed(() => this.model.opened(task));
    } else if (task.status === 'open' && task.exclusiveUntil > 0 && task.exclusiveUntil <= task.expires) {
      task.exclusiveUntil = 0;
      this.model.lapsed(task);
    } else {
      this.#end(task);
    }
  }

  // Deadlines in order of (deadline, id), as often as one is due.
  #fireDue(): void {
    for (;;) {
      const due = [...this.tasks.values()].filter((t) => deadlineOf(t) <= this.now);
      if (due.length === 0) return;
      due.sort((a, b) => deadlineOf(a) - deadlineOf(b) || (a.id < b.id ? -1 : 1));
      this.#fire(due[0]!);
    }
  }

  /** Lets time pass up to the next vertex, which takes the commands that follow. */
  skip(gapSecs = 1): void {
    this.now += gapSecs;
    this.#fireDue();
    this.#routed(() => this.model.vertex());
  }

  /** Executes the commands collected since the last call in one block with one vertex. */
  run(): Outcome[] {
    this.blocks++;
    const outcomes = this.core.apply(
      records.block(this.now * 1000, this.blocks, unhex(hash(`block ${this.blocks}`))),
      records.vertex(++this.#order, 0, this.#entries),
      ...this.#parts,
      records.blockEnd(),
    );
    this.#parts = [];
    this.#entries = 0;
    for (const o of outcomes) if (o.kind === 'tx') expect(o.code, `opcode ${o.opcode}`).toBe(abi.OK);
    return outcomes;
  }

  /** Routes that the core told are those of the model; so are tasks, figures and capabilities. */
  compare(outcomes: Outcome[]): void {
    const told = outcomes.filter(
      (o): o is EventOutcome => o.kind === 'event' && o.type === abi.EVENT_TASK_ROUTED,
    );
    expect(told.map(shownRoute)).toEqual(this.model.announced.slice(this.#told));
    this.#told = this.model.announced.length;
    const words = this.core.query(abi.QUERY_ROUTER)!;
    const offers = [...this.model.offers.values()];
    const expected = [
      offers.length,
      offers.filter((o) => o.available).length,
      this.model.routed,
      this.model.newcomerRoutes,
      this.model.waiting.length,
    ];
    expect(expected.map((_, i) => Number(words.getBigUint64(8 * i, true)))).toEqual(expected);
    for (const task of this.tasks.values()) expect(this.#shownTask(task.id)).toEqual(expectedTask(task));
    for (const agent of this.agents) this.#compareCapability(agent);
  }

  #compareCapability(agent: MarketAgent): void {
    const view = this.core.queryIndex(abi.QUERY_CAPABILITY, agent.index);
    const offer = this.model.offers.get(agent.index);
    expect(view === undefined).toBe(offer === undefined);
    if (view === undefined || offer === undefined) return;
    expect(view.getBigUint64(abi.CAPABILITY_PRICE, true)).toBe(offer.price);
    expect(view.getUint32(abi.CAPABILITY_MAX_TASKS, true)).toBe(offer.most);
    expect(view.getUint32(abi.CAPABILITY_ACTIVE, true)).toBe(agent.claimed);
    expect(view.getUint32(abi.CAPABILITY_AVAILABLE, true)).toBe(offer.available ? 1 : 0);
  }

  #shownTask(id: string): unknown {
    const view = this.core.query(abi.QUERY_TASK, unhex(id))!;
    const until = Number(view.getBigUint64(abi.TASK_EXCLUSIVE_UNTIL, true));
    return { routedTo: view.getUint32(abi.TASK_ROUTED_TO, true), until };
  }

  /** Snapshot, fresh instance, import: same state hash; the market goes on with the imported core. */
  reload(): void {
    for (const [leaf, bytes] of this.core.dirty()) {
      if (bytes.every((b) => b === 0)) this.leaves.delete(leaf);
      else this.leaves.set(leaf, bytes);
    }
    const fresh = new Core(this.config);
    expect(fresh.load(this.leaves)).toBe(0);
    expect(fresh.stateHash()).toBe(this.core.stateHash());
    this.core = fresh;
  }
}

function expectedTask(task: MarketTask): unknown {
  const routedTo = task.routedTo === undefined ? 0 : task.routedTo + 1;
  return { routedTo, until: task.status === 'open' ? task.exclusiveUntil : 0 };
}
