// Manifests of several seats of which only the first, the test's, takes part.

import { type KeyPair, keyPairFromSeed } from '../../../host/crypto/key-pair.ts';
import type { Manifest } from '../../../host/wire/manifest.ts';
import { SEAT_KEY, seedOf } from './harness.ts';

const TOKEN = 1_000_000;

/** Consensus and operator key of an absent seat. */
export function absentKey(seat: number): KeyPair {
  const seed = seedOf(200);
  seed[0] = seat;
  return keyPairFromSeed(seed);
}

/** Equal seats but for the first, which holds this share of the weight. */
export function heavyManifest(seats: number, share: number): Manifest {
  const light = 25_000 * TOKEN;
  const heavy = Math.ceil((light * (seats - 1) * share) / (1 - share));
  return {
    entries: Array.from({ length: seats }, (_, i) => {
      const key = i === 0 ? SEAT_KEY : absentKey(i);
      return {
        validator_id: `v${i + 1}`,
        operator_agent_id: key.publicKeyHex,
        consensus_public_key: key.publicKeyHex,
        key_epoch: 1,
        bonded_stake: i === 0 ? heavy : light,
        initial_status: 'active' as const,
      };
    }),
  };
}
