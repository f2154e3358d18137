// What the commands that make a key say about it.

import { encodeAddress } from '../wire/address.ts';
import type { Io } from './io.ts';

/** Its deposit address; where no chain was chosen, that of each. */
export function printAddresses(
  io: Pick<Io, 'out'>,
  publicKey: Uint8Array,
  testnet: boolean | undefined,
): void {
  io.out(`Address: ${encodeAddress(publicKey, testnet === true)}`);
  if (testnet === undefined) io.out(`Testnet address: ${encodeAddress(publicKey, true)}`);
}
