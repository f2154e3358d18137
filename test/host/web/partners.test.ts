// With whom an agent deals: each task once, on its side.

import { expect, it } from 'vitest';
import type { Task } from '../../../host/client/index.ts';
import { partnersOf } from '../../../host/web/pages/agent/partners.ts';

const task = (poster_id: string, claimer_id: string, worker_net_payout: number): Task =>
  ({ poster_id, claimer_id, worker_net_payout }) as Task;

it('adds up what was earned from and paid to each, most money first', () => {
  const earned = [task('ann', 'me', 5), task('ben', 'me', 40), task('ann', 'me', 7)];
  const spent = [task('me', 'ann', 3), task('me', 'cid', 60)];
  expect(partnersOf(earned, spent)).toEqual([
    { id: 'cid', tasks: 1, earned: 0, paid: 60 },
    { id: 'ben', tasks: 1, earned: 40, paid: 0 },
    { id: 'ann', tasks: 3, earned: 12, paid: 3 },
  ]);
  expect(partnersOf([], [])).toEqual([]);
});
