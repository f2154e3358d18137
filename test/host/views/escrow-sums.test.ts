// What the escrows are for: at every order of a random life of tasks, subtasks, claims, disputes and transfers, the parts are
// the sum of their documents, what is left over is the bonds of the disputes, and all parts are 10^15.

import { expect, it } from 'vitest';
import { supplyParts } from '../../../host/core/supply-parts.ts';
import { rowKey } from '../../../host/store/prefixes.ts';
import type { TaskTotals } from '../../../host/store/task-documents.ts';
import { WriteSet } from '../../../host/store/write-set.ts';
import { escrowSums } from '../../../host/views/escrow-sums.ts';
import { PendingIndex } from '../../../host/views/pending-index.ts';
import { TaskIndex } from '../../../host/views/tasks/task-index.ts';
import { taskId } from '../../../host/wire/ids.ts';
import { SeededRandom } from '../../../tools/load/seeded-random.ts';
import { type Parts, send, settle, signed } from '../one-node/harness.ts';
import { GOOD, OTHER, POSTER, TOKEN, task, WORKER, withAgents } from '../one-node/task-life.ts';

const SUPPLY = 10 ** 15;
const KEYS = [POSTER, WORKER, OTHER];
const BONDED = new Set(['claimed', 'submitted', 'disputed']);
const sum = (values: number[]): number => values.reduce((all, value) => all + value, 0);

interface Shown {
  status: string;
  escrow_amount: number;
  is_subtask: boolean;
  worker_bond: number;
  dispute_bond: number;
}

/** Returns the parts, after they were compared with the documents of all tasks. */
function compared(p: Parts, ids: readonly string[]) {
  const parts = supplyParts(p.ids.state.header(), escrowSums(p));
  const tasks = ids.map((id) => task(p, id) as unknown as Shown);
  const escrow = (of: Shown[]): number => sum(of.map((t) => t.escrow_amount));
  expect(parts).toMatchObject({
    task_escrows: escrow(tasks.filter((t) => !t.is_subtask)),
    subtask_escrows: escrow(tasks.filter((t) => t.is_subtask)),
    claim_bonds: sum(tasks.filter((t) => BONDED.has(t.status)).map((t) => t.worker_bond)),
    pending_transfers: new PendingIndex(p.ids.state).transfersMicro,
    held: sum(tasks.filter((t) => t.status === 'disputed').map((t) => t.dispute_bond)),
  });
  expect(sum(Object.values(parts))).toBe(SUPPLY);
  return parts;
}

const most: Record<string, number> = {};

/** The sums as a start finds them whose data directory an earlier version wrote. */
async function reread({ store, tasks }: Parts): Promise<Readonly<TaskTotals>> {
  const { claim_bonds: _bonds, escrowed_subtasks: _subtasks, ...old } = tasks.totals;
  const set = new WriteSet(store);
  set.putJson(rowKey.totals('tasks'), old);
  await store.write(set.ops());
  return new TaskIndex(store).totals;
}

it('are their documents at every order', async () => {
  const p = await withAgents();
  for (const key of KEYS) await send(p, key, '/v1/stake', { amount: 500 * TOKEN });
  const random = new SeededRandom(1);
  const pick = <T>(of: readonly T[]): T => of[Math.floor(random.next() % of.length)]!;
  const ids: string[] = [];
  const post = async (path: string, key: (typeof KEYS)[number]): Promise<void> => {
    const body = {
      title: 'Count',
      description: 'Count the vessels',
      budget: (1 + (random.next() % 9)) * TOKEN,
    };
    try {
      const s = signed(p, key, path, body);
      await p.sequencer.submit(s);
      ids.push(taskId(Buffer.from(s.input.id).toString('hex')));
    } catch (error) {
      expect((error as { code?: string }).code).toBeTypeOf('string');
    }
  };
  const steps = [
    () => post('/v1/tasks', pick(KEYS)),
    () => ids.length > 0 && post(`/v1/tasks/${pick(ids)}/subtask`, pick(KEYS)),
    ...[
      'claim',
      'claim',
      'submit',
      'submit',
      'approve',
      'dispute',
      'dispute',
      'concede',
      'contest',
      'cancel',
    ].map((verb) => async () => {
      if (ids.length === 0) return;
      const body =
        verb === 'submit' ? GOOD : verb === 'dispute' ? { reason: 'It is not what was asked for.' } : {};
      for (const key of KEYS) await send(p, key, `/v1/tasks/${pick(ids)}/${verb}`, body);
    }),
    () =>
      send(p, pick(KEYS), '/v1/transfer', {
        to_agent: pick(KEYS).publicKeyHex,
        amount: 1 + (random.next() % 999),
      }),
    () => p.clock.advance(3_600_000),
  ];
  for (let i = 0; i < 100; i++) {
    await pick(steps)();
    await settle();
    for (const [part, amount] of Object.entries(compared(p, ids)))
      most[part] = Math.max(most[part] ?? 0, amount);
  }
  expect(p.failure).toEqual([]);
  expect(await reread(p)).toEqual(p.tasks.totals);
});

it('were each met', () => {
  for (const part of ['task_escrows', 'subtask_escrows', 'claim_bonds', 'pending_transfers', 'held'])
    expect(most[part], part).toBeGreaterThan(0);
});
