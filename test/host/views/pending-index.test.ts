// The list of pending events in memory is the one that a start makes from the core's state (protocol 3.6).

import { expect, it } from 'vitest';
import * as abi from '../../../assembly/abi.ts';
import type { KeyPair } from '../../../host/crypto/key-pair.ts';
import { PendingIndex } from '../../../host/views/pending-index.ts';
import { toHex } from '../../../host/wire/bytes.ts';
import { agentKey } from '../../../host/wire/ids.ts';
import { type Parts, SEAT_KEY, send } from '../one-node/harness.ts';
import { act, GOOD, OTHER, POSTER, post, TOKEN, task, WORKER, withAgents } from '../one-node/task-life.ts';

async function disputed(p: Parts): Promise<string> {
  const id = await post(p);
  await act(p, WORKER, id, 'claim');
  await act(p, WORKER, id, 'submit', GOOD);
  expect(await act(p, POSTER, id, 'dispute')).toBeUndefined();
  return id;
}

it('a dispute has the place of the deadline that its contest gave it', async () => {
  const p = await withAgents({ params: { contest_secs: '100', dispute_deadline_secs: '1000' } });
  const { state } = p.ids;
  const ids = [await disputed(p), await disputed(p), await disputed(p)];
  const [first, second, third] = ids.map((id) => String(task(p, id).dispute_event_id));
  const listed = (index = p.pending): string[] => {
    const { items, total } = index.page({}, 0, 10);
    expect(total).toBe(items.length);
    return items.map((item) => toHex(state.item(item)!.eventId));
  };
  for (const id of [ids[1]!, ids[0]!]) {
    expect(await act(p, WORKER, id, 'contest')).toBeUndefined();
    await p.clock.advance(5000);
  }
  expect(listed()).toEqual([third, second, first]);
  expect(listed(new PendingIndex(state))).toEqual(listed());
  // What is settled leaves the list from its new place.
  expect(await act(p, WORKER, ids[2]!, 'concede')).toBeUndefined();
  expect(listed()).toEqual([second, first]);
  await p.clock.advance(1_010_000);
  expect(listed()).toEqual([]);
});

it('events of one deadline are listed by their rows of the core, as a start lists them', async () => {
  const p = await withAgents();
  const { state } = p.ids;
  for (const key of [POSTER, WORKER, OTHER])
    expect(await send(p, key, '/v1/stake', { amount: 100 * TOKEN })).toBeInstanceOf(Array);
  const transfer = async (key: KeyPair): Promise<string> => {
    const to = key === POSTER ? WORKER : POSTER;
    const sent = await send(p, key, '/v1/transfer', { amount: 1, to_agent: to.publicKeyHex });
    expect(sent).toBeInstanceOf(Array);
    return p.events.at(-1)!.event_id;
  };
  const agent = p.ids.find(agentKey(WORKER.publicKeyHex))!.index;
  const kind = abi.ITEM_TRANSFER;
  const filters = [{}, { agent }, { validator: 0 }, { kind }, { kind, agent, validator: 0 }, { kind: 99 }];
  const expectSame = (): void => {
    const fresh = new PendingIndex(state);
    for (const filter of filters) {
      const { items, total } = p.pending.page(filter, 0, 100);
      expect(fresh.page(filter, 0, 100)).toEqual({ items, total });
      const places = items.map((item) => [state.item(item)!.deadline, item] as const);
      expect(places).toEqual([...places].sort(([a, x], [b, y]) => a - b || x - y));
    }
  };
  const ids: string[] = [];
  for (let i = 0; i < 12; i++) ids.push(await transfer([POSTER, WORKER, OTHER][i % 3]!));
  expectSame();
  // Rows of what was settled are used again, for later deadlines.
  for (const id of [ids[7]!, ids[2]!, ids[9]!]) {
    expect(await send(p, SEAT_KEY, '/v1/verify', { event_id: id, verdict: true })).toBeInstanceOf(Array);
  }
  expect(p.pending.size).toBe(9);
  await p.clock.advance(3000);
  for (let i = 0; i < 5; i++) await transfer([POSTER, WORKER][i % 2]!);
  expect(p.pending.size).toBe(14);
  expectSame();
});

it('each filter has the page and the number that a look at every open event gives', async () => {
  const p = await withAgents();
  const { state } = p.ids;
  for (const key of [POSTER, WORKER, OTHER])
    expect(await send(p, key, '/v1/stake', { amount: 100 * TOKEN })).toBeInstanceOf(Array);
  const index = (key: KeyPair): number => p.ids.find(agentKey(key.publicKeyHex))!.index;
  await disputed(p);
  for (let i = 0; i < 20; i++) {
    const [key, to] = [
      [POSTER, WORKER],
      [WORKER, OTHER],
      [OTHER, POSTER],
    ][i % 3] as [KeyPair, KeyPair];
    expect(await send(p, key, '/v1/transfer', { amount: 1, to_agent: to.publicKeyHex })).toBeInstanceOf(
      Array,
    );
    if (i % 4 === 0) await p.clock.advance(1500);
    // Its deadline is later than those of the transfers after it.
    if (i === 7) await disputed(p);
  }
  const items = [...state.items()].map((row) => ({ row, ...state.item(row)! }));
  expect(new Set(items.map((item) => item.kind)).size).toBe(2);
  const agents = [undefined, ...[POSTER, WORKER, OTHER].map(index), 1_000_000];
  for (const kind of [undefined, 1, 2, 3, 4])
    for (const agent of agents)
      for (const validator of [undefined, 0, 1]) {
        const rows = items
          .filter((item) => kind === undefined || item.kind === kind)
          .filter((item) => agent === undefined || item.agent === agent)
          .filter((item) => validator === undefined || item.assigned.includes(validator))
          .sort((a, b) => a.deadline - b.deadline || a.row - b.row)
          .map(({ row }) => row);
        for (const offset of [0, 1, 5, 19, 22, 40]) {
          const page = p.pending.page({ kind, agent, validator }, offset, 4);
          expect(page, JSON.stringify({ kind, agent, validator, offset })).toEqual({
            items: rows.slice(offset, offset + 4),
            total: rows.length,
          });
        }
      }
});
