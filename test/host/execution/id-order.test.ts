// Ids of agents and their order: as the texts are, whatever they share, and without asking for a name.

import fc from 'fast-check';
import { expect, it } from 'vitest';
import { IdOrder } from '../../../host/execution/id-order.ts';
import { MemoryStore } from '../../../host/store/memory-store.ts';
import { rowKey } from '../../../host/store/prefixes.ts';
import { WriteSet } from '../../../host/store/write-set.ts';
import { finished } from '../views/finished.ts';

const ID = /^[A-Za-z0-9._:/-]{1,64}$/;
const asTexts = (ids: readonly string[]): number[] =>
  [...ids.keys()].sort((a, b) => (ids[a]! < ids[b]! ? -1 : ids[a]! > ids[b]! ? 1 : 0));
const never = (agent: number): string => {
  throw new Error(`asked for the name of agent ${agent}`);
};

it('is the order of the ids, with heads and rests alike or one the beginning of the other', () => {
  const end = fc.stringMatching(/^[A-Za-z0-9._:/-]{1,24}$/);
  const id = fc
    .tuple(fc.constantFrom('', 'crowd/', 'crowd/00', 'crowd/0000-'), end)
    .map((two) => two.join(''));
  fc.assert(
    fc.property(fc.uniqueArray(id, { minLength: 2, maxLength: 200 }), (ids) => {
      expect(ids.every((text) => ID.test(text))).toBe(true);
      const order = new IdOrder(never);
      for (const [agent, id] of ids.entries()) order.set(agent, { id });
      expect([...finished(order.sorted(ids.length))]).toEqual(asTexts(ids));
      expect(ids.map((_, agent) => order.text(agent))).toEqual(ids);
      for (let a = 0; a < ids.length; a++) expect(order.compare(a, a)).toBe(0);
    }),
    { numRuns: 100 },
  );
});

it('holds for many pages of the longest ids', () => {
  const ids = Array.from(
    { length: 20_000 },
    (_, i) => `${'same-beginning-of-every-name'}${String((i * 7919) % 20_000).padStart(36, '.')}`,
  );
  expect(ids[0]).toHaveLength(64);
  const order = new IdOrder(never);
  for (const [agent, id] of ids.entries()) order.set(agent, { id });
  expect([...finished(order.sorted(ids.length))]).toEqual(asTexts(ids));
  expect(ids.map((_, agent) => order.text(agent))).toEqual(ids);
});

it('asks for names only of public keys that share eight digits', () => {
  const key = (head: string, rest: string): string => head + rest.repeat(56);
  const ids = [key('aaaaaaaa', 'b'), key('aaaaaaaa', 'a'), key('aaaaaaab', '0'), 'aaaaaaaa'];
  const asked = new Set<number>();
  const order = new IdOrder((agent) => {
    asked.add(agent);
    return ids[agent]!;
  });
  for (const [agent, id] of ids.entries()) order.set(agent, { id });
  expect(order.compare(0, 2)).toBeLessThan(0);
  expect([...asked]).toEqual([]);
  expect([...finished(order.sorted(ids.length))]).toEqual([3, 1, 0, 2]);
  expect(asked.has(2)).toBe(false);
  expect(asked.has(0)).toBe(true);
  expect(ids.map((_, agent) => order.text(agent))).toEqual(ids);
});

it('reads the ids of all agents from a store', async () => {
  const store = new MemoryStore();
  const ids = ['crowd/12', 'crowd/123', 'crowd/10', 'alice'];
  const set = new WriteSet(store);
  for (const [agent, id] of ids.entries())
    set.putJson(rowKey.agent(agent), { id, ...(agent === 1 ? { name: '' } : {}) });
  await store.write(set.ops());
  const order = new IdOrder(never);
  for await (const _ of order.load(store));
  expect(ids.map((_, agent) => order.text(agent))).toEqual(ids);
  expect([...finished(order.sorted(ids.length))]).toEqual([3, 2, 0, 1]);
  expect(ids.map((_, agent) => order.isNamed(agent))).toEqual([false, true, false, false]);
  expect([order.text(4), order.text(5000)]).toEqual([undefined, undefined]);
});
