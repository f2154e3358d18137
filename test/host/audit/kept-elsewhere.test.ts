// What an auditor kept of earlier runs where the network is another one by now, or the program: it says so in its own words,
// and changes nothing.

import { beforeAll, expect, it } from 'vitest';
import { rowKey } from '../../../host/store/prefixes.ts';
import { readJson } from '../../../host/store/write-set.ts';
import { utf8 } from '../../../host/wire/bytes.ts';
import { GENESIS } from '../net/join-world.ts';
import { begin, nodeThat, open } from './auditors.ts';
import { PlainStore } from './giver-source.ts';

beforeAll(begin);

/** Rows of an earlier run, described otherwise. */
async function keptAs(other: object): Promise<PlainStore> {
  const store = new PlainStore();
  await (await open(nodeThat(), { store })).close();
  const meta = readJson<object>(store.get(rowKey.meta('meta')))!;
  await store.write([{ key: rowKey.meta('meta'), value: utf8(JSON.stringify({ ...meta, ...other })) }]);
  return store;
}

const OLD = 'ab'.repeat(32);
it.each([
  [
    'another network',
    { genesis_hash: OLD },
    `what was kept of earlier runs is of network ${OLD}, the node's is ${GENESIS.hashHex}: a network that was founded anew is another one. Delete what was kept, or keep it apart. Nothing was changed`,
  ],
  [
    'another form',
    { schema: 3 },
    'what was kept of earlier runs has format 3, this program reads 9: delete it, and the next run computes it anew. Nothing was changed',
  ],
])('%s', async (_, other, said) => {
  const store = await keptAs(other);
  const before = JSON.stringify(readJson(store.get(rowKey.meta('meta'))));
  const fault = await open(nodeThat(), { store }).catch((error: unknown) => error);
  expect(fault).toMatchObject({ name: 'StoreError', message: said });
  expect(JSON.stringify(readJson(store.get(rowKey.meta('meta'))))).toBe(before);
});
