// What every SignatureVerifier must do; run over each implementation by verifier.test.ts.

import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { keyPairFromSeed } from '../../../host/crypto/key-pair.ts';
import type { SignatureJob, SignatureVerifier } from '../../../host/crypto/verifier.ts';
import { fromHex, utf8 } from '../../../host/wire/bytes.ts';
import { KEY, SEED, SIGN_BYTES, SIGNATURE, SMALL_ORDER_KEYS } from '../wire/vectors.ts';
import { addOrder, signWithTorsion } from './odd-signatures.ts';

const seed = fromHex(SEED)!;
const pair = keyPairFromSeed(seed);
const good = (i: number): SignatureJob => {
  const message = utf8(`message ${i} ${'x'.repeat(i % 200)}`);
  return { publicKey: pair.publicKey, message, signature: pair.sign(message) };
};
const spoiled = (job: SignatureJob): SignatureJob => ({ ...job, message: utf8('another') });

export function verifierContract(name: string, create: () => SignatureVerifier): void {
  describe(name, () => {
    let verifier: SignatureVerifier;
    beforeEach(() => {
      verifier = create();
    });
    afterEach(() => verifier.close());

    test('the vector of protocol 5.2', async () => {
      const job = { publicKey: fromHex(KEY)!, message: utf8(SIGN_BYTES), signature: fromHex(SIGNATURE)! };
      expect(await verifier.verify(job)).toBe(true);
      expect(await verifier.verify(spoiled(job))).toBe(false);
    });

    test('ZIP-215: R moved by a point of order 8 passes, S + L does not', async () => {
      const message = utf8('torsion');
      const { publicKey } = pair;
      expect(await verifier.verify({ publicKey, message, signature: signWithTorsion(seed, message) })).toBe(
        true,
      );
      expect(await verifier.verify({ publicKey, message, signature: addOrder(pair.sign(message)) })).toBe(
        false,
      );
    });

    test('keys of small order are not its business: it follows ZIP-215', async () => {
      const signature = new Uint8Array(64);
      signature.set(fromHex(SMALL_ORDER_KEYS[0]!)!);
      for (const key of SMALL_ORDER_KEYS) {
        expect(await verifier.verify({ publicKey: fromHex(key)!, message: utf8('any'), signature })).toBe(
          true,
        );
      }
    });

    test('wrong lengths, keys off the curve and altered bits are bad signatures, not errors', async () => {
      const job = good(1);
      const offCurve = new Uint8Array(32);
      offCurve[0] = 2;
      const flipped = job.signature.slice();
      flipped[40]! ^= 1;
      const jobs = [
        { ...job, publicKey: offCurve },
        { ...job, publicKey: job.publicKey.subarray(1) },
        { ...job, signature: job.signature.subarray(1) },
        { ...job, signature: new Uint8Array(0) },
        { ...job, signature: flipped },
      ];
      expect(await Promise.all(jobs.map((j) => verifier.verify(j)))).toEqual(jobs.map(() => false));
    });

    test('each signature has its own verdict, in any mixture', async () => {
      const jobs = Array.from({ length: 300 }, (_, i) => (i % 7 === 3 ? spoiled(good(i)) : good(i)));
      const verdicts = await Promise.all(jobs.map((job) => verifier.verify(job)));
      expect(verdicts).toEqual(jobs.map((_, i) => i % 7 !== 3));
      expect(verifier.stats).toMatchObject({ verified: 300, refused: 43, waiting: 0, overloaded: 0 });
      expect(verifier.stats.batches).toBeGreaterThan(0);
    });

    test('an empty and a large message', async () => {
      for (const message of [new Uint8Array(0), new Uint8Array(1_048_576).fill(7)]) {
        const signature = pair.sign(message);
        expect(await verifier.verify({ publicKey: pair.publicKey, message, signature })).toBe(true);
      }
    });

    test('close answers what was accepted and refuses what comes after', async () => {
      const accepted = Array.from({ length: 100 }, (_, i) => verifier.verify(good(i)));
      const closed = verifier.close();
      await expect(verifier.verify(good(1))).rejects.toMatchObject({ code: 'not_ready' });
      expect(await Promise.all(accepted)).toEqual(accepted.map(() => true));
      await closed;
      await verifier.close();
    });
  });
}
