// The seat table of the running epoch: keys, weights, digests. Weights are ledger state at the epoch's opening.

import { epochId, type SeatWeight, seatDigest } from '../wire/block.ts';
import { fromHex } from '../wire/bytes.ts';
import type { Genesis } from '../wire/genesis.ts';
import { MAX_PARENTS } from '../wire/vertex.ts';

export interface Epoch {
  id: Uint8Array;
  digest: Uint8Array;
  seats: readonly SeatWeight[];
  minParticipants: number;
  maxParents: number;
}

/** Vote weight floor(reputation_bp x stake / 10000) of a seat at genesis; 0 unless active (DECISIONS 6.9). */
const genesisWeight = (baselineBp: number, stakeMicro: number, status: string): bigint =>
  status === 'active' ? (BigInt(baselineBp) * BigInt(stakeMicro)) / 10000n : 0n;

/** Epoch 0, from the manifest. */
export function genesisEpoch(genesis: Genesis): Epoch {
  const seats = genesis.manifest.entries.map((e) => ({
    key: fromHex(e.consensus_public_key)!,
    weight: genesisWeight(e.reputation_baseline ?? 5000, e.bonded_stake, e.initial_status),
  }));
  const minParticipants = genesis.params.min_participants;
  const maxParents = Math.min(seats.length, MAX_PARENTS);
  const digest = seatDigest(seats, minParticipants, maxParents);
  const id = epochId(genesis.hash, 0, new Uint8Array(32), digest);
  return { id, digest, seats, minParticipants, maxParents };
}

/** Does one seat alone hold a quorum: 66.7 percent of the weight, and no others are demanded (CONSENSUS, point 1). */
export function isQuorumAlone(epoch: Epoch, seat: number): boolean {
  const total = epoch.seats.reduce((sum, s) => sum + s.weight, 0n);
  const own = epoch.seats[seat]?.weight ?? 0n;
  return epoch.minParticipants === 1 && own > 0n && 1000n * own >= 667n * total;
}
