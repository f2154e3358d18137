// From the bytes of an entry to its command: what every node does with a vertex's payload.
// Admission builds the same Credentials from a fresh request, so both give the same command.

import * as abi from '../../assembly/abi.ts';
import * as commands from '../core/commands.ts';
import { ServiceError } from '../errors.ts';
import type { AuthName, EntryInput } from '../ordering/block.ts';
import { decodeAndOpen, type EntryProof } from '../ordering/entry-proof.ts';
import { fromHex, toHex, utf8 } from '../wire/bytes.ts';
import type { Entry, OpenEntry, Opened, RequestV1Entry, TxV1Entry } from '../wire/entry.ts';
import { entryActor, entryKib, entryWindow } from '../wire/entry.ts';
import { sha256 } from '../wire/hash.ts';
import { checkJson } from '../wire/json.ts';
import { matchOperation, type Parsed, parseOperation } from '../wire/operations.ts';
import { isAcceptableKey } from '../wire/public-key.ts';
import type { AgentIdentity, Identities } from './identity.ts';
import { type Credentials, checkActors, type Translated, toCommand } from './translate.ts';

export interface Signer {
  publicKey: Uint8Array;
  /** Registered agent that owns the key. */
  agent: AgentIdentity | undefined;
}

/**
 * The key behind an actor as sent (protocol 5.3, 5.8): of the agent with that id, of the agent that owns that key,
 * or those 32 bytes themselves for an unregistered signer. Undefined: nobody can have signed.
 */
export function resolveSigner(actor: string, ids: Identities): Signer | undefined {
  const agent = ids.named(actor);
  if (agent) return agent.publicKey && { publicKey: agent.publicKey, agent };
  const publicKey = actor.length === 64 ? fromHex(actor) : undefined;
  return publicKey && { publicKey, agent: undefined };
}

/** The key that must have signed an entry, as far as known now; undefined: nobody can have signed it yet. */
export function claimedKey({ entry }: OpenEntry, ids: Identities): Uint8Array | undefined {
  if (entry.scheme === 'vouched') return entry.vouched.node;
  return resolveSigner(entryActor(entry), ids)?.publicKey;
}

/**
 * Signatures by keys of small order or non-canonical encoding do not count (protocol 5.2). Registered keys were checked at
 * registration; for others this costs a tenth of a millisecond, so it is checked after the signature was found good.
 */
export const isSigner = ({ agent, publicKey }: Signer): boolean =>
  agent !== undefined || isAcceptableKey(publicKey);

/** Credentials of a request that an agent signed, fresh or from a vertex. */
export function signedCredentials(entry: TxV1Entry | RequestV1Entry, signer: Signer): Credentials {
  return {
    auth: entry.scheme === 'tx_v1' ? abi.AUTH_TX_V1 : abi.AUTH_REQUEST_V1,
    signer: signer.publicKey,
    agent: signer.agent,
    vouchedActor: undefined,
    keyId: undefined,
    seat: undefined,
    ...entryWindow(entry),
    kib: entryKib(entry),
  };
}

/** Credentials that an entry claims; its signatures are verified elsewhere. */
export function credentialsOf(entry: Entry, ids: Identities): Credentials | undefined {
  if (entry.scheme === 'vouched') {
    const seat = ids.seatOfNode(entry.vouched.node);
    if (seat === undefined) return undefined;
    const { keyId, actor } = entry.vouched;
    return {
      auth: keyId ? abi.AUTH_API_KEY : abi.AUTH_UNSIGNED,
      signer: undefined,
      agent: ids.named(actor),
      vouchedActor: actor,
      keyId: keyId ? fromHex(keyId) : undefined,
      seat,
      ...entryWindow(entry),
      kib: entryKib(entry),
    };
  }
  const signer = resolveSigner(entryActor(entry), ids);
  if (!signer || !isSigner(signer)) return undefined;
  return signedCredentials(entry, signer);
}

const authName = (entry: Entry): AuthName =>
  entry.scheme === 'vouched' ? (entry.vouched.keyId ? 'api_key' : 'unsigned') : entry.scheme;

/** As it is shown in the event, which is under the state root: the agent's, in lower case however it was sent. */
const signatureOf = (entry: Entry): string | undefined =>
  entry.scheme === 'vouched' ? undefined : toHex(entry.signature);

/** The executor's input for a parsed request. */
export function entryInput(open: Opened, parsed: Parsed, made: Translated): EntryInput {
  const { entry, id } = open;
  const input: EntryInput = { id, command: made.command, parsed, auth: authName(entry) };
  const signature = signatureOf(entry);
  if (signature !== undefined) input.signature = signature;
  if (made.submission) input.submission = made.submission;
  if (made.comparisons) input.comparisons = made.comparisons;
  if (made.opening) input.opening = made.opening;
  return input;
}

/**
 * The executor's input for an entry of an ordered vertex, by the facts before its block. An entry that is not a valid
 * request is `invalid` on every node: it keeps its index and does nothing. Without `proof`, this node has already verified
 * its signatures.
 */
export function readEntry(
  bytes: Uint8Array,
  chainId: string,
  ids: Identities,
  proof?: EntryProof,
): EntryInput {
  const invalid = (id: Uint8Array): EntryInput => ({ id, command: commands.invalidEntry(id) });
  const open = proof?.open ?? decodeAndOpen(bytes);
  if (!open) return invalid(sha256(utf8('VWS-INVALID-ENTRY'), bytes));
  const { entry } = open;
  try {
    const chain =
      entry.scheme === 'tx_v1'
        ? entry.tx.chainId
        : entry.scheme === 'vouched'
          ? entry.vouched.chainId
          : chainId;
    const credentials = chain === chainId ? credentialsOf(entry, ids) : undefined;
    const match = matchOperation(entry.method, entry.path);
    if (!credentials || !match || open.body.value === undefined || open.body.isPadded)
      return invalid(open.id);
    const key = entry.scheme === 'vouched' ? entry.vouched.node : credentials.signer!;
    if (proof && !proof.holds(open, key)) return { ...invalid(open.id), hasBadSignature: true };
    checkJson(open.body.value);
    const parsed = parseOperation(match, open.body.value);
    checkActors(parsed, credentials, ids);
    const issue = entry.keyIssue && { keyHash: entry.keyIssue.keySha256, node: entry.keyIssue.node };
    return entryInput(open, parsed, toCommand(parsed, open.id, credentials, issue, ids));
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    return invalid(open.id);
  }
}
