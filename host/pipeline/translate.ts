// From a parsed request to a core command: a pure function of the request and of immutable facts about agents.
// Keeps: every node gets the same command for the same entry, or refuses it alike; what depends on changing state
// (balances, duplicates, roles) is left to the core.

import * as abi from '../../assembly/abi.ts';
import * as commands from '../core/commands.ts';
import { invalid, ServiceError } from '../errors.ts';
import { equalBytes, fromHex, toHex, utf8 } from '../wire/bytes.ts';
import { sha256 } from '../wire/hash.ts';
import { agentKey, isAgentIdForm } from '../wire/ids.ts';
import type { Parsed, Scope } from '../wire/operations.ts';
import { SCOPES } from '../wire/operations.ts';
import { isAcceptableKey } from '../wire/public-key.ts';
import type { AgentIdentity, Identities } from './identity.ts';

/** How a request was authenticated and by whom, however it arrived. */
export interface Credentials {
  auth: number;
  /** Signer's public key (TX-V1, REQUEST-V1); undefined for vouched requests. */
  signer: Uint8Array | undefined;
  /** The registered agent that acts; undefined for a registration, or an unregistered signer. */
  agent: AgentIdentity | undefined;
  /** agent_id that a vouching node names as actor. */
  vouchedActor: string | undefined;
  keyId: Uint8Array | undefined;
  /** Seat of the vouching node. */
  seat: number | undefined;
  lastSecs: number;
}

/** What the accepting node attaches to the creation of an API key (DECISIONS 5.7). */
export interface KeyAttachment {
  keyHash: Uint8Array;
  node: Uint8Array;
}

const forbidden = (text: string): ServiceError => new ServiceError('forbidden_actor', { text });

/** Bits of scopes in abi order: SCOPES lists them in the same order. */
export const scopeBits = (scopes: readonly string[]): number =>
  scopes.reduce((bits, scope) => bits | (1 << SCOPES.indexOf(scope as Scope)), 0);
export const scopeNames = (bits: number): string[] => SCOPES.filter((_, i) => bits & (1 << i));

/** An API key's id from what a path holds: the id itself or the full key; undefined for anything else. */
export function keyIdFromPath(text: string): Uint8Array | undefined {
  if (/^[0-9a-f]{16}$/.test(text)) return fromHex(text);
  if (/^vws_[0-9a-f]{64}$/.test(text)) return sha256(utf8(text)).subarray(0, 8);
  return undefined;
}

/** Standard base64 of exactly 32 bytes, padding optional, canonical. */
function keyFromBase64(text: string): Uint8Array | undefined {
  if (!/^[A-Za-z0-9+/]{43}=?$/.test(text)) return undefined;
  const binary = atob(`${text.slice(0, 43)}=`);
  const bytes = Uint8Array.from(binary, (c) => c.charCodeAt(0));
  return btoa(binary).slice(0, 43) === text.slice(0, 43) ? bytes : undefined;
}

interface Registrant {
  agentId: string;
  publicKey: Uint8Array | undefined;
}

/** Who a registration registers (DECISIONS 1.3, 4.1). */
function registrant(args: { agent_id?: string; public_key_b64?: string }, c: Credentials): Registrant {
  let given: Uint8Array | undefined;
  if (args.public_key_b64 !== undefined) {
    given = keyFromBase64(args.public_key_b64);
    if (!given || !isAcceptableKey(given)) throw invalid('public_key_b64 is not an acceptable Ed25519 key');
  }
  if (c.signer && given && !equalBytes(given, c.signer)) {
    throw forbidden('public_key_b64 is not the key that signed');
  }
  const publicKey = c.signer ?? given;
  let agentId = args.agent_id ?? (publicKey ? toHex(publicKey) : c.vouchedActor);
  if (agentId === undefined) throw invalid('agent_id or public_key_b64 is required');
  if (/^[0-9a-fA-F]{64}$/.test(agentId)) {
    agentId = agentId.toLowerCase();
    if (!publicKey || agentId !== toHex(publicKey)) {
      throw forbidden('an agent_id of 64 hex characters must be the registered key');
    }
  } else if (!isAgentIdForm(agentId)) {
    throw invalid('agent_id has a wrong form or a reserved prefix');
  }
  return { agentId, publicKey };
}

/** Does a name mean the acting agent, who may not be registered? */
function namesActor(name: string, c: Credentials, ids: Identities): boolean {
  if (c.agent) return ids.names(name, c.agent);
  if (c.signer) return name.toLowerCase() === toHex(c.signer);
  return c.vouchedActor !== undefined && equalBytes(agentKey(name), agentKey(c.vouchedActor));
}

/** Every actor field must name the acting agent (DECISIONS 1.7). */
export function checkActors(parsed: Parsed, c: Credentials, ids: Identities): void {
  for (const { field, value } of parsed.actors) {
    if (!namesActor(value, c, ids)) throw forbidden(`${field} names another agent than the signer`);
  }
}

/**
 * The command of a parsed request. Does not look at balances or states.
 * Errors: `invalid_request`, `forbidden_actor`, as DECISIONS 1.6 step 6 and 7.
 */
export function toCommand(
  parsed: Parsed,
  txId: Uint8Array,
  c: Credentials,
  attachment: KeyAttachment | undefined,
  ids: Identities,
): Uint8Array {
  const head: commands.CommandHead = {
    txId,
    actor: c.signer ?? (c.vouchedActor === undefined ? txId : agentKey(c.vouchedActor)),
    auth: c.auth,
    lastSecs: c.lastSecs,
    keyId: c.keyId,
    seat: c.seat,
  };
  switch (parsed.name) {
    case 'register': {
      const { agentId, publicKey } = registrant(parsed.args, c);
      const actor = agentKey(agentId);
      return commands.register({ ...head, actor }, publicKey, parsed.args.initial_stake ?? 0, agentId);
    }
    case 'faucet':
      return commands.faucet(head);
    case 'transfer':
      return commands.transfer(head, agentKey(parsed.args.to_agent), parsed.args.amount);
    case 'generation': {
      const to = parsed.args.beneficiary;
      return commands.generation(
        head,
        to === undefined ? head.actor : agentKey(to),
        parsed.args.claimed_value,
      );
    }
    case 'stake':
      return commands.stake(head, parsed.args.amount);
    case 'unstake':
      return commands.unstake(head, parsed.args.amount);
    case 'verify': {
      const { event_id, verdict, verified_value } = parsed.args;
      // What is no hex id names no event: its hash is certain not to be found.
      const id = /^[0-9a-fA-F]{64}$/.test(event_id) ? fromHex(event_id)! : sha256(utf8(event_id));
      return commands.verify(head, id, verdict, verified_value);
    }
    case 'keyCreate': {
      if (!attachment) throw invalid('the accepting node attached no key');
      const seat = ids.seatOfNode(attachment.node);
      if (seat === undefined) throw invalid('the key was not issued by a seat');
      return commands.keyCreate(head, {
        keyId: attachment.keyHash.subarray(0, 8),
        hash: attachment.keyHash,
        scopes: parsed.args.scopes ? scopeBits(parsed.args.scopes) : abi.SCOPE_ALL,
        hourlyLimit: parsed.args.hourly_limit ?? 1000,
        expiresAt: parsed.args.expires_at ?? 0,
        issuingSeat: seat,
      });
    }
    case 'keyRevoke':
      return commands.keyRevoke(head, keyIdFromPath(parsed.path.key!) ?? new Uint8Array(8));
  }
}
