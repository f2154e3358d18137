// What plans keep: no more seats fail in a way that consensus has to bear than it bears, unless that is asked for.

import { describe, expect, it } from 'vitest';
import { isForGood } from './faults.ts';
import { FORGETTING, type Plan, planOf } from './plan.ts';

const seeds = (count: number): number[] => Array.from({ length: count }, (_, i) => i + 1);
const limitOf = ({ seats }: Plan): number => Math.floor((seats - 1) / 3);
const isSeat = (name: string): boolean => name.startsWith('n');

const deadOf = ({ faults }: Plan): string[] =>
  faults.filter(({ kind }) => kind === 'dead_seat').flatMap(({ on }) => on);

/** Seats that lie, forget, come late or die. */
function failing(plan: Plan): Set<string> {
  const forgetting = plan.faults.filter(({ kind }) => FORGETTING.includes(kind)).flatMap(({ on }) => on);
  const late = plan.latecomers.map(({ name }) => name);
  const lying = plan.deviants.map(({ seat }) => `n${seat}`);
  return new Set([...forgetting, ...late, ...lying, ...deadOf(plan)].filter(isSeat));
}

describe('a plan', () => {
  it('has no more seats that lie, forget, come late or die than consensus bears', () => {
    for (const seed of seeds(2000)) {
      const plan = planOf(seed);
      expect([seed, failing(plan).size <= limitOf(plan)]).toEqual([seed, true]);
    }
  });

  it('lets seats die where four are left, and nothing else strikes them', () => {
    const plans = seeds(2000)
      .map((seed) => planOf(seed))
      .filter((plan) => deadOf(plan).length > 0);
    // Of both kinds; a run of them takes longer than others.
    expect(plans.length).toBeGreaterThan(20);
    expect(plans.length).toBeLessThan(200);
    expect(new Set(plans.flatMap(({ faults }) => faults.filter(isForGood).length))).toEqual(new Set([0, 1]));
    for (const plan of plans) {
      const [dead] = deadOf(plan);
      const others = plan.faults.filter(({ kind }) => kind !== 'dead_seat');
      expect(plan.seats).toBeGreaterThan(4);
      expect(others.filter(({ on }) => on.includes(dead!))).toEqual([]);
      expect(plan.silence).toBeDefined();
    }
  });

  it('beyond the limit has one liar too many, and somebody who is deceived', () => {
    for (const seed of seeds(300)) {
      const plan = planOf(seed, { isOverLimit: true });
      const liars = new Set(plan.deviants.map(({ seat }) => seat)).size;
      expect([seed, liars, liars < plan.seats]).toEqual([seed, limitOf(plan) + 1, true]);
    }
  });
});
