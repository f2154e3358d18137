// Four seats as real processes over wires that can be held: one state everywhere, whichever node is killed or cut off
// (protocol 12.8; pitfall C1, D1). A fifth seat with little stake, never started, changes nothing.

import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { sleep } from '../../tools/load/node-process.ts';
import { untilEqual } from '../../tools/localnet/agreement.ts';
import { type Agent, get, type Json, TOKEN, until } from './agent.ts';
import { runAudit } from './audit.ts';
import { Cluster, type Member, newPair } from './cluster.ts';
import { Testbed } from './testbed.ts';

const bed = new Testbed();
let net: Cluster;
let four: Member[];
let spare: Member;

beforeAll(async () => {
  net = await Cluster.make(bed, [{}, {}, {}, {}, { stakeTokens: 100 }]);
  four = net.seats.slice(0, 4);
  spare = net.seats[4]!;
  await net.start(...four);
});
afterAll(async () => {
  await net.close();
  await bed.close();
});

const stakeOf = async (at: Member, agent: Agent): Promise<number> =>
  (await get(net.node(at).port, `/v1/agents/${agent.id}`)).body.staked_amount;
const healthOf = async (at: Member): Promise<number> => (await get(net.node(at).port, '/health')).status;
const stake = (agent: Agent, amount = 1) => agent.post('/v1/stake', { amount });

/** Writes until a checkpoint is due: one comes with every hundred vertices. */
async function writeMuch(agents: readonly Agent[], times = 12): Promise<void> {
  for (let i = 0; i < times; i++) {
    const answers = await Promise.all(agents.map((agent) => stake(agent)));
    expect(answers.map(({ status }) => status)).toEqual(agents.map(() => 200));
  }
}

it('a write through each node is on all, with one state that a quorum signs (pitfall D1)', async () => {
  const agents = await Promise.all(four.map((at) => net.agent(at)));
  await writeMuch(agents);
  const { signers } = await net.agreed(...four);
  const staked = await Promise.all(four.map((at) => Promise.all(agents.map((a) => stakeOf(at, a)))));
  for (const amounts of staked) expect(amounts).toEqual(agents.map(() => TOKEN + 12));
  for (const names of signers) {
    expect(names.length).toBeGreaterThanOrEqual(3);
    expect(new Set(names).size).toBe(names.length);
  }
});

it('shows the order of the newest signed checkpoint, which the alert on old ones takes from the last order', async () => {
  const { port } = net.node(four[0]!);
  const shown = async (): Promise<number[]> => [
    (await get(port, '/v1/checkpoints/latest')).body.order,
    Number(/^vws_checkpoint_height (\d+)$/m.exec((await get(port, '/metrics')).body)?.[1]),
  ];
  // Another one may be signed between the two answers.
  await until(shown, ([order, metric]) => order! >= 100 && metric === order, 10_000);
});

it('a node that trusts no other computes the same state from the vertices of any of them', async () => {
  const reports = await Promise.all(
    four.slice(0, 2).map((at) => runAudit(`http://127.0.0.1:${net.node(at).port}`, '--json')),
  );
  const [one, two] = reports.map(({ out }) => JSON.parse(out));
  expect(reports.map(({ code }) => code)).toEqual([0, 0]);
  expect(one.checkpoint).toBeGreaterThan(0);
  expect([one.genesis_hash, one.fault, two.fault]).toEqual([two.genesis_hash, undefined, undefined]);
});

it('a killed node stops no other, and has everything after its restart', async () => {
  const [first, , , last] = four as [Member, Member, Member, Member];
  await net.kill(last);
  const agent = await net.agent(first);
  for (let i = 0; i < 10; i++) expect((await stake(agent)).status).toBe(200);
  await net.start(last);
  await net.agreed(...four);
  expect(await stakeOf(last, agent)).toBe(TOKEN + 10);
  const through = await net.agent(last);
  expect((await stake(through)).status).toBe(200);
  await net.agreed(...four);
});

it('with two of four nodes down nothing is ordered and the others report it; ordering resumes with them (pitfall C1)', async () => {
  const [first, second, ...lost] = four as [Member, Member, Member, Member];
  const agent = await net.agent(first);
  await net.agreed(...four);
  await net.kill(...lost);
  const before = await stakeOf(second, agent);
  const request = await agent.sign('POST', '/v1/stake', { amount: 5 });
  const refused = await fetch(`http://127.0.0.1:${agent.port}${request.path}`, request);
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '2']);
  expect(((await refused.json()) as Json).code).toBe('no_quorum');
  expect([await healthOf(first), await healthOf(second)]).toEqual([503, 503]);
  expect(await stakeOf(second, agent)).toBe(before);

  await net.start(...lost);
  await until(
    () => Promise.all(four.map((at) => stakeOf(at, agent))),
    (amounts) => amounts.every((amount) => amount === before + 5),
  );
  await until(
    () => Promise.all(four.map(healthOf)),
    (codes) => codes.every((code) => code === 200),
  );
  await net.agreed(...four);
});

