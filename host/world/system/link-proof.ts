// The proof of a key that only signs, as one in a token: the node shows a key of its own in the handshake of a link, and in
// the handshake's encrypted payload that the key of its seat speaks for it there (protocol 12.8).
// Keeps: a proof counts for one handshake, since it signs what the other end drew for it; a proof that is not right ends the
// handshake, it is never passed over.

import { concat, utf8 } from '../../wire/bytes.ts';
import { isAcceptableKey } from '../../wire/public-key.ts';
import type { LinkIdentity } from '../transport.ts';
import { isSignedBy } from './one-signature.ts';

/** The part of noise-handshake's state that is used here. */
export interface Handshake {
  /** Own ephemeral key of this handshake; null before it is drawn and after the end. */
  e: { publicKey: Uint8Array } | null;
  /** The other end's ephemeral key; null before it is known and after the end. */
  re: Uint8Array | null;
  /** The other end's static key, once it is proven. */
  rs: Uint8Array | null;
  send(payload?: Uint8Array): Uint8Array;
  recv(message: Uint8Array): Uint8Array;
}

const KEY_BYTES = 32;
const PROOF_BYTES = KEY_BYTES + 64;
const DOMAIN = utf8('VWS-LINK');

const messageOf = (drawn: Uint8Array, linkKey: Uint8Array): Uint8Array => concat(DOMAIN, drawn, linkKey);

function isProven(proof: Uint8Array, drawn: Uint8Array, linkKey: Uint8Array): boolean {
  if (proof.length !== PROOF_BYTES) return false;
  const key = proof.subarray(0, KEY_BYTES);
  return isAcceptableKey(key) && isSignedBy(key, messageOf(drawn, linkKey), proof.subarray(KEY_BYTES));
}

/**
 * Adds the own proof to what the handshake sends, if there is an identity, and checks that of the other end. Returns what
 * tells, once the handshake is over, the key that the other end speaks for; undefined: its static key.
 */
export function proveLink(
  handshake: Handshake,
  linkKey: Uint8Array,
  identity?: LinkIdentity,
): () => Uint8Array | undefined {
  const send = handshake.send.bind(handshake);
  const recv = handshake.recv.bind(handshake);
  let spokenFor: Uint8Array | undefined;
  handshake.send = () => {
    // The first message knows nothing of the other end yet.
    if (!identity || !handshake.re) return send();
    return send(concat(identity.publicKey, identity.sign(messageOf(handshake.re, linkKey))));
  };
  handshake.recv = (message) => {
    // Both are wiped with the last message.
    const drawn = handshake.e && Uint8Array.from(handshake.e.publicKey);
    const payload = recv(message);
    if (payload.length === 0) return payload;
    if (!drawn || !handshake.rs || !isProven(payload, drawn, handshake.rs))
      throw new Error('the other end does not prove the key that it names');
    spokenFor = Uint8Array.from(payload.subarray(0, KEY_BYTES));
    return payload;
  };
  return () => spokenFor;
}
