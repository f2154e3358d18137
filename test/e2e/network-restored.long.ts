// Real nodes whose data directories are put back to copies that were taken seconds apart (consensus 5.12): 2 and 4 of 4
// heal by themselves, within seconds; nobody is taken for an equivocator.

import { cp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { Agent, get, until } from './agent.ts';
import { Cluster, type Member } from './cluster.ts';
import { Testbed } from './testbed.ts';

/** From the start of the restored nodes until a write is executed; the finding alone must hold 5 s, or 7 s at the second. */
const HEAL_MS = 180_000;

const bed = new Testbed();
const nets: Cluster[] = [];
afterAll(async () => {
  for (const net of nets) await net.close();
  await bed.close();
});

/** A network that was restored, and an agent that writes at its last seat. */
class Restored {
  readonly last: Member;
  /** Ids of acknowledged writes. */
  readonly written: string[] = [];
  #agent: Agent | undefined;

  private constructor(readonly net: Cluster) {
    this.last = net.seats.at(-1)!;
  }

  static async start(): Promise<Restored> {
    const net = await Cluster.make(bed, [{}, {}, {}, {}]);
    nets.push(net);
    await net.start(...net.seats);
    const restored = new Restored(net);
    restored.#agent = await net.agent(restored.last);
    return restored;
  }

  /** Writes, by default at the last seat, until so many are executed. */
  async write(count: number, at = this.last): Promise<void> {
    // A node has another port after each start.
    const agent = new Agent(this.net.node(at).port, this.#agent!.signer);
    for (let i = 0; i < count; i++) {
      const { body } = await until(
        () => agent.post('/v1/stake', { amount: 1 }),
        ({ status }) => status < 300,
        HEAL_MS,
      );
      this.written.push(body.event_id);
    }
  }

  /**
   * Copies the data of the first seats one after the other while writes go on; then puts the copies back. Each seat takes
   * writes itself after its copy was made: its vertices are what it loses, and the others are quick enough without any.
   */
  async putBack(count: number): Promise<void> {
    const copies = new Map<Member, string>();
    for (const seat of this.net.seats.slice(0, count)) {
      await this.net.kill(seat);
      const copy = join(await bed.directory(), 'copy');
      await cp(seat.dataDir, copy, { recursive: true });
      copies.set(seat, copy);
      await this.net.start(seat);
      await this.write(10, seat);
    }
    await this.net.kill(...copies.keys());
    for (const [{ dataDir }, copy] of copies) {
      await rm(dataDir, { recursive: true });
      await cp(copy, dataDir, { recursive: true });
    }
    // Those that wait are not healthy for ten minutes.
    await Promise.all([...copies.keys()].map((seat) => this.net.launch(seat).answering()));
  }
}

/** Status of a node, and of every validator as it sees them. */
async function seen(net: Cluster, at: Member) {
  const { port } = net.node(at);
  const [status, validators] = [await get(port, '/v1/status'), await get(port, '/v1/validators')];
  return { status: status.body, validators: validators.body.map((v: { status: string }) => v.status) };
}

it('2 of 4: one resumes, and no write is lost', { timeout: 600_000 }, async () => {
  const restored = await Restored.start();
  const { net, written } = restored;
  await restored.putBack(2);
  await restored.write(1);
  await restored.write(20);
  const [first, second, ...others] = net.seats as [Member, Member, ...Member[]];
  await net.agreed(first, ...others);
  const { status, validators } = await seen(net, others[0]!);
  expect([status.writes_may_be_lost, validators]).toEqual([undefined, Array(4).fill('active')]);
  const { port } = net.node(first);
  for (const id of written) expect((await get(port, `/v1/events/${id}`)).status).toBe(200);
  // The other one waits, as soon as it has heard that the first has resumed.
  const reasons = () =>
    Promise.all(
      [first, second].map(async (seat) => (await get(net.node(seat).port, '/health')).body.reason ?? ''),
    );
  const isWaiting = (reason: string) => /signs none before epoch 2/.test(reason);
  await until(reasons, (found) => found.filter(isWaiting).length === 1);
});

it('4 of 4: they continue, and the order says that writes may be lost', { timeout: 600_000 }, async () => {
  const restored = await Restored.start();
  const { net } = restored;
  await restored.putBack(4);
  await restored.write(1);
  await restored.write(20);
  const all = await until(
    () => Promise.all(net.seats.map((seat) => seen(net, seat))),
    (found) => found.every(({ status }) => status.writes_may_be_lost !== undefined),
    HEAL_MS,
  );
  expect(all.map(({ validators }) => validators)).toEqual(Array(4).fill(Array(4).fill('active')));
});
