// Agents that live in a run: they register, stake, transfer, post tasks, do them, approve and dispute, ask for what they
// own, and try again elsewhere when a node does not answer.

import type { VwsClient } from '../../host/client/client.ts';
import { VwsError } from '../../host/client/vws-error.ts';
import { Dice } from '../model/consensus/random-dag.ts';
import { clientOf } from './client.ts';
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
  [8, 'stake', (a) => a.client().stake({ amount: TOKEN * (1 + a.dice.below(20)) })],
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
  [20, 'balance', (a) => a.client().balance(a.other().key)],
  [6, 'lists', (a) => a.client().pending()],
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

  client(number: number, machine: string): VwsClient {
    const name = `${number}@${machine}`;
    const known = this.#clients.get(name);
    if (known) return known;
    const made = clientOf(this.net, machine, number, (call) =>
      this.history.calls.push({ agent: number, ...call }),
    );
    this.#keys.set(number, made.pair.publicKeyHex);
    this.#clients.set(name, made);
    return made;
  }

  keyOf(number: number): string {
    this.client(number, this.o.machines[0]!);
    return this.#keys.get(number)!;
  }

  start(): void {
    for (const agent of this.agents) void this.#live(agent);
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

async function register(agent: SimAgent): Promise<void> {
  try {
    await agent.client().register({ initial_stake: 1000 * TOKEN });
  } catch (error) {
    if (!(error instanceof VwsError) || error.code !== 'already_registered') throw error;
  }
  agent.isRegistered = true;
}
