// A signature that another thread has tried counts only by the key that the node knows.

import { randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { type AuthContext, authenticate } from '../../../host/api/auth.ts';
import { signRequest } from '../../../host/client/signed-request.ts';
import { fromHex, utf8 } from '../../../host/wire/bytes.ts';
import type { Vetted } from '../../../host/wire/vetted.ts';
import { RequestHead } from '../../../host/world/request-head.ts';
import { newSigner } from '../../../tools/load/signed-writes.ts';

const NOW = 1_700_000_000;
const CHAIN = 'vws-testnet-1';
const signer = newSigner();
const other = newSigner();

/** A node that knows an agent under the signer's id, with this key. */
function nodeWith(publicKey: Uint8Array) {
  const tried: Uint8Array[] = [];
  const agent = { index: 7, key: signer.publicKey, publicKey, validator: undefined };
  const context = {
    chainId: CHAIN,
    ids: { named: () => agent },
    nowSecs: () => NOW,
    isTimeTrusted: () => true,
    verify: async (job: { publicKey: Uint8Array }) => {
      tried.push(job.publicKey);
      return true;
    },
  } as unknown as AuthContext;
  return { context, tried };
}

async function request(vetted?: Partial<Vetted>) {
  const signed = await signRequest({
    ...{ signer, chainId: CHAIN, method: 'POST', path: '/v1/stake', body: { amount: 1 }, nowSecs: NOW },
    nonce: randomBytes(16),
  });
  const headers = Object.entries(signed.headers).flatMap(([name, value]) => [name.toLowerCase(), value]);
  const head = new RequestHead('POST', '/v1/stake', '', '10.0.0.1', headers);
  head.body = utf8(signed.body);
  const known: string[] = [];
  head.onKey = (actor) => known.push(actor);
  if (vetted)
    head.vetted = {
      ...{ bodySha256: 'ab'.repeat(32), hasValue: true, id: fromHex(signed.txid)! },
      ...{ publicKey: signer.publicKey, isGood: true },
      ...vetted,
    };
  return { head, known, txid: signed.txid };
}

const authed = async (head: RequestHead, context: AuthContext) => {
  try {
    return (await authenticate(head, context, () => {})).open;
  } catch (error) {
    return (error as { code: string }).code;
  }
};

describe('a vetted request', () => {
  it('by the key that the node knows is not tried again, good or bad', async () => {
    const { context, tried } = nodeWith(signer.publicKey);
    const good = await request({});
    expect(await authed(good.head, context)).toMatchObject({
      id: fromHex(good.txid),
      body: { value: { amount: 1 } },
    });
    const bad = await request({ isGood: false });
    expect(await authed(bad.head, context)).toBe('tx_signature_invalid');
    expect([tried, good.known, bad.known]).toEqual([[], [], []]);
  });

  it('by another key is tried with the one that the node knows, which the thread is told', async () => {
    const { context, tried } = nodeWith(other.publicKey);
    for (const isGood of [true, false]) {
      const { head, known } = await request({ isGood });
      expect(await authed(head, context)).toMatchObject({ body: { value: { amount: 1 } } });
      expect(known).toEqual([signer.publicKeyHex]);
    }
    expect(tried).toEqual([other.publicKey, other.publicKey]);
  });

  it('that has no value is not parsed', async () => {
    const { context } = nodeWith(signer.publicKey);
    const { head } = await request({ hasValue: false });
    expect(await authed(head, context)).toMatchObject({ body: { value: undefined } });
  });

  it('that nobody has looked at is tried here', async () => {
    const { context, tried } = nodeWith(signer.publicKey);
    const { head, known } = await request();
    expect(await authed(head, context)).toMatchObject({ body: { value: { amount: 1 } } });
    expect([tried, known]).toEqual([[signer.publicKey], [signer.publicKeyHex]]);
  });
});
