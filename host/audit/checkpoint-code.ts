// The short form of a checkpoint, to be read aloud and compared by people: its height and the first 160 bits of its hash
// in the alphabet of Crockford's base 32, as "24:7K3M-9QXT-...", eight groups of four.
// Keeps: 160 bits, since whoever makes two histories chooses both and needs only 2^80 tries for two that collide; without
// letters that look or sound alike (I, L, O, U), and I, L and O are read as the digits that they look like.

import { fromHex } from '../wire/bytes.ts';

const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const BYTES = 20;
const GROUP = 4;
const BITS = 5;

/** Of a checkpoint's hash (consensus 5.17). */
export function checkpointCode(hash: Uint8Array): string {
  let [bits, held] = [0, 0];
  let text = '';
  for (const byte of hash.subarray(0, BYTES)) {
    bits = (bits << 8) | byte;
    held += 8;
    while (held >= BITS) {
      held -= BITS;
      text += ALPHABET[(bits >>> held) & 31];
      bits &= (1 << held) - 1;
    }
  }
  return text.match(new RegExp(`.{${GROUP}}`, 'g'))!.join('-');
}

/** A checkpoint that is known from elsewhere than from the node. */
export interface Pin {
  height: number;
  /** Code of its hash. */
  code: string;
}

/** Reads "height:hash", the hash in 64 hexadecimal characters or as a code; undefined for anything else. */
export function readPin(text: string): Pin | undefined {
  const [, digits, rest] = /^([1-9]\d{0,14}):([0-9A-Za-z-]+)$/.exec(text) ?? [];
  if (digits === undefined || rest === undefined) return undefined;
  const height = Number(digits);
  const hash = rest.length === 64 ? fromHex(rest.toLowerCase()) : undefined;
  if (hash) return { height, code: checkpointCode(hash) };
  const plain = rest.toUpperCase().replaceAll('-', '').replaceAll('O', '0').replace(/[IL]/g, '1');
  const isCode = plain.length === (BYTES * 8) / BITS && [...plain].every((c) => ALPHABET.includes(c));
  return isCode ? { height, code: plain.match(new RegExp(`.{${GROUP}}`, 'g'))!.join('-') } : undefined;
}
