import {
  createDecipheriv,
  createHash,
  createPrivateKey,
  createPublicKey,
  diffieHellman,
  hkdfSync,
} from 'node:crypto';
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { signerFromSeed } from '../../../host/client/index.ts';
import { fromHex, toHex } from '../../../host/wire/bytes.ts';
import {
  contentKeyOf,
  isSealedBox,
  keyCommitment,
  openBox,
  ownContentKey,
  remakeBox,
  sealBox,
} from '../../../host/wire/sealed-box.ts';
import { openingKey } from '../../../host/wire/sealed-text.ts';

/** Shared with the Python SDK. */
const VECTORS = JSON.parse(readFileSync('sdk/python/tests/sealed_vectors.json', 'utf8')) as Vector[];
interface Vector {
  task_id: string;
  poster_seed: string;
  worker_seed: string;
  text: string;
  content_key: string;
  key_commitment: string;
  box: string;
}

const TASK = 'c0ffee00c0ffee00c0ffee00c0ffee00';
const OTHER_TASK = 'd0ffee00c0ffee00c0ffee00c0ffee00';
const posterSeed = new Uint8Array(32).fill(1);
const workerSeed = new Uint8Array(32).fill(2);
const readers = {
  poster: signerFromSeed(posterSeed).publicKey,
  worker: signerFromSeed(workerSeed).publicKey,
};
const key = new Uint8Array(32).fill(9);
const box = sealBox(TASK, key, readers, 'harbour')!;

const bytesOf = (text: string): Uint8Array => Uint8Array.from(Buffer.from(text.slice(14), 'base64'));
const textOf = (bytes: Uint8Array): string => `vws-sealed-v2:${Buffer.from(bytes).toString('base64')}`;

