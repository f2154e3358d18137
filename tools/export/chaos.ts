// Two exporters of a node under load; they, their database and their stream are killed at random: then database and stream
// must have everything once.
// Keeps: works below the system's temporary directory; ends only processes that it started. The seed repeats what is
// killed and after how long, not what the machine does in between.

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { SUPPLY } from '../../host/export/batch.ts';
import { chainIdOf } from '../../host/wire/chain-id.ts';
import { Writer } from '../crash/writer.ts';
import { builtPath } from '../load/built.ts';
import { NodeProcess, sleep } from '../load/node-process.ts';
import { SeededRandom } from '../load/seeded-random.ts';
import { NatsServer } from './nats-server.ts';
import { PostgresServer } from './postgres-server.ts';

interface ChaosPlan {
  seconds: number;
  seed: number;
  writers: number;
  /** Bounds of the time between two kills, ms. */
  pauseMs: readonly [min: number, max: number];
  /** With NATS JetStream behind the database. */
  withStream: boolean;
}

export interface ChaosResult {
  kills: { exporter: number; database: number; stream: number };
  events: number;
  postings: number;
  faults: string[];
}

const EXPORTERS = 2;
/** Of that many events, and of all agents that write, the documents are compared. */
const COMPARED = 200;

interface Said {
  agent: string;
  order: number;
  /** Balance, escrow, stake. */
  held: readonly number[];
}

type Expect = (is: boolean, text: string) => void;

class Chaos {
  readonly result: ChaosResult = {
    kills: { exporter: 0, database: 0, stream: 0 },
    events: 0,
    postings: 0,
    faults: [],
  };
  readonly #random: SeededRandom;
  readonly #exporters: (ChildProcess | undefined)[] = [];

  constructor(
    private readonly plan: ChaosPlan,
    private readonly dir: string,
    private readonly server: PostgresServer,
    private readonly nats: NatsServer | undefined,
  ) {
    this.#random = new SeededRandom(plan.seed);
  }

