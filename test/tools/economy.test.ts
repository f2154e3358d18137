// A small simulated economy: nothing is left open, and a seed reproduces the state.
// The long run with its table is `npm run economy`.

import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { toHex } from '../../host/wire/bytes.ts';
import { leftovers } from '../../tools/economy/checks.ts';
import { simulate } from '../../tools/economy/simulate.ts';
import { builtPath } from '../../tools/load/built.ts';
import { testSeed } from '../e2e/seed.ts';

const module = new WebAssembly.Module(readFileSync(builtPath('core.wasm')));
const terms = (seed: number) => ({ seed, days: 40, agents: 200, tasks: 600 });

it('leaves nothing in escrow and nothing open, whatever anyone does', () => {
  const seed = testSeed();
  const { economy, books } = simulate(module, terms(seed));
  expect(leftovers(economy), `VWS_SEED=${seed}`).toEqual([]);
  // The run had the events it is meant to test.
  expect(books.tally.completed).toBeGreaterThan(100);
  expect(books.tally.events.get('replay_closed') ?? 0).toBeGreaterThan(0);
});

it('gives the same state for the same seed', () => {
  const hash = () => toHex(simulate(module, terms(7)).economy.world.core.stateHash());
  expect(hash()).toBe(hash());
});
