// A key as text, for export and import: the format of the command line's key files (protocol 12.5).
// Keeps: a text whose public key does not belong to its seed is refused.

import { type Signer, signerFromSeed } from '../../client/index.ts';
import { fromHex, isHex, toHex } from '../../wire/bytes.ts';

export const SEED_BYTES = 32;

export interface Key {
  seed: Uint8Array;
  signer: Signer;
}

export const keyFromSeed = (seed: Uint8Array): Key => ({ seed, signer: signerFromSeed(seed) });

export function keyText({ seed, signer }: Key): string {
  return `${JSON.stringify({ seed: toHex(seed), public_key: signer.publicKeyHex })}\n`;
}

/** Reads a key file, or the seed alone in hex; undefined if the text is neither. */
export function readKeyText(text: string): Key | undefined {
  const plain = text.trim();
  if (isHex(plain, 2 * SEED_BYTES)) return keyFromSeed(fromHex(plain) as Uint8Array);
  let file: { seed?: unknown; public_key?: unknown };
  try {
    file = JSON.parse(plain) as typeof file;
  } catch {
    return undefined;
  }
  if (typeof file?.seed !== 'string' || !isHex(file.seed, 2 * SEED_BYTES)) return undefined;
  const key = keyFromSeed(fromHex(file.seed) as Uint8Array);
  return file.public_key === undefined || file.public_key === key.signer.publicKeyHex ? key : undefined;
}
