import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { fromHex, toHex } from '../../../host/wire/bytes.ts';
import {
  agentKey,
  apiKeyId,
  challengeId,
  isAgentIdForm,
  isApiKeyForm,
  lowerHexKey,
  replayJobId,
  systemEventId,
  taskId,
  validatorIdOf,
} from '../../../host/wire/ids.ts';
import { KEY, TXID } from './vectors.ts';

const sha = (text: string) => createHash('sha256').update(text).digest('hex');

describe('agent ids', () => {
  test('forms that may register', () => {
    for (const id of [
      'a',
      'A-b_c.d:e/f',
      'x'.repeat(64),
      KEY,
      'Genesis',
      'genesis',
      'searching',
      'a..b',
      '...',
    ]) {
      expect(isAgentIdForm(id), id).toBe(true);
    }
  });

  test('forms that may not', () => {
    const bad = ['', 'x'.repeat(65), 'a b', 'é', 'a\n', 'a%', 'genesis:x', 'escrow:', 'system:stake:a'];
    bad.push('SYSTEM:x', 'Escrow:x', 'gEnEsIs:', '.', '..', 'a/../b', './a', '__proto__', 'constructor');
    for (const id of [...bad, 'leaderboard', 'search', 'categories'])
      expect(isAgentIdForm(id), id).toBe(false);
  });

  test('a hex key in capitals is lower case, other ids stay', () => {
    expect(lowerHexKey(KEY.toUpperCase())).toBe(KEY);
    expect(lowerHexKey('Bob')).toBe('Bob');
    expect(lowerHexKey('ABCD')).toBe('ABCD');
    expect(lowerHexKey('G'.repeat(64))).toBe('G'.repeat(64));
  });

  test('the agent key is the key itself, or the hash of a free-form id', () => {
    expect(agentKey(KEY)).toEqual(fromHex(KEY));
    expect(agentKey(KEY.toUpperCase())).toEqual(fromHex(KEY));
    expect(toHex(agentKey('bob'))).toBe(sha('bob'));
    expect(toHex(agentKey('g'.repeat(64)))).toBe(sha('g'.repeat(64)));
    expect(toHex(agentKey('abcd'))).toBe(sha('abcd'));
  });
});

test('derived ids hash the concatenation', () => {
  expect(taskId(TXID)).toBe(sha(`task:${TXID}`).slice(0, 32));
  expect(challengeId(TXID)).toBe(`chal-${sha(`challenge:${TXID}`).slice(0, 24)}`);
  expect(replayJobId('ab')).toBe(sha('replay:ab'));
  expect(validatorIdOf(TXID)).toBe(sha(`validator:${TXID}`).slice(0, 32));
});

test('API keys', () => {
  const key = `vws_${'0a'.repeat(32)}`;
  expect(isApiKeyForm(key)).toBe(true);
  for (const bad of [key.toUpperCase(), `${key}0`, key.slice(1), 'vws_'])
    expect(isApiKeyForm(bad)).toBe(false);
  expect(apiKeyId(key)).toBe(sha(key).slice(0, 16));
});

test('the id of a system event is the hash of its JCS form', () => {
  const id = systemEventId({
    chainId: 'vws-testnet-1',
    order: 17,
    index: 3,
    eventType: 'settlement',
    subject: TXID,
  });
  expect(id).toBe(
    sha(
      `{"chain_id":"vws-testnet-1","event_type":"settlement","index":3,"order":17,"subject":"${TXID}","version":"SERVICE-SYSTEM-V1"}`,
    ),
  );
});
