// A transaction as it travels in a vertex: the full request, in one binary form (protocol 12.8, 5.7).
// Keeps: one encoding for each entry; bytes that would re-encode differently are refused. Parts that the agent did not
// sign may vary (the signature itself, the white space of a JSON body): the id does not depend on them.
// Never reads state: the executor decides whether keys, actors and nodes are known.
//
//   u8 1 (format)   u8 scheme: 1 tx_v1, 2 request_v1, 3 vouched; 4 marks a proof, not a request (equivocation.ts)
//   tx_v1       chain_id, actor, u64 created, u64 expires, nonce, signature[64]
//   request_v1  agent_id, u64 timestamp, nonce, signature[64]
//   vouched     chain_id, actor, u64 created, nonce, node[32], key_id (may be empty), signature[64]
//   then        method, path, u32 length and bytes of the raw body,
//               u8 1 and key_sha256[32], node[32], signature[64] for the creation of an API key, else u8 0
// Texts are u16 length and printable ASCII. Integers are little-endian.

import {
  ByteReader,
  ByteWriter,
  concat,
  equalBytes,
  isHex,
  isLowerHex,
  isPrintableAscii,
  type SignatureJob,
  utf8,
} from './bytes.ts';
import { sha256, sha256Hex } from './hash.ts';
import type { ParsedBody } from './json.ts';
import { parseBody } from './json.ts';
import type { RequestV1 } from './request-v1.ts';
import { REQUEST_V1_LIFETIME_SECS, requestV1SignBytes } from './request-v1.ts';
import type { TxV1 } from './tx.ts';
import { TX_LIFETIME_SECS, TX_SKEW_SECS, txSignBytes } from './tx.ts';
import type { Vouched } from './vouched.ts';
import { VOUCHED_LIFETIME_SECS, vouchedSignBytes } from './vouched.ts';

const FORMAT = 1;
const TX_V1 = 1;
const REQUEST_V1 = 2;
const VOUCHED = 3;

/** Largest raw body of any write, in bytes (protocol 8.2: task results). */
export const MAX_BODY_BYTES = 1_048_576;
/** Largest raw path, in bytes (protocol 8.2: URL). */
const MAX_PATH_BYTES = 8192;
const MAX_TIMESTAMP = 9_999_999_999; // ten decimal digits, protocol 5.3
const KEY_PATH = '/v1/platform/keys';
const KEY_ISSUE_TAG = utf8('VWS-APIKEY-V1');

/** What the accepting node attaches to the creation of an API key (protocol 5.7). */
export interface KeyIssue {
  /** SHA-256 of the key's text, 32 bytes. */
  keySha256: Uint8Array;
  /** Consensus key of the issuing node, 32 bytes. */
  node: Uint8Array;
  /** Signature of the node over `keyIssueSignBytes`. */
  signature: Uint8Array;
}

interface Request {
  method: string;
  /** Raw path of the request line, without query. */
  path: string;
  /** Raw body bytes. */
  body: Uint8Array;
  /** Present exactly on POST /v1/platform/keys. */
  keyIssue?: KeyIssue;
}
export interface TxV1Entry extends Request {
  scheme: 'tx_v1';
  tx: Omit<TxV1, 'signature'>;
  /** 64 bytes, as in all schemes: whether they were sent in capitals does not matter. */
  signature: Uint8Array;
}
export interface RequestV1Entry extends Request {
  scheme: 'request_v1';
  request: Omit<RequestV1, 'signature'>;
  signature: Uint8Array;
}
export interface VouchedEntry extends Request {
  scheme: 'vouched';
  vouched: Vouched;
  /** Signature of the vouching node over the envelope, 64 bytes. */
  signature: Uint8Array;
}
export type Entry = TxV1Entry | RequestV1Entry | VouchedEntry;

/** An entry, its body, and its name. */
export interface Opened {
  entry: Entry;
  body: ParsedBody;
  /** TxID or event id, 32 bytes. */
  id: Uint8Array;
}

/** An entry and everything that can be derived from its bytes alone. */
export interface OpenEntry extends Opened {
  signBytes: Uint8Array;
}

const isNonce = (text: string): boolean => isHex(text, 32);
const isTimestamp = (value: number): boolean =>
  Number.isInteger(value) && value >= 0 && value <= MAX_TIMESTAMP;
const isText = (text: string, max: number): boolean =>
  text.length > 0 && text.length <= max && isPrintableAscii(text);
/** A header value cannot be longer than all headers together may be, 16 KiB. */
const isHeaderText = (text: string): boolean => isText(text, 16_384);

