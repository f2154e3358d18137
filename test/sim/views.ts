// Cuts one DAG into causally closed views and looks for two that disagree.

import { closedView, Dice, type RandomDag } from '../model/consensus/random-dag.ts';
import type { EngineMaker } from './engine.ts';
import { blocksOf, conflict } from './outcome.ts';

/** Conflicting pairs among `count` views of this DAG. */
export function conflictingPairs(maker: EngineMaker, dag: RandomDag, count: number, seed: number): number {
  const dice = new Dice(seed);
  const views: string[][] = [];
  for (let i = 0; i < count; i++) {
    const view = closedView(dice, dag.vertices, dice.between(1, Math.max(1, dag.config.seats.length - 1)));
    views.push(blocksOf(maker, dag.config, view));
  }
  let pairs = 0;
  for (let i = 0; i < views.length; i++) {
    for (let j = 0; j < i; j++) if (conflict(views[i]!, views[j]!) >= 0) pairs += 1;
  }
  return pairs;
}
