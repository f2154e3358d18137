// A task that is given instead of its id has its bond signed: a node that names too little cannot take more.

import { afterEach, beforeEach, expect, it } from 'vitest';
import { signerFromSeed, type Task, VwsClient } from '../../../host/client/index.ts';
import { FakeNode } from './fake-node.ts';

const ID = '4242424242424242424242424242abcd';
const shown = (bonds: object): Task => ({ id: ID, ...bonds }) as unknown as Task;
const TASK = shown({ worker_bond: 7, dispute_bond: 9 });

let node: FakeNode;
let client: VwsClient;
beforeEach(async () => {
  node = await FakeNode.start();
  client = new VwsClient({ baseUrl: node.url, key: signerFromSeed(new Uint8Array(32).fill(1)) });
});
afterEach(() => node.stop());

const sent = (): unknown[] => node.writes().map(({ url, body }) => [url.split('/').at(-1), JSON.parse(body)]);

it('signs the bond that the task showed, what was given, or nothing for an id alone', async () => {
  for (const verb of ['claim', 'dispute'] as const) {
    node.on(`POST /v1/tasks/${ID}/${verb}`, { body: TASK });
    await client.tasks[verb](TASK);
    await client.tasks[verb](TASK, { max_bond: 0 });
    await client.tasks[verb](ID);
  }
  expect(sent()).toEqual([
    ['claim', { max_bond: 7 }],
    ['claim', { max_bond: 0 }],
    ['claim', {}],
    ['dispute', { max_bond: 9 }],
    ['dispute', { max_bond: 0 }],
    ['dispute', {}],
  ]);
});

it.each([[{}], [{ worker_bond: -1, dispute_bond: -1 }], [{ worker_bond: 0.5, dispute_bond: '9' }]])(
  'sends nothing for a task that shows no bond: %j',
  async (bonds) => {
    const refused = { code: 'bad_answer' };
    await expect(client.tasks.claim(shown(bonds))).rejects.toMatchObject(refused);
    await expect(client.tasks.dispute(shown(bonds))).rejects.toMatchObject(refused);
    expect(sent()).toEqual([]);
  },
);
