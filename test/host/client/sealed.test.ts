import {
  createDecipheriv,
  createHash,
  createPrivateKey,
  createPublicKey,
  diffieHellman,
  hkdfSync,
} from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { openResult, sealResult, signerFromSeed, systemEnvironment } from '../../../host/client/index.ts';
import { fromHex } from '../../../host/wire/bytes.ts';

const { randomBytes } = systemEnvironment;
const seed = fromHex('8f4f8f7790e2962df8313813a235f885e805625051bf60bc0a76115a721a7d44')!;
const poster = signerFromSeed(seed).publicKey;
const TASK = 'c0ffee00c0ffee00c0ffee00c0ffee00';
const text = (bytes: Uint8Array): string => new TextDecoder().decode(bytes);

describe('an encrypted result', () => {
  it('is decrypted by the poster, whatever its content', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), (content) => {
        expect(openResult(seed, TASK, sealResult(poster, TASK, content, randomBytes))).toEqual(content);
      }),
      { numRuns: 20 },
    );
    const long = 'ünï 😀\r\n'.repeat(40_000);
    expect(text(openResult(seed, TASK, sealResult(poster, TASK, long, randomBytes)))).toBe(long);
  });

  it('has this form for a given ephemeral key, so that other clients can produce it', () => {
    const sealed = sealResult(poster, TASK, 'harbour', (n) => new Uint8Array(n).fill(7));
    expect(sealed).toBe(
      'vws-sealed-v1:E75P6uryBMf9M1j8nAByGIHRdCeBKCJ+xnTzf3/pe20i2K5fuJCjtJWud3DpR7tcXiYSqPcyvw==',
    );
  });

  it('differs each time', () => {
    const one = sealResult(poster, TASK, 'harbour', randomBytes);
    expect(sealResult(poster, TASK, 'harbour', randomBytes)).not.toBe(one);
  });

  it('is decrypted by no other key and for no other task', () => {
    const sealed = sealResult(poster, TASK, 'harbour', randomBytes);
    expect(() =>
      openResult(
        seed.map((b) => b ^ 1),
        TASK,
        sealed,
      ),
    ).toThrow(/another key or task/);
    expect(() => openResult(seed, TASK.replace('c', 'd'), sealed)).toThrow(/another key or task/);
  });

  it('is not decrypted after any byte was changed', () => {
    const sealed = sealResult(poster, TASK, 'harbour', randomBytes);
    const bytes = Uint8Array.from(atob(sealed.slice(14)), (c) => c.charCodeAt(0));
    // The top bit of an X25519 key is ignored by its definition; the salt names the key as sent, so it counts here.
    for (let i = 0; i < bytes.length; i++) {
      const altered = bytes.slice();
      altered[i]! ^= 0x80;
      const spoiled = `vws-sealed-v1:${btoa(String.fromCharCode(...altered))}`;
      expect(() => openResult(seed, TASK, spoiled), `byte ${i}`).toThrow(/altered/);
    }
  });

  it('is distinguished from other text', () => {
    for (const other of [
      '',
      'harbour',
      'vws-sealed-v1:',
      'vws-sealed-v1:%%%',
      `vws-sealed-v1:${btoa('short')}`,
    ]) {
      expect(() => openResult(seed, TASK, other), other).toThrow(/not an encrypted result/);
    }
  });

  it('is refused for keys that cannot be encrypted to', () => {
    for (const key of [new Uint8Array(32), new Uint8Array(31), Uint8Array.of(1, ...new Uint8Array(31))]) {
      expect(() => sealResult(key, TASK, 'harbour', randomBytes)).toThrow(/no key/);
    }
  });

  it('is decrypted by another implementation, from the description alone', () => {
    const bytes = Buffer.from(sealResult(poster, TASK, 'harbour', randomBytes).slice(14), 'base64');
    const raw = (key: Uint8Array, head: string): Buffer => Buffer.concat([Buffer.from(head, 'hex'), key]);
    // RFC 8410 wrappings of raw X25519 keys; the private one is the clamped half of SHA-512 of the seed (RFC 8032).
    const own = createHash('sha512').update(seed).digest().subarray(0, 32);
    const privateKey = createPrivateKey({
      key: raw(own, '302e020100300506032b656e04220420'),
      format: 'der',
      type: 'pkcs8',
    });
    const ephemeral = bytes.subarray(0, 32);
    const publicKey = createPublicKey({
      key: raw(ephemeral, '302a300506032b656e032100'),
      format: 'der',
      type: 'spki',
    });
    const secret = diffieHellman({ privateKey, publicKey });
    const salt = Buffer.concat([ephemeral, poster]);
    const material = Buffer.from(hkdfSync('sha256', secret, salt, `VWS-SEALED-V1:${TASK}`, 44));
    const opener = createDecipheriv('chacha20-poly1305', material.subarray(0, 32), material.subarray(32), {
      authTagLength: 16,
    });
    opener.setAuthTag(bytes.subarray(-16));
    const plain = Buffer.concat([opener.update(bytes.subarray(32, -16)), opener.final()]);
    expect(plain.toString()).toBe('harbour');
  });
});
