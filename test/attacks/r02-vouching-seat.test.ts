// R2: one seat's word binds nobody but those who gave it a key, within what the key allows.

import { readFile, writeFile } from 'node:fs/promises';
import { afterAll, describe, expect, it } from 'vitest';
import * as abi from '../../assembly/abi.ts';
import { keyPairFromSeed } from '../../host/crypto/key-pair.ts';
import { encodeEntry, openEntry } from '../../host/wire/entry.ts';
import { Testbed } from '../e2e/testbed.ts';
import { openParts, type Parts, SEAT_KEY, seedOf, send, signedEntry } from '../host/one-node/harness.ts';
import { report } from './figures.ts';
import { balanceOf, carry, issueBy, OTHER_SEAT, TWO_SEATS, vouchedBytes } from './lying-seat.ts';

const [alice, mallory] = [keyPairFromSeed(seedOf(20)), keyPairFromSeed(seedOf(21))];
const TOKEN = 1_000_000;
const NET = { manifest: TWO_SEATS, params: { min_participants: '1' } };
const KEYS = '/v1/platform/keys';
const bed = new Testbed();
afterAll(() => bed.close());

async function opened(): Promise<Parts> {
  const p = await openParts(NET);
  for (const key of [alice, mallory]) await send(p, key, '/v1/agents', { initial_stake: 20_000 * TOKEN });
  return p;
}

/** The agent's signed creation of a key, and a seat's attachment. The id of the key that the order then knows. */
async function keyOf(p: Parts, body: Record<string, unknown>, issuer = SEAT_KEY) {
  const entry = signedEntry(p.clock, alice, KEYS, { name: 'k', ...body });
  const { issue, keyId } = issueBy(issuer, openEntry(entry).id);
  const { outcome } = await carry(p, encodeEntry({ ...entry, keyIssue: issue }));
  return { code: outcome.code, keyId };
}

describe('a seat of several', () => {
  it('moves nothing of others by its word alone', async () => {
    const p = await opened();
    const before = balanceOf(p, alice);
    const transfer = { from_agent: alice.publicKeyHex, to_agent: mallory.publicKeyHex, amount: 9000 * TOKEN };
    const { outcome } = await carry(
      p,
      vouchedBytes(p, SEAT_KEY, alice.publicKeyHex, '/v1/transfer', transfer),
    );
    const takenTokens = (before - balanceOf(p, alice)) / TOKEN;
    report({
      attack: 'R2',
      what: "tokens of others moved by one seat's word",
      before: '9,000',
      after: String(takenTokens),
    });
    expect([outcome.code, takenTokens]).toEqual([abi.AUTH_REQUIRED, 0]);
    const listing = { agent_id: alice.publicKeyHex, name: 'A', category: 'b' };
    const listed = await carry(p, vouchedBytes(p, SEAT_KEY, alice.publicKeyHex, '/v1/registry', listing));
    expect(listed.outcome.code).toBe(abi.AUTH_REQUIRED);
  });

  it('uses only keys that it issued itself, within scope and hourly limit, however often it vouches', async () => {
    const p = await opened();
    const own = { issuing_node: SEAT_KEY.publicKeyHex };
    const { keyId } = await keyOf(p, { ...own, scopes: ['staking'], hourly_limit: 3 });
    const vouch = (node: typeof SEAT_KEY, path: string, amount: number) =>
      carry(p, vouchedBytes(p, node, alice.publicKeyHex, path, { amount }, keyId));
    const codes: number[] = [];
    for (let i = 0; i < 10; i++) codes.push((await vouch(SEAT_KEY, '/v1/stake', 100)).outcome.code);
    report({
      attack: 'R2',
      what: 'writes of a key with 3 an hour, by its seat',
      before: '10',
      after: String(codes.filter((c) => c === 0).length),
    });
    expect(codes).toEqual([0, 0, 0, ...Array(7).fill(abi.KEY_RATE)]);
    expect((await vouch(OTHER_SEAT, '/v1/stake', 100)).outcome.code).toBe(abi.INVALID_API_KEY);
    const transfer = { to_agent: mallory.publicKeyHex, amount: 1 };
    const bytes = vouchedBytes(p, SEAT_KEY, alice.publicKeyHex, '/v1/transfer', transfer, keyId);
    expect((await carry(p, bytes)).outcome.code).toBe(abi.INSUFFICIENT_SCOPE);
  });

  it("cannot take over the creation of another seat's key", async () => {
    const p = await opened();
    const stolen = await keyOf(p, { issuing_node: OTHER_SEAT.publicKeyHex }, SEAT_KEY);
    expect(stolen.code).toBe(abi.ENTRY_INVALID);
    // Nor of one that names no node.
    expect((await keyOf(p, {}, SEAT_KEY)).code).toBe(abi.ENTRY_INVALID);
    expect((await keyOf(p, { issuing_node: SEAT_KEY.publicKeyHex }, SEAT_KEY)).code).toBe(abi.OK);
  });
});

describe('a node does not start', () => {
  it.each([
    [
      'with --no-auth in a network of several seats',
      {},
      ['--no-auth'],
      '--no-auth needs a network of one seat',
    ],
    [
      'with a manifest of several seats that allows unsigned writes',
      { allow_unsigned: true },
      [],
      'allow_unsigned needs a network of one seat, not of 2',
    ],
    [
      'with open coordination in one',
      { legacy_open_coordination: true },
      [],
      'legacy_open_coordination needs a network of one seat',
    ],
  ])('%s', async (_, params, flags, text) => {
    const { dataDir, env } = await bed.network(['active']);
    const path = env.SERVICE_VALIDATOR_MANIFEST!;
    await writeFile(path, JSON.stringify({ ...JSON.parse(await readFile(path, 'utf8')), params }));
    const { code, log } = await bed.refusal({ dataDir, env, flags });
    expect([code, log.includes(text)]).toEqual([2, true]);
  });
});

it('a chain of one seat that was not made for it takes nothing unsigned either', async () => {
  const p = await openParts();
  await send(p, alice, '/v1/agents', {});
  const body = { agent_id: alice.publicKeyHex, amount: 1 };
  const { outcome } = await carry(p, vouchedBytes(p, SEAT_KEY, alice.publicKeyHex, '/v1/stake', body));
  expect(outcome.code).toBe(abi.AUTH_REQUIRED);
});
