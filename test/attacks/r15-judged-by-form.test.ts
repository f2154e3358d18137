// R15: work judged by its form. A result that is only a hash, with fluent prose beside it, was paid against its poster's
// dispute; an honest text in Chinese was refused by the score while its poster was away, which refunded the poster and
// slashed the worker. What stands against it (protocol 15.1 to 15.3): the score is advice; nothing that the worker says
// about its own result is read; silence pays what was delivered; a hash alone is no delivery.

import { expect, test } from 'vitest';
import { Autovalidator } from '../../host/duties/autovalidator.ts';
import { type Parts, SEAT_KEY } from '../host/one-node/harness.ts';
import { act, POSTER, post, TOKEN, task, WORKER, withAgents } from '../host/one-node/task-life.ts';
import { report } from './figures.ts';

const PROSE =
  'Harbour traffic summary. The count of vessels was high this week, and vessels waited. Traffic grew, ' +
  'since most of the vessels came in at night, and the harbour had room for forty of them.';
const CHINESE =
  '本周港口交通概要。进港船舶共二百一十二艘，其中一百四十艘在夜间到达。周二和周五最为繁忙，平均等候时间为三小时。' +
  '与上周相比，集装箱船增加了百分之十二，渔船减少了百分之四。码头三号因维修关闭两天，因此部分船舶改停五号码头。';

const balance = (p: Parts, key: { publicKey: Uint8Array }): number =>
  p.ids.state.agent(p.ids.find(key.publicKey)!.index)!.balance;
const staked = (p: Parts): number => p.ids.state.agent(p.ids.find(WORKER.publicKey)!.index)!.staked;

/** A node whose validator votes by itself. */
function judge(p: Parts): Autovalidator {
  let nonce = 0;
  return new Autovalidator({
    store: p.store,
    ids: p.ids,
    pending: p.pending,
    key: SEAT_KEY,
    chainId: 'vws-testnet-1',
    clock: p.clock,
    randomBytes: () => Uint8Array.from({ length: 16 }, (_, i) => (i === 0 ? ++nonce : i)),
    log: { info() {}, warn() {} },
    submit: (s) => p.sequencer.submit(s),
  });
}

async function delivered(
  p: Parts,
  result: Record<string, unknown>,
  over: Record<string, unknown> = {},
): Promise<string> {
  const id = await post(p, over);
  await act(p, WORKER, id, 'claim');
  expect(await act(p, WORKER, id, 'submit', result)).toBeUndefined();
  return id;
}

const hash = { result_hash: 'x' };
const NOTHING: Record<string, Record<string, unknown>> = {
  'a summary': { ...hash, evidence: { summary: PROSE } },
  'a note': { ...hash, result_note: PROSE },
  'summary, preview and note': {
    ...hash,
    result_note: PROSE,
    evidence: { summary: PROSE, output_preview: PROSE },
  },
  'a size of an image': {
    ...hash,
    result_note: PROSE,
    evidence: { output_type: 'image', output_size: 90_000 },
  },
};

for (const [name, result] of Object.entries(NOTHING)) {
  test(`a hash with ${name} is refused, and nothing is paid for it`, async () => {
    const p = await withAgents();
    const before = balance(p, WORKER);
    const id = await post(p);
    await act(p, WORKER, id, 'claim');
    expect(await act(p, WORKER, id, 'submit', result)).toBe('delivery_missing');
    await p.clock.advance(4_000_000);
    const earned = (balance(p, WORKER) - before) / TOKEN;
    report({
      attack: 'R15',
      what: `tokens of 10 for a hash with ${name}`,
      before: '9.99',
      after: `${earned}`,
    });
    expect(task(p, id)).toMatchObject({ status: 'open', escrow_amount: 10 * TOKEN });
    expect(earned).toBe(0);
  });
}

test('a hash with prose and a place is not paid by silence', async () => {
  const p = await withAgents();
  const [before, spent] = [balance(p, WORKER), balance(p, POSTER)];
  const result = { ...NOTHING['a summary']!, result_uri: 'https://worker.example/result' };
  const id = await delivered(p, result, { delivered: 'external', challenge_window_secs: 5 });
  await p.clock.advance(12_000);
  expect(task(p, id)).toMatchObject({ status: 'cancelled', resolution: 'unreviewed' });
  expect(balance(p, WORKER)).toBe(before);
  expect(balance(p, POSTER)).toBe(spent);
});

test("the task's own description is no delivery", async () => {
  const p = await withAgents();
  const description = 'Count the vessels of each day and say which weeks were busy.';
  const id = await delivered(p, { result_content: description }, { description });
  await act(p, POSTER, id, 'dispute');
  expect(task(p, id)).toMatchObject({ status: 'cancelled', resolution: 'nothing_delivered' });
});

test('an honest text in Chinese is paid while its poster is away, and nobody is slashed', async () => {
  const p = await withAgents();
  const auto = judge(p);
  const [before, stake] = [balance(p, WORKER), staked(p)];
  const id = await delivered(p, { result_content: CHINESE }, { challenge_window_secs: 5 });
  auto.onExecuted(p.events);
  await p.clock.advance(12_000);
  auto.onExecuted(p.events);
  await p.clock.advance(4_000_000);
  const earned = balance(p, WORKER) - before;
  const what = 'tokens of 10 for an honest Chinese text, poster away';
  report({ attack: 'R15', what, before: '0, and a tenth of the stake lost', after: `${earned / TOKEN}` });
  expect(task(p, id)).toMatchObject({ status: 'completed', resolution: 'window_passed' });
  expect(earned).toBe(10 * TOKEN - 10_000);
  expect(staked(p)).toBe(stake);
  expect(p.events.filter((e) => e.event_type === 'slash')).toEqual([]);
});
