// Validators on a whole node (protocol 4.3, 7.4): what applications, refusals, timers, suspensions and
// rotations leave in events and in the Validator object, and that a replay comes to the same.

import { describe, expect, it } from 'vitest';
import * as abi from '../../../assembly/abi.ts';
import { checkObject } from '../../../host/api/object-schema.ts';
import { type KeyPair, keyPairFromSeed } from '../../../host/crypto/key-pair.ts';
import { readEntry } from '../../../host/execution/intake.ts';
import { KeyRotated } from '../../../host/sequencer/sequencer.ts';
import type { EventDoc } from '../../../host/store/documents.ts';
import { ValidatorTable } from '../../../host/views/validators/validator-table.ts';
import { validatorObject } from '../../../host/views/validators/validator-view.ts';
import { type Entry, encodeEntry } from '../../../host/wire/entry.ts';
import { validatorIdOf } from '../../../host/wire/ids.ts';
import { openParts, type Parts, restoreAt, SEAT_KEY, seedOf, send } from '../one-node/harness.ts';
import { absentKey, heavyManifest } from '../one-node/manifests.ts';

const TOKEN = 1_000_000;
const DAY_MS = 1000;
const agentOf = (n: number): KeyPair => {
  const seed = seedOf(61);
  seed[0] = n;
  return keyPairFromSeed(seed);
};
/** A day is a second, so that weeks pass in a test. */
const NET = {
  manifest: heavyManifest(3, 0.8),
  params: { min_participants: '1', day_secs: '1', recovery_delay_secs: '60' },
};

const objectOf = (p: Parts, name: string): Record<string, unknown> => {
  const object = validatorObject(p.ids, p.ids.findValidator(name)!);
  expect(checkObject('Validator', object)).toEqual([]);
  return object;
};
const eventsOf = (p: Parts, type: string): EventDoc[] => p.events.filter((e) => e.event_type === type);
const payloads = (p: Parts, type: string): unknown[] => eventsOf(p, type).map((e) => e.payload);

async function staked(p: Parts, key: KeyPair, amount: number): Promise<void> {
  expect(await send(p, key, '/v1/agents', { initial_stake: amount })).toBeInstanceOf(Array);
}

async function sameAfterReplay(p: Parts): Promise<void> {
  expect(await restoreAt(p.store, false, NET)).toEqual(await restoreAt(p.store, true, NET));
}

