import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  contentKey,
  openResult,
  sealResult,
  signerFromSeed,
  systemEnvironment,
} from '../../../host/client/index.ts';
import { fromHex } from '../../../host/wire/bytes.ts';
import { keyCommitment } from '../../../host/wire/sealed-box.ts';
import { seal } from '../../../host/wire/sealed-text.ts';

const { randomBytes } = systemEnvironment;
const seed = fromHex('8f4f8f7790e2962df8313813a235f885e805625051bf60bc0a76115a721a7d44')!;
const worker = new Uint8Array(32).fill(7);
const poster = signerFromSeed(seed).publicKey;
const TASK = 'c0ffee00c0ffee00c0ffee00c0ffee00';
const text = (bytes: Uint8Array): string => new TextDecoder().decode(bytes);
const OTHER = seed.map((b) => b ^ 1);

describe('a sealed result', () => {
  it('is read by the poster and by its worker, whatever its content', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 300 }), (content) => {
        const { result_content: box } = sealResult(worker, poster, TASK, content);
        expect(text(openResult(seed, TASK, box))).toBe(content);
        expect(text(openResult(worker, TASK, box))).toBe(content);
      }),
      { numRuns: 10 },
    );
  });

  it('is committed to by the key that both find', () => {
    const made = sealResult(worker, poster, TASK, 'harbour');
    expect(made.result_encrypted).toBe(true);
    const key = contentKey(worker, TASK, made.result_content);
    expect(contentKey(seed, TASK, made.result_content)).toBe(key);
    expect(keyCommitment(TASK, fromHex(key)!)).toBe(made.key_commitment);
  });

  it('is the same when it is made again, so that a repeated command is the same request', () => {
    expect(sealResult(worker, poster, TASK, 'harbour')).toEqual(sealResult(worker, poster, TASK, 'harbour'));
  });

  it('is read by no other key and for no other task', () => {
    const { result_content: box } = sealResult(worker, poster, TASK, 'harbour');
    expect(() => openResult(OTHER, TASK, box)).toThrow(/another key or task/);
    expect(() => openResult(seed, TASK.replace('c', 'd'), box)).toThrow(/another key or task/);
    expect(() => contentKey(OTHER, TASK, box)).toThrow(/no content key/);
  });

  it('is refused for keys that cannot be encrypted to', () => {
    for (const key of [new Uint8Array(32), new Uint8Array(31), Uint8Array.of(1, ...new Uint8Array(31))]) {
      expect(() => sealResult(worker, key, TASK, 'harbour')).toThrow(/no key/);
    }
  });
});

describe('a result of the older form', () => {
  const old = seal('vws-sealed-v1', poster, TASK, 'harbour', randomBytes)!;

  it('is read by the poster, and has no content key', () => {
    expect(text(openResult(seed, TASK, old))).toBe('harbour');
    expect(() => contentKey(seed, TASK, old)).toThrow(/no content key/);
  });

  it('has this form for a given ephemeral key', () => {
    expect(seal('vws-sealed-v1', poster, TASK, 'harbour', (n) => new Uint8Array(n).fill(7))).toBe(
      'vws-sealed-v1:E75P6uryBMf9M1j8nAByGIHRdCeBKCJ+xnTzf3/pe20i2K5fuJCjtJWud3DpR7tcXiYSqPcyvw==',
    );
  });

  it('is read by no other key and for no other task, nor after any byte was changed', () => {
    expect(() => openResult(OTHER, TASK, old)).toThrow(/another key or task/);
    expect(() => openResult(seed, TASK.replace('c', 'd'), old)).toThrow(/another key or task/);
    const bytes = Uint8Array.from(atob(old.slice(14)), (c) => c.charCodeAt(0));
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
});
