// Authentication of writes (protocol 5): chooses the scheme, checks it, and determines the acting agent.
// Runs before routing. Keeps: if the chosen scheme fails, no other is tried; of the state only keys are read.

import * as abi from '../../assembly/abi.ts';
import { invalid, notReady, observerRefusal, ServiceError } from '../errors.ts';
import type { AgentIdentity, Identities } from '../execution/identity.ts';
import { isSigner, resolveSigner, signedCredentials } from '../execution/intake.ts';
import type { Credentials } from '../execution/translate.ts';
import { OBSERVER } from '../ordering/ordering.ts';
import { equalBytes, toHex, utf8 } from '../wire/bytes.ts';
import type { KeyIssue, Opened } from '../wire/entry.ts';
import { entryKib, entryWindow, keyIssueSignBytes } from '../wire/entry.ts';
import { sha256, sha256Hex } from '../wire/hash.ts';
import { agentKey } from '../wire/ids.ts';
import {
  hasFewParts,
  MAX_JSON_PARTS,
  type OnOtherForm,
  type ParsedBody,
  parseBody,
  parsedElsewhere,
} from '../wire/json.ts';
import { matchOperation, OPERATIONS, type Operation } from '../wire/operations.ts';
import { readRequestV1, requestV1SignBytes } from '../wire/request-v1.ts';
import { readTxV1, signatureBytes, txSignBytes } from '../wire/tx.ts';
import { vouchedSignBytes } from '../wire/vouched.ts';
import type { Answer, HttpRequest } from '../world/http.ts';
import { bodyToVouch } from './vouched-body.ts';

export interface AuthContext {
  chainId: string;
  testnet: boolean;
  noAuth: boolean;
  requestV1: boolean;
  /** legacy_open_coordination of the network (protocol 5.6). */
  openCoordination: boolean;
  ids: Identities;
  /** This node's seat, or OBSERVER; unsigned requests that name no agent act for its operator. */
  seat: number;
  node: { publicKey: Uint8Array; sign(message: Uint8Array): Uint8Array };
  verify(job: { publicKey: Uint8Array; message: Uint8Array; signature: Uint8Array }): Promise<boolean>;
  nowSecs(): number;
  /** Does the node trust its time; a window is not judged by another (consensus 5.8). */
  isTimeTrusted(): boolean;
  randomBytes(n: number): Uint8Array;
}

export interface Authenticated {
  open: Opened;
  credentials: Credentials;
  /** The API key used. */
  apiKey: { id: string; hourlyLimit: number } | undefined;
}

/** What authentication needs to know about the requested operation; both undefined for unknown paths. */
interface Target {
  operation: Operation | undefined;
  /** The acting agent that the path names, if it names one. */
  pathActor: string | undefined;
}

function targetOf(req: HttpRequest): Target {
  try {
    const match = matchOperation(req.method, req.path);
    const operation: Operation | undefined = match && OPERATIONS[match.name];
    const segment = operation?.pathActor;
    return { operation, pathActor: segment === undefined ? undefined : match?.path[segment] };
  } catch {
    // A path that is not percent-encoded UTF-8; routing reports it.
    return { operation: undefined, pathActor: undefined };
  }
}

/** Reads headers whose window is judged by the time in use. Errors: those of `read`; not_ready while no time is trusted. */
function judgedByTime<T>(c: AuthContext, read: (nowSecs: number) => T): T {
  if (!c.isTimeTrusted()) throw notReady('this node does not trust its clock yet');
  return read(c.nowSecs());
}

function txV1(req: HttpRequest, c: AuthContext, onOtherForm: OnOtherForm): Answer<Authenticated> {
  const tx = judgedByTime(c, (nowSecs) => readTxV1((name) => req.header(name), c.chainId, nowSecs));
  const { vetted } = req;
  const body = vetted
    ? parsedElsewhere(req.body, vetted.bodySha256, vetted.hasValue)
    : parseBody(req.body, onOtherForm);
  const { method, path } = req;
  let made: Uint8Array | undefined;
  const signBytes = (): Uint8Array => (made ??= txSignBytes(tx, method, path, body.sha256));
  const id = vetted?.id ?? sha256(signBytes());
  const signer = resolveSigner(tx.actor, c.ids);
  const signature = signatureBytes(tx.signature);
  // With what was computed here, so that the signer sees which part of it differs.
  const bad = (reason: string, isOfState = false): ServiceError => {
    const computed = { body_sha256: body.sha256, txid: toHex(id) };
    return new ServiceError('tx_signature_invalid', { details: { reason, ...computed }, isOfState });
  };
  if (!signature) throw bad('X-Service-Signature is not 128 lower-case hex characters');
  if (!signer) throw bad('X-Service-Actor is neither a public key nor a registered agent', true);
  const { publicKey } = signer;
  const isVetted = vetted !== undefined && equalBytes(vetted.publicKey, publicKey);
  const judged = (isGood: boolean): Authenticated => {
    if (!isGood) throw bad('the signature is not one of these bytes by this key');
    if (!isSigner(signer)) throw bad('this key may not sign');
    if (!isVetted && signer.agent) req.onKey?.(tx.actor, publicKey);
    const entry = { scheme: 'tx_v1', tx, signature, method, path, body: req.body } as const;
    return {
      open: { entry, body, id },
      credentials: signedCredentials(entry, signer),
      apiKey: undefined,
    };
  };
  if (isVetted) return judged(vetted.isGood);
  return c.verify({ publicKey, message: signBytes(), signature }).then(judged);
}

