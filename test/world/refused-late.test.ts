// A refusal because of the state is the last word on a request: who gets it signs another one. A node that is cut off, and has
// not noticed it yet, knows an old state; so it asks the others before it refuses (protocol 1.6).

import { expect, it } from 'vitest';
import { asItem } from '../../host/client/batches.ts';
import { signRequest } from '../../host/client/signed-request.ts';
import { decodeMessage } from '../../host/net/messages.ts';
import { makeVertex } from '../../host/wire/vertex.ts';
import type { Call } from '../../tools/histories/call.ts';
import { madeOf } from '../host/net/dag-fixture.ts';
import { clientOf, environmentOf, registered } from './client.ts';
import { LooseSeat } from './loose-seat.ts';
import type { MachineOptions } from './machine.ts';
import { SimNetwork, seatKey } from './network.ts';

const TOKEN = 1_000_000;

/** What n3, which was cut off and knows nothing of it, answers to a request that another node has executed. */
async function answerOfLate(net: SimNetwork, isHealed: boolean): Promise<Call> {
  const calls: Omit<Call, 'agent'>[] = [];
  const others = ['n0', 'n1', 'n2'];
  const [payee, payer] = [clientOf(net, 'n0', 0), clientOf(net, 'n0', 1, (call) => calls.push(call))];
  await net.until(registered(net, payee), 30_000);
  net.cut(['n3'], others);
  await net.until(payer.register({ initial_stake: 1000 * TOKEN }), 30_000);
  const transfer = { to_agent: payee.pair.publicKeyHex, amount: TOKEN };
  const write = await payer.prepare('POST', '/v1/transfer', transfer);
  await net.until(payer.submit(write), 30_000);
  const { txId, status } = calls.at(-1)!;
  expect(status).toBe(201);
  calls.length = 0;
  if (isHealed) net.heal();
  const late = clientOf(net, 'n3', 1, (call) => calls.push(call), undefined, 0);
  await net.until(
    late.submit(write).catch(() => {}),
    30_000,
  );
  expect(calls[0]).toMatchObject({ machine: 'n3', txId });
  return { ...calls[0]!, agent: 1 };
}

it('a node that is cut off says that it does not know, instead of refusing what was executed', async () => {
  const net = new SimNetwork({ seed: 5, seats: 4 });
  await net.start();
  expect(await answerOfLate(net, false)).toMatchObject({ status: 503, code: 'not_ready' });
  for (const machine of net.machines) machine.kill();
}, 60_000);

it('a node that was cut off until a moment ago answers when it has what the others have', async () => {
  const net = new SimNetwork({ seed: 6, seats: 4 });
  await net.start();
  expect(await answerOfLate(net, true)).toMatchObject({ status: 201, code: 'DUPLICATE_TX' });
  for (const machine of net.machines) machine.kill();
}, 60_000);

it('a node that does not know the name of a signer yet asks the others, too', async () => {
  const net = new SimNetwork({ seed: 8, seats: 4 });
  await net.start();
  const payee = clientOf(net, 'n0', 0);
  await net.until(registered(net, payee), 30_000);
  net.cut(['n3'], ['n0', 'n1', 'n2']);
  const payer = clientOf(net, 'n0', 1);
  await net.until(payer.register({ agent_id: 'alice', initial_stake: 1000 * TOKEN }), 30_000);
  const { publicKey } = payer.pair;
  const write = await signRequest({
    signer: { publicKeyHex: 'alice', publicKey, sign: async (message) => payer.pair.sign(message) },
    chainId: net.genesis.chainId,
    ...{ method: 'POST', path: '/v1/transfer', nonce: new Uint8Array(16) },
    body: { to_agent: payee.pair.publicKeyHex, amount: TOKEN },
    nowSecs: Math.floor(net.universe.nowMs / 1000),
  });
  const calls: Omit<Call, 'agent'>[] = [];
  const send = async (): Promise<void> => {
    const note = (call: (typeof calls)[number]): void => {
      if (call.method === 'POST') calls.push(call);
    };
    const late = clientOf(net, 'n3', 1, note, undefined, 0);
    await net.until(
      late.submit(write).catch(() => {}),
      30_000,
    );
  };
  await send();
  net.heal();
  await send();
  for (const machine of net.machines) machine.kill();
  expect(calls).toMatchObject([{ status: 503, code: 'not_ready' }, { status: 201 }]);
}, 60_000);

