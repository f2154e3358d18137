// Agents active in the last 24 hours against a plain count of every agent's newest event.

import { expect, it } from 'vitest';
import type { AgentFigures, HeaderState } from '../../../host/core/state.ts';
import { ActiveAgents } from '../../../host/views/active-agents.ts';
import { SeededRandom } from '../../../tools/load/seeded-random.ts';
import { testSeed } from '../../e2e/seed.ts';

const SEED = testSeed();
const HOUR_SECS = 3600;
const START_SECS = 500_000 * HOUR_SECS;

/** What the core remembers of agents: when each was seen last. */
const stateOf = (seen: readonly number[], nowSecs: number) => ({
  header: () => ({ agents: seen.length, timeMs: 1000 * nowSecs }) as HeaderState,
  figures: (i: number) => ({ firstSeen: START_SECS - 90 * HOUR_SECS, lastActive: seen[i] }) as AgentFigures,
});

const plainCount = (seen: readonly number[], nowSecs: number): number =>
  seen.filter((at) => Math.floor(at / HOUR_SECS) > Math.floor(nowSecs / HOUR_SECS) - 24).length;

it(`counts like a walk over all agents, from any start (repeat with VWS_SEED=${SEED})`, () => {
  const random = new SeededRandom(SEED);
  let nowSecs = START_SECS;
  const seen = Array.from({ length: 2000 }, () => nowSecs - random.below(60) * HOUR_SECS);
  const atStart = seen.slice();
  const active = new ActiveAgents(stateOf(atStart, nowSecs));
  // Some have an event while the others are counted.
  for (const _ of active.build()) {
    expect(active.isBuilt).toBe(false);
    for (const agent of [random.below(atStart.length), atStart.length]) {
      seen[agent] = nowSecs;
      active.note(agent, nowSecs);
    }
  }
  expect(active.isBuilt).toBe(true);
  expect(active.count(nowSecs)).toBe(plainCount(seen, nowSecs));
  for (let step = 0; step < 200; step++) {
    nowSecs += random.below(2 * HOUR_SECS);
    for (let i = random.below(40); i > 0; i--) {
      const agent = random.below(seen.length + 1);
      seen[agent] = nowSecs;
      active.note(agent, nowSecs);
    }
    // Nobody may ask for days; then hours that count no longer are still there.
    if (random.below(4) > 0) continue;
    expect(active.count(nowSecs)).toBe(plainCount(seen, nowSecs));
    expect(active.count(nowSecs)).toBe(plainCount(seen, nowSecs));
  }
  nowSecs += 30 * HOUR_SECS;
  expect(active.count(nowSecs)).toBe(0);
  active.note(7, nowSecs);
  expect(active.count(nowSecs)).toBe(1);
});
