// A refusal because of the state is the last word on a request: who gets it signs another one. A node that is cut off, and has
// not noticed it yet, knows an old state; so it asks the others before it refuses (protocol 1.6).

import { expect, it } from 'vitest';
import type { Call } from '../../tools/histories/call.ts';
import { clientOf, registered } from './client.ts';
import { SimNetwork } from './network.ts';

const TOKEN = 1_000_000;

/** What a node answers to a request that another one has executed, which it knows nothing of. */
async function refusedAt(net: SimNetwork, cutOff: readonly string[]): Promise<Call> {
  const calls: Omit<Call, 'agent'>[] = [];
  const others = net.machines.map(({ name }) => name).filter((name) => !cutOff.includes(name));
  const [payee, payer] = [clientOf(net, 'n0', 0), clientOf(net, 'n0', 1, (call) => calls.push(call))];
  await net.until(registered(net, payee), 30_000);
  net.cut(cutOff, others);
  await net.until(payer.register({ initial_stake: 1000 * TOKEN }), 30_000);
  const transfer = { to_agent: payee.pair.publicKeyHex, amount: TOKEN };
  const write = await payer.prepare('POST', '/v1/transfer', transfer);
  await net.until(payer.submit(write), 30_000);
  const { txId, status } = calls.at(-1)!;
  expect(status).toBe(201);
  calls.length = 0;
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
  expect(await refusedAt(net, ['n3'])).toMatchObject({ status: 503, code: 'not_ready' });
  for (const machine of net.machines) machine.kill();
}, 60_000);

it('a node that is late refuses nothing that was executed elsewhere a moment ago', async () => {
  const net = new SimNetwork({ seed: 6, seats: 4, wire: { delayMs: 100, jitterMs: 1 } });
  await net.start();
  expect(await refusedAt(net, [])).toMatchObject({ status: 201, code: 'DUPLICATE_TX' });
  for (const machine of net.machines) machine.kill();
}, 60_000);
