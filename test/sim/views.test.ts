// P2, P3 and P4 of consensus 8.1: any two causally closed views agree on every block they both have,
// with forkers below the limit; and the same search finds disagreement once a rule is broken or the
// forkers are too heavy. VWS_DAGS sets the number of DAGs.

import { describe, expect, test } from 'vitest';
import { lockstepDag } from '../model/consensus/lockstep-dag.ts';
import { type DagShape, Dice, type RandomDag, randomDag } from '../model/consensus/random-dag.ts';
import { SOUND } from '../model/consensus/rules.ts';
import { coreEngine, oracleEngine } from './engine.ts';
import { conflictingPairs } from './views.ts';

const DAGS = Number(process.env.VWS_DAGS ?? 20);
/** A long run gets the time that it takes. */
const MOST_MS = Math.max(600_000, DAGS * 200);
const VIEWS = 40;
const core = coreEngine();

function lockstep(seed: number): RandomDag {
  return lockstepDag(seed, {
    seats: 4,
    rounds: 14,
    forkers: seed % 2,
    shunPercent: 60,
    take: 3,
    leaders: 1 + (seed % 4),
  });
}

/** Twins: forkers whose branches live in different parts of a network that splits and heals; seats that resume. */
function twins(seed: number): RandomDag {
  const dice = new Dice(seed);
  const seats = dice.pick([4, 5, 7, 10]);
  const shape: DagShape = {
    seats,
    vertices: 30 * seats,
    weights: dice.pick(['equal', 'random', 'some_zero']),
    minParticipants: dice.pick([1, 1, 3]),
    forkers: dice.pick([seats, 1, 0]),
    branches: dice.between(2, 3),
    // Whatever room below the limit is left to them.
    resumers: seats,
    stalePercent: dice.pick([0, 20]),
    partitionEvery: dice.pick([0, 10, 40]),
    maxParents: dice.pick([3, seats]),
  };
  return randomDag(seed, shape);
}

describe('P2, P3: views never disagree', () => {
  test(
    `${DAGS} DAGs of rounds, ${VIEWS} views each`,
    () => {
      for (let seed = 1; seed <= DAGS; seed++) {
        expect(conflictingPairs(core, lockstep(seed), VIEWS, seed), `seed ${seed}`).toBe(0);
      }
    },
    MOST_MS,
  );

  test(
    `${DAGS} DAGs of twins and seats that resume, under partitions, ${VIEWS} views each`,
    () => {
      for (let seed = 1; seed <= DAGS; seed++) {
        expect(conflictingPairs(core, twins(seed), VIEWS, seed), `seed ${seed}`).toBe(0);
      }
    },
    MOST_MS,
  );
});

describe('P4: the search has power', () => {
  test('forkers over the limit make views of the core disagree', () => {
    let found = 0;
    for (let seed = 1; seed <= 40; seed++) {
      const shape = { seats: 6, rounds: 14, forkers: 4, shunPercent: 0, take: 5, leaders: 6, isSplit: true };
      if (conflictingPairs(core, lockstepDag(seed, shape), 20, seed) > 0) found += 1;
    }
    expect(found).toBeGreaterThan(0);
  });

  // Seeds on which the broken rule shows; the sound one must not.
  const MUTANTS = [
    { name: 'quorum of a simple majority', rules: { ...SOUND, quorumPermille: 500n }, seed: 29 },
    { name: 'no certificates', rules: { ...SOUND, hasCertificates: false }, seed: 29 },
    {
      name: 'anchor one round too near, voters next to the leader',
      rules: { ...SOUND, anchorGap: 1, voteDistances: [1] },
      seed: 98,
    },
  ];

  for (const { name, rules, seed } of MUTANTS) {
    test(`mutant: ${name}`, () => {
      expect(conflictingPairs(oracleEngine(rules), lockstep(seed), VIEWS, seed)).toBeGreaterThan(0);
      const sound = { ...SOUND, voteDistances: rules.voteDistances };
      expect(conflictingPairs(oracleEngine(sound), lockstep(seed), VIEWS, seed)).toBe(0);
    });
  }
});
