// Proofs of what the core says of an agent, beside its name; and proofs of a node that has dropped older documents.

import { beforeAll, describe, expect, it } from 'vitest';
import type { Proofs, Proven } from '../../../host/audit/index.ts';
import { VALIDATOR_STATUS } from '../../../host/core/validator-names.ts';
import { droppedRow } from '../../../host/store/dropped-documents.ts';
import { putDocumentsStart } from '../../../host/store/history.ts';
import { taskKey } from '../../../host/store/task-rows.ts';
import { WriteSet } from '../../../host/store/write-set.ts';
import { fromHex, toHex } from '../../../host/wire/bytes.ts';
import { Giver } from '../net/join-world.ts';
import { SEAT_KEY } from '../one-node/harness.ts';
import { type Lie, nextCheckpoint, openProofs, proofAnswer } from './proof-answer.ts';

let giver: Giver;
let worker: string;
beforeAll(async () => {
  giver = await Giver.make(2, 1000);
  const waiting = (await open().then((proofs) => proofs.list('open_tasks'))).documents[0]!.key.slice(2);
  await giver.write(SEAT_KEY, `/v1/tasks/${waiting}/claim`, {});
  worker = SEAT_KEY.publicKeyHex;
});
const open = (lie?: Lie): Promise<Proofs> => openProofs(giver, lie);

describe('what the core says of an agent', () => {
  it('is proven of reputation and of validators, and that there is none', async () => {
    // The claim of the open task expires, which is a record.
    giver.parts.clock.ms += 30 * 86_400_000;
    await nextCheckpoint(giver);
    const { state } = giver.parts.ids;
    const proofs = await open();
    let [records, validators] = [0, 0];
    for (let index = 0; index < state.header().agents; index++) {
      const key = toHex(state.agentKey(index));
      const agent = state.agent(index)!;
      const wanted = state.records(index).map((r) => [state.categoryName(r.category), r.completed, r.failed]);
      const { reputation } = (await proofs.item('reputation', key)).rows!;
      expect(
        reputation!.records.map((r) => [r.category, r.tasks_completed, r.tasks_failed]),
        key,
      ).toEqual(wanted);
      expect(reputation!.records.map((r) => r.total_value_earned)).toEqual(
        state.records(index).map((r) => r.earned),
      );
      records += wanted.length;
      const { validator } = (await proofs.item('validator', key)).rows!;
      if (agent.validator === undefined) {
        expect(validator).toBe(undefined);
        continue;
      }
      validators += 1;
      const v = state.validator(agent.validator)!;
      expect(validator).toEqual({
        id: v.id,
        status: VALIDATOR_STATUS[v.status],
        is_genesis: v.isGenesis,
        is_judge: v.isJudge,
        votes_decided: v.votesDecided,
        votes_right: v.votesRight,
        tasks_processed: v.tasksProcessed,
        slash_count: v.slashes,
        collusion_count: v.collusions,
        open_challenges: expect.any(Number),
        registered_at: v.registeredAt,
        suspended_until: v.suspendedUntil,
      });
    }
    expect([records > 0, validators]).toEqual([true, 8]);
  });

  it('is refused where a leaf that it needs is missing', async () => {
    const cut: Lie = (b) => ({ ...b, state: (b.state as string[]).slice(0, -1) });
    for (const kind of ['agent', 'reputation', 'validator'] as const)
      await expect((await open(cut)).item(kind, worker)).rejects.toMatchObject({ kind: 'proof' });
  });
});

describe('the list of validators', () => {
  const honest = async (limit: number): Promise<Proven[]> => {
    const proofs = await open();
    const pages = [await proofs.list('validators', '', limit)];
    for (let { next } = pages[0]!; next !== undefined; { next } = pages.at(-1)!)
      pages.push(await proofs.list('validators', next, limit));
    return pages;
  };

  it('is proven page by page: all of them, none twice, with their operators and stakes', async () => {
    const { ids } = giver.parts;
    const { state } = ids;
    const count = state.header().validators;
    const wanted = Array.from({ length: count }, (_, index) => {
      const v = state.validator(index)!;
      return [v.id, VALIDATOR_STATUS[v.status], toHex(state.agentKey(v.agent)), v.staked];
    });
    for (const [limit, pages] of [
      [1, count],
      [3, Math.ceil(count / 3)],
      [50, 1],
    ] as const) {
      const found = await honest(limit);
      expect(found.length).toBe(pages);
      const all = found.flatMap(({ validators }) => validators!);
      expect(all.map((v) => [v.id, v.status, v.agent_key, v.staked_amount])).toEqual(wanted);
    }
    expect((await (await open()).whole('validators')).validators!.length).toBe(count);
    expect((await (await open()).list('validators', '00ffffff')).validators).toEqual([]);
  });

  it.each<[string, string, Lie, limit?: number]>([
    ['leaves out the last one', 'proof', (b) => ({ ...b, state: (b.state as string[]).slice(0, -1) })],
    ['says that the list ends before it does', 'proof', (b) => ({ ...b, last: 'ffffffff', is_end: true })],
    ['goes on behind the last one', 'proof', (b) => ({ ...b, last: '000000ff' }), 20],
    ['shows leaves of another state', 'proof', (b) => ({ ...b, core_root: '00'.repeat(32) })],
    ['shows no leaves', 'answer', (b) => ({ ...b, state: undefined })],
    ['begins elsewhere', 'proof', (b) => ({ ...b, first: '00000001' })],
    ['has another row', 'proof', (b) => ({ ...b, state: (b.state as string[]).map(withOtherByte) })],
  ])('that %s is a fault', async (_, kind, lie, limit = 3) => {
    const proofs = await open(lie);
    await expect(proofs.list('validators', '', limit)).rejects.toMatchObject({ name: 'LogFault', kind });
  });

  it('that goes back to where it was is a fault: it would never end', async () => {
    const [page] = await honest(3);
    const proofs = await open((b) => ({ ...b, last: '00000000', is_end: false }));
    await expect(proofs.list('validators', page!.next)).rejects.toMatchObject({
      name: 'LogFault',
      kind: 'proof',
    });
  });

  /** Byte 100 of a leaf is one of a row, or of the header. */
  function withOtherByte(leaf: string): string {
    const at = 2 * (4 + 100);
    return `${leaf.slice(0, at)}${leaf[at] === '0' ? '1' : '0'}${leaf.slice(at + 1)}`;
  }
});

it('a node that has dropped a document with older history says so, and proves what it still has', async () => {
  const { store } = giver.parts;
  const proofs = await open();
  const [task] = [...giver.ids];
  const key = taskKey('text', fromHex(task!)!);
  const set = new WriteSet(store);
  putDocumentsStart(set, { seq: 9, order: 9, time_secs: 9 });
  await store.write([...droppedRow(key, store.get(key)), ...set.ops()]);
  const details = { history_from: expect.objectContaining({ documents_seq: 9 }) };
  expect(() => proofAnswer(giver, `/v1/proof/task/${task}`)).toThrow(
    expect.objectContaining({ code: 'history_dropped', details }),
  );
  expect((await proofs.item('result', task!)).documents.length).toBe(1);
  expect((await proofs.item('task', 'ab'.repeat(16))).documents).toEqual([]);
});
