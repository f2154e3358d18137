// Senders registered on a node, and transfers between them, signed before the clock runs.

import type { Signer } from '../host/client/signer.ts';
import { chainIdOf } from '../host/wire/chain-id.ts';
import { driveAll, expectStatus } from '../tools/load/drive.ts';
import type { SeededRandom } from '../tools/load/seeded-random.ts';
import { type SignedWrite, signedWrite } from '../tools/load/signed-writes.ts';

const CHAIN = chainIdOf(true);
const MAX_AMOUNT_MICRO = 1000;
/** Maximum duration of a load: two of them in sequence fit into the 120 s of a signed request. */
export const MAX_LOAD_MS = 40_000;

/** Sends the same request from each sender, the senders by turns to these ports; the answers must have `status`. */
export async function eachSends(
  ports: readonly number[],
  signers: readonly Signer[],
  path: string,
  body: Record<string, unknown>,
  status: number,
): Promise<void> {
  const writes = await Promise.all(signers.map((signer) => signedWrite(signer, CHAIN, path, body)));
  const driven = await driveAll({
    ports,
    connections: Math.min(16, writes.length),
    count: writes.length,
    request: (i) => writes[i]!.bytes,
    mostMs: MAX_LOAD_MS,
  });
  expectStatus(driven, status);
}

/**
 * Registers agents, each with `stakeMicro` of stake and therefore of pending transfers. A seat has grants for a part of them
 * only (protocol 6.11), so a network is given as all of its seats.
 */
export const registerSenders = (
  ports: readonly number[],
  signers: readonly Signer[],
  stakeMicro: number,
): Promise<void> => eachSends(ports, signers, '/v1/agents', { initial_stake: stakeMicro }, 201);

/** Signs transfers: each sender in turn pays another one. */
export async function signTransfers(
  signers: readonly Signer[],
  count: number,
  random: SeededRandom,
): Promise<SignedWrite[]> {
  const writes: SignedWrite[] = [];
  for (let i = 0; i < count; i++) {
    const from = i % signers.length;
    const to = (from + 1 + random.below(signers.length - 1)) % signers.length;
    const body = { amount: random.between(1, MAX_AMOUNT_MICRO), to_agent: signers[to]!.publicKeyHex };
    writes.push(await signedWrite(signers[from]!, CHAIN, '/v1/transfer', body));
  }
  return writes;
}