async function requestV1(req: HttpRequest, c: AuthContext, onOtherForm: OnOtherForm): Promise<Authenticated> {
  if (!c.requestV1)
    throw new ServiceError('auth_failed', { text: 'SERVICE-REQUEST-V1 is disabled on this node' });
  const request = judgedByTime(c, (nowSecs) => readRequestV1((name) => req.header(name), nowSecs));
  const signBytes = requestV1SignBytes(request, req.method, req.path, sha256Hex(req.body));
  const signer = resolveSigner(request.agentId, c.ids);
  const signature = signatureBytes(request.signature);
  if (!signer?.agent) throw new ServiceError('auth_failed', { isOfState: true });
  if (!signature) throw new ServiceError('auth_failed');
  const good = await c.verify({ publicKey: signer.publicKey, message: signBytes, signature });
  if (!good) throw new ServiceError('auth_failed');
  const { operation } = targetOf(req);
  const needsTx = operation === OPERATIONS.register || operation?.isSignedByKey === true;
  if (needsTx) throw new ServiceError('auth_required');
  const { method, path } = req;
  const entry = { scheme: 'request_v1', request, signature, method, path, body: req.body } as const;
  return {
    open: { entry, body: parseBody(req.body, onOtherForm), id: sha256(signBytes) },
    credentials: signedCredentials(entry, signer),
    apiKey: undefined,
  };
}

/** An envelope in which this node vouches for a request that no agent signed (protocol 5.7). */
function vouch(
  req: HttpRequest,
  c: AuthContext,
  actor: string,
  agent: AgentIdentity | undefined,
  keyId: Uint8Array | undefined,
  given: ParsedBody,
): { open: Opened; credentials: Credentials } {
  const raw = bodyToVouch(req.body, {
    operation: targetOf(req).operation,
    agentId: agent && c.ids.agentId(agent.index),
    nodeKey: c.node.publicKey,
    randomBytes: c.randomBytes,
  });
  const body = raw === req.body ? given : parseBody(raw);
  const vouched = {
    chainId: c.chainId,
    actor,
    createdAt: c.nowSecs(),
    nonce: toHex(c.randomBytes(16)),
    node: c.node.publicKey,
    keyId: keyId ? toHex(keyId) : '',
  };
  const signBytes = vouchedSignBytes(vouched, req.method, req.path, body.sha256);
  const { method, path } = req;
  const signature = c.node.sign(signBytes);
  const entry = { scheme: 'vouched', vouched, signature, method, path, body: raw } as const;
  return {
    open: { entry, body, id: sha256(signBytes) },
    credentials: {
      auth: keyId ? abi.AUTH_API_KEY : abi.AUTH_UNSIGNED,
      signer: undefined,
      agent,
      vouchedActor: actor,
      keyId,
      seat: c.seat,
      ...entryWindow(entry),
      kib: entryKib(entry),
    },
  };
}

function apiKey(req: HttpRequest, text: string, c: AuthContext, onOtherForm: OnOtherForm): Authenticated {
  if (!c.testnet || !/^vws_[0-9a-f]{64}$/.test(text)) throw new ServiceError('invalid_api_key');
  const hash = sha256(utf8(text));
  const keyId = hash.slice(0, 8);
  const key = c.ids.state.apiKey(keyId);
  const expired = key && key.expires !== 0 && key.expires <= c.nowSecs();
  if (!key || !equalBytes(key.hash, hash) || expired || key.seat !== c.seat) {
    throw new ServiceError('invalid_api_key');
  }
  const { operation } = targetOf(req);
  if (operation && !operation.scope) throw new ServiceError('auth_required');
  const owner = c.ids.agentId(key.owner);
  const state = c.ids.state.agent(key.owner)!;
  const agent = { index: key.owner, key: state.key, publicKey: state.publicKey, validator: state.validator };
  const { open, credentials } = vouch(req, c, owner, agent, keyId, parseBody(req.body, onOtherForm));
  return {
    open,
    credentials,
    apiKey: { id: toHex(keyId), hourlyLimit: key.hourlyLimit },
  };
}

