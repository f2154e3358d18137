import fc from 'fast-check';
import { expect, test } from 'vitest';
import { toHex, utf8 } from '../../../host/wire/bytes.ts';
import { jcs } from '../../../host/wire/json.ts';
import { vouchedSignBytes } from '../../../host/wire/vouched.ts';
import { BODY_SHA256, NONCE } from './vectors.ts';

test('the hand-written envelope is the JCS form of the members of protocol 5.7', () => {
  const text = fc.string({ unit: 'grapheme' });
  const node = fc.uint8Array({ minLength: 32, maxLength: 32 });
  const keyId = fc.constantFrom('', '0123456789abcdef');
  fc.assert(
    fc.property(text, text, text, fc.nat(), node, keyId, (chainId, actor, path, createdAt, node, keyId) => {
      const object = {
        version: 'SERVICE-NODE-V1',
        chain_id: chainId,
        actor,
        method: 'POST',
        path,
        body_sha256: BODY_SHA256,
        created_at: createdAt,
        expires_at: createdAt + 120,
        nonce: NONCE,
        node: toHex(node),
        ...(keyId ? { key_id: keyId } : {}),
      };
      const vouched = { chainId, actor, createdAt, nonce: NONCE, node, keyId };
      expect(vouchedSignBytes(vouched, 'POST', path, BODY_SHA256)).toEqual(utf8(jcs(object)));
    }),
  );
});