describe('an application', () => {
  it('is seen in an identity that was asked for before', async () => {
    const p = await openParts(NET);
    const [rich, other] = [agentOf(2), agentOf(3)];
    await staked(p, rich, 10_000 * TOKEN);
    await staked(p, other, 10_000 * TOKEN);
    const before = p.ids.find(rich.publicKey)!;
    expect(p.ids.find(rich.publicKey)).toBe(before);
    expect(p.ids.find(other.publicKey)).toMatchObject({ publicKey: other.publicKey });
    expect(before.validator).toBeUndefined();
    await send(p, rich, '/v1/validators');
    expect(p.ids.find(rich.publicKey)).toBe(before);
    expect(before.validator).toEqual(expect.any(Number));
  });

  it('begins probation, under an id of its event, and is refused with the exact code', async () => {
    const p = await openParts(NET);
    const [poor, rich] = [agentOf(1), agentOf(2)];
    await staked(p, poor, 10_000 * TOKEN - 1);
    expect(await send(p, poor, '/v1/validators')).toBe('stake_below_required');
    expect(await send(p, agentOf(9), '/v1/validators')).toBe('agent_not_found');
    await staked(p, rich, 10_000 * TOKEN);
    const categories = ['  Code ', 'data', 'code'];
    expect(await send(p, rich, '/v1/validators', { categories })).toBeInstanceOf(Array);
    const [event] = eventsOf(p, 'validator_applied') as [EventDoc];
    const id = validatorIdOf(event.event_id);
    expect(event.payload).toEqual({ categories: ['code', 'data'], validator_id: id, status: 'probation' });
    expect(objectOf(p, id)).toMatchObject({
      id,
      agent_id: rich.publicKeyHex,
      status: 'probation',
      vote_weight: 0,
      categories: ['code', 'data'],
      probation_cycle: 1,
      probation_started_at: event.timestamp,
      registered_at: event.timestamp,
      is_genesis: false,
    });
    expect(objectOf(p, id)).not.toHaveProperty('consensus_public_key');
    expect(objectOf(p, rich.publicKeyHex.toUpperCase())).toEqual(objectOf(p, id));
    expect(await send(p, rich, '/v1/validators')).toBe('already_validator');
    expect(await send(p, rich, `/v1/validators/${id}/resume`)).toBe('invalid_state');
    await sameAfterReplay(p);
  });

  it('is in the list: by registration, ties by id, filtered by status and category', async () => {
    const p = await openParts(NET);
    const table = new ValidatorTable(p.ids.state, p.ids);
    const idsOf = (filter: object): string[] =>
      table.page(filter, 0, 50).rows.map((index) => p.ids.validatorId(index));
    expect(idsOf({})).toEqual(['v1', 'v2', 'v3']);
    // The first applies in the second of the launch, the other later.
    const ids: string[] = [];
    for (const [n, categories] of [['code'], ['data', 'art']].entries()) {
      await staked(p, agentOf(n), 10_000 * TOKEN);
      await send(p, agentOf(n), '/v1/validators', { categories });
      ids.push(p.ids.validatorId(3 + n));
      p.clock.ms += 2000;
      await send(p, SEAT_KEY, '/v1/stake', { amount: 1 });
    }
    const [first, second] = ids as [string, string];
    const early = ['v1', 'v2', 'v3', first].sort();
    expect(idsOf({})).toEqual([...early, second]);
    expect(idsOf({ category: 'code' })).toEqual(early);
    expect(idsOf({ category: 'art' })).toEqual(['v1', 'v2', 'v3', second]);
    expect(idsOf({ category: 'none' })).toEqual(['v1', 'v2', 'v3']);
    expect(idsOf({ status: abi.VALIDATOR_PROBATION })).toEqual(ids);
    expect(idsOf({ status: abi.VALIDATOR_PROBATION, category: 'art' })).toEqual([second]);
    expect(table.page({}, 4, 2)).toEqual({ rows: [4], total: 5 });
  });

  it('goes on while there is nothing to vote on, with an event each 30 days', async () => {
    const p = await openParts(NET);
    await staked(p, agentOf(1), 10_000 * TOKEN);
    await send(p, agentOf(1), '/v1/validators');
    const id = p.ids.validatorId(3);
    await p.clock.advance(100 * DAY_MS);
    expect(payloads(p, 'validator_status')).toEqual([
      { validator_id: id, status: 'probation', reason: 'probation_repeated' },
      { validator_id: id, status: 'probation', reason: 'probation_repeated' },
      { validator_id: id, status: 'probation', reason: 'probation_repeated' },
    ]);
    expect(objectOf(p, id)).toMatchObject({ status: 'probation', probation_cycle: 1, missed_draws: 0 });
    expect(await send(p, agentOf(1), `/v1/validators/${id}/resume`)).toBe('invalid_state');
    expect(await send(p, agentOf(1), '/v1/validators')).toBe('already_validator');
    await sameAfterReplay(p);
  });
});

