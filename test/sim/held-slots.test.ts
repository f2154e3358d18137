// P7 of consensus 8.1: a leader that shows its witness to one seat, when all others are beyond the round above, keeps its slot from
// being decided by votes. The slot follows its anchor; where that is held open as well, the anchor's anchor: four rounds a step.

import { expect, test } from 'vitest';
import type { EpochConfig } from '../../host/core/consensus.ts';
import { Drawing, seatsLedBy } from './drawing.ts';
import { coreEngine, type Engine, type EngineMaker, oracleEngine } from './engine.ts';

const LIAR = 3;
const CORRECT = [0, 1, 2];
/** Rounds from a slot to the lowest anchor that it may follow. */
const STEP = 4;
const HELD = 6;
const name = (round: number, seat: number): string => `${round}.${seat}`;

/** Four equal seats with three slots a round. The liar has the first one of rounds 1, 5, 9, ..., six times in a row. */
function heldSlots(): EpochConfig {
  const leaders = Array.from({ length: STEP * HELD + 1 }, (_, i) => {
    if (i % STEP > 0) return undefined;
    return i < STEP * HELD ? LIAR : CORRECT[0];
  });
  return { ...seatsLedBy(4, leaders), leaders: 3 };
}

/** The correct seats are in step. The liar has a witness where it leads, and seat 0 alone takes it, in the second round above. */
function addRound(drawing: Drawing, schedule: Engine, round: number): void {
  const below = round === 1 ? [] : CORRECT.map((seat) => name(round - 1, seat));
  const isLed = (other: number): boolean => other > 0 && schedule.leadersOf(other).includes(LIAR);
  if (isLed(round)) drawing.add(name(round, LIAR), LIAR, below);
  for (const seat of CORRECT) {
    const late = seat === 0 && isLed(round - 2) ? [name(round - 2, LIAR)] : [];
    drawing.add(name(round, seat), seat, [...below, ...late]);
  }
}

/** The highest round when the first block is final. */
function roundsToFirstBlock(maker: EngineMaker): number {
  const config = heldSlots();
  const engine = maker.create(config);
  const drawing = new Drawing(config);
  for (let round = 1, fed = 0; ; round++, fed = drawing.vertices.length) {
    addRound(drawing, engine, round);
    engine.insert(drawing.vertices.slice(fed));
    if (engine.nextBlock()) return engine.maxRound();
  }
}

for (const maker of [coreEngine(), oracleEngine()]) {
  test(`${maker.name}: six slots of a liar among four, each the anchor of the one before, hold up all for 24 rounds`, () => {
    // The correct leader of the next such round is committed by near votes, two rounds above it.
    expect(roundsToFirstBlock(maker)).toBe(1 + STEP * HELD + 2);
  });
}
