// What a thread finds out about signed requests: the same as the node would, or nothing.

import { createHash, randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { SignedRequest } from '../../../host/client/signed-request.ts';
import { signRequest } from '../../../host/client/signed-request.ts';
import { Vetting } from '../../../host/ingress/vetting.ts';
import { fromHex, toHex, utf8 } from '../../../host/wire/bytes.ts';
import { hasValue, parseBody, parsedElsewhere } from '../../../host/wire/json.ts';
import type { HttpRequest } from '../../../host/world/http.ts';
import { RequestHead } from '../../../host/world/request-head.ts';
import { newSigner } from '../../../tools/load/signed-writes.ts';
import { verifyMany } from './loop-room.ts';

const LIMIT = { path: '/v1/batch', maxRequests: 10 };
const signer = newSigner();
const sign = (body: Record<string, unknown> = { amount: 5 }): Promise<SignedRequest> =>
  signRequest({
    ...{ signer, body, chainId: 'vws-testnet-1', method: 'POST', path: '/v1/stake', nowSecs: 1_700_000_000 },
    nonce: randomBytes(16),
  });

function asRead(
  { method, path, headers, body }: SignedRequest,
  changes: Record<string, string> = {},
): RequestHead {
  const all = Object.entries({ ...headers, ...changes }).flatMap(([name, value]) => [
    name.toLowerCase(),
    value,
  ]);
  const head = new RequestHead(method, path, '', '10.0.0.1', all);
  head.body = utf8(body);
  return head;
}

function vetted(request: RequestHead, vetting = new Vetting(verifyMany, LIMIT)): HttpRequest['vetted'] {
  vetting.vet([request]);
  return request.vetted;
}

describe('a signed request', () => {
  it('has the TxID and the hash that its signer computed, and a verdict by the key of the actor', async () => {
    const signed = await sign();
    expect(vetted(asRead(signed))).toEqual({
      bodySha256: createHash('sha256').update(signed.body).digest('hex'),
      hasValue: true,
      id: fromHex(signed.txid),
      publicKey: signer.publicKey,
      isGood: true,
    });
  });

  it('has a bad verdict when anything that is signed is not what was signed', async () => {
    const signed = await sign();
    const other = toHex(randomBytes(16));
    const changed = [
      asRead({ ...signed, body: '{"amount":6}' }),
      asRead({ ...signed, path: '/v1/unstake' }),
      asRead(signed, { 'X-Service-Nonce': other }),
      asRead(signed, { 'X-Service-Chain-ID': 'vws-mainnet-1' }),
      asRead(signed, { 'X-Service-Actor': newSigner().publicKeyHex }),
    ];
    for (const request of changed) expect(vetted(request)).toMatchObject({ isGood: false });
    // One bad signature among others says nothing of these.
    const together = [asRead(await sign()), ...changed, asRead(await sign())];
    new Vetting(verifyMany, LIMIT).vet(together);
    expect(together.map((request) => request.vetted?.isGood)).toEqual([
      true,
      ...changed.map(() => false),
      true,
    ]);
  });

  it('is left to the node where the key is unknown, a header is missing or malformed, or the hash is dear', async () => {
    const signed = await sign();
    const long = `{"b":"${'x'.repeat(9_000)}", "a":1}`;
    for (const request of [
      asRead(signed, { 'X-Service-Actor': 'somebody' }),
      asRead(signed, { 'X-Service-Signature': 'abc' }),
      asRead(signed, { 'X-Service-Created': 'now' }),
      asRead(signed, { 'X-Service-Nonce': '' }),
      asRead(signed, { 'X-Service-Version': 'SERVICE-TX-V9' }),
      asRead({ ...signed, body: long }),
      asRead({ ...signed, body: `[${'[],'.repeat(3_000)}0]` }),
    ])
      expect(vetted(request)).toBeUndefined();
  });

  it('of a name is tried with the key that the node said last', async () => {
    const vetting = new Vetting(verifyMany, LIMIT);
    const named = { ...signer, publicKeyHex: 'miner-7' };
    const signed = await signRequest({
      ...{ signer: named, body: {}, chainId: 'c', method: 'POST', path: '/v1/stake', nowSecs: 1_700_000_000 },
      nonce: randomBytes(16),
    });
    expect(vetted(asRead(signed), vetting)).toBeUndefined();
    vetting.learn('miner-7', newSigner().publicKey);
    expect(vetted(asRead(signed), vetting)?.isGood).toBe(false);
    vetting.learn('miner-7', signer.publicKey);
    expect(vetted(asRead(signed), vetting)).toMatchObject({ isGood: true, publicKey: signer.publicKey });
  });
});

describe('a batch', () => {
  const batchOf = (body: string): RequestHead => {
    const head = new RequestHead('POST', LIMIT.path, '', '10.0.0.1', []);
    head.body = utf8(body);
    return head;
  };

  it('is read, and each of its requests is vetted', async () => {
    const good = await sign();
    const plain = ({ method, path, headers, body }: SignedRequest) => ({ method, path, headers, body });
    const forged = { ...plain(await sign()), body: '{}' };
    const batch = batchOf(JSON.stringify({ requests: [plain(good), forged, { path: '/v1/stake' }] }));
    new Vetting(verifyMany, LIMIT).vet([batch]);
    expect(batch.items?.map((item) => item.vetted?.isGood)).toEqual([true, false, undefined]);
    expect(batch.items?.map((item) => item.remoteAddress)).toEqual(['10.0.0.1', '10.0.0.1', '10.0.0.1']);
    expect(toHex(batch.items![0]!.vetted!.id)).toBe(good.txid);
  });

  it('that is none is left to the node, which says why', () => {
    for (const body of ['', '[]', '{"requests":[]}', '{"requests":[{}]}', '{"requests":1']) {
      const batch = batchOf(body);
      new Vetting(verifyMany, LIMIT).vet([batch]);
      expect(batch.items).toBeUndefined();
    }
  });
});

it('a body is the same when its hash was made elsewhere', () => {
  const bodies = [
    '',
    '{}',
    '{"a":1,"b":[true,null,"x"]}',
    ' {"b":2, "a":1.0}',
    '{"a":"\\ud800"}',
    '{"a":1',
    '\ufeff{}',
    '"text"',
    `[${'1,'.repeat(2_500)}1]`,
  ].map((text) => utf8(text));
  for (const raw of [...bodies, Uint8Array.of(0x22, 0xff, 0x22)]) {
    const here = parseBody(raw);
    const there = parsedElsewhere(raw, here.sha256, hasValue(parseBody(raw)));
    expect([there.sha256, there.value]).toEqual([here.sha256, here.value]);
  }
});