async function answerInTheWindow(seed: number): Promise<Call> {
  let silent: readonly string[] = [];
  const machineOf = (name: string): [string, Partial<MachineOptions>] => [
    name,
    { filter: (message, to) => (to === 'n3' && silent.includes(name) ? [] : [message]) },
  ];
  const machines = Object.fromEntries(['n0', 'n1', 'n2'].map(machineOf));
  const net = new SimNetwork({ seed, seats: 4, wire: { delayMs: 5, jitterMs: 1 }, machines });
  for (const wire of net.wires.between('n1', 'n2')) wire.delayMs = 100;
  await net.start();
  const calls: Omit<Call, 'agent'>[] = [];
  const [payee, payer] = [clientOf(net, 'n0', 0), clientOf(net, 'n0', 1, (call) => calls.push(call))];
  await net.until(registered(net, payee), 30_000);
  silent = ['n0', 'n1', 'n2'];
  await net.until(payer.register({ initial_stake: 1000 * TOKEN }), 30_000);
  const transfer = { to_agent: payee.pair.publicKeyHex, amount: TOKEN };
  const write = await payer.prepare('POST', '/v1/transfer', transfer);
  await net.until(payer.submit(write), 30_000);
  silent = ['n0'];
  calls.length = 0;
  const late = clientOf(net, 'n3', 1, (call) => calls.push(call), undefined, 0);
  await net.until(
    late.submit(write).catch(() => {}),
    30_000,
  );
  for (const machine of net.machines) machine.kill();
  return { ...calls[0]!, agent: 1 };
}

it('a node does not refuse before it has executed what one other node alone had answered by then', async () => {
  for (const seed of [5, 10, 14]) {
    expect(await answerInTheWindow(seed)).toMatchObject({ machine: 'n3', status: 201, code: 'DUPLICATE_TX' });
  }
}, 60_000);

it('a node whose first link to each peer carries nothing any more can refuse again in a moment, by the second ones', async () => {
  const net = new SimNetwork({ seed: 5, seats: 4 });
  await net.start();
  await net.run(20_000);
  for (const other of ['n0', 'n1', 'n2']) {
    const links = net.wires.linksBetween('n3', other);
    expect(links).toHaveLength(2);
    links[0]!.stick(true);
  }
  const stuckAtMs = net.universe.nowMs;
  const codes: (string | undefined)[] = [];
  const stranger = clientOf(net, 'n3', 1, ({ code }) => codes.push(code), undefined, 0);
  const pays = (): Promise<unknown> =>
    stranger.transfer({ to_agent: 'nobody', amount: TOKEN }).catch(() => net.universe.pause(500));
  while (codes.at(-1) !== 'agent_not_found') await net.until(pays(), 30_000);
  expect(codes[0]).toBe('not_ready');
  expect(net.universe.nowMs - stuckAtMs).toBeLessThan(10_000);
  for (const machine of net.machines) machine.kill();
}, 60_000);

