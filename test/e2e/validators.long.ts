// Validators on a real node: applications, suspension and resume, consensus keys and their rotation across a seal and
// restarts (protocol 4.3, 7.4, 12.3; pitfall A10, V7).

import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { checkObject } from '../../host/api/object-schema.ts';
import { generateSeed, type KeyPair, keyPairFromSeed } from '../../host/crypto/key-pair.ts';
import { createNodeKeyFile } from '../../host/crypto/node-key-file.ts';
import { type NodeProcess, PASSPHRASE } from '../../tools/load/node-process.ts';
import { Agent, call, get, type Json, TOKEN, until } from './agent.ts';
import { type Network, Testbed } from './testbed.ts';

const bed = new Testbed();
afterAll(() => bed.close());

/** A key that this test may also put into a file. */
interface OwnKey extends KeyPair {
  seed: Uint8Array;
}
function newPair(): OwnKey {
  const seed = generateSeed();
  return { ...keyPairFromSeed(seed), seed };
}
const validatorAt = async (port: number, id: string): Promise<Json> => {
  const { body } = await get(port, `/v1/validators/${id}`);
  expect(checkObject('Validator', body)).toEqual([]);
  return body;
};
const newest = async (port: number, type: string): Promise<Json> => {
  const [row] = (await get(port, `/v1/events/recent?event_type=${type}&limit=1`)).body;
  return (await get(port, `/v1/events/${row.event_id}`)).body;
};

describe('applicants', () => {
  it('are in the list, the profile and the state of the network, also after a restart', async () => {
    const network = await bed.network(['active', 'probationary']);
    const options = { dataDir: network.dataDir, env: network.env };
    const first = await bed.start(options);
    const agent = await new Agent(first.port).register({
      agent_id: 'alice',
      initial_stake: 10_000 * TOKEN - 1,
    });
    const poor = await agent.post('/v1/validators');
    expect([poor.status, poor.body.code, poor.body.details]).toEqual([
      403,
      'stake_below_required',
      { staked_amount: 10_000 * TOKEN - 1, required_stake: 10_000 * TOKEN },
    ]);
    await agent.do('/v1/stake', { amount: 1 });
    const before = (await get(first.port, '/v1/network/state')).body;
    const made = await agent.post('/v1/validators', { categories: ['code', 'ART'] });
    expect([made.status, checkObject('Validator', made.body)]).toEqual([201, []]);
    const { id } = made.body;
    const paths = [
      '/v1/validators',
      '/v1/validators?status=probation&category=art',
      '/v1/validators/alice',
      '/v1/agents/alice',
      '/v1/network/state',
      `/v1/events/recent?event_type=validator_applied`,
    ];
    const read = (port: number) => Promise.all(paths.map(async (path) => (await get(port, path)).body));
    const shown = await read(first.port);
    // Those of one second stand by id.
    expect(shown[0].map((v: Json) => v.id).sort()).toEqual(['seat-0', 'seat-1', 'seat-2', id].sort());
    expect(shown[1].map((v: Json) => v.id).sort()).toEqual(['seat-2', id].sort());
    expect(shown[2]).toMatchObject({
      id,
      agent_id: 'alice',
      status: 'probation',
      categories: ['code', 'art'],
    });
    expect(shown[3]).toMatchObject({ validator_id: id, validator_status: 'probation' });
    expect(shown[4]).toMatchObject({
      active_validators: before.active_validators,
      probation_validators: before.probation_validators + 1,
      seats: 3,
    });
    const count = (state: Json, name: string): number =>
      state.categories.find((c: Json) => c.name === name).validator_count;
    expect([count(shown[4], 'code'), count(shown[4], 'data')]).toEqual([2, 2]);
    await first.stop();
    const { port } = await bed.start(options);
    const again = await read(port);
    for (const state of [shown[4], again[4]]) {
      delete state.order;
      delete state.consensus_time;
    }
    expect(again).toEqual(shown);
  });

  it('act through an API key with the scope verification, but cannot set keys through any API key', async () => {
    const { dataDir } = await bed.network();
    const { port } = await bed.start({ dataDir });
    const agent = await new Agent(port).register({ initial_stake: 10_000 * TOKEN });
    const withKey = async (scopes: string[], path: string, body: object = {}) => {
      const { key } = await agent.do('/v1/platform/keys', { name: 'k', scopes });
      const headers = { 'X-API-Key': key };
      return call(port, { method: 'POST', path, headers, body: JSON.stringify(body) });
    };
    const narrow = await withKey(['tasks'], '/v1/validators');
    expect([narrow.status, narrow.body.code, narrow.body.details]).toEqual([
      403,
      'insufficient_scope',
      { required: 'verification' },
    ]);
    expect((await withKey(['verification'], '/v1/validators')).status).toBe(201);
    const body = { recovery_public_key: newPair().publicKeyHex };
    expect((await withKey(['*'], '/v1/validator/recovery', body)).body.code).toBe('auth_required');
    const rotation = { new_public_key: newPair().publicKeyHex };
    expect((await withKey(['*'], '/v1/validators/v1/rotate', rotation)).body.code).toBe('auth_required');
  });

  it('are limited to 10 requests of each kind an hour', async () => {
    const { dataDir } = await bed.network();
    const { port } = await bed.start({ dataDir, env: { SERVICE_RATE_LIMITS: 'on' } });
    const agent = await new Agent(port).register();
    const codes: string[] = [];
    for (let i = 0; i < 11; i++) codes.push((await agent.post('/v1/validators')).body.code);
    expect(codes).toEqual([...Array(10).fill('stake_below_required'), 'rate_limited']);
    expect((await agent.post('/v1/validators/v1/resume')).body.code).toBe('forbidden_actor');
  });
});

