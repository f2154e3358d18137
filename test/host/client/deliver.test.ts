// The contract of a task, run by the client before anything is sent, also where the delivery leaves it sealed.

import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openResult, signerFromSeed, VwsClient } from '../../../host/client/index.ts';
import { CHECK_MODULES } from '../../../host/modules/check-modules.ts';
import { CHECK_DIGESTS } from '../../../host/modules/module-digests.ts';
import { utf8 } from '../../../host/wire/bytes.ts';
import { sha256Hex } from '../../../host/wire/hash.ts';
import { jcs } from '../../../host/wire/json.ts';
import { CHAIN, FakeNode } from './fake-node.ts';

const ID = 'c0ffee00c0ffee00c0ffee00c0ffee00';
const seedOf = (fill: number): Uint8Array => new Uint8Array(32).fill(fill);
const poster = signerFromSeed(seedOf(3));
const worker = signerFromSeed(seedOf(7));

const checkOf = (name: 'contains' | 'size', parameters: object, seeded = false) => ({
  program: CHECK_DIGESTS[name],
  parameters,
  fuel: 10_000_000,
  fields: [],
  seeded,
});
const CHECKS = [checkOf('size', { max_bytes: 20 }, true), checkOf('contains', { all: ['Bern'] })];
const contractOf = (checks: object[]) => ({
  acceptance: checks,
  settle: 'review',
  acceptance_contract_hash: sha256Hex(utf8(jcs({ checks, settle: 'review' }))),
});
const TASK = { id: ID, poster_id: poster.publicKeyHex, delivery_method: 'public', ...contractOf(CHECKS) };

let node: FakeNode;
beforeEach(async () => {
  node = await FakeNode.start();
  node.on(`GET /v1/tasks/${ID}`, { body: TASK }).on(`POST /v1/tasks/${ID}/submit`, { body: TASK });
  for (const name of ['contains', 'size'] as const)
    node.on(`GET /v1/programs/${CHECK_DIGESTS[name]}`, { body: { module: CHECK_MODULES[name] } });
});
afterEach(() => node.stop());

const tasks = () => new VwsClient({ baseUrl: node.url, chainId: CHAIN, key: worker }).tasks;
const deliver = (text: string, isUnchecked?: boolean) =>
  tasks().deliver(ID, { result_content: text }, { isUnchecked });
const sent = () => node.writes().map(({ body }) => JSON.parse(body));

describe('a delivery for a task with a contract', () => {
  it('is sent when it passes', async () => {
    await deliver('Bern');
    expect(sent()).toEqual([{ result_content: 'Bern' }]);
  });

  it('is refused with the report, and not sent, when it fails; and sent all the same when told to', async () => {
    await expect(deliver('Chur')).rejects.toMatchObject({
      code: 'acceptance_failed',
      status: 0,
      details: { check: 1, program: CHECK_DIGESTS.contains, end: 'fail', score_bp: 0 },
      message: expect.stringContaining('does not contain "Bern"'),
    });
    await expect(deliver('Bern, and much that nobody asked for')).rejects.toMatchObject({
      details: { check: 0, program: CHECK_DIGESTS.size },
    });
    expect(sent()).toEqual([]);
    await deliver('Chur', true);
    expect(sent()).toEqual([{ result_content: 'Chur' }]);
  });

  it('is checked as plain text where it is to be sealed, since nobody else can', async () => {
    node.on(`GET /v1/tasks/${ID}`, { body: { ...TASK, delivery_method: 'encrypted' } });
    await expect(deliver('Chur')).rejects.toMatchObject({ code: 'acceptance_failed' });
    expect(sent()).toEqual([]);
    await deliver('Bern');
    const [{ result_content: box }] = sent();
    expect(new TextDecoder().decode(openResult(seedOf(3), ID, box))).toBe('Bern');
  });

  it('is refused for a contract or a program that is another than its hash says', async () => {
    const easier = { ...TASK, acceptance: CHECKS.slice(0, 1) };
    node.on(`GET /v1/tasks/${ID}`, { body: easier }, { body: TASK });
    await expect(deliver('Chur')).rejects.toThrow(/contract of task .* another hash/);
    node.on(`GET /v1/programs/${CHECK_DIGESTS.contains}`, { body: { module: CHECK_MODULES.size } });
    await expect(deliver('Chur')).rejects.toThrow(/program .* another hash/);
    expect(sent()).toEqual([]);
  });

  it('is refused where a program of the contract is none', async () => {
    const module = Buffer.from('no module').toString('base64');
    const program = sha256Hex(utf8('no module'));
    node
      .on(`GET /v1/programs/${program}`, { body: { module } })
      .on(`GET /v1/tasks/${ID}`, { body: { ...TASK, ...contractOf([{ ...CHECKS[1], program }]) } });
    await expect(deliver('Bern')).rejects.toMatchObject({ code: 'bad_answer' });
    expect(sent()).toEqual([]);
  });

  it("is not made where the node shows another task: it would be sealed to that one's poster", async () => {
    const other = { ...TASK, id: 'c0ffee00c0ffee00c0ffee00c0ffee01', delivery_method: 'encrypted' };
    for (const body of [other, { ...other, id: undefined }, { ...other, id: [ID] }]) {
      node.on(`GET /v1/tasks/${ID}`, { body });
      await expect(deliver('Bern')).rejects.toMatchObject({ code: 'bad_answer' });
    }
    expect(sent()).toEqual([]);
    node.on(`GET /v1/tasks/${ID.toUpperCase()}`, { body: TASK });
    expect((await tasks().get(ID.toUpperCase())).id).toBe(ID);
  });
});

it('a result is not read that the node shows for another task: a sealed one opens there, and looks like the own', async () => {
  const result = { result_content: 'Bern', result_encrypted: false };
  node.on(`GET /v1/tasks/result/${ID}`, { body: { ...result, task_id: 'c0ffee00c0ffee00c0ffee00c0ffee01' } });
  await expect(tasks().result(ID)).rejects.toMatchObject({ code: 'bad_answer' });
  node.on(`GET /v1/tasks/result/${ID}`, { body: { ...result, task_id: ID } });
  expect(await tasks().textOf(await tasks().result(ID))).toBe('Bern');
});
