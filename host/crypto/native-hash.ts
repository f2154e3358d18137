// Makes host/wire use Node's SHA-256 in place of its portable one, which is several times slower.

import { hash } from 'node:crypto';
import { fromHex } from '../wire/bytes.ts';
import { type Sha256, setSha256 } from '../wire/hash.ts';

/** Always as hex: a digest as a Buffer has memory of its own, which costs three times what the hash does. */
export const nativeSha256: Sha256 = {
  bytes: (data) => fromHex(hash('sha256', data, 'hex'))!,
  hex: (data) => hash('sha256', data, 'hex'),
};

export function useNativeHash(): void {
  setSha256(nativeSha256);
}
