// Concurrent clients over all nodes: agents register, pay, stake, post tasks, race for them, deliver, approve, and read
// each other's and their own state at whatever node comes.
// Keeps: payers and workers are two groups, so that the money of workers is moved by their own requests alone; what is
// asked of whom depends on the seed, not on the answers' times.

import type { SignedRequest } from '../../host/client/signed-request.ts';
import type { Signer } from '../../host/client/signer.ts';
import { utf8 } from '../../host/wire/bytes.ts';
import { sha256Hex } from '../../host/wire/hash.ts';
import { sleep } from '../load/node-process.ts';
import type { SeededRandom } from '../load/seeded-random.ts';
import { newSigner } from '../load/signed-writes.ts';
import { type Call, isExecuted, isSuccess } from './call.ts';
import { Client, type Door } from './client.ts';

const TOKEN = 1_000_000;
const STAKE_MICRO = 1000 * TOKEN;
const MAX_PAYMENT_MICRO = 100_000;
const MAX_STAKE_MICRO = 1000;
/** Workers that want one task at the same time. */
const RIVALS = 3;
/** Numbers of clients that belong to one session. */
const NUMBERS = 10;
/** Between two reads of whoever watches a node. */
const WATCH_MS = 100;
/** Tasks and writes that readers choose from. */
const RECENT = 24;

interface LoadOptions {
  chainId: string;
  doors: readonly Door[];
  payers: number;
  workers: number;
  /** Longest pause of a session between two actions. */
  pauseMs: number;
}

export class Load {
  readonly calls: Call[] = [];
  readonly payers: readonly Signer[];
  readonly workers: readonly Signer[];
  #isOver = false;
  /** The newest order that any client has seen. */
  #newest = 0;
  readonly #tasks: string[] = [];
  readonly #written: string[] = [];

  constructor(readonly o: LoadOptions) {
    this.payers = Array.from({ length: o.payers }, newSigner);
    this.workers = Array.from({ length: o.workers }, newSigner);
  }

  get isOver(): boolean {
    return this.#isOver;
  }

  get newest(): number {
    return this.#newest;
  }

  /** Registers everybody; errors: a refusal. */
  async join(random: SeededRandom): Promise<void> {
    const session = new Session(0, this, random);
    for (const signer of [...this.payers, ...this.workers]) {
      if (!(await session.register(signer))) throw new Error('an agent could not register');
    }
    session.close();
  }

  /** Resolves when every session has ended. */
  async run(randoms: readonly SeededRandom[]): Promise<void> {
    const sessions = randoms.map((random, i) => new Session(i + 1, this, random));
    const watching = this.o.doors.map((door, i) => this.#watch(door, randoms.length + 1 + i));
    await Promise.all([...sessions.map((session) => session.live()), ...watching]);
  }

  stop(): void {
    this.#isOver = true;
  }

  /** Reads at one node all the time, so that somebody sees what it shows first when it returns. */
  async #watch(door: Door, number: number): Promise<void> {
    const client = new Client(number * NUMBERS, this.o.chainId, this.calls);
    const agents = [...this.workers, ...this.payers];
    for (let i = 0; !this.#isOver; i++) {
      const call = await client.read(door, balanceOf(agents[i % agents.length]!));
      this.saw(call);
      if (call.status !== undefined) await sleep(WATCH_MS);
    }
    client.close();
  }

