// What lying around deliveries yields beside what it costs, as `npm run economy -- --disputes` prints it: the rows that must hold.

import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { alwaysDisputes, type Outcome, silentPosterBot } from '../../tools/economy/disputes.ts';
import { builtPath } from '../../tools/load/built.ts';

const module = new WebAssembly.Module(readFileSync(builtPath('core.wasm')));
const isBelowItsCost = ({ gained, lost }: Outcome): boolean => gained < lost;

test('a bot that delivers "done" gains nothing where every poster looks within the review time', () => {
  const outcome = silentPosterBot(module, 100, { soon: 8000, late: 2000 });
  // It concedes each time: three quarters of a bond of 25 tokens.
  expect(outcome).toEqual({ gained: 0, lost: 18_750_000 });
});

test('such a bot pays more than it gets while one poster in ten never looks, and lives where one in five does not', () => {
  expect(isBelowItsCost(silentPosterBot(module, 100, { soon: 6000, late: 3000 }))).toBe(true);
  expect(isBelowItsCost(silentPosterBot(module, 100, { soon: 5000, late: 3000 }))).toBe(false);
});

test.each([
  ['judges who are right eight times in ten', 0, { accuracyBp: 8000 }],
  ['workers of whom one in twenty does not contest', 500, { accuracyBp: 9000 }],
  ['judges who all err together', 0, { accuracyBp: 9000, kind: 'alike' }],
  ['judges of its own, six of twenty', 0, { accuracyBp: 9000, cartel: 6 }],
] as const)('a poster who disputes everything loses by it, with %s', (_, absentBp, bench) => {
  expect(isBelowItsCost(alwaysDisputes(module, 100, 10_000 - absentBp, bench))).toBe(true);
});
