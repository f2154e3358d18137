// P9 and the vectors of consensus 5.17: what a quorum is, which epochs open, who leads which slot.

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  Consensus,
  type DagVertex,
  type EpochConfig,
  type EpochRefusal,
  EpochRefused,
} from '../../../host/core/consensus.ts';
import { epochId, seatDigest } from '../../../host/wire/block.ts';
import { fromHex, utf8 } from '../../../host/wire/bytes.ts';
import { sha256 } from '../../../host/wire/hash.ts';
import { leaderSeed, leadersOf } from '../../model/consensus/election.ts';
import { module } from './drawn-dag.ts';

const SUPPLY = 10n ** 15n;

function config(weights: readonly bigint[], minParticipants = 1): EpochConfig {
  const seats = weights.map((weight) => ({ key: new Uint8Array(32), weight }));
  return { seats, minParticipants, epochId: new Uint8Array(32), previousTimeMs: 0, maxVertices: 128 };
}

const first = (creator: number): DagVertex => ({
  id: sha256(utf8(`first ${creator}`)),
  creator,
  seq: 1,
  lamport: 1,
  timeMs: 5,
  work: false,
  parents: [],
});

/** Both ways the core knows a quorum: witnesses of a round, and the past of a vertex. */
function isQuorum(weights: readonly bigint[], minParticipants: number, seats: readonly number[]): boolean {
  const core = Consensus.create(module, config(weights, minParticipants));
  core.insert(seats.map(first));
  const inView = core.quorumWitnesses(1);
  const parents = seats.map((seat) => first(seat).id);
  const inPast = seats.length > 0 && core.preview(seats[0]!, parents, 5).round === 2;
  expect(inPast).toBe(inView);
  return inView;
}

function refusal(weights: readonly bigint[], minParticipants = 1): EpochRefusal | undefined {
  try {
    Consensus.create(module, config(weights, minParticipants));
    return undefined;
  } catch (error) {
    if (error instanceof EpochRefused) return error.reason;
    throw error;
  }
}

describe('P9: quorum', () => {
  test('667 thousandths are a quorum, one unit less is none', () => {
    expect(isQuorum([667n, 333n], 1, [0])).toBe(true);
    expect(isQuorum([666n, 334n], 1, [0])).toBe(false);
    expect(isQuorum([666n, 1n, 333n], 1, [0])).toBe(false);
    expect(isQuorum([666n, 1n, 333n], 1, [0, 1])).toBe(true);
    const step = SUPPLY / 1000n;
    expect(isQuorum([667n * step, 333n * step], 1, [0])).toBe(true);
    expect(isQuorum([667n * step - 1n, 333n * step + 1n], 1, [0])).toBe(false);
  });

  test('of 4 equal seats 3 are a quorum, of 3 only all, of 2 only both', () => {
    expect(isQuorum([10n, 10n, 10n, 10n], 3, [0, 1, 2])).toBe(true);
    expect(isQuorum([10n, 10n, 10n, 10n], 3, [1, 3])).toBe(false);
    expect(isQuorum([7n, 7n, 7n], 1, [0, 2])).toBe(false);
    expect(isQuorum([7n, 7n, 7n], 1, [0, 1, 2])).toBe(true);
    expect(isQuorum([1n, 1n], 1, [1])).toBe(false);
  });

  test('any weights, any set of seats, any minimum: as the exact inequality says', () => {
    const weight = fc.oneof(fc.bigInt(0n, 20n), fc.bigInt(0n, SUPPLY / 12n), fc.constant(0n));
    const cases = fc.record({
      weights: fc.array(weight, { minLength: 1, maxLength: 11 }).filter((all) => all.some((w) => w > 0n)),
      minParticipants: fc.nat(5),
      members: fc.nat(2047),
    });
    fc.assert(
      fc.property(cases, ({ weights, minParticipants, members }) => {
        const weighted = weights.filter((w) => w > 0n).length;
        const least = Math.max(1, Math.min(minParticipants, weighted));
        const seats = weights.map((_, seat) => seat).filter((seat) => (members >> seat) & 1);
        const total = weights.reduce((sum, w) => sum + w, 0n);
        const sum = seats.reduce((part, seat) => part + weights[seat]!, 0n);
        const count = seats.filter((seat) => weights[seat]! > 0n).length;
        expect(isQuorum(weights, least, seats)).toBe(1000n * sum >= 667n * total && count >= least);
      }),
      { numRuns: 150 },
    );
  });
});

describe('epochs that do not open', () => {
  test('each reason has its name', () => {
    expect(refusal([0n, 0n])).toBe('no_weight');
    expect(refusal([SUPPLY, 1n])).toBe('weight_too_large');
    expect(refusal([2n ** 64n])).toBe('weight_too_large');
    expect(refusal([SUPPLY])).toBeUndefined();
    expect(refusal([1n, 1n, 0n], 3)).toBe('too_few_participants');
    expect(refusal([1n, 1n, 1n], 3)).toBeUndefined();
    expect(refusal([], 1)).toBe('bad_config');
    expect(refusal([1n], 0)).toBe('bad_config');
  });
});

describe('leader schedule (5.4, vectors of 5.17)', () => {
  const key = new Uint8Array(32);
  const vectorEpoch = fromHex('ce74ffc924c35fceb52872f35328048ffef916239078581b2ded0651c6f9ff0b')!;

  test('weights 20, 20, 20, 10 in the epoch of the vectors', () => {
    expect(leaderSeed(vectorEpoch)).toBe(4164461039195774738n);
    const core = Consensus.create(module, {
      ...config([20n, 20n, 20n, 10n]),
      leaders: 4,
      epochId: vectorEpoch,
    });
    const leaders = Array.from({ length: 6 }, (_, i) => core.leadersOf(i + 1));
    expect(leaders.map((of) => of.join(''))).toEqual(['3102', '3210', '0231', '1032', '1320', '0312']);
  });

  test('any epoch and weights: as the oracle, in unsigned arithmetic; weight 0 never leads', () => {
    for (let i = 0; i < 40; i++) {
      const weights = [0n, BigInt(i * i), SUPPLY / 3n, 1n + BigInt(i), 0n, SUPPLY / 7n];
      const id = epochId(key, i, key, seatDigest(config(weights).seats, 1, 6));
      const count = i === 0 ? 3 : 4;
      const core = Consensus.create(module, { ...config(weights), leaders: count, epochId: id });
      for (let round = 1; round <= 60; round++) {
        const leaders = core.leadersOf(round);
        expect(leaders).toEqual(leadersOf(leaderSeed(id), weights, round, count));
        for (const leader of leaders) expect(weights[leader]).not.toBe(0n);
        expect(new Set(leaders).size).toBe(leaders.length);
      }
    }
  });
});
