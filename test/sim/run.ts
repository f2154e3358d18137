// Many seeds in a row, summed up.

import type { EngineMaker } from './engine.ts';
import { randomScenario, type ScenarioWishes } from './scenario.ts';
import { type RunResult, World } from './world.ts';

export interface Summary {
  faults: RunResult[];
  blocks: number;
  vertices: number;
  resumed: number;
  epochs: number;
  worstHealRounds: number;
  worstHealMs: number;
}

/** Runs seeds `first`, `first` + 1, ...; `each` sees every result as it comes. */
export function simulate(
  maker: EngineMaker,
  first: number,
  count: number,
  wishes: ScenarioWishes = {},
  each: (result: RunResult) => void = () => {},
): Summary {
  const summary: Summary = {
    faults: [],
    blocks: 0,
    vertices: 0,
    resumed: 0,
    epochs: 0,
    worstHealRounds: 0,
    worstHealMs: 0,
  };
  for (let seed = first; seed < first + count; seed++) {
    const result = new World(randomScenario(seed, wishes), maker).run();
    if (result.fault) summary.faults.push(result);
    summary.blocks += result.blocks;
    summary.vertices += result.vertices;
    summary.resumed += result.resumed;
    summary.epochs += result.epochs;
    summary.worstHealRounds = Math.max(summary.worstHealRounds, result.healRounds);
    summary.worstHealMs = Math.max(summary.worstHealMs, result.healMs);
    each(result);
  }
  return summary;
}
