// Refusals that only the store can word, and one that no network can be brought to yet: nothing draws on a reserve.

import { describe, expect, it } from 'vitest';
import * as abi from '../../../assembly/abi.ts';
import { refusalFor } from '../../../host/sequencer/refusal.ts';
import { openParts, order, SEAT_KEY, signed } from '../one-node/harness.ts';
import { act, OTHER, POSTER, post, withAgents } from '../one-node/task-life.ts';

describe('refusals', () => {
  it('a reserve below its limit blocks assurance, with what it holds and what it needs', async () => {
    const p = await openParts();
    const { input } = signed(p, SEAT_KEY, '/v1/stake', { amount: 1 });
    const refusal = refusalFor(p.store, p.ids, input, abi.ASSURANCE_BLOCKED, [9_999_999, 10_000_000]);
    expect([refusal.code, refusal.status, refusal.details]).toEqual([
      'assurance_blocked',
      422,
      { reserve: 9_999_999, required: 10_000_000 },
    ]);
  });

  it('a repeat of a refused step on an archived task names the status of its refusal', async () => {
    const p = await withAgents();
    const id = await post(p);
    expect(await act(p, POSTER, id, 'cancel')).toBeUndefined();
    const path = `/v1/tasks/${id}/approve`;
    for (const [key, status] of [
      [POSTER, 409],
      [OTHER, 403],
    ] as const) {
      const s = signed(p, key, path, {});
      // Past admission, as another node's vertex would bring it.
      const [done] = await order(p, [s.bytes]);
      expect(done!.outcome.code).toBe(abi.TASK_NOT_FOUND);
      await expect((async () => p.sequencer.submit(s))()).rejects.toMatchObject({
        code: 'DUPLICATE_TX',
        details: { executed: true, status },
      });
    }
  });
});
