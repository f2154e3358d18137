// Many epochs through one engine, in small: `npm run sim -- --vertices 10000000` is the long run.

import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { configOf } from '../../bench/consensus-core.ts';
import { soak } from '../../bench/consensus-soak.ts';
import { Consensus } from '../../host/core/consensus.ts';
import { builtPath } from '../../tools/load/built.ts';

const module = new WebAssembly.Module(readFileSync(builtPath('consensus.wasm')));
const wishes = { seats: 10, parents: 4, epochVertices: 5_000, seed: 3 };

test('the memory of an epoch does not depend on how many went before', () => {
  const few = soak(module, { ...wishes, vertices: 5_000 });
  const many = soak(module, { ...wishes, vertices: 150_000 });
  expect(few.epochs).toBe(1);
  expect(many.epochs).toBeGreaterThan(25);
  expect(many.ordered).toBeGreaterThanOrEqual(150_000);
  // What dies at a seal is what had not become final: a few rounds of ten seats, and the rest of a batch.
  expect(many.fed - many.ordered).toBeLessThan(700 * many.epochs);
  expect(many.instanceBytes).toBe(few.instanceBytes);
  // Masks and parents come on top of what an empty epoch reserves: below 128 bytes a vertex.
  const empty = Consensus.create(module, configOf(10, 2 * wishes.epochVertices)).memoryBytes;
  expect(many.instanceBytes).toBeLessThanOrEqual(empty + Math.max(128 * many.mostHeld, 2 * 2 ** 20));
});