function schemeFault(entry: Entry): string | undefined {
  if (entry.signature.length !== 64) return 'signature';
  switch (entry.scheme) {
    case 'tx_v1': {
      const { chainId, actor, createdAt, expiresAt, nonce } = entry.tx;
      const lifetime = expiresAt - createdAt;
      if (!isHeaderText(chainId)) return 'chain_id';
      if (!isHeaderText(actor)) return 'actor';
      if (!isTimestamp(createdAt) || !isTimestamp(expiresAt)) return 'timestamp';
      if (lifetime < 0 || lifetime > TX_LIFETIME_SECS) return 'lifetime';
      return isNonce(nonce) ? undefined : 'nonce';
    }
    case 'request_v1': {
      const { agentId, timestamp, nonce } = entry.request;
      if (!isHeaderText(agentId)) return 'agent_id';
      if (!isTimestamp(timestamp)) return 'timestamp';
      return isNonce(nonce) ? undefined : 'nonce';
    }
    case 'vouched': {
      const { chainId, actor, createdAt, nonce, node, keyId } = entry.vouched;
      if (!isHeaderText(chainId)) return 'chain_id';
      if (!isHeaderText(actor)) return 'actor';
      if (!isTimestamp(createdAt)) return 'timestamp';
      if (!isLowerHex(nonce, 32)) return 'nonce';
      if (node.length !== 32) return 'node';
      return keyId !== '' && !isLowerHex(keyId, 16) ? 'key_id' : undefined;
    }
  }
}

