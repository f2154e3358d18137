// A command that is typed again after a lost answer does not do the same thing twice.

import { readdirSync, readFileSync } from 'node:fs';
import { beforeEach, describe, expect, it } from 'vitest';
import type { FakeNode, Received } from '../../client/fake-node.ts';
import { fakeAgent } from '../fake-agent.ts';
import { vws } from '../harness.ts';

const NO_QUORUM = {
  status: 503,
  headers: { 'retry-after': '0' },
  body: { error: 'not ordered in time; the transaction may still execute', code: 'no_quorum' },
};
const done = ({ txid }: Received) => ({ status: 201, body: { event_id: txid, status: 'optimistic' } });
const EVENT_MISSING = { status: 404, body: { error: 'no such event', code: 'event_not_found' } };

let node: FakeNode;
let keyPath: string;
beforeEach(async () => {
  ({ node, keyPath } = await fakeAgent());
});

const PAY = ['transfer', '--to', 'bob', '--amount', '5t'];
const signed = (...args: string[]) => vws([...args, '--node', node.url, '--key', keyPath]);
const txids = () => [...new Set(node.writes().map(({ txid }) => txid))];
const kept = () => readdirSync(`${keyPath}.spool/commands`);
function gate(): { passed: Promise<void>; open(): void } {
  let open = () => {};
  const passed = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { passed, open: () => open() };
}
/** What the node says of the time, and of an event. */
const shows = (consensusTime: number, event: object = EVENT_MISSING) => {
  const [txid] = txids();
  node.on('GET /v1/status', { body: { chain_id: 'vws-testnet-1', consensus_time: consensusTime } });
  node.on(`GET /v1/events/${txid}`, event);
};

describe('after a write without an outcome', () => {
  beforeEach(async () => {
    node.on('POST /v1/transfer', NO_QUORUM);
    const ran = await signed(...PAY);
    expect(ran.code).toBe(1);
    expect(ran.io.errLines[0]).toBe(
      'error: not ordered in time; the transaction may still execute (no_quorum)',
    );
    expect(txids()).toHaveLength(1);
    expect(ran.err).toContain(`TxID: ${txids()[0]}`);
    expect(ran.err).toMatch(/^Hint: .*--resend/m);
    expect(kept()).toHaveLength(1);
    node.on('POST /v1/transfer', done);
  });

  it('the same command is refused while it may still run', async () => {
    shows(0);
    const ran = await signed(...PAY);
    expect(ran.code).toBe(1);
    expect(ran.err).toMatch(/\(outcome_open\)$/m);
    expect(ran.err).toContain(txids()[0]);
    expect(txids()).toHaveLength(1);
  });

  it('--resend sends exactly that request, and nothing is left of it', async () => {
    const ran = await signed(...PAY, '--resend');
    expect(ran.code).toBe(0);
    expect(ran.out).toContain(txids()[0]);
    expect(txids()).toHaveLength(1);
    expect(kept()).toEqual([]);
    expect((await signed(...PAY, '--resend')).err).toMatch(/\(nothing_open\)$/m);
    expect(txids()).toHaveLength(1);
  });

  it('the same command is refused once if it was carried out', async () => {
    shows(0, { body: { event_id: txids()[0] } });
    expect((await signed(...PAY)).err).toMatch(/\(executed_before\)$/m);
    expect(txids()).toHaveLength(1);
    expect((await signed(...PAY)).code).toBe(0);
    expect(txids()).toHaveLength(2);
  });

  it('the same command is signed anew once the first can never run', async () => {
    const [file] = kept();
    const { expiresAt } = JSON.parse(readFileSync(`${keyPath}.spool/commands/${file}`, 'utf8'));
    shows(expiresAt + 60);
    expect((await signed(...PAY)).err).toMatch(/\(outcome_open\)$/m);
    shows(expiresAt + 61);
    expect((await signed(...PAY)).code).toBe(0);
    expect(txids()).toHaveLength(2);
  });

  it('a refusal of what --resend sends does not end it: the first copy may still run', async () => {
    shows(0);
    node.on('POST /v1/transfer', { status: 402, body: { error: 'poor', code: 'insufficient_balance' } });
    const ran = await signed(...PAY, '--resend', '--json');
    expect(JSON.parse(ran.io.errLines[1]!)).toMatchObject({
      code: 'insufficient_balance',
      may_have_run: true,
    });
    expect(kept()).not.toEqual([]);
    node.on('POST /v1/transfer', done);
    expect((await signed(...PAY)).err).toMatch(/\(outcome_open\)$/m);
    expect(txids()).toHaveLength(1);
  });

  it('typed twice at the same time once the first can never run, it is signed anew at most once', async () => {
    const [file] = kept();
    const { expiresAt } = JSON.parse(readFileSync(`${keyPath}.spool/commands/${file}`, 'utf8'));
    shows(expiresAt + 61);
    // Both have read what was kept when either goes on.
    const asked = gate();
    let asking = 0;
    node.on(`GET /v1/events/${txids()[0]}`, async () => {
      if (++asking === 2) asked.open();
      await asked.passed;
      return EVENT_MISSING;
    });
    node.on(
      'POST /v1/transfer',
      (request) => new Promise((resolve) => setTimeout(resolve, 200, done(request))),
    );
    const codes = (await Promise.all([signed(...PAY), signed(...PAY)])).map(({ code }) => code);
    expect(txids().length).toBeLessThanOrEqual(2);
    expect(codes).toContain(1);
    expect(kept()).toEqual([]);
  });

  it('another command is not held up', async () => {
    expect((await signed('transfer', '--to', 'bob', '--amount', '6t')).code).toBe(0);
    expect(txids()).toHaveLength(2);
  });
});

