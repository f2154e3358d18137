// Which task a webhook tells its agent of (protocol 10, cancel).

import { expect, it } from 'vitest';
import { MemoryStore } from '../../../host/store/memory-store.ts';
import { taskKey } from '../../../host/store/task-rows.ts';
import { taskFor } from '../../../host/webhooks/webhooks.ts';
import { fromHex, utf8 } from '../../../host/wire/bytes.ts';

const ID = '0b'.repeat(16);
const TEXT = { title: 't', description: 'd', category: 'code' };
const OPEN = { poster_id: 'anna', budget: 5, status: 'open', routed_to: 'bob' };

async function shown(core: object, agent = 'bob') {
  const store = new MemoryStore();
  const row = (part: 'text' | 'state', doc: object) => ({
    key: taskKey(part, fromHex(ID)!),
    value: utf8(JSON.stringify(doc)),
  });
  await store.write([row('text', TEXT), row('state', { core })]);
  return taskFor(store, ID, agent);
}

it('is one that is open and routed to the agent, and no other', async () => {
  expect(await shown(OPEN)).toEqual({
    ...{ id: ID, ...TEXT },
    ...{ poster_id: 'anna', budget: 5, status: 'open' },
  });
  expect(await shown(OPEN, 'carol')).toBeUndefined();
  expect(await shown({ ...OPEN, routed_to: undefined })).toBeUndefined();
  for (const status of ['claimed', 'submitted', 'cancelled', 'completed'])
    expect(await shown({ ...OPEN, status }), status).toBeUndefined();
});
