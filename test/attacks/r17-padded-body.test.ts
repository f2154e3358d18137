// R17: the signature of a request is over the hash of its body's canonical form, so whoever carries it, such as a seat, could fill
// it with white space up to a megabyte; the agent pays for bytes, and a newcomer has 32 KiB. What stands against it (protocol
// 1.2): a body that is much longer than its canonical form is no valid request, in the order as at admission.

import { afterAll, expect, test } from 'vitest';
import * as abi from '../../assembly/abi.ts';
import { keyPairFromSeed } from '../../host/crypto/key-pair.ts';
import { utf8 } from '../../host/wire/bytes.ts';
import { encodeEntry, entryKib, openEntry } from '../../host/wire/entry.ts';
import { jcs } from '../../host/wire/json.ts';
import { Agent } from '../e2e/agent.ts';
import { Testbed } from '../e2e/testbed.ts';
import { openParts, order, type Parts, seedOf, send, signedEntry } from '../host/one-node/harness.ts';
import { report } from './figures.ts';

const bed = new Testbed();
afterAll(() => bed.close());

const AGENT = keyPairFromSeed(seedOf(30));
const LISTING = { category: 'research', name: 'x' };

/** An agent without anything, and one of its requests as it was signed and as a seat may fill it. */
async function signedRequest() {
  const p = await openParts({ params: { onboarding_daily_budget: '0' } });
  await send(p, AGENT, '/v1/agents', {});
  const entry = signedEntry(p.clock, AGENT, '/v1/registry', LISTING);
  const filled = (spaces: number) => ({ ...entry, body: utf8(' '.repeat(spaces) + jcs(LISTING)) });
  return { p, entry, filled };
}

/** Requests of a KiB that the agent can still write. */
async function left(p: Parts): Promise<number> {
  for (let count = 0; ; count++) {
    const sent = await send(p, AGENT, '/v1/registry', LISTING);
    if (sent === 'insufficient_balance') return count;
    expect(Array.isArray(sent)).toBe(true);
  }
}

test('a request that was filled with white space by the seat that carries it uses up nothing of its agent', async () => {
  const { p, entry, filled } = await signedRequest();
  const padded = filled(30_000);
  expect(openEntry(padded).id).toEqual(openEntry(entry).id);
  expect(entryKib(padded)).toBe(30);
  await order(p, [encodeEntry(padded)]);
  // The request itself is as good as ever.
  await order(p, [encodeEntry(entry)]);
  const after = await left(p);
  report({
    attack: 'R17',
    what: 'KiB of 32 that a newcomer can still write after its registration and a request that was filled with white space',
    before: '1',
    after: String(after),
  });
  expect(after).toBe(30);
});

test('a request in a longer form than the canonical one is taken as it was sent', async () => {
  const { p, entry } = await signedRequest();
  const indented = { ...entry, body: utf8(JSON.stringify(LISTING, undefined, 4)) };
  const [done] = await order(p, [encodeEntry(indented)]);
  expect(done!.outcome.code).toBe(abi.OK);
});

test('a node orders no such request', async () => {
  const { port } = await bed.start({ dataDir: await bed.directory() });
  const agent = await new Agent(port).register();
  const filled = (spaces: number): string => `{${' '.repeat(spaces)}"amount":1000000}`;
  const refused = await agent.post('/v1/stake', filled(2_000));
  expect([refused.status, refused.body.code]).toEqual([400, 'invalid_request']);
  expect((await agent.post('/v1/stake', filled(1_000))).status).toBe(200);
});
