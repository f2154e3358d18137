// What a contract counts: each unit of fuel for what it can cost a machine (protocol 14.9, 14.10).

import { expect, it } from 'vitest';
import { admitContract, storedContract } from '../../../host/execution/contracts.ts';
import { DEFAULT_FUEL } from '../../../host/programs/limits.ts';
import { sha256Hex } from '../../../host/wire/hash.ts';
import { module } from '../../../tools/programs/wat.ts';

const published = new Map([1, 8, 9, 64, 128].map((pages) => [pages, module({ pages: [pages] })]));
const byHash = new Map([...published.values()].map((bytes) => [sha256Hex(bytes), bytes]));
/** The standard checks are here as well, with the largest memory. */
const programs = { program: (hash: string) => byHash.get(hash) ?? published.get(128) };

const checkOf = (pages: number, fuel?: number) => ({
  program: sha256Hex(published.get(pages)!),
  ...(fuel === undefined ? {} : { fuel }),
});
const counted = (...acceptance: { program: string; fuel?: number }[]): number =>
  admitContract({ acceptance }, programs)!.fuel;

it('counts the fuel of a published program once for each 8 pages of its memory begun', () => {
  expect([1, 8, 9, 64, 128].map((pages) => counted(checkOf(pages)) - 1_000_000)).toEqual(
    [1, 1, 2, 8, 16].map((weight) => weight * DEFAULT_FUEL),
  );
});

it('counts the fuel of standard checks and of vectors once', () => {
  const vectors = { program: 'vectors', parameters: { vectors: [{ input: '', output: '' }] } };
  expect(counted({ program: 'json-shape' }, vectors)).toBe(2 * (DEFAULT_FUEL + 1_000_000));
});

it('takes no contract that counts more than a run may, though its fuel alone is less', () => {
  expect(counted(checkOf(8, 199_000_000))).toBe(200_000_000);
  expect(counted(checkOf(128, 12_437_500))).toBe(200_000_000);
  expect(() => counted(checkOf(128, 12_437_501))).toThrow('8 pages');
  expect(() => counted(checkOf(9, 199_000_000))).toThrow('8 pages');
});

it('reads the module of a program once, and stores the contract without it', () => {
  const reads: string[] = [];
  const counting = {
    program(hash: string) {
      reads.push(hash);
      return programs.program(hash);
    },
  };
  const args = { acceptance: [checkOf(8), { program: 'json-shape' }, checkOf(64, 1)] };
  const { fuel, ...terms } = admitContract(args, counting)!;
  expect(reads).toEqual([args.acceptance[0]!.program, args.acceptance[2]!.program]);
  expect(fuel).toBe(3_000_000 + 2 * DEFAULT_FUEL + 8);
  expect(storedContract(args)).toEqual({ ...terms, hash: expect.stringMatching(/^[0-9a-f]{64}$/) });
});
