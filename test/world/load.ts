// Agents that live in a run: they register, stake, transfer, post tasks, do them, approve and dispute, apply as validators,
// send one signed request to several nodes, and read at any node what they have seen at another.

import type { VwsClient } from '../../host/client/client.ts';
import { SeenOrder } from '../../host/client/seen-order.ts';
import { VwsError } from '../../host/client/vws-error.ts';
import { Dice } from '../model/consensus/random-dag.ts';
import { clientOf, type OnCall } from './client.ts';
import { History } from './history.ts';
import type { SimNetwork } from './network.ts';

const TOKEN = 1_000_000;

type Action = (agent: SimAgent) => Promise<unknown>;

/** Work that is open somewhere, so that agents find each other. */
interface Board {
  posted: { id: string; poster: number }[];
  submitted: { id: string; poster: number }[];
  claimed: { id: string; worker: number }[];
}

class SimAgent {
  isRegistered = false;

  constructor(
    readonly load: Load,
    readonly number: number,
    readonly dice: Dice,
  ) {}

  /** A client at some machine that this agent uses now. */
  client(): VwsClient {
    return this.load.client(this.number, this.dice.pick(this.load.machines));
  }

  /** The same at any node, observers too: for reads. */
  reader(): VwsClient {
    return this.load.client(this.number, this.dice.pick(this.load.readers));
  }

  get key(): string {
    return this.load.keyOf(this.number);
  }

  other(): SimAgent {
    return this.dice.pick(this.load.agents);
  }
}

const takeOne = <T>(dice: Dice, from: T[], fits: (one: T) => boolean): T | undefined => {
  const found = from.filter(fits);
  if (found.length === 0) return undefined;
  const one = dice.pick(found);
  from.splice(from.indexOf(one), 1);
  return one;
};

const ACTIONS: readonly (readonly [weight: number, name: string, Action])[] = [
  [30, 'transfer', (a) => a.client().transfer({ to_agent: a.other().key, amount: 1 + a.dice.below(TOKEN) })],
  [8, 'stake', (a) => a.client().stake({ amount: TOKEN * (1 + a.dice.below(300)) })],
  [4, 'unstake', (a) => a.client().unstake({ amount: TOKEN })],
  [4, 'faucet', (a) => a.client().faucet()],
  [
    12,
    'post',
    async (a) => {
      const body = { title: `work ${a.dice.u32()}`, budget: TOKEN * (1 + a.dice.below(5)) };
      const { id } = await a.client().tasks.create({ ...body, description: 'count the ships of the month' });
      a.load.board.posted.push({ id, poster: a.number });
    },
  ],
  [
    12,
    'claim',
    async (a) => {
      const task = takeOne(a.dice, a.load.board.posted, ({ poster }) => poster !== a.number);
      if (!task) return;
      await a.client().tasks.claim(task.id);
      a.load.board.claimed.push({ id: task.id, worker: a.number });
    },
  ],
  [
    12,
    'submit',
    async (a) => {
      const task = takeOne(a.dice, a.load.board.claimed, ({ worker }) => worker === a.number);
      if (!task) return;
      await a
        .client()
        .tasks.submit(task.id, { result_content: `Ships of May: ${a.dice.below(500)}. Counted twice.` });
      a.load.board.submitted.push({ id: task.id, poster: -1 });
    },
  ],
  [
    10,
    'decide',
    async (a) => {
      const task = takeOne(a.dice, a.load.board.submitted, () => true);
      if (!task) return;
      const { poster_id } = await a.client().tasks.get(task.id);
      const poster = a.load.agents.find(({ key }) => key === poster_id);
      if (!poster) return;
      if (a.dice.chance(80)) await poster.client().tasks.approve(task.id);
      else await poster.client().tasks.dispute(task.id, { reason: 'there were more' });
    },
  ],
  [
    4,
    'cancel',
    async (a) => {
      const task = takeOne(a.dice, a.load.board.posted, ({ poster }) => poster === a.number);
      if (task) await a.client().tasks.cancel(task.id);
    },
  ],
  [2, 'apply', (a) => a.client().validators.apply({ categories: ['general'] })],
  [8, 'resend', resend],
  [20, 'balance', (a) => a.reader().balance(a.other().key)],
  [8, 'own balance', (a) => a.reader().balance(a.key)],
  [
    8,
    'task',
    async (a) => {
      const all = [...a.load.board.posted, ...a.load.board.claimed, ...a.load.board.submitted];
      if (all.length > 0) await a.reader().tasks.get(a.dice.pick(all).id);
    },
  ],
  [6, 'lists', (a) => a.reader().pending()],
  [2, 'forget', async (a) => a.client().forgetOrder()],
];
const ALL_WEIGHT = ACTIONS.reduce((sum, [weight]) => sum + weight, 0);

