// Changes to the seats of a running network: keys rotated by the old key or by the recovery key, and a seat that
// applies and gets weight (protocol 4.3, 7.4, 12.3; pitfall A10, C9). A day is a second here, so a probation lasts 30 s.

import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Agent, get, type Json, TOKEN, until } from './agent.ts';
import { Cluster, type Member, newPair, useKey } from './cluster.ts';
import { Testbed } from './testbed.ts';

/** Votes that end a probation (protocol 7.4). */
const VOTES = 50;

const bed = new Testbed();
let net: Cluster;
let four: Member[];
/** Heavy enough that the others are no quorum without it. */
let applicant: Member;

beforeAll(async () => {
  net = await Cluster.make(bed, [{}, {}, {}, {}, { status: 'pending_join', stakeTokens: 60_000 }], {
    SERVICE_PARAM_DAY_SECS: '1',
    SERVICE_PARAM_RECOVERY_DELAY_SECS: '2',
  });
  four = net.seats.slice(0, 4);
  applicant = net.seats[4]!;
  await net.start(...four);
});
afterAll(async () => {
  await net.close();
  await bed.close();
});

const read = async (at: Member, path: string): Promise<Json> => (await get(net.node(at).port, path)).body;
const healthOf = async (at: Member): Promise<number> => (await get(net.node(at).port, '/health')).status;
/** Writes until `isDone`. */
const writeUntil = (writer: Agent, isDone: () => Promise<boolean>): Promise<boolean> =>
  until(
    async () => {
      await writer.post('/v1/stake', { amount: 1 });
      return isDone();
    },
    (done) => done,
    40_000,
  );

/** Until the node of a rotated key has stopped; it says which key it should be started with. */
async function untilStopped(seat: Member, writer: Agent, key: string): Promise<void> {
  let log: string | undefined;
  void net
    .node(seat)
    .ended()
    .then((exit) => {
      log = `${exit.code} ${exit.log}`;
    });
  await writeUntil(writer, async () => log !== undefined);
  expect(log).toMatch(new RegExp(`^1 [^]*signs with the key ${key}`));
}

/** Takes part in the votes on a transfer of an agent, which the other seats settle, if the applicant was drawn for it. */
async function vote(from: Agent, to: string): Promise<number> {
  const [first] = four as [Member];
  const { event_id } = await from.do('/v1/transfer', { to_agent: to, amount: TOKEN / 10 });
  const { assigned_to } = await read(first, `/v1/events/${event_id}`);
  if (!assigned_to.includes(applicant.name)) return 0;
  for (const seat of [applicant, ...four.slice(0, 3)])
    await net.operator(seat, first).do('/v1/verify', { event_id, verdict: true });
  return 1;
}

it('a pending seat applies and votes on probation, without weight', async () => {
  const [first] = four as [Member];
  const made = await net.operator(applicant, first).do('/v1/validators');
  expect(made).toMatchObject({ id: applicant.name, status: 'probation', vote_weight: 0 });
  const writers = await Promise.all(Array.from({ length: 10 }, () => net.agent(first, 100 * TOKEN)));
  const to = (await net.agent(first)).id;
  await Promise.all(
    writers.map(async (from) => {
      for (let votes = 0; votes < VOTES / writers.length; ) votes += await vote(from, to);
    }),
  );
  expect(await read(first, `/v1/validators/${applicant.name}`)).toMatchObject({ tasks_processed: VOTES });
  // Its node is there before its weight is, or the others would stand still.
  await net.start(applicant);
  await net.agreed(...net.seats);
});

it('a key rotated by the old key orders from the next epoch on, the old key never again (pitfall A10)', async () => {
  const [first, , , seat] = four as [Member, Member, Member, Member];
  const next = newPair();
  const writer = await net.agent(first);
  const rotated = await net
    .operator(seat, first)
    .do(`/v1/validators/${seat.name}/rotate`, { new_public_key: next.publicKeyHex });
  expect(rotated).toMatchObject({ consensus_public_key: next.publicKeyHex, key_epoch: 2 });
  await untilStopped(seat, writer, next.publicKeyHex);
  // A thief with the old key and a copy of everything.
  const thief = await net.copyOf(seat, four.slice(0, 3));
  await useKey(seat.dataDir, next);
  const sealedAt = (await read(first, '/v1/status')).order;
  await net.start(seat);
  expect((await net.agent(seat)).port).toBe(net.node(seat).port);

  const stopped = await net.launch(thief).ended();
  expect([stopped.code, stopped.log]).toEqual([
    4,
    expect.stringContaining('has another key since a rotation'),
  ]);
  // The same with a store from before the rotation: it follows up to the seal, and stops there.
  const fresh = await net.member('thief', four.slice(0, 3), seat.key);
  fresh.flags.push('--join', 'replay');
  expect((await net.launch(fresh).ended()).log).toContain(next.publicKeyHex);
  await writeUntil(writer, async () => (await read(first, '/v1/status')).order > sealedAt + 60);
  const rows = (await read(first, `/v1/dag/vertices?after=${sealedAt}&per_page=200`)) as Json[];
  const authors = new Set(rows.map(({ author }) => author));
  expect([authors.has(next.publicKeyHex), authors.has(seat.key.publicKeyHex)]).toEqual([true, false]);
  await net.agreed(...four);
});

it('a lost key is rotated by the recovery key after its delay', async () => {
  const [first, , seat] = four as [Member, Member, Member];
  const [recovery, next] = [newPair(), newPair()];
  const writer = await net.agent(first);
  await net
    .operator(seat, first)
    .do('/v1/validator/recovery', { recovery_public_key: recovery.publicKeyHex });
  const finder = net.operator({ ...seat, key: recovery }, first);
  const pending = await finder.do(`/v1/validators/${seat.name}/rotate`, {
    new_public_key: next.publicKeyHex,
  });
  expect(pending).toMatchObject({ consensus_public_key: seat.key.publicKeyHex, key_epoch: 1 });
  expect(pending.pending_rotation.new_public_key).toBe(next.publicKeyHex);
  await untilStopped(seat, writer, next.publicKeyHex);
  await useKey(seat.dataDir, next);
  await net.start(seat);
  const through = await net.agent(seat);
  expect((await through.post('/v1/stake', { amount: 1 })).status).toBe(200);
  await net.agreed(...four);
});

it('a seat that passed its probation has weight from the next epoch on', async () => {
  const [first] = four as [Member];
  const writer = await net.agent(first);
  const { activated_at, registered_at } = await until(
    () => read(first, `/v1/validators/${applicant.name}`),
    ({ status }) => status === 'active',
    60_000,
  );
  // 30 days of a second each, by consensus time.
  expect(activated_at - registered_at).toBeGreaterThanOrEqual(30);
  // Only seats with weight sign.
  const signers = async (): Promise<string[]> =>
    (await read(first, '/v1/checkpoints/latest')).signatures.map((s: Json) => s.validator_id);
  await writeUntil(writer, async () => (await signers()).includes(applicant.name));
  await net.agreed(...net.seats);
  expect(await healthOf(first)).toBe(200);
  // Now the four are no quorum without it.
  await net.kill(applicant);
  await until(
    () => healthOf(first),
    (code) => code === 503,
  );
  await net.start(applicant);
  expect((await writer.post('/v1/stake', { amount: 1 })).status).toBe(200);
  await net.agreed(...net.seats);
});
