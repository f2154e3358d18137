// What payload was good for: every way in which an entry can end (consensus 5.12).

import { expect, it } from 'vitest';
import * as abi from '../../../assembly/abi.ts';
import type { TxOutcome } from '../../../host/core/outcomes.ts';
import type { BlockInput, EntryInput } from '../../../host/ordering/block.ts';
import type { DagBlock } from '../../../host/ordering/dag.ts';
import type { EntryProof } from '../../../host/ordering/entry-proof.ts';
import { addUses, type PayloadUse } from '../../../host/ordering/payload-use.ts';

const SIZE = 1000;
interface Case {
  verdict?: EntryProof['verdict'];
  input: 'request' | 'invalid' | 'proof';
  code?: number;
}

function usesOf(cases: readonly Case[], isVoid = false, isIdle = false): PayloadUse {
  const inputs = cases.map(
    ({ input }) =>
      ({
        ...(input === 'request' && { parsed: {} }),
        ...(input === 'proof' && {
          proven: { seat: 1, vertices: [new Uint8Array(32), new Uint8Array(32)] as const },
        }),
      }) as EntryInput,
  );
  const inserted = {
    bytes: new Uint8Array(SIZE),
    vertex: {
      header: { creator: 2, entryCount: cases.length },
      entries: cases.map(() => new Uint8Array(SIZE)),
    },
    proofAt: (i: number) => cases[i]!.verdict && { verdict: cases[i]!.verdict },
  };
  const outcomes = cases.flatMap(({ code }, index) =>
    code === undefined ? [] : [{ code, order: 7, index }],
  );
  const sums = new Map<number, PayloadUse>();
  addUses(
    sums,
    { vertices: [{ order: 7, entries: isVoid ? [] : inputs }] } as unknown as BlockInput,
    { vertices: [{ inserted, isVoid, isIdle }] } as unknown as DagBlock,
    outcomes as TxOutcome[],
  );
  expect([...sums.keys()]).toEqual([2]);
  return sums.get(2)!;
}

const use = (of: Partial<Record<'useful' | 'junk' | 'waste' | 'cleared' | 'idle', number>>): PayloadUse => ({
  usefulBytes: SIZE * (of.useful ?? 0),
  junkBytes: SIZE * (of.junk ?? 0),
  wasteBytes: SIZE * (of.waste ?? 0),
  clearedBytes: SIZE * (of.cleared ?? 0),
  idleBytes: SIZE * (of.idle ?? 0),
});

it.each<[string, Case, PayloadUse]>([
  ['executed', { verdict: 'good', input: 'request', code: abi.OK }, use({ useful: 1 })],
  ['executed, packed here', { input: 'request', code: abi.OK }, use({ useful: 1 })],
  [
    'of an agent unknown on arrival',
    { verdict: 'unknown', input: 'request', code: abi.OK },
    use({ useful: 1, cleared: 1 }),
  ],
  ['repeated', { verdict: 'good', input: 'request', code: abi.DUPLICATE_TX }, use({ waste: 1 })],
  [
    'refused, unknown on arrival',
    { verdict: 'unknown', input: 'request', code: abi.DUPLICATE_TX },
    use({ waste: 1, cleared: 1 }),
  ],
  ['signed well on arrival, no request', { verdict: 'good', input: 'invalid', code: 1 }, use({ waste: 1 })],
  ['no request, as known on arrival', { verdict: 'bad', input: 'invalid', code: 1 }, use({})],
  ['no request, unknown on arrival', { verdict: 'unknown', input: 'invalid', code: 1 }, use({ junk: 1 })],
  ['a proof that excludes', { verdict: 'unknown', input: 'proof', code: 1 }, use({ useful: 1, cleared: 1 })],
])('%s', (_, one, expected) => {
  expect(usesOf([one])).toEqual(expected);
});

it('of a void vertex everything is junk', () => {
  const entry: Case = { verdict: 'good', input: 'request' };
  expect(usesOf([entry, entry, { verdict: 'bad', input: 'invalid' }], true)).toEqual(use({ junk: 2 }));
});

it('entries of one vertex add up', () => {
  const good: Case = { verdict: 'good', input: 'request', code: abi.OK };
  const repeated = { ...good, code: abi.DUPLICATE_TX };
  expect(usesOf([good, repeated, good, repeated, repeated])).toEqual(use({ useful: 2, waste: 3 }));
});

it('a vertex without entries that brings nothing new counts whole', () => {
  expect(usesOf([], false, true)).toEqual(use({ idle: 1 }));
});
