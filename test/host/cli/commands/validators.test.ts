// The commands about validators and the network against a fake node: what they send, what they print, how they fail.

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import type { NetworkState, Validator } from '../../../../host/client/index.ts';
import { createNodeKeyFile } from '../../../../host/crypto/node-key-file.ts';
import type { FakeNode, Received } from '../../client/fake-node.ts';
import { fakeAgent } from '../fake-agent.ts';
import { scratch, vws } from '../harness.ts';

const NEW_KEY = 'd04ab232742bb4ab3a1368bd4615e4e6d0224ab71a016baf8520a332c9778737';
const TOKEN = 1_000_000;

const validatorOf = (more: Partial<Validator>): Validator => ({
  id: 'v1',
  agent_id: 'ab'.repeat(32),
  status: 'active',
  staked_amount: 25_000 * TOKEN,
  required_stake: 10_000 * TOKEN,
  reputation_bp: 5000,
  vote_weight: 12_500 * TOKEN,
  assignment_weight: 10_000,
  accuracy: 0.9375,
  tasks_processed: 64,
  slash_count: 0,
  collusion_count: 0,
  calibration: {},
  canary: {},
  categories: [],
  suspended_categories: {},
  is_genesis: true,
  is_judge: false,
  recovery_configured: false,
  registered_at: 1_800_000_000,
  ...more,
});

let node: FakeNode;
let keyPath: string;
let ownKey: string;
beforeEach(async () => {
  ({ node, keyPath, ownKey } = await fakeAgent());
});

const signed = (...args: string[]) => vws([...args, '--node', node.url, '--key', keyPath]);
const lastWrite = (): Received => node.writes().at(-1)!;
const echo = ({ txid, body }: Received) => ({
  status: 201,
  body: { event_id: txid, sent: JSON.parse(body) },
});

describe('vws validator', () => {
  it.each([
    ['validators', ['apply'], {}],
    ['validators', ['apply', '--category', 'code', '--category', 'data'], { categories: ['code', 'data'] }],
    ['validators', ['apply', '--max-fee', '2500.5t'], { max_fee: 2_500_500_000 }],
    ['validators/v%3A1/resume', ['resume', '--id', 'v:1'], {}],
    ['validators/v1/judge', ['announce', '--id', 'v1'], { announced: true }],
    ['validators/v1/judge', ['withdraw', '--id', 'v1'], { announced: false }],
    ['validator/recovery', ['recovery', '--public-key', NEW_KEY], { recovery_public_key: NEW_KEY }],
    [
      'validator/recovery',
      ['recovery', '--public-key', NEW_KEY.toUpperCase(), '--id', 'v1'],
      { recovery_public_key: NEW_KEY, validator_id: 'v1' },
    ],
    ['validators/v1/rotate', ['rotate', '--id', 'v1', '--public-key', NEW_KEY], { new_public_key: NEW_KEY }],
  ])('%s: %j', async (path, args, body) => {
    node.on(`POST /v1/${path}`, echo);
    const ran = await signed('validator', ...args, '--json');
    expect([ran.code, ran.err]).toEqual([0, '']);
    expect(JSON.parse(lastWrite().body)).toEqual(body);
    expect(lastWrite().headers['x-service-actor']).toBe(ownKey);
  });

  it('resumes the validator of the key when none is named', async () => {
    node.on(`POST /v1/validators/${ownKey}/resume`, echo);
    expect((await signed('validator', 'resume', '--json')).code).toBe(0);
  });

  it('reads a key from a file', async () => {
    const file = join(scratch(), 'recovery.key.pub');
    writeFileSync(file, `${NEW_KEY}\n`);
    node.on('POST /v1/validator/recovery', echo);
    await signed('validator', 'recovery', '--public-key', file);
    expect(JSON.parse(lastWrite().body)).toEqual({ recovery_public_key: NEW_KEY });
  });

  it("rotates with the node's own key when its data directory is named", async () => {
    const data = scratch();
    const nodeKey = createNodeKeyFile(data, 'secret').publicKeyHex;
    const pass = join(scratch(), 'pass');
    writeFileSync(pass, 'secret\n');
    node.on('POST /v1/validators/v1/rotate', echo);
    const args = ['rotate', '--id', 'v1', '--public-key', NEW_KEY, '--data', data, '--passphrase-file', pass];
    expect((await vws(['validator', ...args, '--node', node.url])).code).toBe(0);
    expect(lastWrite().headers['x-service-actor']).toBe(nodeKey);
    writeFileSync(pass, 'wrong\n');
    const wrong = await vws(['validator', ...args, '--node', node.url]);
    expect([wrong.code, wrong.err]).toEqual([3, expect.stringMatching(/passphrase/)]);
    expect(node.writes()).toHaveLength(1);
  });

  it.each([
    [['validator'], /takes one of apply, resume, object, announce, withdraw, recovery, rotate/],
    [['validator', 'leave'], /not "leave"/],
    [['validator', 'rotate', '--id', 'v1'], /needs --public-key/],
    [['validator', 'rotate', '--public-key', NEW_KEY], /needs --id/],
    [['validator', 'recovery', '--public-key', 'abc'], /neither a hex64 key nor a readable file/],
  ])('%j: exit 2', async (args, text) => {
    const ran = await signed(...args);
    expect([ran.code, ran.err]).toEqual([2, expect.stringMatching(text)]);
    expect(node.writes()).toEqual([]);
  });

  it('reports what the node refused', async () => {
    const refusal = { error: 'the staked amount is below the required stake', code: 'stake_below_required' };
    node.on('POST /v1/validators', { status: 403, body: refusal });
    const ran = await signed('validator', 'apply');
    expect([ran.code, ran.err.trim()]).toEqual([1, `error: ${refusal.error} (stake_below_required)`]);
  });
});

