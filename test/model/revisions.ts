// The revision of the rules (consensus 5.11): at a seal the next one applies when a quorum of the next table names it.

import * as abi from '../../assembly/abi.ts';
import { fullWeight } from './silence.ts';
import type { ModelState } from './state.ts';

export function raiseRevision(s: ModelState): void {
  const table = [...s.seats].map(([seat, row]) => ({
    weight: s.removed.has(seat) ? 0n : fullWeight(s, row),
    knows: s.named.get(seat) ?? 0,
  }));
  const judges = table.filter(({ weight }) => weight > 0n);
  const ready = judges.filter(({ knows }) => knows > s.revision);
  const sum = (rows: typeof table): bigint => rows.reduce((total, { weight }) => total + weight, 0n);
  const minimum = Math.max(1, s.param(abi.PARAM_MIN_PARTICIPANTS));
  if (ready.length >= minimum && 1000n * sum(ready) >= 667n * sum(judges)) s.revision += 1;
}
