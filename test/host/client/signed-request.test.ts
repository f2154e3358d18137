import { describe, expect, it } from 'vitest';
import { signRequest } from '../../../host/client/signed-request.ts';
import { signerFromSeed } from '../../../host/client/signer.ts';
import { keyPairFromSeed } from '../../../host/crypto/key-pair.ts';
import { fromHex } from '../../../host/wire/bytes.ts';

// Vector of protocol 5.3
const SEED = fromHex('8f4f8f7790e2962df8313813a235f885e805625051bf60bc0a76115a721a7d44') as Uint8Array;
const INPUT = {
  chainId: 'vws-testnet-1',
  method: 'POST',
  path: '/v1/transfer',
  body: { to_agent: 'bob', amount: 2500000, memo: 'invoice 7' },
  nowSecs: 1_800_000_000,
  nonce: fromHex('000102030405060708090a0b0c0d0e0f') as Uint8Array,
};
const SIGNATURE =
  'c68ef9109f6539a8a2029014b6c845608cb124115453b707d8cfb19d00b3b8b587f35f400ad7eb925edd3df3aa032c1270a791ce5d679a02b86defa652d5b302';

describe('a signed request', () => {
  it.each([
    ['the browser signer', signerFromSeed(SEED)],
    ['the node key pair', keyPairFromSeed(SEED)],
  ])('is that of protocol 5.3 with %s', async (_, signer) => {
    const request = await signRequest({ ...INPUT, signer });
    expect(request.txid).toBe('80a7428d7972d78c1bb57887083ac6b9d8c464d9e18a9035eddf29185a07336b');
    expect(request.body).toBe('{"amount":2500000,"memo":"invoice 7","to_agent":"bob"}');
    expect(request.headers).toMatchObject({
      'X-Service-Version': 'SERVICE-TX-V1',
      'X-Service-Chain-ID': 'vws-testnet-1',
      'X-Service-Actor': '902313e1b41cfe4f51bd68fbf54e67e02eb765803176a9338849b75ccb2cd913',
      'X-Service-Created': '1800000000',
      'X-Service-Expires': '1800000060',
      'X-Service-Nonce': '000102030405060708090a0b0c0d0e0f',
      'X-Service-Signature': SIGNATURE,
    });
  });

  it('refuses a seed of another length', () => {
    expect(() => signerFromSeed(SEED.subarray(1))).toThrow(RangeError);
  });
});
