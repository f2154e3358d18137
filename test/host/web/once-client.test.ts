// The wallet's client: a form that is sent again after a lost answer sends the same request again, not another payment.

import { afterEach, beforeEach, expect, it } from 'vitest';
import { signerFromSeed, systemEnvironment, type VwsError } from '../../../host/client/index.ts';
import { OnceClient } from '../../../host/web/wallet/once-client.ts';
import { CHAIN, FakeNode } from '../client/fake-node.ts';
import { hurriedClock } from '../client/hurried-clock.ts';

const PAID = { event_id: 'e', agent_id: 'a', amount: 7, to_agent: 'bob', status: 'optimistic' };
const NOT_FOUND = { status: 404, body: { error: 'no such event', code: 'event_not_found' } };
const POOR = { status: 402, body: { error: 'poor', code: 'insufficient_balance' } };

let node: FakeNode;
let client: OnceClient;
beforeEach(async () => {
  node = await FakeNode.start();
  client = new OnceClient({
    baseUrl: node.url,
    key: signerFromSeed(new Uint8Array(32).fill(3)),
    chainId: CHAIN,
    retries: 1,
    environment: { ...systemEnvironment, clock: hurriedClock },
  });
  node.on('POST /v1/transfer', { hangUp: true });
  time(0);
});
afterEach(() => node.stop());

/** What the node says of the consensus time, from now on, and that it has no event. */
const time = (aheadSecs: number): void => {
  const consensus_time = Math.floor(Date.now() / 1000) + aheadSecs;
  node.on('GET /v1/status', { body: { chain_id: CHAIN, consensus_time, order: 9 } });
  for (const { txid } of node.writes()) if (txid) node.on(`GET /v1/events/${txid}`, NOT_FOUND);
};
const pay = (amount = 7) => client.transfer({ to_agent: 'bob', amount, memo: undefined });
const failure = (): Promise<VwsError> =>
  pay().then(
    () => expect.fail('paid'),
    (error: VwsError) => error,
  );
const txids = () => [...new Set(node.writes().map(({ txid }) => txid))];

it('sends the same request again after a lost answer, and a new one after an answer', async () => {
  expect((await failure()).code).toBe('unreachable');
  time(0);
  node.on('POST /v1/transfer', { body: PAID });
  expect(await pay()).toEqual(PAID);
  expect(txids()).toHaveLength(1);
  expect(await pay()).toEqual(PAID);
  expect(txids()).toHaveLength(2);
});

it('goes on with the same request while a refusal of its copy leaves open what became of it', async () => {
  await failure();
  time(0);
  node.on('POST /v1/transfer', POOR);
  expect((await failure()).request).toBeDefined();
  await failure();
  expect(txids()).toHaveLength(1);
});

it('signs anew what was refused, what can never run any more, and what is another payment', async () => {
  await failure();
  time(999);
  node.on('POST /v1/transfer', POOR);
  expect((await failure()).request).toBeUndefined();
  await failure();
  expect(txids()).toHaveLength(3);
  node.on('POST /v1/transfer', { hangUp: true });
  await failure();
  time(0);
  node.on('POST /v1/transfer', { body: PAID });
  await pay(8);
  expect(txids()).toHaveLength(5);
});
