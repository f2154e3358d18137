// What a seat that is there, but makes no witness in the rounds that it leads, costs a write after silence on short wires: a part of
// a round, not of the silence (consensus 5.13).

import { expect, test } from 'vitest';
import type { Emission, EmissionPolicy, EmissionView } from '../../host/ordering/emission.ts';
import { coreEngine } from './engine.ts';
import { calmScenario } from './scenario.ts';
import { World } from './world.ts';

const SEATS = 4;
const ABSENT = 3;
const DELAY_MS = 20;
const SILENCE_MS = 2000;
const WRITES = 60;

/** Takes part in all but the rounds that it leads. */
function leavesOutItsRounds(policy: EmissionPolicy): void {
  const next = policy.next.bind(policy);
  policy.next = (view: EmissionView): Emission | undefined => {
    const made = next(view);
    const round = made?.isWitness ? view.preview(made.parents, made.timeMs).round : undefined;
    return round !== undefined && view.leadersOf(round).includes(ABSENT) ? undefined : made;
  };
}

/** Message delays from each write, at the other seats in turn, to its execution at the same seat; in ascending order. */
function delaysOfWrites(): number[] {
  const healMs = WRITES * 2 * SILENCE_MS;
  const link = { lossPercent: 0, duplicatePercent: 0, minDelayMs: DELAY_MS, maxDelayMs: DELAY_MS + 2 };
  const world = new World(calmScenario(SEATS, { link, minIntervalMs: 0, healMs }), coreEngine());
  leavesOutItsRounds((world.nodes[ABSENT] as unknown as { policy: EmissionPolicy }).policy);
  const delays: number[] = [];
  const write = (i: number): void => {
    if (i === WRITES) return;
    const node = world.nodes[i % ABSENT]!;
    const sentMs = world.queue.nowMs;
    node.submit(`tx${i} note 0`);
    const look = (): void => {
      if (!node.ledger.s.applied.has(`tx${i}`)) {
        world.queue.after(1, look);
        return;
      }
      delays.push((world.queue.nowMs - sentMs) / DELAY_MS);
      world.queue.after(SILENCE_MS, () => write(i + 1));
    };
    look();
  };
  world.queue.after(10, () => write(0));
  expect(world.run().fault).toBeUndefined();
  // The first ones have no round to go by.
  return delays.slice(4).sort((a, b) => a - b);
}

test('a leader that is there and does not come holds up a write after silence by parts of a round', () => {
  const delays = delaysOfWrites();
  expect(delays).toHaveLength(WRITES - 4);
  expect(delays[Math.floor(0.9 * delays.length)]).toBeLessThan(7);
  expect(delays.at(-1)).toBeLessThan(12);
});
