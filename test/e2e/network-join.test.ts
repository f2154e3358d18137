// Joining a network of real processes (consensus 5.12, pitfall D1, D5): from a signed checkpoint and by replay, with one
// state and equal answers in the end. A fifth seat, never
// started, rotates its key; each rotation seals an epoch.

import { afterAll, beforeAll, expect, it } from 'vitest';
import { Agent, get, type Json, until } from './agent.ts';
import { Cluster, type Member, newPair } from './cluster.ts';
import { Testbed } from './testbed.ts';

const bed = new Testbed();
let net: Cluster;
let four: Member[];
let agents: Agent[];
let taskId: string;
let firstEvent: Json;

/** Number of the running epoch. */
async function epochOf(at: Member): Promise<number> {
  const { body } = await get(net.node(at).port, '/metrics');
  return Number(/^vws_epoch (\d+)$/m.exec(body)?.[1]);
}

async function writeAll(times = 1): Promise<void> {
  for (let i = 0; i < times; i++) {
    const answers = await Promise.all(agents.map((agent) => agent.post('/v1/stake', { amount: 1 })));
    for (const { status, body } of answers) expect([status, status === 200 ? '' : body]).toEqual([200, '']);
  }
}

/** A task that is posted, claimed, delivered and paid. */
async function settledTask(): Promise<string> {
  const [poster, worker] = agents as [Agent, Agent];
  const task = { title: 'Harbour traffic', description: 'Count the vessels of May', budget: 500_000 };
  const { id } = await poster.do('/v1/tasks', task);
  await until(
    async () => (await get(worker.port, `/v1/tasks/${id}`)).status,
    (status) => status === 200,
  );
  await worker.do(`/v1/tasks/${id}/claim`);
  await worker.do(`/v1/tasks/${id}/submit`, { result_content: 'Vessels of May: 212, all of them counted.' });
  const isSubmitted = async () => (await get(poster.port, `/v1/tasks/${id}`)).body.status;
  await until(isSubmitted, (status) => status === 'submitted');
  await poster.do(`/v1/tasks/${id}/approve`);
  return id;
}

beforeAll(async () => {
  net = await Cluster.make(bed, [{}, {}, {}, {}, { stakeTokens: 100 }], { SERVICE_OBSERVERS: '*' });
  four = net.seats.slice(0, 4);
  await net.start(...four);
  agents = await Promise.all(four.map((at) => net.agent(at)));
  const { port } = agents[0]!;
  const oldest = (await get(port, '/v1/events/recent?event_type=registration')).body.at(-1);
  firstEvent = (await get(port, `/v1/events/${oldest.event_id}`)).body;
  taskId = await settledTask();
  let { key } = net.seats[4]!;
  for (let epoch = 1; epoch <= 2; epoch++) {
    const next = newPair();
    const spare = new Agent(agents[0]!.port, key);
    await spare.do('/v1/validators/v5/rotate', { new_public_key: next.publicKeyHex });
    key = next;
    while ((await epochOf(four[0]!)) < epoch) await writeAll();
  }
  await writeAll(2);
}, 120_000);
afterAll(async () => {
  await net.close();
  await bed.close();
});

/** A node that follows, and begins as told. */
async function follower(name: string, mode: string, dials: readonly Member[]): Promise<Member> {
  const member = await net.member(name, dials);
  member.flags.push('--observer', '--join', mode);
  member.env.SERVICE_LOG_LEVEL = 'info';
  return member;
}

const PATHS = (): string[] => [
  '/v1/economics',
  '/v1/agents?per_page=200',
  '/v1/events/recent?limit=200',
  '/v1/tasks?limit=200',
  `/v1/tasks/${taskId}`,
  '/v1/validators',
  '/v1/validators/v5',
  '/v1/network/activity',
  `/v1/events/${firstEvent.event_id}`,
  `/v1/agents/${agents[1]!.id}`,
  `/v1/agents/${agents[1]!.id}/reputation`,
];

async function expectEqualReads(...members: readonly Member[]): Promise<void> {
  for (const path of PATHS()) {
    const all = await Promise.all(members.map((at) => get(net.node(at).port, path)));
    for (const { status, body } of all) expect([path, status, body]).toEqual([path, 200, all[0]!.body]);
  }
}

const heightOf = async (at: Member): Promise<number> =>
  (await get(net.node(at).port, '/v1/checkpoints/latest')).body.height;

/** Writes until the seats have signed a state that comes after now; all of these have that state then. */
async function laterState(...members: readonly Member[]): Promise<void> {
  const before = await heightOf(four[0]!);
  while ((await heightOf(four[0]!)) === before) await writeAll();
  const { height } = await net.agreed(...members);
  expect(height).toBeGreaterThan(before);
}

let joined: Member;

it('an observer that joins has the state and the answers of one that replays, and of the seats', async () => {
  joined = await follower('joined', 'checkpoint', four);
  const replayed = await follower('replayed', 'replay', four);
  await net.start(joined, replayed);
  await laterState(...four, joined, replayed);
  await expectEqualReads(four[0]!, joined, replayed);

  // What lies before the seal is not held by one that joined: it says so, and lists what it has.
  const vertex = `/v1/dag/vertices/${firstEvent.vertex_hash}`;
  expect((await get(net.node(replayed).port, vertex)).status).toBe(200);
  const absent = await get(net.node(joined).port, vertex);
  expect([absent.status, absent.body.code]).toEqual([410, 'history_dropped']);
  expect((await get(net.node(joined).port, '/v1/dag/vertices?per_page=50')).body).toEqual([]);
  await net.kill(replayed);
});

it('is killed and started again like any other node', async () => {
  await net.kill(joined);
  await writeAll();
  await net.start(joined);
  await laterState(four[0]!, joined);
  await expectEqualReads(four[1]!, joined);
});

it('cannot serve a replay from genesis, and a node that requests one logs what to do', async () => {
  const late = await follower('late', 'auto', [joined]);
  const node = net.launch(late);
  await until(
    async () => node.said,
    (text) => text.includes('no connected peer has the vertices of this epoch any more'),
  );
  expect(node.said).toMatch(/replaying from the beginning/);
  expect(node.said).toMatch(/--join checkpoint/);
  await net.kill(late);
});

it('a node stops cleanly while others may still fetch its state', async () => {
  await Promise.all([four[0]!, joined].map((at) => net.node(at).stop()));
});
