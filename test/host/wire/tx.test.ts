import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { keyPairFromSeed } from '../../../host/crypto/key-pair.ts';
import { ServiceError } from '../../../host/errors.ts';
import { fromHex, toHex, utf8 } from '../../../host/wire/bytes.ts';
import { jcs, parseBody } from '../../../host/wire/json.ts';
import { readTxV1, signatureBytes, TX_HEADERS, txId, txSignBytes } from '../../../host/wire/tx.ts';
import { BODY_SHA256, HEADERS, KEY, NONCE, RAW_BODY, SEED, SIGN_BYTES, SIGNATURE, TXID } from './vectors.ts';

const NOW = 1_800_000_010;
const read = (over: Record<string, string | undefined> = {}, now = NOW) =>
  readTxV1((name) => ({ ...HEADERS, ...over })[name], 'vws-testnet-1', now);
function refusal(over: Record<string, string | undefined>, now = NOW): ServiceError {
  try {
    read(over, now);
  } catch (error) {
    expect(error).toBeInstanceOf(ServiceError);
    return error as ServiceError;
  }
  throw new Error('was accepted');
}
const says = (over: Record<string, string | undefined>, now = NOW) => {
  const e = refusal(over, now);
  expect(e.status).toBe(400);
  return [e.code, e.message];
};

test('the worked example of protocol 5.2: sign bytes, TxID, signature', () => {
  const tx = read();
  expect(tx).toEqual({
    chainId: 'vws-testnet-1',
    actor: KEY,
    createdAt: 1_800_000_000,
    expiresAt: 1_800_000_060,
    nonce: NONCE,
    signature: SIGNATURE,
  });
  const bytes = txSignBytes(tx, 'POST', '/v1/transfer', parseBody(utf8(RAW_BODY)).sha256);
  expect(bytes.length).toBe(339);
  expect(bytes).toEqual(utf8(SIGN_BYTES));
  expect(toHex(txId(bytes))).toBe(TXID);
  const pair = keyPairFromSeed(fromHex(SEED)!);
  expect(pair.publicKeyHex).toBe(KEY);
  expect(toHex(pair.sign(bytes))).toBe(SIGNATURE);
});

describe('checks 1 to 4 of protocol 5.3', () => {
  test('each missing or empty header is named, the first of the table first', () => {
    for (const [i, name] of TX_HEADERS.entries()) {
      const text = `tx: missing required header: ${name}`;
      for (const value of [undefined, '']) {
        const rest = Object.fromEntries(TX_HEADERS.slice(i).map((h) => [h.toLowerCase(), value]));
        expect(says({ [name.toLowerCase()]: value })).toEqual(['tx_missing_header', text]);
        expect(says(rest)).toEqual(['tx_missing_header', text]);
      }
    }
  });

  test('an earlier fault is reported before a later one', () => {
    const faults: [Record<string, string>, string, string][] = [
      [{ 'x-service-version': 'SERVICE-TX-V2' }, 'tx_unsupported_version', 'tx: unsupported version'],
      [{ 'x-service-chain-id': 'vws-mainnet-1' }, 'tx_chain_mismatch', 'tx: chain_id mismatch'],
      [{ 'x-service-created': '1e9' }, 'tx_invalid_timestamp', 'tx: invalid timestamp'],
      [{ 'x-service-expires': '1800000121' }, 'tx_expired', 'tx: transaction expired'],
      [{ 'x-service-nonce': 'zz' }, 'tx_invalid_nonce', 'tx: invalid nonce format'],
    ];
    for (let i = 0; i < faults.length; i++) {
      const all = Object.assign({}, ...faults.slice(i).map((f) => f[0]));
      expect(says(all)).toEqual(faults[i]!.slice(1));
    }
  });

  test('timestamps are 1 to 10 decimal digits', () => {
    for (const value of ['abc', '-5', '+5', '1.5', '0x10', '1e9', '12345678901', ' 1800000000', '١٢']) {
      for (const name of ['x-service-created', 'x-service-expires']) {
        expect(says({ [name]: value })[0]).toBe('tx_invalid_timestamp');
      }
    }
  });

  test('window: lifetime 120 s, skew 60 s, with the reason', () => {
    const at = (created: number, expires: number) => ({
      'x-service-created': String(created),
      'x-service-expires': String(expires),
    });
    const reason = (created: number, expires: number) =>
      refusal(at(NOW + created, NOW + expires)).details?.reason;
    expect(reason(0, 121)).toBe('lifetime_exceeds_maximum');
    expect(reason(0, -1)).toBe('lifetime_exceeds_maximum');
    expect(reason(61, 100)).toBe('created_in_future');
    expect(reason(-100, -61)).toBe('expired');
    for (const [created, expires] of [
      [0, 0],
      [0, 120],
      [60, 180],
      [-180, -60],
      [-60, 60],
    ] as const) {
      expect(read(at(NOW + created, NOW + expires)).createdAt).toBe(NOW + created);
    }
  });

  test('the nonce is 32 hex characters of either case, kept as sent', () => {
    for (const nonce of ['00', 'a'.repeat(31), 'a'.repeat(33), 'g'.repeat(32), `0x${'a'.repeat(30)}`]) {
      expect(says({ 'x-service-nonce': nonce })[0]).toBe('tx_invalid_nonce');
    }
    expect(read({ 'x-service-nonce': 'AB'.repeat(16) }).nonce).toBe('AB'.repeat(16));
  });

  test('the form of the signature is not part of these checks', () => {
    expect(read({ 'x-service-signature': 'zz' }).signature).toBe('zz');
    expect(signatureBytes('zz')).toBeUndefined();
    expect(signatureBytes('z'.repeat(128))).toBeUndefined();
    expect(signatureBytes('00'.repeat(65))).toBeUndefined();
    expect(signatureBytes(SIGNATURE.toUpperCase())).toEqual(fromHex(SIGNATURE));
  });
});

test('hand-written sign bytes are the JCS form for any text', () => {
  const text = fc.string({ unit: 'grapheme' });
  fc.assert(
    fc.property(
      text,
      text,
      text,
      text,
      text,
      fc.nat(),
      fc.nat(),
      (actor, chainId, nonce, method, path, c, e) => {
        const object = {
          version: 'SERVICE-TX-V1',
          chain_id: chainId,
          actor,
          method,
          path,
          body_sha256: BODY_SHA256,
          created_at: c,
          expires_at: e,
          nonce,
        };
        const tx = { chainId, actor, createdAt: c, expiresAt: e, nonce };
        expect(txSignBytes(tx, method, path, BODY_SHA256)).toEqual(utf8(jcs(object)));
      },
    ),
    { numRuns: 2000 },
  );
});
