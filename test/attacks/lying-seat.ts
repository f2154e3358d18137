// A seat that vouches for whatever it likes: its envelopes, and the network of several seats in which it orders alone.

import { type KeyPair, keyPairFromSeed } from '../../host/crypto/key-pair.ts';
import type { Done } from '../../host/ordering/packed.ts';
import { toHex, utf8 } from '../../host/wire/bytes.ts';
import { encodeEntry, keyIssueSignBytes } from '../../host/wire/entry.ts';
import { sha256 } from '../../host/wire/hash.ts';
import { parseBody } from '../../host/wire/json.ts';
import type { Manifest } from '../../host/wire/manifest.ts';
import { vouchedSignBytes } from '../../host/wire/vouched.ts';
import { order, type Parts, SEAT_KEY, seedOf } from '../host/one-node/harness.ts';

export const OTHER_SEAT = keyPairFromSeed(seedOf(2));

/** Two seats, of which the first has a quorum alone, so that one node shows what both would execute. */
export const TWO_SEATS: Manifest = {
  entries: [SEAT_KEY, OTHER_SEAT].map((key, i) => ({
    validator_id: `seat-${i}`,
    operator_agent_id: key.publicKeyHex,
    consensus_public_key: key.publicKeyHex,
    key_epoch: 1,
    bonded_stake: i === 0 ? 250_000_000_000 : 25_000_000_000,
    initial_status: 'active',
  })),
};

let made = 0;

/** A POST that `node` vouches for in the name of `actor`; with a key id as a use of that API key. */
export function vouchedBytes(
  p: Parts,
  node: KeyPair,
  actor: string,
  path: string,
  body: Record<string, unknown>,
  keyId = '',
): Uint8Array {
  const raw = utf8(JSON.stringify(body));
  const envelope = {
    chainId: 'vws-testnet-1',
    actor,
    createdAt: Math.floor(p.clock.nowMs() / 1000),
    nonce: (++made).toString(16).padStart(32, 'f'),
    node: node.publicKey,
    keyId,
  };
  const signBytes = vouchedSignBytes(envelope, 'POST', path, parseBody(raw).sha256);
  return encodeEntry({
    scheme: 'vouched',
    vouched: envelope,
    signature: node.sign(signBytes),
    method: 'POST',
    path,
    body: raw,
  });
}

/** What a node attaches to the creation of an API key, and the id of that key. */
export function issueBy(node: KeyPair, eventId: Uint8Array) {
  const keySha256 = sha256(utf8(`vws_${toHex(eventId)}${node.publicKeyHex}`));
  const signature = node.sign(keyIssueSignBytes(eventId, keySha256));
  return { issue: { keySha256, node: node.publicKey, signature }, keyId: toHex(keySha256.subarray(0, 8)) };
}

/** Puts an entry into a vertex without any admission, and runs it. */
export async function carry(p: Parts, bytes: Uint8Array): Promise<Done> {
  const done = await order(p, [bytes]);
  for (let i = 0; done.length === 0 && i < 20; i++) {
    p.clock.ms += 100;
    done.push(...(await order(p, [])));
  }
  return done[0]!;
}

export const balanceOf = (p: Parts, key: KeyPair): number =>
  p.ids.state.agent(p.ids.find(key.publicKey)!.index)!.balance;