/** Name of the first part of an entry that cannot be encoded, or undefined. */
function entryFault(entry: Entry): string | undefined {
  const { method, path, body, keyIssue } = entry;
  if (method !== 'POST' && method !== 'PUT' && method !== 'DELETE') return 'method';
  if (!isText(path, MAX_PATH_BYTES) || !path.startsWith('/') || /[ ?#]/.test(path)) return 'path';
  if (body.length > MAX_BODY_BYTES) return 'body';
  if ((keyIssue !== undefined) !== (method === 'POST' && path === KEY_PATH)) return 'key issue';
  if (keyIssue) {
    const { keySha256, node, signature } = keyIssue;
    if (keySha256.length !== 32 || node.length !== 32 || signature.length !== 64) return 'key issue';
    // The node that vouches is the node that issues.
    if (entry.scheme === 'vouched' && !equalBytes(node, entry.vouched.node)) return 'key issue';
  }
  return schemeFault(entry);
}

/**
 * Bytes of an entry. Throws a RangeError on an entry that has no encoding; every admitted request has
 * one.
 */
export function encodeEntry(entry: Entry): Uint8Array {
  const fault = entryFault(entry);
  if (fault) throw new RangeError(`entry: ${fault} cannot be encoded`);
  const out = new ByteWriter(512 + entry.path.length + entry.body.length).u8(FORMAT);
  switch (entry.scheme) {
    case 'tx_v1': {
      const { chainId, actor, createdAt, expiresAt, nonce } = entry.tx;
      out.u8(TX_V1).ascii16(chainId).ascii16(actor).u64(createdAt).u64(expiresAt).ascii16(nonce);
      break;
    }
    case 'request_v1': {
      const { agentId, timestamp, nonce } = entry.request;
      out.u8(REQUEST_V1).ascii16(agentId).u64(timestamp).ascii16(nonce);
      break;
    }
    case 'vouched': {
      const { chainId, actor, createdAt, nonce, node, keyId } = entry.vouched;
      out.u8(VOUCHED).ascii16(chainId).ascii16(actor).u64(createdAt).ascii16(nonce).raw(node).ascii16(keyId);
      break;
    }
  }
  out.raw(entry.signature).ascii16(entry.method).ascii16(entry.path).u32(entry.body.length).raw(entry.body);
  const issue = entry.keyIssue;
  if (issue) out.u8(1).raw(issue.keySha256).raw(issue.node).raw(issue.signature);
  else out.u8(0);
  return out.finish();
}

type SchemePart =
  | Pick<TxV1Entry, 'scheme' | 'tx' | 'signature'>
  | Pick<RequestV1Entry, 'scheme' | 'request' | 'signature'>
  | Pick<VouchedEntry, 'scheme' | 'vouched' | 'signature'>;

function readScheme(reader: ByteReader, scheme: number): SchemePart | undefined {
  if (scheme === TX_V1) {
    const chainId = reader.ascii16();
    const actor = reader.ascii16();
    const createdAt = reader.u64();
    const expiresAt = reader.u64();
    const nonce = reader.ascii16();
    const tx = { chainId, actor, createdAt, expiresAt, nonce };
    return { scheme: 'tx_v1', tx, signature: reader.raw(64) };
  }
  if (scheme === REQUEST_V1) {
    const agentId = reader.ascii16();
    const timestamp = reader.u64();
    const nonce = reader.ascii16();
    return { scheme: 'request_v1', request: { agentId, timestamp, nonce }, signature: reader.raw(64) };
  }
  if (scheme === VOUCHED) {
    const chainId = reader.ascii16();
    const actor = reader.ascii16();
    const createdAt = reader.u64();
    const nonce = reader.ascii16();
    const node = reader.raw(32);
    const keyId = reader.ascii16();
    return {
      scheme: 'vouched',
      vouched: { chainId, actor, createdAt, nonce, node, keyId },
      signature: reader.raw(64),
    };
  }
  return undefined;
}

function readKeyIssue(reader: ByteReader): KeyIssue {
  return { keySha256: reader.raw(32), node: reader.raw(32), signature: reader.raw(64) };
}

/**
 * Decodes exactly one entry; undefined for a wrong form, values out of range or trailing bytes. Byte
 * members are views into `bytes`. Never throws. A request that decodes may still be refused because of
 * its operation, its signature or the state.
 */
export function decodeEntry(bytes: Uint8Array): Entry | undefined {
  const reader = new ByteReader(bytes);
  if (reader.u8() !== FORMAT) return undefined;
  const part = readScheme(reader, reader.u8());
  if (!part || reader.failed) return undefined;
  const method = reader.ascii16();
  const path = reader.ascii16();
  const body = reader.raw(reader.u32());
  const flag = reader.u8();
  if (flag > 1) return undefined;
  const entry: Entry = { ...part, method, path, body };
  if (flag === 1) entry.keyIssue = readKeyIssue(reader);
  return reader.done && entryFault(entry) === undefined ? entry : undefined;
}

/** Body, sign bytes and id of an entry. Costs a JSON parse and two or three hashes: keep the result. */
export function openEntry(entry: Entry): OpenEntry {
  const body = parseBody(entry.body);
  const { method, path } = entry;
  let signBytes: Uint8Array;
  switch (entry.scheme) {
    case 'tx_v1':
      signBytes = txSignBytes(entry.tx, method, path, body.sha256);
      break;
    case 'request_v1':
      signBytes = requestV1SignBytes(entry.request, method, path, sha256Hex(entry.body));
      break;
    case 'vouched':
      signBytes = vouchedSignBytes(entry.vouched, method, path, body.sha256);
      break;
  }
  return { entry, body, signBytes, id: sha256(signBytes) };
}

/** TxID of a signed write, event id of a vouched one; 32 bytes. */
export function entryId(entry: Entry): Uint8Array {
  return openEntry(entry).id;
}

/** Bytes that the issuing node signs: the tag, the event id and the hash of the new key. */
export function keyIssueSignBytes(eventId: Uint8Array, keySha256: Uint8Array): Uint8Array {
  return concat(KEY_ISSUE_TAG, eventId, keySha256);
}

/** The actor that an entry names: agent_id or hex64 key, as sent. */
export function entryActor(entry: Entry): string {
  switch (entry.scheme) {
    case 'tx_v1':
      return entry.tx.actor;
    case 'request_v1':
      return entry.request.agentId;
    case 'vouched':
      return entry.vouched.actor;
  }
}

/** KiB of a request's path and body, rounded up, for the fee of bytes (protocol 6.18). */
export const entryKib = ({ path, body }: Entry): number => Math.ceil((path.length + body.length) / 1024);

/** When a request may run, in seconds of consensus time. */
export interface Window {
  lastSecs: number;
  /** From the first second to the last one. */
  windowSecs: number;
}

/** From TX_SKEW_SECS before its creation until its last second (protocol 5.3 #3b, 5.4, 5.7). */
export function entryWindow(entry: Entry): Window {
  const window = (createdSecs: number, lastSecs: number): Window => ({
    lastSecs,
    windowSecs: lastSecs - createdSecs + TX_SKEW_SECS,
  });
  switch (entry.scheme) {
    case 'tx_v1':
      return window(entry.tx.createdAt, entry.tx.expiresAt + TX_SKEW_SECS);
    case 'request_v1':
      return window(entry.request.timestamp, entry.request.timestamp + REQUEST_V1_LIFETIME_SECS);
    case 'vouched':
      return window(entry.vouched.createdAt, entry.vouched.createdAt + VOUCHED_LIFETIME_SECS + TX_SKEW_SECS);
  }
}

/**
 * Every signature an entry needs: the agent's or the vouching node's, and the issuing node's. All must be
 * valid, each by an acceptable key. `resolveKey` maps an actor as sent to its public key; if it returns
 * undefined, so does this function.
 */
export function entrySignatures(
  open: OpenEntry,
  resolveKey: (actor: string) => Uint8Array | undefined,
): SignatureJob[] | undefined {
  const { entry, signBytes, id } = open;
  const jobs: SignatureJob[] = [];
  if (entry.scheme === 'vouched') {
    jobs.push({ publicKey: entry.vouched.node, message: signBytes, signature: entry.signature });
  } else {
    const publicKey = resolveKey(entryActor(entry));
    if (!publicKey) return undefined;
    jobs.push({ publicKey, message: signBytes, signature: entry.signature });
  }
  const issue = entry.keyIssue;
  if (issue) {
    const message = keyIssueSignBytes(id, issue.keySha256);
    jobs.push({ publicKey: issue.node, message, signature: issue.signature });
  }
  return jobs;
}