/** A network in which n0 needs the word of seat 3, which no node runs, before it refuses; and a vertex of that seat. */
async function withLooseSeat(seed: number) {
  const isPong = (message: Uint8Array): boolean => decodeMessage(message)?.type === 'pong';
  const n2: Partial<MachineOptions> = {
    filter: (message, to) => (to === 'n0' && isPong(message) ? [] : [message]),
  };
  const net = new SimNetwork({ seed, seats: 4, machines: { n2 } });
  const machines = ['n0', 'n1', 'n2'];
  const fields = { work: false, creator: 3, seq: 1, lamport: 1, timeMs: Math.floor(net.universe.nowMs) };
  const { id: epochId, maxParents } = net.firstEpoch;
  const sign = (message: Uint8Array): Uint8Array => seatKey(3).sign(message);
  const { bytes } = madeOf(makeVertex({ ...fields, parents: [], epochId }, [], sign, maxParents));
  /** `older`: how many heads from before it come with it. */
  const told = { newest: 0, older: 0 };
  const tell = (machine: string, newest: number): void => {
    const head = { epoch: 0, vertexCount: 0, block: 0, order: 0, signed: 0, isOpen: true };
    const from = { epoch: 0, order: 1, seq: 1 };
    seat.send(machine, { type: 'head', ...head, from, seqs: [0, 0, 0, newest] });
  };
  const seat: LooseSeat = new LooseSeat(net, 3, (machine, message) => {
    if (message.type !== 'ping') return;
    for (let i = 0; i < told.older; i++) tell(machine, 0);
    tell(machine, told.newest);
    const clocks = { wallMs: Math.floor(net.universe.nowMs), usedMs: 0 };
    seat.send(machine, { type: 'pong', nonce: message.nonce, ...clocks });
  });
  for (const name of machines) void net.machine(name).start();
  await net.run(20_000, () => machines.every((name) => net.machine(name).isUp));
  await net.until(seat.connect('n0'), 5000);
  const client = clientOf(net, 'n0', 0, undefined, undefined, 0);
  await net.until(registered(net, client), 30_000);
  await net.run(500);
  /** Asks n0 for what it refuses; the refusal, once there is one. */
  const refused = () => {
    const beganMs = net.universe.nowMs;
    const found: { code?: string | undefined; afterMs?: number } = {};
    void client.transfer({ to_agent: net.keyHex(1), amount: TOKEN }).catch(({ code }) => {
      Object.assign(found, { code, afterMs: net.universe.nowMs - beganMs });
    });
    return found;
  };
  return { net, seat, told, bytes, refused };
}

it('a refusal waits for a vertex that is on its way, and no longer, though nothing follows from that', async () => {
  const { net, seat, told, bytes, refused } = await withLooseSeat(7);
  told.newest = 1;
  const refusal = refused();
  await net.run(200);
  expect(refusal).toEqual({});
  seat.send('n0', { type: 'vertices', epoch: 0, vertices: [bytes] });
  await net.run(5000, () => refusal.code !== undefined);
  expect(refusal.code).not.toBe('not_ready');
  expect(refusal.afterMs).toBeLessThan(400);
  for (const machine of net.machines) machine.kill();
}, 60_000);

it('the word of a seat does not count while a newer head of it was passed over, as too many came at once', async () => {
  const { net, told, refused } = await withLooseSeat(9);
  Object.assign(told, { newest: 1, older: 3000 });
  const refusal = refused();
  await net.run(5000, () => refusal.code !== undefined);
  expect(refusal.code).toBe('not_ready');
  for (const machine of net.machines) machine.kill();
}, 60_000);

it('the refusals of one batch share one asking: all of it came before that', async () => {
  const net = new SimNetwork({ seed: 5, seats: 4 });
  await net.start();
  const [payee, payer] = [clientOf(net, 'n0', 0), clientOf(net, 'n0', 1)];
  await net.until(Promise.all([payee, payer].map((client) => registered(net, client))), 30_000);
  const amount = 10 ** 15;
  const transfer = { to_agent: payee.pair.publicKeyHex, amount };
  const writes = await Promise.all(
    Array.from({ length: 30 }, () => payer.prepare('POST', '/v1/transfer', transfer)),
  );
  const startMs = net.universe.nowMs;
  const { fetch } = environmentOf(net, () => {});
  const headers = { 'content-type': 'application/json' };
  const body = JSON.stringify({ requests: writes.map(asItem) });
  const answer = await net.until(fetch('http://n0:8338/v1/batch', { method: 'POST', headers, body }), 30_000);
  const { results } = (await answer.json()) as { results: { body: { code: string } }[] };
  expect(new Set(results.map((one) => one.body.code))).toEqual(new Set(['trust_limit_exceeded']));
  // A round trip to the others, and not one for each of them.
  expect(net.universe.nowMs - startMs).toBeLessThan(300);
  for (const machine of net.machines) machine.kill();
}, 60_000);