  saw(call: Call): void {
    if (isSuccess(call.status) && call.order !== undefined) this.#newest = Math.max(this.#newest, call.order);
    if (isExecuted(call)) keep(this.#written, call.txId);
  }

  posted(task: string): void {
    keep(this.#tasks, task);
  }

  recentTask(random: SeededRandom): string | undefined {
    return this.#tasks.length === 0 ? undefined : random.pick(this.#tasks);
  }

  recentWrite(random: SeededRandom): string | undefined {
    return this.#written.length === 0 ? undefined : random.pick(this.#written);
  }
}

function keep(recent: string[], one: string): void {
  recent.push(one);
  if (recent.length > RECENT) recent.shift();
}

type Action = (session: Session) => Promise<unknown>;

const ACTIONS: readonly (readonly [weight: number, action: Action])[] = [
  [24, (s) => s.transfer()],
  [14, (s) => s.stake()],
  [10, (s) => s.task()],
  [2, (s) => s.register(newSigner())],
  [28, (s) => s.readBalance()],
  [12, (s) => s.readTask()],
  [10, (s) => s.readEvent()],
];
/** Each action as often as its weight. */
const TICKETS = ACTIONS.flatMap(([weight, action]) => Array.from({ length: weight }, () => action));

class Session {
  /** One for each request that may be under way at the same time. */
  readonly #clients: readonly Client[];

  constructor(
    number: number,
    private readonly load: Load,
    private readonly random: SeededRandom,
  ) {
    const { chainId } = load.o;
    this.#clients = Array.from(
      { length: RIVALS },
      (_, i) => new Client(number * NUMBERS + i, chainId, load.calls),
    );
  }

  async live(): Promise<void> {
    while (!this.load.isOver) {
      await sleep(this.random.below(this.load.o.pauseMs));
      await this.random.pick(TICKETS)(this);
    }
    this.close();
  }

  close(): void {
    for (const client of this.#clients) client.close();
  }

  async register(signer: Signer): Promise<boolean> {
    return isExecuted(await this.#write(signer, '/v1/agents', { initial_stake: STAKE_MICRO }));
  }

  async transfer(): Promise<void> {
    const from = this.random.pick(this.load.payers);
    const to = this.random.pick(this.load.payers.filter((payer) => payer !== from));
    const amount = this.random.between(1, MAX_PAYMENT_MICRO);
    const done = await this.#write(from, '/v1/transfer', { to_agent: to.publicKeyHex, amount });
    if (isExecuted(done)) await this.#readOwn(balanceOf(from), done.order);
  }

  async stake(): Promise<void> {
    const worker = this.random.pick(this.load.workers);
    const path = this.random.below(2) === 0 ? '/v1/stake' : '/v1/unstake';
    const done = await this.#write(worker, path, { amount: this.random.between(1, MAX_STAKE_MICRO) });
    if (isExecuted(done)) await this.#readOwn(balanceOf(worker), done.order);
  }

  /** A task from its posting to its end, with rivals for it. */
  async task(): Promise<void> {
    const poster = this.random.pick(this.load.workers);
    // Without a bond: the judge's ledger follows budgets alone.
    const body = { title: 'count the ships', description: 'of May', budget: TOKEN, worker_bond: 0 };
    const posted = await this.#write(poster, '/v1/tasks', body);
    if (posted.txId === undefined) return;
    const task = sha256Hex(utf8(`task:${posted.txId}`)).slice(0, 32);
    this.load.posted(task);
    const path = `/v1/tasks/${task}`;
    if (isExecuted(posted)) await this.#readOwn(path, posted.order);
    if (this.random.below(6) === 0) {
      await this.#write(poster, `${path}/cancel`, {});
      return;
    }
    const rivals = this.#draw(this.load.workers, poster);
    const claims = await Promise.all(
      rivals.map((worker, i) => this.#write(worker, `${path}/claim`, {}, this.#clients[i])),
    );
    const won = claims.findIndex(isExecuted);
    if (won < 0) return;
    const result = { result_content: 'Ships of May: 212 in all. Every day is counted, twice.' };
    await this.#write(rivals[won]!, `${path}/submit`, result);
    await this.#write(poster, `${path}/approve`, {});
  }

  readBalance(): Promise<Call> {
    const { workers, payers } = this.load;
    return this.#read(balanceOf(this.random.pick(this.random.below(3) === 0 ? payers : workers)));
  }

  async readTask(): Promise<void> {
    const task = this.load.recentTask(this.random);
    if (task !== undefined) await this.#read(`/v1/tasks/${task}`);
  }

  async readEvent(): Promise<void> {
    const txId = this.load.recentWrite(this.random);
    if (txId !== undefined) await this.#read(`/v1/events/${txId}`);
  }

  #draw(from: readonly Signer[], but: Signer): Signer[] {
    const others = from.filter((one) => one !== but);
    const start = this.random.below(others.length);
    return Array.from({ length: RIVALS }, (_, i) => others[(start + i) % others.length]!);
  }

  /** Half of the reads ask for the newest order that anybody has seen. */
  #read(path: string): Promise<Call> {
    return this.#readAt(path, this.random.below(2) === 0 ? this.load.newest : undefined);
  }

  #readOwn(path: string, order: number): Promise<Call> {
    return this.#readAt(path, order);
  }

  async #readAt(path: string, minOrder: number | undefined): Promise<Call> {
    const call = await this.#clients[0]!.read(this.random.pick(this.load.o.doors), path, minOrder);
    this.load.saw(call);
    return call;
  }

  /** Sends a write; where the outcome is not known, once more, mostly at another node. */
  async #write(
    signer: Signer,
    path: string,
    body: Record<string, unknown>,
    client = this.#clients[0]!,
  ): Promise<Call> {
    const request: SignedRequest = await client.sign(signer, path, body);
    const first = await client.write(this.random.pick(this.load.o.doors), request);
    this.load.saw(first);
    const isOpen = first.status === undefined || first.status === 503;
    if (!isOpen || this.load.isOver) return first;
    const again = await client.write(this.random.pick(this.load.o.doors), request);
    this.load.saw(again);
    return again;
  }
}

const balanceOf = ({ publicKeyHex }: Signer): string => `/v1/agents/${publicKeyHex}/balance`;
