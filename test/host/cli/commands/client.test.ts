// The client commands against a fake node: what they send, what they print, how they fail.

import { chmodSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import type { FakeNode, Received } from '../../client/fake-node.ts';
import { fakeAgent } from '../fake-agent.ts';
import { scratch, vws } from '../harness.ts';

let node: FakeNode;
let keyPath: string;
let ownKey: string;
beforeEach(async () => {
  ({ node, keyPath, ownKey } = await fakeAgent());
});

const signed = (...args: string[]) => vws([...args, '--node', node.url, '--key', keyPath]);
const sentBody = (): unknown => JSON.parse(node.writes().at(-1)?.body ?? 'null');
const echo = ({ txid, body }: Received) => ({
  status: 201,
  body: { event_id: txid, sent: JSON.parse(body) },
});

it('a key file that other users may open is used, with a warning', async () => {
  node.on('GET /v1/agents', { body: {} });
  node.on(`GET /v1/agents/${ownKey}/balance`, { body: { balance: 1 } });
  expect((await signed('balance')).err).toBe('');
  chmodSync(keyPath, 0o640);
  const { code, err } = await signed('balance', '--json');
  expect([code, err.trim()]).toEqual([
    0,
    `warning: other users may open the key file ${keyPath}: chmod 600 ${keyPath}`,
  ]);
});

describe('writes from the command line', () => {
  it.each([
    ['agents', ['register'], {}],
    [
      'agents',
      ['register', '--agent-id', 'bob', '--stake', '1.5t'],
      { agent_id: 'bob', initial_stake: 1_500_000 },
    ],
    ['stake', ['stake', '--amount', '250t'], { amount: 250_000_000 }],
    ['unstake', ['unstake', '--amount', '7'], { amount: 7 }],
    [
      'transfer',
      ['transfer', '--to', 'b', '--amount', '2t', '--memo', 'hi'],
      { to_agent: 'b', amount: 2_000_000, memo: 'hi' },
    ],
    [
      'generation',
      ['generation', '--value', '80t', '--evidence-hash', 'sha256:42', '--description', 'd', '--for', 'b'],
      { claimed_value: 80_000_000, evidence_hash: 'sha256:42', task_description: 'd', beneficiary: 'b' },
    ],
    [
      'verify',
      ['verify', '--event', 'e', '--verdict', 'true', '--value', '60t'],
      { event_id: 'e', verdict: true, verified_value: 60_000_000 },
    ],
    ['verify', ['verify', '--event', 'e', '--verdict', 'false'], { event_id: 'e', verdict: false }],
    [
      'verify',
      ['verify', '--event', 'e', '--verdict', 'false', '--ground', 'fraud'],
      { event_id: 'e', verdict: false, ground: 'fraud' },
    ],
    [
      'verify',
      ['verify', '--event', 'e', '--verdict', 'true', '--share', '40%'],
      { event_id: 'e', verdict: true, worker_share_bp: 4000 },
    ],
  ])('%s: %s', async (path, args, body) => {
    node.on('GET /v1/events/e', { body: { event_id: 'e', event_type: 'transfer' } });
    node.on(`POST /v1/${path}`, echo);
    const ran = await signed(...args, '--json');
    expect(ran.code).toBe(0);
    expect(sentBody()).toEqual(body);
    const [sent] = node.writes() as [Received];
    expect(sent.txid).toBeDefined();
    expect(sent.headers['x-service-actor']).toBe(ownKey);
    expect(JSON.parse(ran.out)).toEqual({ event_id: sent.txid, sent: body });
  });

  const TASK = '4242424242424242424242424242abcd';
  const DELIVERY = { event_id: 'e', event_type: 'task_submitted', task_id: TASK };
  const verdict = ['verify', '--event', 'e', '--verdict', 'true'];

  it('a verdict is signed with the task that is judged: the one that is given, or the one that was said', async () => {
    node.on('GET /v1/events/e', { body: DELIVERY }).on('POST /v1/verify', echo);
    const said = await signed(...verdict);
    expect(said.err).toBe(`verify: on the delivery of task ${TASK}, and on no other`);
    expect(sentBody()).toEqual({ event_id: 'e', task_id: TASK, verdict: true });
    const given = await signed(...verdict, '--task', TASK.toUpperCase());
    expect(given.err).toBe('');
    expect(sentBody()).toEqual({ event_id: 'e', task_id: TASK, verdict: true });
    // Of a node that hides of which task its event is, the network knows.
    node.on('GET /v1/events/e', { body: { event_id: 'e', event_type: 'transfer' } });
    await signed(...verdict, '--task', TASK);
    expect(sentBody()).toEqual({ event_id: 'e', task_id: TASK, verdict: true });
  });

  it.each([
    ['of another task than was judged', DELIVERY, ['--task', 'ab'.repeat(16)], 'is of task 4242'],
    ['of a task that is not named', { ...DELIVERY, task_id: undefined }, [], 'bad_answer'],
    ['of no kind that takes verdicts', { event_id: 'e', event_type: 'stake' }, [], 'takes no verdict'],
  ])('a verdict is not sent on an event %s', async (_, shown, more, why) => {
    node.on('GET /v1/events/e', { body: shown });
    const ran = await signed(...verdict, ...more);
    expect(ran.err).toContain(why);
    expect(node.writes()).toEqual([]);
  });

  it('a verdict recognises no more of a generation than was shown', async () => {
    node.on('GET /v1/events/e', {
      body: { event_id: 'e', event_type: 'generation', claimed_value: 60_000_000 },
    });
    node.on('POST /v1/verify', echo);
    expect((await signed(...verdict)).err).toBe('verify: recognises 60t, and no more');
    expect(sentBody()).toEqual({ event_id: 'e', verdict: true, verified_value: 60_000_000 });
    await signed('verify', '--event', 'e', '--verdict', 'false');
    expect(sentBody()).toEqual({ event_id: 'e', verdict: false });
  });

  it('print labelled lines without --json', async () => {
    node.on('POST /v1/stake', { body: { event_id: 'e', staked_amount: 5_000_000 } });
    const ran = await signed('stake', '--amount', '5t');
    expect(ran.io.outLines).toEqual(['Event ID: e', 'Staked amount: 5000000 (5t)']);
  });

  it('go out unsigned without a key, or with the API key', async () => {
    node.on('POST /v1/stake', { body: {} });
    const args = ['stake', '--amount', '1'];
    await vws(args, { env: { SERVICE_NODE: node.url } });
    await vws(args, { env: { SERVICE_NODE: node.url, SERVICE_API_KEY: 'vws_1' } });
    expect(node.writes().map(({ headers }) => [headers['x-service-actor'], headers['x-api-key']])).toEqual([
      [undefined, undefined],
      [undefined, 'vws_1'],
    ]);
  });

  it('are signed for the chain of SERVICE_TESTNET when that is set', async () => {
    node.on('POST /v1/stake', { body: {} });
    const env = { SERVICE_NODE: node.url, SERVICE_KEY: keyPath, SERVICE_TESTNET: 'false' };
    await vws(['stake', '--amount', '1'], { env });
    expect(node.writes().at(-1)?.headers['x-service-chain-id']).toBe('vws-mainnet-1');
    expect(node.received).toHaveLength(1);
  });
});

describe('reads from the command line', () => {
  it('status through the variable', async () => {
    const ran = await vws(['status', '--json'], { env: { SERVICE_NODE: node.url } });
    expect(JSON.parse(ran.out)).toEqual({ chain_id: 'vws-testnet-1' });
  });

  it('balance of the key given by --key, or of another agent', async () => {
    node.on(`GET /v1/agents/${ownKey}/balance`, { body: { agent_id: ownKey, balance: 1 } });
    node.on('GET /v1/agents/bob/balance', { body: { agent_id: 'bob', balance: 2 } });
    expect((await signed('balance')).out).toContain(`Agent ID: ${ownKey}`);
    expect((await signed('balance', '--agent', 'bob')).out).toContain('Balance: 2 (0.000002t)');
    expect((await vws(['balance', '--node', node.url])).code).toBe(2);
  });

  it('info merges profile, balance and stake, each member once', async () => {
    const reputation = { agent_id: 'bob', reputation_score: 5, total_completed: 1 };
    node.on('GET /v1/agents/bob', {
      body: { agent_id: 'bob', reputation_score: 5, reputation, balance: 2, staked_amount: 3 },
    });
    node.on('GET /v1/agents/bob/balance', {
      body: { agent_id: 'bob', balance: 2, staked_amount: 3, reserved: 4 },
    });
    node.on('GET /v1/agents/bob/stake', { body: { agent_id: 'bob', staked_amount: 3, exposure: 4 } });
    const ran = await vws(['info', '--agent', 'bob', '--node', node.url]);
    expect(ran.io.outLines.map((line) => line.split(':')[0])).toEqual([
      'Agent ID',
      'Reputation score',
      'Balance',
      'Staked amount',
      'Reserved',
      'Reputation total completed',
      'Exposure',
    ]);
    const json = JSON.parse((await vws(['info', '--agent', 'bob', '--node', node.url, '--json'])).out);
    expect(Object.keys(json)).toEqual(['profile', 'balance', 'stake']);
  });

  it('pending as a table, with its filter and limit', async () => {
    const event = {
      event_id: 'e1',
      event_type: 'transfer',
      agent_id: 'a',
      amount: 4_000_000,
      deadline: 1_800_000_000,
    };
    node.on('GET /v1/pending', { body: [event] });
    await vws(['pending', '--node', node.url, '--assigned-to', 'v1']);
    expect(node.received.at(-1)?.url).toBe('/v1/pending?assigned_to=v1');
    const ran = await vws(['pending', '--node', node.url, '--type', 'transfer', '--limit', '200']);
    expect(node.received.at(-1)?.url).toBe('/v1/pending?event_type=transfer&limit=200');
    expect(ran.io.outLines).toEqual([
      'Event ID  Type      Agent  Recipient  Amount  Deadline              Task',
      'e1        transfer  a      -          4t      2027-01-15T08:00:00Z  -',
    ]);
    expect((await vws(['pending', '--node', node.url, '--limit', 'x'])).code).toBe(2);
    await vws(['pending', '--node', node.url, '--limit', '200', '--page', '3']);
    expect(node.received.at(-1)?.url).toBe('/v1/pending?limit=200&page=3');
    expect((await vws(['pending', '--node', node.url, '--page', '0'])).code).toBe(2);
    // A node would lower it without a word.
    const { code, err } = await vws(['pending', '--node', node.url, '--limit', '201']);
    expect([code, err]).toEqual([2, 'error: --limit: "201" is not an integer from 1 to 200 (config)']);
  });
});

describe('failures', () => {
  it("print the server's text and code and end with 1", async () => {
    const body = { error: 'already registered', code: 'already_registered' };
    node.on('POST /v1/agents', { status: 409, body });
    const ran = await signed('register');
    expect(ran.code).toBe(1);
    expect(ran.io.errLines).toEqual(['error: already registered (already_registered)']);
    expect(ran.out).toBe('');
  });

  it('end with 5 when no node answers', async () => {
    const { url } = node;
    await node.stop();
    for (const args of [['status'], ['stake', '--amount', '1', '--key', keyPath]]) {
      const ran = await vws([...args, '--node', url]);
      expect(ran.code).toBe(5);
      expect(ran.err).toMatch(/^error: no answer from .+ \(unreachable\)$/m);
    }
  });

  it('end with 3 for a missing key file, before anything is sent', async () => {
    const missing = join(scratch(), 'missing');
    expect((await vws(['stake', '--amount', '1', '--node', node.url, '--key', missing])).code).toBe(3);
    expect(node.received).toEqual([]);
  });

  it('end with 2 for wrong words, before anything is sent', async () => {
    for (const args of [
      ['stake'],
      ['stake', '--amount', '1.5'],
      ['verify', '--event', 'e', '--verdict', 'yes'],
      ['verify', '--event', 'e', '--verdict', 'true', '--share', '45%'],
      ['verify', '--event', 'e', '--verdict', 'true', '--share', '110'],
      ['status', '--node', 'nowhere'],
    ]) {
      expect((await vws(args, { env: { SERVICE_KEY: keyPath } })).code).toBe(2);
    }
    expect(node.received).toEqual([]);
  });
});