describe('a suspension for lack of stake', () => {
  it('follows the grace period and ends when the stake is restored', async () => {
    const network = await bed.network(['active']);
    const env = { ...network.env, SERVICE_PARAM_DAY_SECS: '1' };
    const { port } = await bed.start({ dataDir: network.dataDir, env });
    const seat = new Agent(port, network.others[0]!.signer);
    const alice = await new Agent(port).register();
    const { event_id } = await seat.do('/v1/transfer', { to_agent: alice.id, amount: TOKEN });
    await new Agent(port, network.operator).do('/v1/verify', { event_id, verdict: false });
    const low = await validatorAt(port, 'seat-1');
    expect([low.status, low.staked_amount, low.below_required_since > 0]).toEqual(['active', 0, true]);
    const suspended = await until(
      () => validatorAt(port, 'seat-1'),
      (v) => v.status === 'suspended',
    );
    expect(suspended).toMatchObject({ suspension_reason: 'stake_below_minimum', vote_weight: 0 });
    expect(suspended.suspended_at - low.below_required_since).toBeGreaterThanOrEqual(7);
    expect((await newest(port, 'validator_status')).payload).toEqual({
      validator_id: 'seat-1',
      status: 'suspended',
      reason: 'stake_below_minimum',
    });
    expect((await get(port, `/v1/agents/${seat.id}`)).body.validator_status).toBe('suspended');
    const early = await seat.post('/v1/validators/seat-1/resume');
    expect([early.status, early.body.code]).toEqual([403, 'stake_below_required']);
    const foreign = await alice.post('/v1/validators/seat-1/resume');
    expect([foreign.status, foreign.body.code]).toEqual([403, 'forbidden_actor']);
    await seat.do('/v1/stake', { amount: 10_000 * TOKEN });
    const resumed = await seat.do(`/v1/validators/${seat.id}/resume`);
    expect(checkObject('Validator', resumed)).toEqual([]);
    expect(resumed).toMatchObject({ id: 'seat-1', status: 'active' });
  });
});

/** Puts another key into the data directory, as an operator does after a rotation. */
async function useKey({ dataDir }: Network, key: OwnKey): Promise<void> {
  await rm(join(dataDir, 'node_keys', 'identity.json'));
  createNodeKeyFile(dataDir, PASSPHRASE, {}, key.seed);
}

/** Writes until the epoch ends and with it the old key's time: the node says so and stops. */
async function untilSealed(node: NodeProcess, writer: Agent): Promise<string> {
  for (let i = 0; i < 200; i++) {
    const answer = await writer.post('/v1/stake', { amount: 1 }).catch(() => undefined);
    if (!answer || answer.status === 503) break;
    expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  }
  const end = await node.ended();
  expect(end.code).toBe(1);
  return end.log;
}

