// Which seats signed a checkpoint.
// Keeps: a signature counts only under the key that its seat has in the epoch; one that is not good is a fault, not a gap.

import type { VerifyMany } from '../crypto/verifier.ts';
import type { Epoch } from '../ordering/epoch.ts';
import { checkpointHash, checkpointSigningBytes } from '../wire/block.ts';
import { fromHex, toHex } from '../wire/bytes.ts';
import { LogFault } from '../wire/log-fault.ts';
import type { SignedCheckpoint } from './readings.ts';

/**
 * Seats with a valid signature of a checkpoint. An invalid one is a fault: a node checks signatures before it lists them.
 * Errors: LogFault `forged`.
 */
export function signersOf(
  verify: VerifyMany,
  { height, signatures }: Pick<SignedCheckpoint, 'height' | 'signatures'>,
  statement: Uint8Array,
  epoch: Epoch,
): number[] {
  // Before the first is verified: a node lists one of a seat, and could list tens of thousands.
  if (signatures.length > epoch.seats.length) {
    const text = `checkpoint ${height} has ${signatures.length} signatures of ${epoch.seats.length} seats`;
    throw new LogFault('forged', text, { checkpoint: height });
  }
  const message = checkpointSigningBytes(checkpointHash(statement));
  const named = signatures.map((s) => ({
    name: s.validator_id,
    seat: epoch.seats.findIndex(({ key }) => toHex(key) === s.public_key),
    signature: fromHex(s.signature) ?? new Uint8Array(0),
  }));
  const jobs = named.map(({ seat, signature }) => ({
    publicKey: epoch.seats[seat]?.key ?? new Uint8Array(32),
    message,
    signature,
  }));
  const verdicts = verify(jobs);
  const bad = named.find(({ seat }, i) => seat < 0 || verdicts[i] !== 1);
  if (bad) {
    throw new LogFault('forged', `checkpoint ${height} has a forged signature of ${String(bad.name)}`, {
      checkpoint: height,
    });
  }
  return named.map(({ seat }) => seat);
}