  #args(port: number, keep: string, more: readonly string[] = []): string[] {
    const node = `http://127.0.0.1:${port}`;
    const nats = this.nats ? ['--nats', this.nats.url] : [];
    const folder = ['--keep', join(this.dir, keep), '--partition', '500'];
    const main = builtPath('host/cli/main.js');
    return [main, 'export', '--to', this.server.url(), '--node', node, ...folder, ...nats, ...more];
  }

  async run(): Promise<void> {
    const options = { dataDir: join(this.dir, 'data'), env: { SERVICE_SNAPSHOT_ORDERS: '200' } };
    let node = await NodeProcess.start(options);
    const writers = Array.from(
      { length: this.plan.writers },
      () => new Writer(chainIdOf(true), new SeededRandom(this.#random.next())),
    );
    try {
      await Promise.all(writers.map((writer) => writer.join(node.port)));
      const load = Promise.all(writers.map((writer) => writer.run(node.port, writers)));
      await this.#killAround(node.port);
      // The load ends with its node.
      await node.kill();
      await load;
      node = await NodeProcess.start(options);
      await this.#end();
      const said = await this.#balances(node.port, writers);
      await this.#last(node.port);
      await this.#check(node, said);
    } finally {
      await this.#end();
      await node.kill();
    }
  }

  async #killAround(port: number): Promise<void> {
    const { plan, result, server } = this;
    const endMs = performance.now() + plan.seconds * 1000;
    while (performance.now() < endMs) {
      for (let i = 0; i < EXPORTERS; i++) if (!this.#isAlive(i)) this.#start(i, port);
      await sleep(this.#random.between(...plan.pauseMs));
      const victim = this.#random.below(EXPORTERS + (this.nats ? 2 : 1));
      if (victim < EXPORTERS) {
        await this.#kill(victim);
        result.kills.exporter += 1;
      } else if (victim > EXPORTERS) {
        await this.nats!.kill();
        await this.nats!.run();
        result.kills.stream += 1;
      } else {
        await server.kill();
        await server.run();
        result.kills.database += 1;
      }
    }
  }

  #isAlive(i: number): boolean {
    const child = this.#exporters[i];
    return child !== undefined && child.exitCode === null && child.signalCode === null;
  }

  #start(i: number, port: number): void {
    const args = this.#args(port, `keep-${i}`);
    const child = spawn(process.execPath, args, { stdio: ['ignore', 'ignore', 'pipe'] });
    let log = '';
    child.stderr.on('data', (chunk) => {
      log = `${log}${chunk}`.slice(-2000);
    });
    child.on('exit', (code) => {
      // One that was killed has no code; none ends by itself.
      if (code !== null && code !== 0) this.result.faults.push(`exporter ${i} ended with ${code}: ${log}`);
    });
    this.#exporters[i] = child;
  }

  async #kill(i: number): Promise<void> {
    const child = this.#exporters[i];
    if (!child || !this.#isAlive(i)) return;
    const gone = once(child, 'exit');
    child.kill('SIGKILL');
    await gone;
  }

  async #end(): Promise<void> {
    for (let i = 0; i < EXPORTERS; i++) await this.#kill(i);
  }

  /** Exports what is left. */
  async #last(port: number): Promise<void> {
    const args = this.#args(port, 'keep-0', ['--once']);
    const child = spawn(process.execPath, args, { stdio: ['ignore', 'ignore', 'inherit'] });
    const [code] = (await once(child, 'exit')) as [number | null];
    if (code !== 0 && code !== 9) this.result.faults.push(`the last export ended with ${code}`);
  }

  /** What the node says that each agent holds, and of which order it says that: what is open may expire a moment later. */
  async #balances(port: number, writers: readonly Writer[]): Promise<Said[]> {
    const said: Said[] = [];
    for (const { agent } of writers) {
      const answer = await fetch(`http://127.0.0.1:${port}/v1/agents/${agent}/balance`);
      const body = (await answer.json()) as Record<'balance' | 'reserved' | 'staked_amount', number>;
      const order = Number(answer.headers.get('x-service-order'));
      said.push({ agent, order, held: [body.balance, body.reserved, body.staked_amount] });
    }
    return said;
  }

  /** The same from the postings up to that order. */
  async #compareBalances(said: readonly Said[], expect: Expect): Promise<void> {
    for (const { agent, order, held } of said) {
      const rows = await this.server.query<{ account: string; amount: number }>(
        `select account, sum(amount) as amount from vws.posting
         where account like 'agent:${agent}:%' and ord <= ${order} group by account`,
      );
      const [state] = await this.server.query<{ ord: number }>('select ord from vws.export_state');
      const found = ['balance', 'escrow', 'stake'].map(
        (part) => rows.find(({ account }) => account.endsWith(`:${part}`))?.amount ?? 0,
      );
      const text = `agent ${agent}: ${found} in the postings up to ${order}, ${held} at the node`;
      expect(state!.ord >= order && isDeepStrictEqual(found, held), text);
    }
  }

  /** Events of the database that differ from the node's. */
  async #differing(port: number, events: readonly string[]): Promise<string[]> {
    const differing: string[] = [];
    const rows = await this.server.query<{ event_id: string; doc: Record<string, unknown> }>(
      'select event_id, doc from vws.event where event_id = any($1)',
      this.server.url(),
      [events],
    );
    for (const { event_id, doc } of rows) {
      const answer = await fetch(`http://127.0.0.1:${port}/v1/events/${event_id}`);
      // The votes of an open event are those of its last change.
      const { votes: _, voters: __, ...said } = (await answer.json()) as Record<string, unknown>;
      const { votes: ___, voters: ____, ...held } = doc;
      if (!isDeepStrictEqual(said, held)) differing.push(event_id);
    }
    return differing;
  }

  async #check(node: NodeProcess, said: readonly Said[]): Promise<void> {
    const { result, server } = this;
    const expect: Expect = (is, text) => {
      if (!is) result.faults.push(text);
    };
    const [counts] = await server.query<Record<'count' | 'low' | 'high' | 'seq', number>>(
      `select count(*), min(event.seq) as low, max(event.seq) as high, max(s.seq) as seq
       from vws.event cross join vws.export_state s`,
    );
    const { count, low, high, seq } = counts!;
    result.events = count;
    expect(
      low === 1 && high === count && seq === count,
      `${count} events from ${low} to ${high}, seq ${seq}`,
    );
    const off = await server.query(
      'select ord, cause from vws.posting group by ord, cause having sum(amount) <> 0',
    );
    expect(off.length === 0, `${off.length} events whose postings do not sum to zero`);
    const [sums] = await server.query<Record<'sum' | 'postings', number>>(
      'select sum(balance), (select count(*) from vws.posting) as postings from vws.account',
    );
    result.postings = sums!.postings;
    expect(sums!.sum === SUPPLY, `the accounts sum to ${sums!.sum}`);
    await this.#compareBalances(said, expect);
    const some = await server.query<{ event_id: string }>(
      `select event_id from vws.event order by md5(event_id) limit ${COMPARED}`,
    );
    expect(some.length > 0, 'nothing was exported');
    const ids = some.map(({ event_id }) => event_id);
    let differing = await this.#differing(node.port, ids);
    // What was open may have been settled since the export.
    if (differing.length > 0) {
      await this.#last(node.port);
      differing = await this.#differing(node.port, differing);
    }
    for (const event of differing) expect(false, `event ${event} differs`);
    if (this.nats) await this.#checkStream();
  }

  /** The stream has each event under its seq. */
  async #checkStream(): Promise<void> {
    const [state] = await this.server.query<{ seq: number }>('select seq from vws.export_state');
    const events = state!.seq;
    const messages = await this.nats!.messages('VWS_EVENTS');
    const inOrder = messages.every(
      ({ sequence, data }, i) => sequence === i + 1 && (data as { seq: number }).seq === sequence,
    );
    if (!inOrder || messages.length !== events)
      this.result.faults.push(
        `the stream has ${messages.length} messages of ${events}, in order: ${inOrder}`,
      );
  }
}

export async function exportChaos(plan: ChaosPlan): Promise<ChaosResult> {
  const dir = await mkdtemp(join(tmpdir(), 'vws-chaos-'));
  const server = await PostgresServer.start();
  const nats = plan.withStream ? await NatsServer.start() : undefined;
  try {
    const chaos = new Chaos(plan, dir, server, nats);
    await chaos.run();
    return chaos.result;
  } finally {
    await nats?.close();
    await server.close();
    await rm(dir, { recursive: true, force: true });
  }
}