function pickAction(dice: Dice): readonly [string, Action] {
  let at = dice.below(ALL_WEIGHT);
  for (const [weight, name, action] of ACTIONS) {
    at -= weight;
    if (at < 0) return [name, action];
  }
  throw new Error('weights and their sum differ');
}

export interface LoadOptions {
  agents: number;
  /** Machines that agents talk to: those of honest seats. */
  machines: readonly string[];
  /** Where they read: observers too. */
  readers: readonly string[];
  /** Pause of an agent between two actions, at most. */
  pauseMs: number;
}

export class Load {
  readonly history = new History();
  readonly board: Board = { posted: [], submitted: [], claimed: [] };
  readonly agents: SimAgent[];
  /** Actions by name, with what became of them. */
  readonly done = new Map<string, number>();
  #isOver = false;
  readonly #clients = new Map<string, VwsClient>();
  /** What each agent has seen, at whatever node. */
  readonly #seen = new Map<number, SeenOrder>();
  readonly #keys = new Map<number, string>();

  constructor(
    private readonly net: SimNetwork,
    private readonly o: LoadOptions,
  ) {
    this.agents = Array.from(
      { length: o.agents },
      (_, number) => new SimAgent(this, number, new Dice(net.universe.seed * 1000 + number)),
    );
  }

  get machines(): readonly string[] {
    return this.o.machines;
  }

  get readers(): readonly string[] {
    return this.o.readers;
  }

  client(number: number, machine: string): VwsClient {
    const name = `${number}@${machine}`;
    const known = this.#clients.get(name);
    if (known) return known;
    const seen = this.#seen.get(number) ?? new SeenOrder();
    this.#seen.set(number, seen);
    const onCall: OnCall = (call) => this.history.calls.push({ agent: number, ...call });
    const made = clientOf(this.net, machine, number, onCall, seen);
    this.#keys.set(number, made.pair.publicKeyHex);
    this.#clients.set(name, made);
    return made;
  }

  keyOf(number: number): string {
    this.client(number, this.o.machines[0]!);
    return this.#keys.get(number)!;
  }

  start(): void {
    for (const agent of this.agents) this.net.universe.beside(this.#live(agent));
  }

  stop(): void {
    this.#isOver = true;
  }

  async #live(agent: SimAgent): Promise<void> {
    while (!this.#isOver) {
      await this.net.universe.pause(agent.dice.below(this.o.pauseMs));
      if (this.#isOver) return;
      const [name, action] = agent.isRegistered ? pickAction(agent.dice) : (['register', register] as const);
      await this.#try(agent, name, action);
    }
  }

  async #try(agent: SimAgent, name: string, action: Action): Promise<void> {
    let result = 'ok';
    try {
      await action(agent);
    } catch (error) {
      if (!(error instanceof VwsError)) throw error;
      result = error.code;
    }
    this.done.set(`${name} ${result}`, (this.done.get(`${name} ${result}`) ?? 0) + 1);
  }
}

/** One signed request, at several nodes at the same time or one after the other. */
async function resend(agent: SimAgent): Promise<void> {
  const body = { to_agent: agent.other().key, amount: 1 + agent.dice.below(TOKEN) };
  const request = await agent.client().prepare('POST', '/v1/transfer', body);
  const sends = [agent.client(), agent.client()].map((client) => () => client.submit(request));
  if (agent.dice.chance(50)) await Promise.all(sends.map((send) => send()));
  else for (const send of sends) await send();
}

async function register(agent: SimAgent): Promise<void> {
  try {
    // Some stake enough to apply as validators.
    const stake = agent.dice.pick([1000, 1000, 15_000]);
    await agent.client().register({ initial_stake: stake * TOKEN });
  } catch (error) {
    if (!(error instanceof VwsError) || error.code !== 'already_registered') throw error;
  }
  agent.isRegistered = true;
}