it('a refusal of the first copy ends nothing while --resend of another process sends a second', async () => {
  const poor = { status: 402, body: { error: 'poor', code: 'insufficient_balance' } };
  const [first, second] = [gate(), gate()];
  node.on(
    'POST /v1/transfer',
    () => first.passed.then(() => poor),
    (request) => second.passed.then(() => done(request)),
    done,
  );
  const ran = signed(...PAY);
  await expect.poll(() => node.writes().length).toBe(1);
  const again = signed(...PAY, '--resend');
  await expect.poll(() => node.writes().length).toBe(2);
  first.open();
  const refused = await ran;
  expect(refused.err).toMatch(/\(outcome_open\)$/m);
  shows(0);
  expect((await signed(...PAY)).err).toMatch(/\(outcome_open\)$/m);
  second.open();
  expect((await again).code).toBe(0);
  expect(txids()).toHaveLength(1);
  expect(kept()).toEqual([]);
});

it('--resend sends nothing whose first copy was refused meanwhile', async () => {
  node.on('POST /v1/transfer', { status: 402, body: { error: 'poor', code: 'insufficient_balance' } });
  expect((await signed(...PAY)).code).toBe(1);
  expect((await signed(...PAY, '--resend')).err).toMatch(/\(nothing_open\)$/m);
  expect(node.writes()).toHaveLength(1);
});

it('a refusal for certain leaves nothing behind', async () => {
  const details = { trust_limit: 0, amount: 5_000_000 };
  node.on('POST /v1/transfer', { status: 403, body: { error: 'no', code: 'trust_limit_exceeded', details } });
  const ran = await signed(...PAY);
  expect(ran.io.errLines).toEqual([
    'error: no (trust_limit_exceeded)',
    '  Trust limit: 0 (0t)',
    '  Amount: 5000000 (5t)',
    'Hint: pending transfers may not exceed the trust limit: raise it with vws stake',
  ]);
  expect(kept()).toEqual([]);
  const json = await signed(...PAY, '--json');
  expect(json.out).toBe('');
  expect(json.io.errLines[0]).toBe('error: no (trust_limit_exceeded)');
  expect(JSON.parse(json.io.errLines[1]!)).toMatchObject({
    error: 'no',
    code: 'trust_limit_exceeded',
    details,
    txid: txids()[1],
    may_have_run: false,
  });
});

it('a refusal that says when to come again is shown with it', async () => {
  node.on('POST /v1/transfer', {
    status: 429,
    headers: { 'retry-after': '3590' },
    body: { error: 'rate limit exceeded', code: 'rate_limited' },
  });
  expect((await signed(...PAY)).io.errLines).toEqual([
    'error: rate limit exceeded (rate_limited)',
    '  Retry after: 3590 s',
    'Hint: type it again when that time has passed',
  ]);
  expect(JSON.parse((await signed(...PAY, '--json')).io.errLines[1]!)).toMatchObject({ retry_after: 3590 });
});

it.each([
  [{ bound: 'claims', held: 1, limit: 1, stake_missing: 100_000_000 }, ['Held: 1', 'Limit: 1']],
  [
    { bound: 'budgets', held: 0, limit: 1_000_000_000, stake_missing: 500_000_000 },
    ['Held: 0 (0t)', 'Limit: 1000000000 (1000t)'],
  ],
])('details of a refusal have their units: %j', async (details, shown) => {
  node.on('POST /v1/tasks/ab/claim', { status: 409, body: { error: 'no', code: 'claim_limit', details } });
  expect((await signed('task', 'claim', 'ab', '--max-bond', '0')).io.errLines).toEqual([
    'error: no (claim_limit)',
    `  Bound: ${details.bound}`,
    ...shown.map((line) => `  ${line}`),
    `  Stake missing: ${details.stake_missing} (${details.stake_missing / 1e6}t)`,
    'Hint: stake more with vws stake, or deliver what you hold first',
  ]);
});
