// What only the node that plants a canary can know of it before the reveal: one-time keys, salt, the work itself.
// Keeps: all of it follows from the node's signature over the event that called for the canary, so nothing secret is
// stored and a node that was started again finds it anew. Ed25519 signs the same bytes alike.

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

/** The group that canaries of a category are made for; undefined when there are none. */
export function canaryGroup(category: string): CanaryGroup | undefined {
  const { name } = groupOf(category);
  return name === 'other' ? undefined : name;
}

/** `trigger`: hex id of the event that called for it. */
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