describe("a seat's consensus key", () => {
  it('is rotated by the old key, then by the recovery key; each orders from the next epoch on', async () => {
    const network = await bed.network(['active']);
    const env = { ...network.env, SERVICE_PARAM_RECOVERY_DELAY_SECS: '2' };
    const options = { dataDir: network.dataDir, env };
    const [second, third, recovery] = [newPair(), newPair(), newPair()];
    const first = await bed.start(options);
    const { port } = first;
    const writer = await new Agent(port).register({ initial_stake: TOKEN });
    const operator = new Agent(port, network.operator);
    const firstKey = operator.id;

    const set = await operator.do('/v1/validator/recovery', { recovery_public_key: recovery.publicKeyHex });
    expect([checkObject('RecoveryKeySet', set), set.validator_id]).toEqual([[], 'seat-0']);
    const body = { new_public_key: second.publicKeyHex };
    const deprecated = await call(port, await operator.signV1('/v1/validators/seat-0/rotate', body));
    expect([deprecated.status, deprecated.body.code]).toEqual([401, 'auth_required']);
    const rotated = await operator.do('/v1/validators/seat-0/rotate', {
      new_public_key: second.publicKeyHex,
    });
    expect(rotated).toMatchObject({ consensus_public_key: second.publicKeyHex, key_epoch: 2 });
    expect((await newest(port, 'ValidatorKeyRotate')).payload).toMatchObject({
      validator_id: 'seat-0',
      old_public_key: firstKey,
      new_public_key: second.publicKeyHex,
      old_key_epoch: 1,
      new_key_epoch: 2,
      signed_by: 'old',
    });
    // The key of the running epoch still orders, but it is the seat's no longer: it rotates nothing any more.
    const late = await operator.post('/v1/validators/seat-0/rotate', { new_public_key: third.publicKeyHex });
    expect([late.status, late.body.code]).toEqual([403, 'forbidden_actor']);
    expect(await untilSealed(first, writer)).toContain(second.publicKeyHex);

    const stale = await bed.refusal(options);
    expect([stale.code, stale.log]).toEqual([
      4,
      expect.stringMatching(`validator not in manifest: ${firstKey}.*rotation`),
    ]);
    await useKey(network, second);
    const next = await bed.start(options);
    expect(next.agentId).toBe(firstKey);
    const later = new Agent(next.port, writer.signer);
    await later.do('/v1/stake', { amount: 1 });
    const vertices = (await get(next.port, '/v1/dag/vertices?per_page=200')).body;
    const authors = vertices.map((v: Json) => v.author);
    expect(new Set(authors)).toEqual(new Set([firstKey, second.publicKeyHex]));
    expect(authors.indexOf(second.publicKeyHex)).toBe(authors.lastIndexOf(firstKey) + 1);
    const status = (await get(next.port, '/v1/status')).body;
    expect(status).toMatchObject({ agent_id: firstKey, validator_id: 'seat-0', validator_status: 'active' });

    // The second key is lost: the recovery key gives the seat a third.
    const finder = new Agent(next.port, recovery);
    const pending = await finder.do('/v1/validators/seat-0/rotate', { new_public_key: third.publicKeyHex });
    expect(pending).toMatchObject({ consensus_public_key: second.publicKeyHex, key_epoch: 2 });
    expect(pending.pending_rotation.new_public_key).toBe(third.publicKeyHex);
    const held = await new Agent(next.port, second).post('/v1/validators/seat-0/rotate', {
      new_public_key: newPair().publicKeyHex,
    });
    expect([held.status, held.body.code]).toEqual([409, 'rotation_pending']);
    const done = await until(
      () => validatorAt(next.port, 'seat-0'),
      (v) => v.key_epoch === 3,
    );
    expect(done).toMatchObject({ consensus_public_key: third.publicKeyHex, recovery_configured: true });
    expect(done).not.toHaveProperty('pending_rotation');
    expect(await untilSealed(next, later)).toContain(third.publicKeyHex);

    await useKey(network, third);
    const last = await bed.start(options);
    await new Agent(last.port, writer.signer).do('/v1/stake', { amount: 1 });
    const shown = await validatorAt(last.port, 'seat-0');
    await last.stop();
    const again = await bed.start(options);
    expect(await validatorAt(again.port, 'seat-0')).toEqual(shown);
    await new Agent(again.port, writer.signer).do('/v1/stake', { amount: 1 });
  });
});

describe('open mode', () => {
  it("an unsigned rotation counts as signed by the old key of the node's own seat", async () => {
    const network = await bed.network();
    const options = { dataDir: network.dataDir, env: network.env, flags: ['--no-auth'] };
    const { port } = await bed.start(options);
    const post = (path: string, body: object = {}) =>
      call(port, { method: 'POST', path, body: JSON.stringify(body) });
    const body = { new_public_key: newPair().publicKeyHex };
    const own = await post('/v1/validators/v1/rotate', body);
    expect([own.status, own.body.consensus_public_key]).toEqual([200, body.new_public_key]);
    // Without a named agent a write acts as the node's own identity, whose validator is not suspended.
    expect((await post('/v1/validators/v1/resume')).body.code).toBe('invalid_state');
    const set = await post('/v1/validator/recovery', { recovery_public_key: newPair().publicKeyHex });
    expect([set.status, set.body.validator_id]).toEqual([201, 'v1']);
  });
});
