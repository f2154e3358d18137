// The secrets of a canary, which only the planting node knows before the reveal: one-time keys, salt, the work itself.
// Keeps: all are derived from the node's signature of the event that triggered the canary, so nothing secret is stored and a
// restarted node derives them again: Ed25519 signatures are deterministic.

import { type KeyPair, keyPairFromSeed } from '../crypto/key-pair.ts';
import { type CanaryGroup, type CanaryItem, canaryItem, groupOf } from '../scoring/index.ts';
import { concat, utf8 } from '../wire/bytes.ts';
import { sha256 } from '../wire/hash.ts';
import type { OwnKey } from './own-writes.ts';

export interface CanarySecrets {
  poster: KeyPair;
  worker: KeyPair;
  /** 32 bytes. */
  salt: Uint8Array;
  item: CanaryItem;
}

/** The canary group of a category; undefined if it has no canaries. */
export function canaryGroup(category: string): CanaryGroup | undefined {
  const { name } = groupOf(category);
  return name === 'other' ? undefined : name;
}

/** `trigger`: hex id of the event that triggered it. */
export function canarySecrets(key: OwnKey, trigger: string, group: CanaryGroup): CanarySecrets {
  const seed = sha256(key.sign(utf8(`VWS-CANARY:${trigger}`)));
  const part = (name: string): Uint8Array => sha256(concat(seed, utf8(name)));
  return {
    poster: keyPairFromSeed(part('poster')),
    worker: keyPairFromSeed(part('worker')),
    salt: part('salt'),
    item: canaryItem(group, part('item')),
  };
}
