// Agents barred from a task: the newest 32, as far as the table has rows (protocol 7.1).

import type { ModelAgent, ModelState } from './state.ts';
import type { ModelTask } from './task-state.ts';

const BARS = 9;
const MOST = 32;

export const hasBarRow = (s: ModelState): boolean =>
  s.tasks.reduce((sum, t) => sum + t.bars.length, 0) < s.capacity(BARS);

/** `isClaim`: the agent may not claim the task either. */
export function addBar(s: ModelState, task: ModelTask, agent: ModelAgent, isClaim: boolean): void {
  if (task.bars.length === MOST || !hasBarRow(s)) task.bars.shift();
  if (hasBarRow(s)) task.bars.push({ agent, isClaim });
  task.routed.barred = new Set(task.bars.map((bar) => bar.agent.index));
}
