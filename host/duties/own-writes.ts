// Signs writes of the node itself; they pass the sequencer's admission like any other.

import type { Identities } from '../execution/identity.ts';
import { entryInput, resolveSigner, signedCredentials } from '../execution/intake.ts';
import { toCommand } from '../execution/translate.ts';
import type { Submission } from '../sequencer/sequencer.ts';
import { toHex, utf8 } from '../wire/bytes.ts';
import { encodeEntry, openEntry, type TxV1Entry } from '../wire/entry.ts';
import { sha256Hex } from '../wire/hash.ts';
import { jcs } from '../wire/json.ts';
import type { OperationName } from '../wire/operations.ts';
import { OPERATIONS, parseOperation } from '../wire/operations.ts';
import { txSignBytes } from '../wire/tx.ts';

const LIFETIME_SECS = 60;

export interface OwnKey {
  publicKeyHex: string;
  sign(message: Uint8Array): Uint8Array;
}

export interface OwnWrite extends Submission {
  signBytes: Uint8Array;
}

export interface OwnWritesOptions {
  ids: Identities;
  chainId: string;
  clock: { nowMs(): number };
  randomBytes(n: number): Uint8Array;
}

export class OwnWrites {
  constructor(private readonly options: OwnWritesOptions) {}

  /** A signed write; `id`: the path segment of that name; `nonce`: random unless it is given. */
  sign(key: OwnKey, name: OperationName, fields: object, id?: string, nonce = this.#nonce()): OwnWrite {
    const { chainId, clock, ids } = this.options;
    const operation = OPERATIONS[name];
    const path = id === undefined ? operation.path : operation.path.replace('{id}', id);
    const body = utf8(jcs(fields));
    const createdAt = Math.floor(clock.nowMs() / 1000);
    const tx = {
      chainId,
      actor: key.publicKeyHex,
      createdAt,
      expiresAt: createdAt + LIFETIME_SECS,
      nonce,
    };
    const { method } = operation;
    const signBytes = txSignBytes(tx, method, path, sha256Hex(body));
    const signature = key.sign(signBytes);
    const entry: TxV1Entry = { scheme: 'tx_v1', tx, signature, method, path, body };
    const open = openEntry(entry);
    const signer = resolveSigner(tx.actor, ids)!;
    const credentials = signedCredentials(entry, signer);
    const parsed = parseOperation({ name, path: id === undefined ? {} : { id } }, open.body.value);
    const made = toCommand(parsed, open.id, credentials, undefined, ids);
    return {
      input: entryInput(open, parsed, made),
      bytes: encodeEntry(entry),
      owner: signer.agent ? String(signer.agent.index) : key.publicKeyHex,
      signBytes,
    };
  }

  #nonce(): string {
    return toHex(this.options.randomBytes(16));
  }
}