/** The identity of this node: the operator of its seat. Errors: `not_ready` for an observer, which has none. */
function nodeIdentity(c: AuthContext): string {
  if (c.seat === OBSERVER) throw observerRefusal();
  return c.ids.agentId(c.ids.operatorOfSeat(c.seat).index);
}

/** The acting agent of an unsigned request: an actor field of its path or body, else the node's identity (protocol 1.7). */
function unsignedActor({ operation, pathActor }: Target, { value }: ParsedBody, c: AuthContext): string {
  const node = nodeIdentity(c);
  if (pathActor !== undefined) return pathActor;
  const body = (typeof value === 'object' && value !== null ? value : {}) as Record<string, unknown>;
  const text = (name: string): string | undefined => {
    const given = Object.hasOwn(body, name) ? body[name] : undefined;
    return typeof given === 'string' && given !== '' ? given : undefined;
  };
  if (operation === OPERATIONS.register) {
    const key = text('public_key_b64');
    return text('agent_id') ?? (key ? Buffer.from(key, 'base64').toString('hex') : node);
  }
  for (const field of operation?.actors ?? []) {
    const name = text(field);
    if (name === undefined) continue;
    const row = field === 'validator_id' || field === 'agent_id' ? c.ids.findValidator(name) : undefined;
    return row === undefined ? name : c.ids.agentId(c.ids.state.validator(row)!.agent);
  }
  return node;
}

function unsigned(req: HttpRequest, target: Target, c: AuthContext, onOtherForm: OnOtherForm): Authenticated {
  const body = parseBody(req.body, onOtherForm);
  const name = unsignedActor(target, body, c);
  const actor = /^[\x21-\x7e]{1,64}$/.test(name) ? name : 'unnamed';
  const found = c.ids.named(actor);
  const { open, credentials } = vouch(req, c, actor, found, undefined, body);
  return { open, credentials, apiKey: undefined };
}

/** True for a write that is open to unsigned requests although authentication is on (protocol 5.6). */
function isOpen({ operation, pathActor }: Target, c: AuthContext): boolean {
  const open = c.openCoordination ? operation?.open : undefined;
  if (open !== 'own identity') return open === 'anyone';
  return pathActor !== undefined && equalBytes(agentKey(pathActor), agentKey(nodeIdentity(c)));
}

/**
 * Authenticates a write by the scheme that its headers choose (protocol 5.1): at once, unless a signature has to be tried.
 * `onOtherForm`: as for `parseBody`. Errors, thrown or of the promise: `invalid_request` for a body of too many parts, which
 * would not be parsed; every `tx_*`, `auth_required`, `auth_failed`, `invalid_api_key`, and what `onOtherForm` throws.
 */
export function authenticate(
  req: HttpRequest,
  c: AuthContext,
  onOtherForm: OnOtherForm,
): Answer<Authenticated> {
  if (!hasFewParts(req.body))
    throw invalid(`a body has at most ${MAX_JSON_PARTS} commas and opening brackets outside of strings`);
  if (req.header('x-service-version') !== undefined || req.header('x-service-actor') !== undefined) {
    return txV1(req, c, onOtherForm);
  }
  if (req.header('x-service-agent-id') !== undefined) return requestV1(req, c, onOtherForm);
  const key = c.noAuth ? undefined : req.header('x-api-key');
  if (key !== undefined) return apiKey(req, key, c, onOtherForm);
  const target = targetOf(req);
  if (c.noAuth || isOpen(target, c)) return unsigned(req, target, c, onOtherForm);
  throw new ServiceError('auth_required');
}

/** A new API key's text, and the attachment of the entry that creates it. */
export function issueKey(eventId: Uint8Array, c: AuthContext): { text: string; issue: KeyIssue } {
  const text = `vws_${toHex(c.randomBytes(32))}`;
  const keySha256 = sha256(utf8(text));
  const signature = c.node.sign(keyIssueSignBytes(eventId, keySha256));
  return { text, issue: { keySha256, node: c.node.publicKey, signature } };
}
