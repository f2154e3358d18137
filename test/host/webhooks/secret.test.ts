import { describe, expect, it } from 'vitest';
import { sealResult, sealWebhookSecret } from '../../../host/client/sealed.ts';
import { keyPairFromSeed } from '../../../host/crypto/key-pair.ts';
import { signingSecret } from '../../../host/webhooks/secret.ts';
import { utf8 } from '../../../host/wire/bytes.ts';
import { OPERATIONS } from '../../../host/wire/operations.ts';
import { randomBytes } from '../../../host/world/system/random.ts';

const seed = new Uint8Array(32).fill(5);
const seat = keyPairFromSeed(seed);
const AGENT = 'harbour-watch';
const seal = (secret: Uint8Array | string): string =>
  sealWebhookSecret(seat.publicKey, AGENT, secret, randomBytes);

describe('a webhook secret', () => {
  it('encrypted decrypts for the seat, text or bytes, at every allowed length', () => {
    for (let n = 1; n <= 39; n++) {
      const secret = randomBytes(n);
      expect(signingSecret(seal(secret), AGENT, seat), `${n} bytes`).toEqual(secret);
    }
    expect(signingSecret(seal('whsec_ü'), AGENT, seat)).toEqual(utf8('whsec_ü'));
  });

  it('decrypts also after the seed of the key was wiped', () => {
    const wiped = seed.slice();
    const pair = keyPairFromSeed(wiped);
    wiped.fill(0);
    expect(signingSecret(seal('whsec'), AGENT, pair)).toEqual(utf8('whsec'));
  });

  it('of 39 bytes fills the field to its last byte, a longer or an empty one is refused', () => {
    const { max } = OPERATIONS.routerRegister.fields.webhook_secret;
    expect(seal('x'.repeat(39))).toHaveLength(max);
    for (const secret of ['', 'x'.repeat(40), 'ü'.repeat(20)]) {
      expect(() => seal(secret)).toThrow(/1 to 39 bytes, not \d+/);
    }
  });

  it('has this form for a given ephemeral key, so that other clients can make it', () => {
    expect(sealWebhookSecret(seat.publicKey, AGENT, 'whsec', (n) => new Uint8Array(n).fill(7))).toBe(
      'vws-hook-v1:E75P6uryBMf9M1j8nAByGIHRdCeBKCJ+xnTzf3/pe21CmHtvBLFmDSaZ+Jg4m5NmEMJJYlk=',
    );
  });

  it('decrypts for no other agent and with no other key', () => {
    const sealed = seal('whsec');
    expect(signingSecret(sealed, 'harbour-watch2', seat)).toBeUndefined();
    expect(signingSecret(sealed, AGENT, keyPairFromSeed(new Uint8Array(32).fill(6)))).toBeUndefined();
  });

  it('does not decrypt when any byte was changed, cut off or added', () => {
    const sealed = seal('whsec');
    const bytes = Buffer.from(sealed.slice(12), 'base64');
    const spoilt = Array.from(bytes, (byte, i) => bytes.with(i, byte ^ 0x80));
    for (const other of [
      ...spoilt,
      bytes.subarray(1),
      bytes.subarray(0, -1),
      Buffer.concat([bytes, bytes]),
    ]) {
      const text = `vws-hook-v1:${Buffer.from(other).toString('base64')}`;
      expect(signingSecret(text, AGENT, seat)).toBeUndefined();
    }
  });

  it('that merely resembles an encrypted one never signs', () => {
    const weak = Buffer.from(new Uint8Array(60)).toString('base64');
    for (const text of ['', '%%%', 'whsec', weak]) {
      expect(signingSecret(`vws-hook-v1:${text}`, AGENT, seat), text).toBeUndefined();
    }
  });

  it('in plain text is used unchanged, also when it resembles the result of an encryption', () => {
    const { result_content: result } = sealResult(seat, seat.publicKey, '42'.repeat(16), 'whsec');
    for (const text of ['whsec', 'vws-hook-v2:whsec', 'VWS-HOOK-V1:whsec', result]) {
      expect(signingSecret(text, AGENT, seat)).toBe(text);
    }
  });

  it('cannot be encrypted to an invalid key', () => {
    for (const key of [new Uint8Array(32), new Uint8Array(31), new Uint8Array()]) {
      expect(() => sealWebhookSecret(key, AGENT, 'whsec', randomBytes)).toThrow(/no key/);
    }
  });
});
