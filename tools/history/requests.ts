// Encoded entries as a vertex carries them, made without a server: signed by an agent, or vouched for by the node.
// Keeps: every signature is real, so a log made of these passes any later verification.

import type { KeyPair } from '../../host/crypto/key-pair.ts';
import { toHex, utf8 } from '../../host/wire/bytes.ts';
import type { Entry, KeyIssue } from '../../host/wire/entry.ts';
import { encodeEntry, keyIssueSignBytes } from '../../host/wire/entry.ts';
import { sha256, sha256Hex } from '../../host/wire/hash.ts';
import { jcs } from '../../host/wire/json.ts';
import { txSignBytes } from '../../host/wire/tx.ts';
import { vouchedSignBytes } from '../../host/wire/vouched.ts';

const LIFETIME_SECS = 60;

export interface MadeEntry {
  id: Uint8Array;
  bytes: Uint8Array;
}

export interface Write {
  chainId: string;
  path: string;
  body: Record<string, unknown>;
  nowSecs: number;
  /** 16 bytes. */
  nonce: Uint8Array;
}

/** A POST signed by the agent of this key. `issuer`: the node that attaches an API key to its creation. */
export function signedEntry(signer: KeyPair, write: Write, issuer?: KeyPair): MadeEntry {
  const { chainId, path, nowSecs, nonce } = write;
  const text = jcs(write.body);
  const tx = {
    chainId,
    actor: signer.publicKeyHex,
    createdAt: nowSecs,
    expiresAt: nowSecs + LIFETIME_SECS,
    nonce: toHex(nonce),
  };
  const signBytes = txSignBytes(tx, 'POST', path, sha256Hex(text));
  const id = sha256(signBytes);
  const entry: Entry = {
    scheme: 'tx_v1',
    tx,
    signature: signer.sign(signBytes),
    method: 'POST',
    path,
    body: utf8(text),
    ...(issuer ? { keyIssue: issueOf(issuer, id, nonce) } : {}),
  };
  return { id, bytes: encodeEntry(entry) };
}

/** What a node attaches to the creation of an API key; the key's text is derived from the nonce. */
function issueOf(issuer: KeyPair, eventId: Uint8Array, nonce: Uint8Array): KeyIssue {
  const keySha256 = sha256(utf8(`vws_${sha256Hex(nonce)}`));
  return {
    keySha256,
    node: issuer.publicKey,
    signature: issuer.sign(keyIssueSignBytes(eventId, keySha256)),
  };
}

/** An unsigned POST of the agent named `actor`, vouched for by the node. */
export function vouchedEntry(node: KeyPair, actor: string, write: Write): MadeEntry {
  const { chainId, path, nowSecs, nonce } = write;
  const text = jcs(write.body);
  const vouched = {
    chainId,
    actor,
    createdAt: nowSecs,
    nonce: toHex(nonce),
    node: node.publicKey,
    keyId: '',
  };
  const signBytes = vouchedSignBytes(vouched, 'POST', path, sha256Hex(text));
  const entry: Entry = {
    scheme: 'vouched',
    vouched,
    signature: node.sign(signBytes),
    method: 'POST',
    path,
    body: utf8(text),
  };
  return { id: sha256(signBytes), bytes: encodeEntry(entry) };
}
