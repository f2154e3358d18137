// Tasks, offers, search, faucet, history and events from the command line, against a fake node.

import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { contentKey, openResult, type SealedResult, sealResult } from '../../../../host/client/index.ts';
import { createClientKeyFile } from '../../../../host/crypto/client-key-file.ts';
import { referenceVerifyMany } from '../../../../host/crypto/reference-verify.ts';
import { CHECK_MODULES } from '../../../../host/modules/check-modules.ts';
import { CHECK_DIGESTS } from '../../../../host/modules/module-digests.ts';
import { type AgentCard, claimOf } from '../../../../host/wire/agent-card.ts';
import { fromHex, utf8 } from '../../../../host/wire/bytes.ts';
import { sha256Hex } from '../../../../host/wire/hash.ts';
import { jcs } from '../../../../host/wire/json.ts';
import { FakeNode, type Received } from '../../client/fake-node.ts';
import { FakeIo, scratch, vws } from '../harness.ts';

let node: FakeNode;
let dir: string;
let keyPath: string;
let ownKey: string;
beforeEach(async () => {
  node = await FakeNode.start();
  dir = scratch();
  keyPath = join(dir, 'agent.key');
  ownKey = createClientKeyFile(keyPath).publicKeyHex;
});
afterEach(() => node.stop());

const ID = '4242424242424242424242424242abcd';
const TASK = {
  id: ID,
  status: 'open',
  budget: 2_000_000,
  category: 'data',
  poster_id: 'alice',
  posted_at: 1_800_000_000,
  title: 'Count the vessels of the whole month of May',
  delivery_method: 'public',
};
const signed = (...args: string[]) => vws([...args, '--node', node.url, '--key', keyPath]);
const echo = ({ body }: Received) => ({ status: 200, body: { sent: JSON.parse(body) } });
const sent = (): unknown => JSON.parse(node.writes().at(-1)?.body ?? 'null');