describe('vws validators', () => {
  it('is a readable table', async () => {
    node.on('GET /v1/validators', {
      body: [
        validatorOf({
          calibration: { code: { signals: 40, correct: 39, accuracy: 0.975 } },
          cluster_id: 'v1',
        }),
        validatorOf({
          id: 'v2',
          status: 'suspended',
          vote_weight: 0,
          suspension_reason: 'slashed:collusion',
          suspended_until: 1_800_000_600,
          calibration: { data: { signals: 21, correct: 10, accuracy: 0.4761 } },
          suspended_categories: { data: 1_800_001_000 },
        }),
        validatorOf({ id: 'v3', status: 'suspended', suspension_reason: 'stake_below_minimum' }),
        validatorOf({
          id: 'v4',
          status: 'probation',
          probation_cycle: 2,
          probation_started_at: 1_800_000_000,
        }),
        validatorOf({ id: 'v5', staked_amount: 9_000_500_000, below_required_since: 1_800_000_000 }),
      ],
    });
    const ran = await signed('validators', '--status', 'active', '--category', 'code', '--limit', '7');
    expect(node.received.at(-1)!.url).toBe('/v1/validators?status=active&category=code&limit=7');
    expect(ran.out.trimEnd().split('\n')).toEqual([
      'ID  Status     Stake/required  Weight       Accuracy  Calibration                   Cluster  Until',
      'v1  active     25000t/10000t   12500000000  93.75 %   code 97.5 % of 40             v1       -',
      'v2  suspended  25000t/10000t   0            93.75 %   data 47.61 % of 21 suspended  -        2027-01-15T08:10:00Z (slashed:collusion)',
      'v3  suspended  25000t/10000t   12500000000  93.75 %   -                             -        resumed (stake_below_minimum)',
      'v4  probation  25000t/10000t   12500000000  93.75 %   -                             -        cycle 2 since 2027-01-15T08:00:00Z',
      'v5  active     9000.5t/10000t  12500000000  93.75 %   -                             -        stake low since 2027-01-15T08:00:00Z',
    ]);
  });

  it('is the raw list with --json', async () => {
    const list = [validatorOf({})];
    node.on('GET /v1/validators', { body: list });
    expect(JSON.parse((await signed('validators', '--json')).out)).toEqual(list);
  });
});

describe('vws network', () => {
  const state: NetworkState = {
    launch_time: 1_800_000_000,
    active_validators: 4,
    probation_validators: 1,
    seats: 5,
    min_participants: 3,
    total_vote_weight: 7,
    order: 12,
    consensus_time: 1_800_000_600,
    bootstrap_active: true,
    silent_seats: [
      { seat: 2, validator_id: 'v3', from_epoch: 7, since: 1_800_000_000, is_removed: true },
      { seat: 4, validator_id: 'v5', from_epoch: 9, since: 1_800_000_300, is_removed: false },
    ],
    categories: ['code', 'general'].map((name) => ({
      name,
      validator_count: name === 'code' ? 4 : 5,
      floor_standard: 3,
      floor_high: 5,
      floor_enterprise: 10,
      standard_available: true,
      high_available: false,
      enterprise_available: false,
      replay_reserve: name === 'code' ? 50 * TOKEN : 9 * TOKEN,
      replay_reserve_healthy: name === 'code',
    })),
    params: { day_secs: 86_400, allow_unsigned: true },
  };

  it('shows validators, lanes and parameters', async () => {
    node.on('GET /v1/network/state', { body: state });
    const lines = (await signed('network')).out.split('\n');
    expect(lines).toContain('Active validators: 4');
    expect(lines).toContain('Launch time: 2027-01-15T08:00:00Z');
    expect(lines).toContain('2            v3         2027-01-15T08:00:00Z  7      no, until it is heard');
    expect(lines).toContain('4            v5         2027-01-15T08:05:00Z  9      yes');
    expect(lines).toContain('Category  Validators  Standard  High     Enterprise  Replay reserve');
    expect(lines).toContain('code      4           open      needs 5  needs 10    50t');
    expect(lines).toContain('general   5           open      closed   needs 10    9t (low)');
    expect(lines).toContain('day_secs        86400');
    expect(JSON.parse((await signed('network', '--json')).out)).toEqual(state);
  });
});