describe('a sealed box', () => {
  it.each(VECTORS.map((v) => [v.text.slice(0, 12), v] as const))('is that of the vector %s', (_, v) => {
    const seeds = { poster: fromHex(v.poster_seed)!, worker: fromHex(v.worker_seed)! };
    const to = {
      poster: signerFromSeed(seeds.poster).publicKey,
      worker: signerFromSeed(seeds.worker).publicKey,
    };
    const content = ownContentKey(v.task_id, openingKey(seeds.worker), v.text);
    expect(toHex(content)).toBe(v.content_key);
    expect(keyCommitment(v.task_id, content)).toBe(v.key_commitment);
    expect(sealBox(v.task_id, content, to, v.text)).toBe(v.box);
    for (const seed of [seeds.poster, seeds.worker])
      expect(toHex(contentKeyOf(v.task_id, openingKey(seed), v.box)!)).toBe(v.content_key);
    expect(remakeBox(v.task_id, content, to, v.box)).toBe(v.text);
  });

  it('gives its key to its two readers and to nobody else, and not in another task', () => {
    for (const seed of [posterSeed, workerSeed])
      expect(contentKeyOf(TASK, openingKey(seed), box)).toEqual(key);
    expect(contentKeyOf(TASK, openingKey(new Uint8Array(32).fill(3)), box)).toBeUndefined();
    expect(contentKeyOf(OTHER_TASK, openingKey(posterSeed), box)).toBeUndefined();
    expect(openBox(OTHER_TASK, key, box)).toBeUndefined();
  });

  it('is made anew by its key alone, and by no other', () => {
    expect(remakeBox(TASK, key, readers, box)).toBe('harbour');
    expect(remakeBox(TASK, new Uint8Array(32).fill(8), readers, box)).toBeUndefined();
    expect(remakeBox(TASK, key, { ...readers, poster: readers.worker }, box)).toBeUndefined();
  });

  it('is not made anew after any byte was changed, though its text may still open', () => {
    const bytes = bytesOf(box);
    for (let i = 0; i < bytes.length; i++) {
      const altered = bytes.slice();
      altered[i]! ^= 0x80;
      expect(remakeBox(TASK, key, readers, textOf(altered)), `byte ${i}`).toBeUndefined();
    }
    // What the poster cannot unwrap is garbage, whatever the key opens.
    const garbled = bytes.slice();
    garbled[40]! ^= 1;
    expect(openBox(TASK, key, textOf(garbled))).toBe('harbour');
  });

  it('has one text', () => {
    expect(isSealedBox(box)).toBe(true);
    for (const other of [
      '',
      'harbour',
      'vws-sealed-v2:',
      'vws-sealed-v2:%%%',
      `${box}=`,
      box.replace('v2', 'v1'),
      `${box} `,
    ])
      expect(isSealedBox(other), other).toBe(false);
    expect(isSealedBox(textOf(bytesOf(box).subarray(0, 143)))).toBe(false);
  });

  it('holds UTF-8, or it opens for nobody', () => {
    const long = 'ünï 😀\r\n\u0000'.repeat(1000);
    expect(openBox(TASK, key, sealBox(TASK, key, readers, long)!)).toBe(long);
    expect(openBox(TASK, key, sealBox(TASK, key, readers, '')!)).toBe('');
  });

  it('is not made for keys that cannot be encrypted to', () => {
    for (const bad of [new Uint8Array(0), new Uint8Array(32), Uint8Array.of(1, ...new Uint8Array(31))]) {
      expect(sealBox(TASK, key, { ...readers, poster: bad }, 'x')).toBeUndefined();
      expect(sealBox(TASK, key, { ...readers, worker: bad }, 'x')).toBeUndefined();
    }
  });

  it('has another key for every task and text, and the same one for the same', () => {
    const own = openingKey(workerSeed);
    const one = ownContentKey(TASK, own, 'harbour');
    expect(ownContentKey(TASK, own, 'harbour')).toEqual(one);
    expect(ownContentKey(TASK, own, 'harbours')).not.toEqual(one);
    expect(ownContentKey(OTHER_TASK, own, 'harbour')).not.toEqual(one);
    expect(ownContentKey(TASK, openingKey(posterSeed), 'harbour')).not.toEqual(one);
  });

  it('is read by another implementation, from the description alone', () => {
    const bytes = Buffer.from(bytesOf(box));
    const raw = (part: Uint8Array, head: string): Buffer => Buffer.concat([Buffer.from(head, 'hex'), part]);
    const hkdf = (secret: Uint8Array, salt: Uint8Array, part: string): Buffer =>
      Buffer.from(hkdfSync('sha256', secret, salt, `VWS-SEALED-V2:${TASK}:${part}`, 44));
    const decrypt = (material: Buffer, sealed: Buffer): Buffer => {
      const opener = createDecipheriv('chacha20-poly1305', material.subarray(0, 32), material.subarray(32), {
        authTagLength: 16,
      });
      opener.setAuthTag(sealed.subarray(-16));
      return Buffer.concat([opener.update(sealed.subarray(0, -16)), opener.final()]);
    };
    const own = createHash('sha512').update(posterSeed).digest().subarray(0, 32);
    const ephemeral = bytes.subarray(0, 32);
    const secret = diffieHellman({
      privateKey: createPrivateKey({
        key: raw(own, '302e020100300506032b656e04220420'),
        format: 'der',
        type: 'pkcs8',
      }),
      publicKey: createPublicKey({
        key: raw(ephemeral, '302a300506032b656e032100'),
        format: 'der',
        type: 'spki',
      }),
    });
    const salt = Buffer.concat([ephemeral, readers.poster]);
    const found = decrypt(hkdf(secret, salt, 'wrap'), bytes.subarray(32, 80));
    expect(new Uint8Array(found)).toEqual(key);
    expect(decrypt(hkdf(found, Buffer.alloc(0), 'content'), bytes.subarray(128)).toString()).toBe('harbour');
    const committed = createHash('sha256').update('VWS-CONTENT-KEY-V2').update(Buffer.from(TASK, 'hex'));
    expect(keyCommitment(TASK, key)).toBe(committed.update(found).digest('hex'));
  });
});
