// A short run over real processes; `npm run histories` makes a minute of it, and --mutants breaks nodes on purpose.

import { describe, expect, it } from 'vitest';
import { FAULT_KINDS } from '../../tools/histories/faults.ts';
import { faultText, shortest } from '../../tools/histories/judge.ts';
import { buildPorcupine } from '../../tools/histories/porcupine.ts';
import { recordHistory } from '../../tools/histories/run.ts';
import { checkMutations, verdictOf } from '../../tools/histories/verdict.ts';
import { testSeed } from './seed.ts';

const built = buildPorcupine();
const porcupine = 'missing' in built ? undefined : built;
const SKIPPED = 'missing' in built ? ` (SKIPPED porcupine: ${built.missing})` : '';

describe('concurrent clients of a network of four under kills, pauses, cuts and set clocks', () => {
  it(`see one order in real time, and a changed history is found out${SKIPPED}`, {
    timeout: 300_000,
  }, async () => {
    const seed = testSeed();
    const plan = { nodes: 4, seconds: 16, seed, sessions: 16, pauseMs: 60, kinds: FAULT_KINDS };
    try {
      const { recorded, faults, struck } = await recordHistory(plan);
      const verdict = verdictOf(recorded, porcupine);
      const said = `VWS_SEED=${seed}`;
      expect(faults, said).toEqual([]);
      expect(shortest(verdict.faults).map(faultText), said).toEqual([]);
      expect(verdict.undecided, said).toEqual([]);
      expect(struck.size, said).toBeGreaterThan(1);
      expect(recorded.calls.filter(({ status }) => status === 200 || status === 201).length).toBeGreaterThan(
        60,
      );
      // The judges are only worth something if they find what was changed on purpose in this very history.
      const checks = checkMutations(recorded, seed, porcupine);
      expect(
        checks.filter(({ isFound }) => isFound === false),
        said,
      ).toEqual([]);
      expect(checks.filter(({ isFound }) => isFound).length, said).toBeGreaterThan(6);
    } finally {
      porcupine?.close();
    }
  });
});
