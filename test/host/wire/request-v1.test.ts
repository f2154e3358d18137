import { expect, test } from 'vitest';
import type { ServiceError } from '../../../host/errors.ts';
import { toHex, utf8 } from '../../../host/wire/bytes.ts';
import { sha256, sha256Hex } from '../../../host/wire/hash.ts';
import { readRequestV1, requestV1SignBytes } from '../../../host/wire/request-v1.ts';
import { JCS_BODY, KEY, NONCE, REQUEST_V1_TXID } from './vectors.ts';

const NOW = 1_800_000_000;
const GOOD: Record<string, string> = {
  'x-service-agent-id': KEY,
  'x-service-timestamp': String(NOW),
  'x-service-nonce': NONCE,
  'x-service-signature': '00'.repeat(64),
};
const read = (over: Record<string, string | undefined> = {}, now = NOW) =>
  readRequestV1((name) => ({ ...GOOD, ...over })[name], now);

test('the worked example of protocol 5.4', () => {
  const bytes = requestV1SignBytes(read(), 'POST', '/v1/transfer', sha256Hex(JCS_BODY));
  expect(toHex(sha256(bytes))).toBe(REQUEST_V1_TXID);
  expect(bytes).toEqual(
    utf8(
      `SERVICE-REQUEST-V1\nmethod:POST\npath:/v1/transfer\nagent_id:${KEY}\nnonce:${NONCE}\ntimestamp:1800000000\nbody_sha256:${sha256Hex(JCS_BODY)}`,
    ),
  );
});

test('every fault is 401 auth_failed', () => {
  const faults: Record<string, string | undefined>[] = [
    ...Object.keys(GOOD).flatMap((name) => [{ [name]: undefined }, { [name]: '' }]),
    { 'x-service-nonce': 'abc' },
    { 'x-service-nonce': 'g'.repeat(32) },
    { 'x-service-timestamp': String(NOW - 31) },
    { 'x-service-timestamp': String(NOW + 31) },
    { 'x-service-timestamp': '0x6b49d200' },
    { 'x-service-timestamp': '1.8e9' },
    { 'x-service-timestamp': `0${NOW}` },
  ];
  for (const fault of faults) {
    expect(() => read(fault), JSON.stringify(fault)).toThrow(
      expect.objectContaining({ code: 'auth_failed', status: 401 }) as ServiceError,
    );
  }
});

test('30 seconds on either side are inside the window', () => {
  expect(read({}, NOW + 30).timestamp).toBe(NOW);
  expect(read({}, NOW - 30).timestamp).toBe(NOW);
});