describe('a stake below the required one', () => {
  it('is suspended after the grace, and resumed with enough of it', async () => {
    const p = await openParts(NET);
    const seat = absentKey(1);
    const paid = await send(p, seat, '/v1/transfer', { to_agent: SEAT_KEY.publicKeyHex, amount: TOKEN });
    // The recipient is a party, so the third seat and time decide: rejected by nobody, it expires. Rejected by others:
    expect(paid).toBeInstanceOf(Array);
    const event = eventsOf(p, 'transfer')[0]!.event_id;
    expect(await send(p, SEAT_KEY, '/v1/verify', { event_id: event, verdict: false })).toBe('self_dealing');
    const other = agentOf(5);
    await staked(p, other, 0);
    await send(p, seat, '/v1/transfer', { to_agent: other.publicKeyHex, amount: TOKEN });
    const second = eventsOf(p, 'transfer')[1]!.event_id;
    expect(await send(p, SEAT_KEY, '/v1/verify', { event_id: second, verdict: false })).toBeInstanceOf(Array);
    expect(objectOf(p, 'v2')).toMatchObject({
      status: 'active',
      staked_amount: 0,
      below_required_since: Math.floor(p.clock.ms / 1000),
    });
    await p.clock.advance(9 * DAY_MS);
    const suspended = objectOf(p, 'v2');
    expect(suspended).toMatchObject({ status: 'suspended', suspension_reason: 'stake_below_minimum' });
    expect(suspended).not.toHaveProperty('suspended_until');
    expect(suspended).toHaveProperty('suspended_at');
    expect(payloads(p, 'validator_status')).toEqual([
      { validator_id: 'v2', status: 'suspended', reason: 'stake_below_minimum' },
    ]);
    expect(await send(p, seat, '/v1/validators/v2/resume')).toBe('stake_below_required');
    expect(await send(p, seat, '/v1/validators/nobody/resume')).toBe('validator_not_found');
    await send(p, seat, '/v1/stake', { amount: 10_000 * TOKEN });
    expect(await send(p, seat, '/v1/validators/v2/resume')).toBeInstanceOf(Array);
    expect(payloads(p, 'validator_resumed')).toEqual([{ validator_id: 'v2', status: 'active' }]);
    const resumed = objectOf(p, 'v2');
    expect(resumed).toMatchObject({ status: 'active' });
    for (const name of ['suspension_reason', 'suspended_at', 'below_required_since']) {
      expect(resumed).not.toHaveProperty(name);
    }
    await sameAfterReplay(p);
  });
});

