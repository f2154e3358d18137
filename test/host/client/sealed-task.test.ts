// A sealed delivery from end to end, as the client does it: sealed, read by its two parties, opened, and what does not fit.

import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  contentKey,
  sealResult,
  signerFromSeed,
  type TaskResult,
  VwsClient,
} from '../../../host/client/index.ts';
import { fromHex } from '../../../host/wire/bytes.ts';
import { CHAIN, FakeNode } from './fake-node.ts';

const TASK = 'c0ffee00c0ffee00c0ffee00c0ffee00';
const TEXT = '\ufeffVessels of May: 212.';
const seedOf = (fill: number): Uint8Array => new Uint8Array(32).fill(fill);
const [poster, worker, stranger] = [3, 7, 9].map((fill) => signerFromSeed(seedOf(fill)));
const sealed = sealResult(seedOf(7), poster!.publicKey, TASK, TEXT);
const KEY = contentKey(seedOf(7), TASK, sealed.result_content);
const result = { task_id: TASK, status: 'submitted', ...sealed } as TaskResult;
const task = { id: TASK, poster_id: poster!.publicKeyHex, delivery_method: 'encrypted' };

let node: FakeNode;
beforeEach(async () => {
  node = await FakeNode.start();
  node
    .on(`GET /v1/tasks/${TASK}`, { body: task })
    .on(`POST /v1/tasks/${TASK}/submit`, ({ body }) => ({ body: JSON.parse(body) }));
});
afterEach(() => node.stop());

const tasksOf = (key = worker) => new VwsClient({ baseUrl: node.url, chainId: CHAIN, key: key! }).tasks;
const onlySigns = { ...worker!, open: undefined };
const sent = () => JSON.parse(node.writes().at(-1)!.body);

describe('deliver', () => {
  it('seals for the poster where the task wants that, the same each time', async () => {
    await tasksOf().deliver(TASK, { result_content: TEXT, result_note: 'n' });
    expect(sent()).toEqual({ ...sealed, result_note: 'n' });
    expect(await tasksOf(poster).textOf({ ...result, ...sent() })).toBe(TEXT);
  });

  it('leaves alone what is not to be sealed, has no text, or is sealed', async () => {
    for (const body of [{ result_hash: 'h', result_uri: 'https://x.example' }, { ...sealed }]) {
      await tasksOf().deliver(TASK, body);
      expect(sent()).toEqual(body);
    }
    node.on(`GET /v1/tasks/${TASK}`, { body: { ...task, delivery_method: 'public' } });
    await tasksOf().deliver(TASK, { result_content: TEXT });
    expect(sent()).toEqual({ result_content: TEXT });
  });

  it('sends nothing when it has no key that can seal', async () => {
    const call = tasksOf(onlySigns as never).deliver(TASK, { result_content: TEXT });
    await expect(call).rejects.toMatchObject({ code: 'bad_call' });
    expect(node.writes()).toEqual([]);
  });
});

describe('a result', () => {
  it('is read by its poster and its worker, and by nobody else before it is opened', async () => {
    for (const key of [poster, worker]) expect(await tasksOf(key).textOf(result)).toBe(TEXT);
    await expect(tasksOf(stranger).textOf(result)).rejects.toThrow(/not to this key/);
    const reads = new VwsClient({ baseUrl: node.url });
    await expect(reads.tasks.textOf(result)).rejects.toMatchObject({ code: 'bad_call' });
    const plain = { ...result, result_content: 'plain', result_encrypted: false };
    expect(await reads.tasks.textOf(plain)).toBe('plain');
  });

  it('is read by everybody once it is opened, as its key opens it and not as the node says', async () => {
    const { tasks } = new VwsClient({ baseUrl: node.url });
    const opened = { ...result, content_key: KEY, opened_content: TEXT };
    expect(await tasks.textOf(opened)).toBe(TEXT);
    await expect(tasks.textOf({ ...opened, opened_content: 'done' })).rejects.toThrow(/another text/);
    for (const lie of [
      { content_key: '5d'.repeat(32) },
      { content_key: 'x' },
      { key_commitment: '00'.repeat(32) },
    ])
      await expect(tasks.textOf({ ...opened, ...lie })).rejects.toMatchObject({ code: 'bad_answer' });
  });
});

describe('what opens a delivery', () => {
  const delivered = { ...task, ...sealed } as never;

  it('is found by both parties, and by nobody else', async () => {
    for (const key of [poster, worker])
      expect(await tasksOf(key).openingOf(delivered)).toEqual({ content_key: KEY });
    await expect(tasksOf(stranger).openingOf(delivered)).rejects.toThrow(/no content key/);
  });

  it('is nothing where nothing is sealed, and the same after it was opened', async () => {
    expect(await tasksOf().openingOf(task as never)).toEqual({});
    const opened = { ...task, ...sealed, content_key: KEY } as never;
    expect(await tasksOf().openingOf(opened)).toEqual({ content_key: KEY });
  });

  it('is refused where the worker committed to another key than is in the box', async () => {
    const other = sealResult(seedOf(7), poster!.publicKey, TASK, 'another text').key_commitment;
    const call = tasksOf(poster).openingOf({ ...task, ...sealed, key_commitment: other } as never);
    await expect(call).rejects.toThrow(/committed to another key/);
    expect(fromHex(other)).toHaveLength(32);
  });
});
