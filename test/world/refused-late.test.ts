// A refusal because of the state is the last word on a request: who gets it signs another one. A node that is cut off, and has
// not noticed it yet, knows an old state; so it asks the others before it refuses (protocol 1.6).

import { expect, it } from 'vitest';
import type { Call } from '../../tools/histories/call.ts';
import { clientOf, registered } from './client.ts';
import type { MachineOptions } from './machine.ts';
import { SimNetwork } from './network.ts';

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
