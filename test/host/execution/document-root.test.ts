// The state root of a node that is killed again and again between its batches: every checkpoint is the one that is computed
// from the log alone.

import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { type Verdict, Verifier } from '../../../host/audit/index.ts';
import { GiverSource, PlainStore } from '../audit/giver-source.ts';
import { GENESIS, Giver, NET } from '../net/join-world.ts';
import { SMALL_TABLES } from '../one-node/harness.ts';

const module = (name: string) => new WebAssembly.Module(new Uint8Array(readFileSync(`build/${name}.wasm`)));

async function audited(giver: Giver, isOnce = false): Promise<Verdict> {
  const verifier = await Verifier.open({
    source: new GiverSource(giver),
    modules: { core: module('core'), consensus: module('consensus'), ed25519: module('ed25519') },
    store: new PlainStore(),
    genesisHash: GENESIS.hashHex,
    way: 'genesis',
    environment: {
      randomBytes: (count) => crypto.getRandomValues(new Uint8Array(count)),
      clock: giver.parts.clock,
    },
    scale: { limits: NET.limits, capacity: SMALL_TABLES },
    isOnce,
  });
  return verifier.run();
}

it('is that of the log, wherever the node was killed', async () => {
  const giver = await Giver.make(0);
  const checkpoints = giver.parts.totals.checkpoints;
  let pending = 0;
  for (let n = 0; n < 60; n++) {
    const listing = { name: `Counter ${n}`, category: 'research', active: n % 3 > 0 };
    await giver.write(giver.keyOf((n % 3) + 1), '/v1/registry', listing);
    if (giver.parts.documents.changed > 0) pending += 1;
    if (n % 2 === 0) await giver.crash();
  }
  // Changes waited for the next root when the node was killed.
  expect(pending).toBeGreaterThan(20);
  expect(giver.parts.totals.checkpoints).toBeGreaterThan(checkpoints + 2);
  const verdict = await audited(giver);
  expect(verdict.fault).toBeUndefined();
  expect(verdict).toMatchObject({ isGood: true, stateRoot: giver.stateRoot });
  expect(verdict.checkpoint).toBe(giver.parts.totals.checkpoints);
});

it('is the same for an audit that makes no events: what was open and is settled is under it no more', async () => {
  const giver = await Giver.make(0);
  const { parts } = giver;
  await giver.write(giver.keyOf(1), '/v1/stake', { amount: 1000 });
  for (let n = 0; n < 5; n++) {
    const transfer = { to_agent: giver.keyOf(2).publicKeyHex, amount: 1 + n };
    await giver.write(giver.keyOf(1), '/v1/transfer', transfer);
  }
  const open = parts.documents.hash;
  const { checkpoints } = parts.totals;
  parts.clock.ms += 7 * 86_400_000;
  for (let n = 0; parts.totals.checkpoints < checkpoints + 2; n++)
    await giver.write(giver.keyOf(3), '/v1/registry', { name: `Counter ${n}`, category: 'research' });
  expect(parts.totals.events.settlement).toBeGreaterThan(4);
  expect(parts.documents.hash).not.toEqual(open);
  for (const isOnce of [false, true])
    expect(await audited(giver, isOnce)).toMatchObject({ isGood: true, stateRoot: giver.stateRoot });
});
