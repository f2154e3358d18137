import { describe, expect, it } from 'vitest';
import * as abi from '../../../assembly/abi.ts';
import { keyPairFromSeed } from '../../../host/crypto/key-pair.ts';
import { readEntry } from '../../../host/execution/intake.ts';
import { keyIdFromPath, scopeBits, scopeNames } from '../../../host/execution/translation/platform.ts';
import { utf8 } from '../../../host/wire/bytes.ts';
import { decodeEntry, encodeEntry, type TxV1Entry } from '../../../host/wire/entry.ts';
import { SCOPES } from '../../../host/wire/operations.ts';
import { openParts, SEAT_KEY, seedOf, send, signed } from '../one-node/harness.ts';
import { NON_CANONICAL_KEYS, SMALL_ORDER_KEYS } from '../wire/vectors.ts';

const [alice, bob] = [keyPairFromSeed(seedOf(20)), keyPairFromSeed(seedOf(21))];
const opcodeOf = (command: Uint8Array): number => command[0]! | (command[1]! << 8);

describe('scopes', () => {
  it('are in the order of the abi bits', () => {
    expect(scopeBits(['*'])).toBe(abi.SCOPE_ALL);
    expect(scopeBits(['platform'])).toBe(abi.SCOPE_PLATFORM);
    expect(scopeBits(['transfers', 'staking'])).toBe(abi.SCOPE_TRANSFERS | abi.SCOPE_STAKING);
    expect(scopeNames(scopeBits([...SCOPES]))).toEqual([...SCOPES]);
  });
});

describe('API key ids in paths', () => {
  it('are the id, or derived from the full key; anything else is refused', () => {
    expect(keyIdFromPath('0123456789abcdef')).toHaveLength(8);
    expect(keyIdFromPath(`vws_${'0'.repeat(64)}`)).toHaveLength(8);
    for (const bad of ['', '0123456789ABCDEF', 'vws_', '0123456789abcde', 'x'])
      expect(keyIdFromPath(bad)).toBeUndefined();
  });
});

describe('entries of a vertex', () => {
  it('give the same command as admission did', async () => {
    const p = await openParts();
    await send(p, alice, '/v1/agents', { initial_stake: 1000 });
    const s = signed(p, alice, '/v1/transfer', { to_agent: SEAT_KEY.publicKeyHex, amount: 5, memo: 'x' });
    const read = readEntry(s.bytes, 'vws-testnet-1', p.ids);
    expect(Buffer.from(read.command).equals(Buffer.from(s.input.command))).toBe(true);
    expect(read).toMatchObject({ auth: 'tx_v1', signature: s.input.signature });
  });

  it('show one signature, in whatever digits the node that took the request was sent it', async () => {
    const p = await openParts();
    await send(p, alice, '/v1/agents', { initial_stake: 1000 });
    const body = { to_agent: SEAT_KEY.publicKeyHex, amount: 5 };
    const s = signed(p, alice, '/v1/transfer', body, { inCapitals: true });
    expect(s.input.signature).toBe(readEntry(s.bytes, 'vws-testnet-1', p.ids).signature);
  });

  it('of another chain, another actor, or malformed ones are invalid on every node', async () => {
    const p = await openParts();
    await send(p, alice, '/v1/agents', {});
    await send(p, bob, '/v1/agents', {});
    const good = signed(p, alice, '/v1/stake', { amount: 5 });
    expect(opcodeOf(readEntry(good.bytes, 'vws-mainnet-1', p.ids).command)).toBe(abi.OP_INVALID);
    expect(opcodeOf(readEntry(new Uint8Array([1, 2, 3]), 'vws-testnet-1', p.ids).command)).toBe(
      abi.OP_INVALID,
    );
    expect(() => signed(p, alice, '/v1/stake', { amount: 5, agent_id: bob.publicKeyHex })).toThrow(
      'another agent',
    );
    expect(() => signed(p, alice, '/v1/stake', { amount: 5.5 })).toThrow('integer');
  });

  it('of a key for which anybody can make signatures are invalid, however good these are', async () => {
    const p = await openParts();
    const own = decodeEntry(signed(p, alice, '/v1/agents', {}).bytes) as TxV1Entry;
    const opcode = (actor: string): number => {
      const bytes = encodeEntry({ ...own, tx: { ...own.tx, actor } });
      return opcodeOf(readEntry(bytes, 'vws-testnet-1', p.ids).command);
    };
    expect(opcode(alice.publicKeyHex)).toBe(abi.OP_REGISTER);
    for (const key of [...SMALL_ORDER_KEYS, ...NON_CANONICAL_KEYS])
      expect(opcode(key), key).toBe(abi.OP_INVALID);
  });

  it('for which a key that is no seat vouches are invalid', async () => {
    const p = await openParts();
    const opcode = (node: Uint8Array): number => {
      const vouched = { chainId: 'vws-testnet-1', actor: 'anna', createdAt: 1, nonce: '0'.repeat(32) };
      const bytes = encodeEntry({
        ...{ scheme: 'vouched', vouched: { ...vouched, node, keyId: '' }, signature: new Uint8Array(64) },
        ...{ method: 'POST', path: '/v1/stake', body: utf8('{"amount":5}') },
      });
      return opcodeOf(readEntry(bytes, 'vws-testnet-1', p.ids).command);
    };
    expect(opcode(SEAT_KEY.publicKey)).toBe(abi.OP_STAKE);
    expect(opcode(bob.publicKey)).toBe(abi.OP_INVALID);
  });
});

describe('registration', () => {
  it("names: the signer's key by default, a chosen one; reserved ones and other keys are refused", async () => {
    const p = await openParts();
    expect(await send(p, alice, '/v1/agents', { agent_id: 'team/alice' })).toBeInstanceOf(Array);
    expect(p.ids.agentId(p.ids.find(alice.publicKey)!.index)).toBe('team/alice');
    for (const agent_id of ['genesis:x', 'leaderboard', 'has space', 'x'.repeat(65)]) {
      expect(() => signed(p, bob, '/v1/agents', { agent_id })).toThrow();
    }
    expect(() => signed(p, bob, '/v1/agents', { agent_id: alice.publicKeyHex })).toThrow('registered key');
    const upper = signed(p, bob, '/v1/agents', { agent_id: bob.publicKeyHex.toUpperCase() });
    expect(Buffer.from(upper.input.command.subarray(40, 72)).toString('hex')).toBe(bob.publicKeyHex);
  });
});
