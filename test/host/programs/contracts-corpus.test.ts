// Contracts tell honest deliveries from dishonest ones: all of them, of each kind. Needs a build.

import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { CHECK_DIGESTS, type CheckName } from '../../../host/modules/module-digests.ts';
import { packInput, readOutcome } from '../../../host/programs/check-job.ts';
import { DEFAULT_FUEL, MAX_OUTPUT_BYTES } from '../../../host/programs/limits.ts';
import { InlineRunner } from '../../../host/programs/runner.ts';
import { utf8 } from '../../../host/wire/bytes.ts';
import { jcs } from '../../../host/wire/json.ts';
import { CONTRACTS, type Contract } from './contracts-corpus.ts';

const runner = new InlineRunner();
const modules = new Map<CheckName, Uint8Array>();
const moduleOf = (name: CheckName): Uint8Array => {
  const known = modules.get(name) ?? new Uint8Array(readFileSync(`build/checks/${name}.wasm`));
  modules.set(name, known);
  return known;
};
const LIMITS = { fuel: DEFAULT_FUEL, outputBytes: MAX_OUTPUT_BYTES };

/** How the checks of a contract end for a delivery, up to the first that does not pass. */
function endsOf({ checks }: Contract, delivery: string): string[] {
  const ends: string[] = [];
  for (const [name, parameters] of checks) {
    const parts = { fields: utf8('{}'), delivery: utf8(delivery), seed: new Uint8Array(0) };
    const input = packInput({ parameters: utf8(jcs(parameters)), ...parts });
    const { end, reason } = readOutcome(runner.runNow({ program: moduleOf(name), input, limits: LIMITS }));
    ends.push(end);
    if (end === 'pass') continue;
    // A worker is told why.
    expect(reason).not.toBe('');
    break;
  }
  return ends;
}

test.each(CONTRACTS.map((one) => [one.name, one] as const))('%s', (_, one) => {
  expect(Math.min(one.honest.length, one.dishonest.length)).toBeGreaterThan(0);
  for (const delivery of one.honest)
    expect(endsOf(one, delivery), delivery).toEqual(one.checks.map(() => 'pass'));
  for (const delivery of one.dishonest) expect(endsOf(one, delivery).at(-1), delivery).toBe('fail');
});

test('there are at least 60 contracts, of all kinds, each check refuses somewhere', () => {
  expect(CONTRACTS.length).toBeGreaterThanOrEqual(60);
  expect(new Set(CONTRACTS.map(({ name }) => name)).size).toBe(CONTRACTS.length);
  const kinds = new Set<CheckName>();
  for (const one of CONTRACTS)
    for (const delivery of one.dishonest) kinds.add(one.checks[endsOf(one, delivery).length - 1]![0]);
  expect([...kinds].sort()).toEqual(Object.keys(CHECK_DIGESTS).sort());
});