describe('keys', () => {
  const newKey = keyPairFromSeed(seedOf(71));
  const recovery = keyPairFromSeed(seedOf(72));

  it('of another than the seat are refused, each with its code', async () => {
    const p = await openParts(NET);
    const [seat, third] = [absentKey(1), absentKey(2)];
    const body = { new_public_key: newKey.publicKeyHex };
    expect(await send(p, seat, '/v1/validators/nobody/rotate', body)).toBe('validator_not_found');
    expect(await send(p, third, '/v1/validators/v2/rotate', body)).toBe('forbidden_actor');
    expect(await send(p, recovery, '/v1/validators/v2/rotate', body)).toBe('forbidden_actor');
    const used = { new_public_key: third.publicKeyHex };
    expect(await send(p, seat, '/v1/validators/v2/rotate', used)).toBe('key_in_use');
    const own = { recovery_public_key: seat.publicKeyHex };
    expect(await send(p, seat, '/v1/validator/recovery', own)).toBe('invalid_request');
    const others = { recovery_public_key: third.publicKeyHex };
    expect(await send(p, seat, '/v1/validator/recovery', others)).toBe('key_in_use');
    await staked(p, agentOf(1), 0);
    const free = { recovery_public_key: recovery.publicKeyHex };
    expect(await send(p, agentOf(1), '/v1/validator/recovery', free)).toBe('validator_not_found');
    expect(payloads(p, 'ValidatorKeyRotate')).toEqual([]);
  });

  it('rotate under SERVICE-TX-V1 only: an ordered request of the other scheme is invalid for everybody', async () => {
    const p = await openParts(NET);
    const entry: Entry = {
      scheme: 'request_v1',
      request: {
        agentId: SEAT_KEY.publicKeyHex,
        timestamp: Math.floor(p.clock.ms / 1000),
        nonce: '0'.repeat(32),
      },
      signature: new Uint8Array(64),
      method: 'POST',
      path: '/v1/validators/v1/rotate',
      body: Buffer.from(JSON.stringify({ new_public_key: newKey.publicKeyHex })),
    };
    const opcodeOf = (one: Entry): number => {
      const { command } = readEntry(encodeEntry(one), 'vws-testnet-1', p.ids);
      return new DataView(command.buffer, command.byteOffset).getUint16(0, true);
    };
    expect(opcodeOf(entry)).toBe(abi.OP_INVALID);
    const resume = { ...entry, path: '/v1/validators/v1/resume', body: Buffer.from('{}') };
    expect(opcodeOf(resume)).toBe(abi.OP_VALIDATOR_RESUME);
  });

  it('a recovery key rotates after its delay, and the old key waits meanwhile', async () => {
    const p = await openParts(NET);
    const seat = absentKey(1);
    const set = { recovery_public_key: recovery.publicKeyHex };
    expect(await send(p, seat, '/v1/validator/recovery', set)).toBeInstanceOf(Array);
    const nowSecs = Math.floor(p.clock.ms / 1000);
    expect(payloads(p, 'recovery_key_set')).toEqual([
      { validator_id: 'v2', recovery_public_key: recovery.publicKeyHex, effective_at: nowSecs },
    ]);
    const body = { new_public_key: newKey.publicKeyHex };
    expect(await send(p, recovery, '/v1/validators/v2/rotate', body)).toBeInstanceOf(Array);
    const [rotation] = eventsOf(p, 'ValidatorKeyRotate') as [EventDoc];
    expect(rotation.agent_id).toBe(seat.publicKeyHex);
    expect(rotation.payload).toEqual({
      validator_id: 'v2',
      effective_at: nowSecs + 60,
      old_public_key: seat.publicKeyHex,
      new_public_key: newKey.publicKeyHex,
      old_key_epoch: 1,
      new_key_epoch: 2,
      signed_by: 'recovery',
    });
    expect(objectOf(p, 'v2')).toMatchObject({
      recovery_configured: true,
      consensus_public_key: seat.publicKeyHex,
      key_epoch: 1,
      pending_rotation: { new_public_key: newKey.publicKeyHex, effective_at: nowSecs + 60 },
    });
    const other = { new_public_key: agentOf(8).publicKeyHex };
    expect(await send(p, seat, '/v1/validators/v2/rotate', other)).toBe('rotation_pending');
    await p.clock.advance(70_000);
    const after = objectOf(p, 'v2');
    expect(after).toMatchObject({ consensus_public_key: newKey.publicKeyHex, key_epoch: 2 });
    expect(after).not.toHaveProperty('pending_rotation');
    await sameAfterReplay(p);
  });

  it("the seat's key follows at the next seal, and only then; the node stops there", async () => {
    const limits = { earlyBlocks: 64, blocks: 1e9, vertices: 10_000, timeMs: 1e9 };
    const p = await openParts({ ...NET, limits, key: SEAT_KEY });
    const body = { new_public_key: newKey.publicKeyHex };
    expect(await send(p, SEAT_KEY, '/v1/validators/v1/rotate', body)).toBeInstanceOf(Array);
    expect(payloads(p, 'ValidatorKeyRotate')).toMatchObject([{ signed_by: 'old', new_key_epoch: 2 }]);
    expect(objectOf(p, 'v1')).toMatchObject({ consensus_public_key: newKey.publicKeyHex, key_epoch: 2 });
    const { ordering } = p;
    expect([ordering.isChangeWaiting, ordering.epoch.number, ordering.hasOwnKey]).toEqual([true, 0, true]);
    // Nobody writes: the change itself keeps the network awake until it is done (consensus 5.13 d).
    await p.clock.advance(60_000);
    expect([ordering.epoch.number, ordering.hasOwnKey]).toEqual([1, false]);
    expect(ordering.epoch.seats[0]!.key).toEqual(newKey.publicKey);
    expect(p.ids.seatOfNode(newKey.publicKey)).toBe(0);
    expect(p.ids.seatOfNode(SEAT_KEY.publicKey)).toBeUndefined();
    expect(p.failure).toEqual([expect.any(KeyRotated)]);
    // No vertex of the new epoch was made with the old key.
    expect(ordering.dag.vertexCount).toBe(0);
    expect(await send(p, SEAT_KEY, '/v1/stake', { amount: 1 })).toBe('not_ready');
    const again = await openParts({ ...NET, limits, store: p.store, clock: p.clock, key: newKey });
    expect(again.ordering.hasOwnKey).toBe(true);
    expect(await send(again, SEAT_KEY, '/v1/stake', { amount: 1 })).toBeInstanceOf(Array);
    expect(again.failure).toEqual([]);
  });
});
