// An agent's record over all its categories, for the rows of discovery and router (protocol 3.8).
// Means are weighted by completions and rounded down. Transfers are not counted (protocol 6.10); a generation is not
// delivered to anybody, so it has no delivery time.

import * as abi from '../../../assembly/abi.ts';
import type { RecordState } from '../../core/state.ts';
import { completionBp } from './standing.ts';

interface TrackRecord {
  completed: number;
  completionBp: number;
  avgScoreBp: number;
  avgDeliverySecs: number;
}

function mean(records: readonly RecordState[], value: (r: RecordState) => number): number {
  const count = records.reduce((sum, r) => sum + r.completed, 0);
  return count === 0 ? 0 : Math.floor(records.reduce((sum, r) => sum + value(r) * r.completed, 0) / count);
}

export function trackRecord(records: readonly RecordState[]): TrackRecord {
  const counted = records.filter((r) => r.category !== abi.CATEGORY_TRANSFER);
  const tasks = counted.filter((r) => r.category !== abi.CATEGORY_GENERATION);
  const completed = counted.reduce((sum, r) => sum + r.completed, 0);
  const failed = counted.reduce((sum, r) => sum + r.failed, 0);
  return {
    completed,
    completionBp: completionBp(completed, failed),
    avgScoreBp: mean(counted, (r) => r.avgScoreBp),
    avgDeliverySecs: mean(tasks, (r) => r.avgDeliverySecs),
  };
}
