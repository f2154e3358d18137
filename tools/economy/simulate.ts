// One run of the simulated economy, from the first day until everything that was started has ended.

import { Books } from './books.ts';
import { Economy } from './economy.ts';
import { Justice } from './justice.ts';
import { keepValidators } from './upkeep.ts';
import { openMarket } from './work.ts';
import { DAY, LAUNCH } from './world.ts';

/** After the last day nothing new starts: an open task ends after 30 days, and can be challenged for 7 more. */
const QUIET_DAYS = 45;
const SAMPLE_DAYS = 10;

export interface Terms {
  seed: number;
  days: number;
  agents: number;
  tasks: number;
}

/** `onDay`: after each day. */
export function simulate(
  module: WebAssembly.Module,
  { seed, days, agents, tasks }: Terms,
  onDay: (day: number, economy: Economy) => void = () => {},
): { economy: Economy; books: Books } {
  const economy = new Economy(module, seed, agents);
  const books = new Books(economy);
  new Justice(economy, days);
  openMarket(economy, tasks, days);
  keepValidators(economy, days + QUIET_DAYS);
  for (let day = 1; day <= days + QUIET_DAYS; day++) {
    economy.world.runUntil(LAUNCH + day * DAY);
    if (day % SAMPLE_DAYS === 0 || day === 1) books.sample(day);
    onDay(day, economy);
  }
  books.sample(days + QUIET_DAYS);
  return { economy, books };
}
