// A seat whose key runs twice: its two vertices with one number are the proof, the seat is excluded, no other seat is held up
// and no stake is touched (protocol 12.8, pitfall C8).

import { setTimeout } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { get, type Json, TOKEN, until } from './agent.ts';
import { runAudit } from './audit.ts';
import { Cluster, type Member } from './cluster.ts';
import { Testbed } from './testbed.ts';

const bed = new Testbed();
let net: Cluster;
let honest: Member[];
let original: Member;
let twin: Member;

// Two nodes with one key, and what each of them is connected to:
//
//   a --- b        the original: a and b only
//   | \   |        the twin: c only, which has enough weight for its clock to be believed (consensus 5.8)
//   |  \  |        c and the others: held apart while both sign
//  (c)  original
//   |
//  twin
beforeAll(async () => {
  net = await Cluster.make(bed, [{}, {}, { stakeTokens: 50_000 }, {}]);
  honest = net.seats.slice(0, 3);
  original = net.seats[3]!;
  const [a, b, c] = honest as [Member, Member, Member];
  twin = await net.copyOf(original, [c]);
  original.wires.delete(c);
  await net.start(a, b, c);
});
afterAll(async () => {
  await net.close();
  await bed.close();
});

const read = async (at: Member, path: string): Promise<Json> => (await get(net.node(at).port, path)).body;
const metric = async (at: Member, name: string): Promise<number> =>
  Number(new RegExp(`^${name} (\\d+)$`, 'm').exec(await read(at, '/metrics'))?.[1]);
/** Is a vertex by this author among the tips of a node, or below them. */
async function holdsVertexBy(at: Member, author: string): Promise<boolean> {
  const seen = new Set<string>((await read(at, '/v1/dag/tips')).tips);
  for (const id of seen) {
    const vertex = await read(at, `/v1/dag/vertices/${id}`);
    if (vertex.author === author) return true;
    for (const parent of vertex.parents ?? []) seen.add(parent);
  }
  return false;
}

it('is excluded by the proof of any node that saw both vertices; the others continue with one state', async () => {
  const [a, b, c] = honest as [Member, Member, Member];
  const before = await read(a, `/v1/agents/${original.key.publicKeyHex}`);
  net.between([a, b], [c], 'cut');
  // Each signs vertices of its own while it sees nothing of the other's, after a minute in which it asked for them (consensus 5.12).
  await Promise.all([original, twin].map((member) => net.launch(member).answering()));
  let haveSigned = false;
  const writes = [original, twin].map(async (member) => {
    while (!haveSigned) {
      const agent = await net.agent(member).catch(() => undefined);
      if (agent) return;
      await setTimeout(1000);
    }
  });
  await Promise.all(
    [a, c].map((at) =>
      until(
        () => holdsVertexBy(at, original.key.publicKeyHex),
        (isThere) => isThere,
        120_000,
      ),
    ),
  );

  haveSigned = true;
  net.between([a, b], [c], 'whole');
  await until(
    () => Promise.all(honest.map((at) => read(at, `/v1/validators/${original.name}`))),
    (shown) => shown.every(({ status }) => status === 'excluded'),
    60_000,
  );
  for (const at of honest) {
    const shown = await read(at, `/v1/validators/${original.name}`);
    expect(shown).toMatchObject({ staked_amount: 25_000 * TOKEN, vote_weight: 0 });
    expect(await metric(at, 'vws_equivocations_total')).toBeGreaterThan(0);
  }
  const [event] = await read(a, '/v1/events/recent?event_type=validator_status&limit=1');
  const { payload } = await read(a, `/v1/events/${event.event_id}`);
  expect(payload).toMatchObject({ validator_id: original.name, status: 'excluded', reason: 'equivocation' });
  const after = await read(a, `/v1/agents/${original.key.publicKeyHex}`);
  expect([after.staked_amount, after.balance]).toEqual([before.staked_amount, before.balance]);

  const writer = await net.agent(b);
  await until(
    async () => {
      expect((await writer.post('/v1/stake', { amount: 1 })).status).toBe(200);
      return Promise.all(honest.map((at) => metric(at, 'vws_epoch')));
    },
    (epochs) => epochs.every((epoch) => epoch > 0),
    60_000,
  );
  await Promise.all(writes);
  await net.agreed(...honest, original);
  // Who believes none of them finds the same in the vertices.
  expect(await runAudit(`http://127.0.0.1:${net.node(b).port}`)).toMatchObject({ code: 0 });
}, 300_000);

it('has no weight from the next epoch on, and detects that somebody else has its key', async () => {
  const [a, , c] = honest as [Member, Member, Member];
  const write = await net.operator(a, original).post('/v1/stake', { amount: 1 });
  expect([write.status, write.body.code]).toEqual([503, 'not_ready']);
  await until(
    async () => (await get(net.node(a).port, '/health')).status,
    (status) => status === 200,
  );
  // Three of four are connected, but the fourth has no weight: two of three are no quorum.
  await net.kill(c);
  await until(
    async () => (await get(net.node(a).port, '/health')).status,
    (status) => status === 503,
  );
  await net.kill(original);
  expect((await net.node(original).ended()).log).toContain('may have lost vertices');
});
