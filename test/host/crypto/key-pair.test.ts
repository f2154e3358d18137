import { expect, test } from 'vitest';
import { generateSeed, keyPairFromSeed } from '../../../host/crypto/key-pair.ts';
import { fromHex, toHex, utf8 } from '../../../host/wire/bytes.ts';
import { KEY, SEED, SIGN_BYTES, SIGNATURE } from '../wire/vectors.ts';

test('the vector of protocol 5.2', () => {
  const pair = keyPairFromSeed(fromHex(SEED)!);
  expect(pair.publicKeyHex).toBe(KEY);
  expect(toHex(pair.publicKey)).toBe(KEY);
  expect(toHex(pair.sign(utf8(SIGN_BYTES)))).toBe(SIGNATURE);
});

test('test 1 of RFC 8032 7.1', () => {
  const pair = keyPairFromSeed(fromHex('9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60')!);
  expect(pair.publicKeyHex).toBe('d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a');
  expect(toHex(pair.sign(new Uint8Array(0)))).toBe(
    'e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e065224901555fb8821590a33bacc61e39701cf9b46bd25bf5f0595bbe24655141438e7a100b',
  );
});

test('seeds are 32 random bytes; other lengths are refused; nothing shows the seed', () => {
  const seed = generateSeed();
  expect(seed.length).toBe(32);
  expect(toHex(generateSeed())).not.toBe(toHex(seed));
  expect(() => keyPairFromSeed(seed.subarray(1))).toThrow(RangeError);
  expect(JSON.stringify(keyPairFromSeed(seed))).not.toContain(toHex(seed));
});