it('two halves of the network order nothing until the wires between them are whole', async () => {
  const [left, right] = [four.slice(0, 2), four.slice(2)];
  const agents = await Promise.all([net.agent(left[0]!), net.agent(right[0]!)]);
  await net.agreed(...four);
  net.between(left, right, 'held');
  const answers = Promise.all(agents.map((agent) => stake(agent, 7)));
  // For this long the network would order dozens of them.
  await sleep(2000);
  for (const at of four) for (const agent of agents) expect(await stakeOf(at, agent)).toBe(TOKEN);
  net.between(left, right, 'whole');
  // What waited is ordered, once, and answered.
  expect((await answers).map(({ status }) => status)).toEqual([200, 200]);
  await net.agreed(...four);
  for (const at of four) for (const agent of agents) expect(await stakeOf(at, agent)).toBe(TOKEN + 7);
});

it('every node reports the same epochs, blocks and leaders; a block ends with its only leader', async () => {
  const [first] = four as [Member];
  const rowsOf = async (at: Member): Promise<Json[]> =>
    (await get(net.node(at).port, '/v1/dag/vertices?per_page=100')).body;
  const rows = await rowsOf(first);
  const placeOf = ({ hash, epoch, round, order, block, is_leader }: Json) => [
    hash,
    epoch,
    round,
    order,
    block,
    is_leader,
  ];
  for (const at of four) expect((await rowsOf(at)).map(placeOf)).toEqual(rows.map(placeOf));
  expect(rows[0]).toMatchObject({ order: 1, block: 1, epoch: 0 });
  // The last block of the page may go on behind it.
  for (const [i, row] of rows.slice(0, -1).entries()) {
    expect(row.is_leader, JSON.stringify(row)).toBe(rows[i + 1]!.block === row.block + 1);
  }
  const { body: alone } = await get(net.node(first).port, `/v1/dag/vertices/${rows[7]!.hash}`);
  expect(alone).toEqual(rows[7]);
});

const epochOf = async (at: Member): Promise<number> =>
  Number(/^vws_epoch (\d+)$/m.exec((await get(net.node(at).port, '/metrics')).body)?.[1]);

/** Gives the spare seat another key, which seals the epoch, and writes until all of these are in the next one. */
async function seal(writer: Agent, members: readonly Member[]): Promise<void> {
  const next = newPair();
  const before = await epochOf(four[0]!);
  const path = `/v1/validators/${spare.name}/rotate`;
  const operator = net.operator(spare, four[0]!);
  const { status, body } = await operator.post(path, { new_public_key: next.publicKeyHex });
  expect([status, body.code]).toEqual([200, undefined]);
  spare.key = next;
  await until(
    async () => {
      await stake(writer);
      return Promise.all(members.map(epochOf));
    },
    (epochs) => epochs.every((epoch) => epoch > before),
    60_000,
  );
}

/** Vertices of a seat's key that were ordered after this order. */
async function madeBy(seat: Member, at: Member, after: number): Promise<number> {
  const rows = (await get(net.node(at).port, `/v1/dag/vertices?after=${after}&per_page=200`)).body as Json[];
  return rows.filter(({ author }) => author === seat.key.publicKeyHex).length;
}
const orderOf = async (at: Member): Promise<number> =>
  (await get(net.node(at).port, '/v1/status')).body.order;

it('a seat that lost its store follows, and makes no vertex before the second seal (consensus 5.12)', async () => {
  const [first, , , lost] = four as [Member, Member, Member, Member];
  const writer = await net.agent(first);
  await seal(writer, four);
  await net.kill(lost);
  // What it made before is in the order when those above it are.
  for (let i = 0; i < 5; i++) await stake(writer);
  const lostAt = await orderOf(first);
  await rm(join(lost.dataDir, 'db'), { recursive: true });
  net.launch(lost);
  const held = async (): Promise<void> => {
    await net.node(lost).answering();
    await untilEqual([first, lost].map((at) => net.node(at)));
    // At first it trusts no clock either, and says that.
    const { status, body } = await until(
      () => net.operator(lost, lost).post('/v1/stake', { amount: 1 }),
      (answer) => !answer.body.error?.includes('clock'),
    );
    expect([status, body.code, body.error]).toEqual([
      503,
      'not_ready',
      expect.stringContaining('may have lost vertices'),
    ]);
    expect((await get(net.node(lost).port, '/health')).body.status).toBe('syncing');
  };
  await held();
  await seal(writer, four);
  await net.agreed(...four);
  expect(await madeBy(lost, first, lostAt)).toBe(0);
  // It is remembered: the store is not empty any more.
  await net.kill(lost);
  net.launch(lost);
  await held();

  await seal(writer, four);
  await until(
    () => healthOf(lost),
    (code) => code === 200,
  );
  const backAt = await orderOf(first);
  expect((await net.operator(lost, lost).post('/v1/stake', { amount: 1 })).status).toBe(200);
  await net.agreed(...four);
  expect(await madeBy(lost, first, backAt)).toBeGreaterThan(0);
  const { body } = await get(net.node(first).port, `/v1/validators/${lost.name}`);
  expect(body.status).toBe('active');
});
