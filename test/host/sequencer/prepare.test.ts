// What admission works out for whom: a result is scored for its claimer alone.

import { beforeEach, expect, it, vi } from 'vitest';
import type { KeyPair } from '../../../host/crypto/key-pair.ts';
import { credentialsOf } from '../../../host/execution/intake.ts';
import { prepare } from '../../../host/sequencer/prepare.ts';
import { openEntry } from '../../../host/wire/entry.ts';
import { matchOperation, parseOperation } from '../../../host/wire/operations.ts';
import { type Parts, signedEntry } from '../one-node/harness.ts';
import { act, GOOD, OTHER, POSTER, post, WORKER, withAgents } from '../one-node/task-life.ts';

const scored = vi.hoisted(() => ({ count: 0 }));
vi.mock('../../../host/scoring/index.ts', async (original) => {
  const real = await original<typeof import('../../../host/scoring/index.ts')>();
  const scoreSubmission: typeof real.scoreSubmission = (...args) => {
    scored.count += 1;
    return real.scoreSubmission(...args);
  };
  return { ...real, scoreSubmission };
});
beforeEach(() => {
  scored.count = 0;
});

/** Prepares a submission; the refusal's code, or whether it was scored as passing. */
function submission(
  p: Parts,
  key: KeyPair,
  id: string,
  body: Record<string, unknown> = GOOD,
): string | boolean {
  const path = `/v1/tasks/${id}/submit`;
  const open = openEntry(signedEntry(p.clock, key, path, body));
  const parsed = parseOperation(matchOperation('POST', path)!, open.body.value);
  const credentials = credentialsOf(open.entry, p.ids)!;
  try {
    const input = prepare(p.sequencer, p.ids, {
      open,
      parsed,
      credentials,
      attachment: undefined,
      owner: '1',
    });
    return input.submission!.verification.pass;
  } catch (error) {
    return (error as { code: string }).code;
  }
}

it('scores once for the claimer, and for nobody who would be refused', async () => {
  const p = await withAgents();
  const id = await post(p);
  expect(submission(p, WORKER, id)).toBe('invalid_state');
  await act(p, WORKER, id, 'claim');
  expect(submission(p, OTHER, id)).toBe('not_claimer');
  expect(submission(p, POSTER, id)).toBe('not_claimer');
  expect(submission(p, WORKER, 'f'.repeat(32))).toBe('task_not_found');
  expect(submission(p, WORKER, id, { ...GOOD, result_encrypted: true })).toBe('delivery_mismatch');
  expect(scored.count).toBe(0);
  expect(submission(p, WORKER, id)).toBe(true);
  expect(scored.count).toBe(1);
});