describe('vws task', () => {
  it('post says what a new category costs, where the node says so', async () => {
    const post = () => signed('task', 'post', 'Count', '--category', 'Ships', '--budget', '1');
    node.on('POST /v1/tasks', { body: TASK });
    expect(await post()).toMatchObject({ code: 0, err: '' });
    const priced = (fee: number) =>
      node.on('GET /v1/network/state', {
        body: { category_name: { category: 'ships', is_known: fee === 0, fee } },
      });
    priced(1_500_000);
    expect((await post()).err).toBe('category Ships is new: its name costs 1.5t beside the budget');
    priced(0);
    expect(await post()).toMatchObject({ code: 0, err: '' });
  });

  it.each([
    [['post', 'Count', '--budget', '2t'], 'tasks', { title: 'Count', budget: 2_000_000 }],
    [
      [
        ...['post', '--title', 'Count', '--budget', '7', '--category', 'data', '--description', 'all'],
        ...[
          '--criterion',
          'a',
          '--criterion',
          'b',
          '--check',
          'has_output',
          '--tag',
          'x',
          '--lane',
          'standard',
        ],
        ...['--delivery', 'encrypted', '--deliver-within', '60', '--review', '30', '--routing', 'exclusive'],
      ],
      'tasks',
      {
        title: 'Count',
        budget: 7,
        category: 'data',
        description: 'all',
        success_criteria: ['a', 'b'],
        required_checks: ['has_output'],
        tags: ['x'],
        assurance_lane: 'standard',
        delivery_method: 'encrypted',
        max_delivery_time_secs: 60,
        challenge_window_secs: 30,
        routing: 'exclusive',
      },
    ],
    [
      ['post', 'Part', '--budget', '1t', '--parent', ID],
      `tasks/${ID}/subtask`,
      { title: 'Part', budget: 1_000_000 },
    ],
    [
      [
        'post',
        'Count',
        '--budget',
        '2t',
        '--reserved-for',
        'bob',
        '--reserved-secs',
        '60',
        '--reserved-then',
        'open',
      ],
      'tasks',
      { title: 'Count', budget: 2_000_000, reserved_for: 'bob', reserved_secs: 60, reserved_then: 'open' },
    ],
    [
      [
        ...[
          'post',
          'Count',
          '--budget',
          '2t',
          '--contract',
          '[{"program":"json-shape","parameters":{"a":1}}]',
        ],
        ...['--settle', 'on_pass', '--worker-bond', '0', '--no-quorum', 'worker', '--delivered', 'external'],
        '--pay-external-on-silence',
      ],
      'tasks',
      {
        title: 'Count',
        budget: 2_000_000,
        acceptance: [{ program: 'json-shape', parameters: { a: 1 } }],
        settle: 'on_pass',
        worker_bond: 0,
        no_quorum: 'worker',
        delivered: 'external',
        pay_external_on_silence: true,
      },
    ],
    [
      ['post', 'Count', '--budget', '30t', '--lane', 'enterprise', '--no-downgrade'],
      'tasks',
      { title: 'Count', budget: 30_000_000, assurance_lane: 'enterprise', allow_downgrade: false },
    ],
    [
      ['commit', ID, '--outcome', 'progress', '--text', 'by hand', '--branch', 'b2', '--after', 'e1'],
      `tasks/${ID}/trajectory/commit`,
      { outcome: 'progress', approach_description: 'by hand', branch_id: 'b2', parent_commit_id: 'e1' },
    ],
    [['decline', ID, '--reason', 'busy'], `tasks/${ID}/decline`, { reason: 'busy' }],
    [['release', ID, '--reason', 'ill'], `tasks/${ID}/release`, { reason: 'ill' }],
    [['claim', ID, '--max-bond', '7'], `tasks/${ID}/claim`, { max_bond: 7 }],
    [['claim', '--id', ID, '--max-bond', '7'], `tasks/${ID}/claim`, { max_bond: 7 }],
    [['approve', ID], `tasks/${ID}/approve`, {}],
    [
      ['dispute', ID, '--reason', 'wrong', '--max-bond', '9'],
      `tasks/${ID}/dispute`,
      { reason: 'wrong', max_bond: 9 },
    ],
    [['cancel', ID], `tasks/${ID}/cancel`, {}],
  ])('%s', async (args, path, body) => {
    node.on(`POST /v1/${path}`, echo);
    const ran = await signed('task', ...args, '--json');
    expect(ran.err).toBe('');
    expect(JSON.parse(ran.out)).toEqual({ sent: body });
    expect(node.writes()[0]?.headers['x-service-actor']).toBe(ownKey);
  });

  it.each([
    [[]],
    [['frob']],
    [['post', 'Count']],
    [['show']],
    [['show', ID, '--id', ID]],
    [['list', ID]],
    [['submit', ID]],
    [['submit', ID, '--text', 'x', '--file', 'y']],
    [['submit', ID, '--file', '/nowhere/at/all']],
    [['post', 'Count', '--budget', '1', '--lane', 'best']],
    [['post', 'Count', '--budget', '1', '--contract', '{"program":"size"}']],
    [['post', 'Count', '--budget', '1', '--contract', '/nowhere/at/all']],
    [['post', 'Count', '--budget', '1', '--no-quorum', 'nobody']],
    [['post', 'Count', '--budget', '1', '--parent', ID, '--no-downgrade']],
    [['post', 'Count', '--budget', '1', '--parent', ID, '--lane', 'standard']],
    [['commit', ID]],
  ])('%s: exit 2, and nothing is sent', async (args) => {
    node.on(`GET /v1/tasks/${ID}`, { body: TASK });
    expect((await signed('task', ...args)).code).toBe(2);
    expect(node.writes()).toEqual([]);
  });

  it.each([
    ['claim', 7_000_000, '7t'],
    ['dispute', 9_000_000, '9t'],
  ])(
    '%s says which bond the task shows, and signs it as the most that may be reserved',
    async (verb, bond, text) => {
      node.on(`GET /v1/tasks/${ID}`, { body: { ...TASK, worker_bond: 7_000_000, dispute_bond: 9_000_000 } });
      // A node that named too little: what was signed is refused by the network.
      node.on(`POST /v1/tasks/${ID}/${verb}`, ({ body }) =>
        JSON.parse(body).max_bond < 90_000_000
          ? { status: 400, body: { error: 'more than max_bond', code: 'invalid_request' } }
          : { body: TASK },
      );
      const ran = await signed('task', verb, ID);
      expect(ran.io.errLines[0]).toBe(`task ${verb}: reserves a bond of ${text}, and no more`);
      expect(sent()).toEqual({ max_bond: bond });
      expect(ran.code).toBe(1);
    },
  );

  it.each([['claim'], ['dispute']])('%s: nothing is sent for a task that shows no bond', async (verb) => {
    for (const bond of [undefined, -1, '7']) {
      node.on(`GET /v1/tasks/${ID}`, { body: { ...TASK, worker_bond: bond, dispute_bond: bond } });
      expect((await signed('task', verb, ID)).err).toContain('bad_answer');
    }
    expect(node.writes()).toEqual([]);
  });

  it('lists tasks in a table that no title can spoil', async () => {
    const evil = { ...TASK, claimer_id: 'bob', title: '\u001b[2Jx\u202e\ny' };
    node.on('GET /v1/tasks', { body: [TASK, evil] });
    const ran = await vws(['task', 'list', '--node', node.url, '--status', 'open', '--worker', 'bob']);
    expect(node.received.at(-1)?.url).toBe('/v1/tasks?status=open&claimer_id=bob');
    const [heads, first, second] = ran.io.outLines;
    expect(heads).toMatch(/^Task ID +Status +Budget +Category +Poster +Worker +Posted +Title$/);
    expect(first).toMatch(
      / 2t +data +alice +- +2027-01-15T08:00:00Z +Count the vessels of the whole month of…$/,
    );
    expect(second).toMatch(/ bob .*\ufffd\[2Jx\ufffd y$/);
  });

  it('shows the score of a delivery as advice, not as a verdict, in one line', async () => {
    const verification = {
      verdict: 'fail',
      threshold: 0.7,
      reason_codes: ['below_threshold', 'no_output'],
      deterministic_report: { gates: { has_output: false }, components: {}, overall: 0.15, verifier: 'data' },
      subjective_report: { overall: 0.15 },
    };
    const paid = {
      ...TASK,
      status: 'completed',
      verification,
      verification_score: { overall: 0.15 },
      escrow_amount: 0,
    };
    node.on(`GET /v1/tasks/${ID}`, { body: paid });
    const lines = (await signed('task', 'show', ID)).io.outLines;
    expect(lines.filter((line) => /score|verification|verdict/i.test(line))).toEqual([
      'Score, which is advice: 0.15, below 0.7 (below_threshold, no_output)',
    ]);
    expect(lines.at(-1)).toBe('Escrow amount: 0 (0t)');
    expect(JSON.parse((await signed('task', 'show', ID, '--json')).out)).toEqual(paid);
    const passed = { ...verification, verdict: 'pass', reason_codes: [] };
    node.on(`GET /v1/tasks/${ID}`, {
      body: { ...paid, verification: passed, verification_score: { overall: 0.8 } },
    });
    expect((await signed('task', 'show', ID)).out).toContain('Score, which is advice: 0.8, at least 0.7');
  });

  it('lists the commits of a task, and takes a contract from a file', async () => {
    const commit = {
      event_id: 'e'.repeat(64),
      branch_id: 'main',
      outcome: 'progress',
      timestamp: 1_800_000_000,
    };
    const checkpoint_body = { approach_description: 'by\nhand' };
    node.on(`GET /v1/tasks/trajectories/${ID}`, { body: [{ ...commit, checkpoint_body }] });
    const ran = await signed('task', 'commits', ID, '--branch', 'main', '--limit', '9');
    expect(node.received.at(-1)?.url).toContain('branch_id=main&limit=9&include_bodies=true');
    expect(ran.io.outLines[1]).toBe(`${'e'.repeat(64)}  main    progress  2027-01-15T08:00:00Z  by hand`);

    node.on('POST /v1/tasks', echo);
    const file = join(dir, 'contract.json');
    writeFileSync(file, '[{"program":"size","parameters":{"max":9}}]');
    await signed('task', 'post', 'Count', '--budget', '1t', '--contract', file);
    expect(sent()).toMatchObject({ acceptance: [{ program: 'size', parameters: { max: 9 } }] });
  });

  it('--mine lists those of the key', async () => {
    node.on(`GET /v1/tasks/agent/${ownKey}`, { body: [TASK] });
    expect((await signed('task', 'list', '--mine')).out).toContain(ID);
    await signed('task', 'list', '--for-me');
    expect(node.received.at(-1)?.url).toBe(`/v1/tasks/agent/${ownKey}?role=hired`);
  });

  it('delivers a text or a file', async () => {
    node.on(`GET /v1/tasks/${ID}`, { body: TASK }).on(`POST /v1/tasks/${ID}/submit`, echo);
    writeFileSync(join(dir, 'result.txt'), 'two\nlines\n');
    await signed('task', 'submit', ID, '--file', join(dir, 'result.txt'), '--note', 'n');
    expect(sent()).toEqual({ result_content: 'two\nlines\n', result_note: 'n' });
    writeFileSync(join(dir, 'result.bin'), new Uint8Array([0xff, 0xfe]));
    const ran = await signed('task', 'submit', ID, '--file', join(dir, 'result.bin'));
    expect(ran.err).toContain('it is not UTF-8');
    await signed('task', 'submit', ID, '--hash', 'sha256:00', '--uri', 'https://x.example/r');
    expect(sent()).toEqual({ result_hash: 'sha256:00', result_uri: 'https://x.example/r' });
  });

  it('does not deliver what the contract of the task refuses, unless it is told not to check', async () => {
    const program = CHECK_DIGESTS.contains;
    const check = { program, parameters: { all: ['Bern'] }, fuel: 10_000_000, fields: [], seeded: false };
    const contract = { checks: [check], settle: 'review' };
    const acceptance = { acceptance: [check], settle: 'review' };
    node
      .on(`GET /v1/tasks/${ID}`, {
        body: { ...TASK, ...acceptance, acceptance_contract_hash: sha256Hex(utf8(jcs(contract))) },
      })
      .on(`GET /v1/programs/${program}`, { body: { module: CHECK_MODULES.contains } })
      .on(`POST /v1/tasks/${ID}/submit`, echo);
    const refused = await signed('task', 'submit', ID, '--text', 'Chur');
    expect(refused.code).toBe(1);
    expect(refused.err).toMatch(/was not sent: check 0 failed: .*"Bern".*\(acceptance_failed\)/);
    expect(node.writes()).toEqual([]);
    await signed('task', 'submit', ID, '--text', 'Chur', '--no-check');
    expect(sent()).toEqual({ result_content: 'Chur' });
  });

  it('encrypts a result that the task wants encrypted, and its poster reads it', async () => {
    const seed = JSON.parse(readFileSync(keyPath, 'utf8')).seed as string;
    node
      .on(`GET /v1/tasks/${ID}`, { body: { ...TASK, poster_id: ownKey, delivery_method: 'encrypted' } })
      .on(`POST /v1/tasks/${ID}/submit`, echo);
    await signed('task', 'submit', ID, '--text', 'a secret');
    const { result_content, result_encrypted, key_commitment } = sent() as SealedResult;
    expect(result_encrypted).toBe(true);
    expect(new TextDecoder().decode(openResult(fromHex(seed)!, ID, result_content))).toBe('a secret');

    const result = { task_id: ID, status: 'submitted', result_encrypted, result_content, key_commitment };
    node.on(`GET /v1/tasks/result/${ID}`, { body: result });
    expect((await signed('task', 'result', ID)).io.outLines).toEqual(['a secret']);
    const file = join(dir, 'out.txt');
    expect((await signed('task', 'result', ID, '--output', file)).out).toBe('');
    expect(readFileSync(file, 'utf8')).toBe('a secret');
    expect((await signed('task', 'result', ID, '--output', file)).code).toBe(1);
    const other = join(dir, 'other.key');
    createClientKeyFile(other);
    const ran = await vws(['task', 'result', ID, '--node', node.url, '--key', other]);
    expect([ran.code, ran.out]).toEqual([1, '']);
    expect(ran.err).not.toContain('API of a vws node');
    const keyless = await vws(['task', 'result', ID, '--node', node.url]);
    expect([keyless.code, keyless.out]).toEqual([2, '']);
    expect(keyless.err).toMatch(/sealed.*--key/);

    // What was opened needs no key.
    const opened = {
      content_key: contentKey(fromHex(seed)!, ID, result_content),
      opened_content: 'a secret',
    };
    node.on(`GET /v1/tasks/result/${ID}`, { body: { ...result, ...opened } });
    expect((await vws(['task', 'result', ID, '--node', node.url])).io.outLines).toEqual(['a secret']);
  });

  it.each([
    ['nothing was delivered: the task is open', { status: 'open' }],
    [
      'a hash alone was delivered, 00ff, and the content is said to be at https://example.com/r',
      { status: 'submitted', result_hash: '00ff', result_uri: 'https://example.com/r' },
    ],
  ])('a result without content is no result: %s', async (text, more) => {
    const result = { task_id: ID, result_content: '', result_encrypted: false, ...more };
    node.on(`GET /v1/tasks/result/${ID}`, { body: result });
    const file = join(dir, 'none.txt');
    const ran = await signed('task', 'result', ID, '--output', file);
    expect([ran.code, ran.out, ran.err]).toEqual([1, '', `error: ${text} (no_content)`]);
    expect(existsSync(file)).toBe(false);
    expect((await signed('task', 'result', ID, '--json')).code).toBe(0);
  });

  it('seals nothing to a poster with a name whose key the node only says, unless the key is given', async () => {
    const says = { agent_id: 'alice', public_key: Buffer.from(ownKey, 'hex').toString('base64') };
    const genesis = { status: 404, body: { code: 'not_ready', error: 'no checkpoint yet' } };
    node
      .on(`GET /v1/tasks/${ID}`, { body: { ...TASK, delivery_method: 'encrypted' } })
      .on('GET /v1/agents/alice', { body: says })
      .on('GET /v1/genesis', genesis)
      .on(`POST /v1/tasks/${ID}/submit`, echo);
    const ran = await signed('task', 'submit', ID, '--text', 'a secret');
    expect([ran.code, ran.err]).toEqual([
      1,
      expect.stringMatching(/nothing was sealed.*\(poster_unproven\)\nHint: .*--poster-key/),
    ]);
    expect(node.writes()).toEqual([]);
    await signed('task', 'submit', ID, '--text', 'a secret', '--poster-key', ownKey);
    const seed = fromHex(JSON.parse(readFileSync(keyPath, 'utf8')).seed as string)!;
    expect(new TextDecoder().decode(openResult(seed, ID, (sent() as SealedResult).result_content))).toBe(
      'a secret',
    );
    for (const option of ['--poster-key', '--genesis'])
      expect((await signed('task', 'submit', ID, '--text', 'a secret', option, 'ab')).code).toBe(2);
  });

  it('opens a sealed delivery with the answer to its dispute, and otherwise only when told to', async () => {
    const seed = fromHex(JSON.parse(readFileSync(keyPath, 'utf8')).seed as string)!;
    const sealed = sealResult(seed, fromHex(ownKey)!, ID, 'a secret');
    const content_key = contentKey(seed, ID, sealed.result_content);
    const shown = { ...TASK, dispute_bond: 5, delivery_method: 'encrypted', ...sealed };
    node.on(`GET /v1/tasks/${ID}`, { body: shown });
    for (const verb of ['contest', 'dispute', 'open', 'concede'])
      node.on(`POST /v1/tasks/${ID}/${verb}`, echo);
    await signed('task', 'contest', ID, '--reason', 'it is there');
    expect(sent()).toEqual({ reason: 'it is there', content_key });
    await signed('task', 'dispute', ID, '--reason', 'late');
    expect(sent()).toEqual({ reason: 'late', max_bond: 5 });
    await signed('task', 'dispute', ID, '--open');
    expect(sent()).toEqual({ content_key, max_bond: 5 });
    await signed('task', 'open', ID);
    expect(sent()).toEqual({ content_key });
    await signed('task', 'concede', ID);
    expect(sent()).toEqual({});
    node.on(`GET /v1/tasks/${ID}`, { body: { ...shown, content_key } });
    await signed('task', 'contest', ID);
    expect(sent()).toEqual({ content_key });
    expect((await signed('task', 'open', ID)).code).toBe(2);
  });
});

describe('offers', () => {
  it.each([
    [
      ['post', 'Counts', '--category', 'data', '--price', '3', '--tag', 'x'],
      'POST /v1/registry',
      { name: 'Counts', category: 'data', price_tok: 3, tags: ['x'] },
    ],
    [
      ['join', '--category', 'data', '--category', 'code', '--min-budget', '1t', '--max-concurrent', '2'],
      'POST /v1/router/register',
      { categories: ['data', 'code'], tags: [], price_per_task: 1_000_000, max_concurrent: 2 },
    ],
    [['pause'], 'PUT /v1/router/availability/OWN', { available: false }],
    [['resume', 'bob'], 'PUT /v1/router/availability/bob', { available: true }],
    [['leave'], 'DELETE /v1/router/register/OWN', {}],
    [['withdraw'], 'DELETE /v1/registry/OWN', {}],
  ])('%s', async (args, endpoint, body) => {
    node.on(endpoint.replace('OWN', ownKey), echo);
    const ran = await signed('offer', ...args, '--json');
    expect(ran.err).toBe('');
    expect(JSON.parse(ran.out)).toEqual({ sent: body });
  });

  it('take an agent card, signed with the key', async () => {
    node.on('POST /v1/registry', echo);
    const post = (card: string) => {
      const path = join(dir, 'card.json');
      writeFileSync(path, card);
      return signed('offer', 'post', 'Counts', '--category', 'data', '--card', path);
    };
    expect((await post('{"name":"Bob"}')).code).toBe(0);
    const { agent_card } = sent() as { agent_card: AgentCard };
    const { message, signature } = claimOf(agent_card)!;
    expect(agent_card.name).toBe('Bob');
    expect(referenceVerifyMany([{ message, signature, publicKey: fromHex(ownKey)! }])).toEqual(
      Uint8Array.of(1),
    );
    expect((await post('{')).err).toMatch(/^error: --card .*card\.json: .*JSON/);
    expect((await post('[]')).err).toMatch(/^error: --card .*card\.json: not a JSON object/);
  });

  it('are searched with words, best first', async () => {
    const row = { overall_rank: 1, agent_id: 'bob', service_name: 'Counts', category: 'data', price_tok: 3 };
    node.on('GET /v1/discover', {
      body: [{ ...row, composite_score: 0.5, reputation_score: 9, tasks_completed: 2 }],
    });
    const ran = await vws(['search', 'count', 'vessels', '--max-budget', '5t', '--node', node.url]);
    expect(node.received.at(-1)?.url).toBe('/v1/discover?q=count+vessels&max_budget=5000000');
    expect(ran.io.outLines[1]).toMatch(/^1 +bob +Counts +data +3t +0\.500 +9 +2$/);
  });
});

describe('the rest of a day', () => {
  it('faucet, economics, history', async () => {
    node.on('POST /v1/faucet', { body: { event_id: 'e', amount: 5_000_000 } });
    expect((await signed('faucet')).out).toContain('Amount: 5000000 (5t)');
    node.on('GET /v1/economics', { body: { total_supply: 10, reserves: { dispute: 4 } } });
    expect((await signed('economics')).io.outLines).toEqual([
      'Total supply: 10 (0.00001t)',
      'Reserves dispute: 4 (0.000004t)',
    ]);
    const event = {
      event_id: 'e',
      event_type: 'transfer',
      settlement_state: 'optimistic',
      timestamp: 1_800_000_000,
    };
    node.on('GET /v1/events/recent', { body: [{ ...event, amount: 5, recipient_id: 'bob', memo: 'x' }] });
    const ran = await signed('history', '--type', 'transfer');
    expect(node.received.at(-1)?.url).toBe(`/v1/events/recent?agent_id=${ownKey}&event_type=transfer`);
    expect(ran.io.outLines[1]).toMatch(/^2027-01-15T08:00:00Z +e +transfer +optimistic +0\.000005t +bob +x$/);
  });

  it('an event type that does not exist is refused, not waited for', async () => {
    const ran = await vws(['events', '--node', node.url, '--type', 'bogus']);
    expect([ran.code, ran.io.errLines[0]]).toEqual([2, 'error: --type: no event type "bogus" (usage)']);
  });
});

describe('a key under a passphrase', () => {
  it('is asked for when something is signed, not before', async () => {
    const path = join(dir, 'sealed.key');
    const made = await vws(['keygen', '--output', path, '--encrypt'], { io: new FakeIo(['horse', 'horse']) });
    expect(made.code).toBe(0);
    const text = readFileSync(path, 'utf8');
    expect(JSON.parse(text)).toMatchObject({ kdf: 'scrypt', cipher: 'aes-256-gcm' });
    expect(text).not.toContain('seed');
    expect((statSync(path).mode & 0o777).toString(8)).toBe('600');
    const key = JSON.parse(text).public_key as string;

    const run = (args: string[], io: FakeIo, env = {}) =>
      vws([...args, '--node', node.url, '--key', path], { io, env });
    node.on(`GET /v1/agents/${key}/balance`, { body: { agent_id: key } }).on('POST /v1/faucet', echo);
    const reading = new FakeIo([]);
    expect((await run(['balance'], reading)).code).toBe(0);
    expect(reading.questions).toEqual([]);
    const signing = new FakeIo(['horse']);
    expect((await run(['faucet'], signing)).code).toBe(0);
    expect(signing.questions).toEqual(['Passphrase of the key file: ']);
    expect(node.writes()[0]?.headers['x-service-actor']).toBe(key);

    writeFileSync(join(dir, 'pass'), 'horse\n');
    const env = { SERVICE_KEY_PASSPHRASE_FILE: join(dir, 'pass') };
    expect((await run(['faucet'], new FakeIo(), env)).code).toBe(0);
    expect((await run(['faucet'], new FakeIo())).code).toBe(3);
    expect((await run(['faucet'], new FakeIo(['cow']))).code).toBe(3);
    expect(node.writes()).toHaveLength(2);
  });

  it('is not made with an empty passphrase, or none', async () => {
    const args = ['keygen', '--output', join(dir, 'k'), '--encrypt'];
    for (const answers of [['', ''], ['a', 'b'], undefined]) {
      expect((await vws(args, { io: new FakeIo(answers) })).code).toBe(3);
    }
  });
});
