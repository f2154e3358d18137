// Identifiers (protocol 1.3): their forms, and how they are derived from events.
// Keeps: an id is a pure function of what it identifies, so every node and every client derives the same one.
// Event ids and keys are hex64 here, as in JSON; agent keys are the 32 bytes by which the core indexes agents.

import { fromHex, isHex, utf8 } from './bytes.ts';
import { sha256, sha256Hex } from './hash.ts';
import { jcs } from './json.ts';

const AGENT_ID = /^[A-Za-z0-9._:/-]{1,64}$/;
const RESERVED_PREFIXES = ['genesis:', 'escrow:', 'system:'];
/** Fixed path segments under /v1/agents, and names that objects of scripts have from the start. */
const RESERVED_IDS = ['leaderboard', 'search', 'categories', '__proto__', 'constructor', 'prototype'];
/** Programs and proxies resolve them away in URLs and file names. */
const DOT_SEGMENTS = ['.', '..'];

/** True when `id` has the characters and length of an id, reserved or not: enough for a validator_id. */
export function isIdText(id: string): boolean {
  return AGENT_ID.test(id);
}

/**
 * True when the form of `id` allows an agent to register it. An id of 64 hex characters must also be the
 * registrant's own key; the caller checks that.
 */
export function isAgentIdForm(id: string): boolean {
  if (!isIdText(id) || RESERVED_IDS.includes(id)) return false;
  if (id.split('/').some((segment) => DOT_SEGMENTS.includes(segment))) return false;
  // In either case: people do not see the difference.
  const lower = id.toLowerCase();
  return !RESERVED_PREFIXES.some((prefix) => lower.startsWith(prefix));
}

/** Lower-cases a hex64 key; returns any other id unchanged (protocol 1.3). */
export function lowerHexKey(id: string): string {
  return isHex(id, 64) ? id.toLowerCase() : id;
}

/**
 * The 32 bytes by which the core identifies an agent: the public key when the id is its hex form, else
 * SHA-256 of the id.
 */
export function agentKey(agentId: string): Uint8Array {
  const key = agentId.length === 64 ? fromHex(agentId) : undefined;
  return key ?? sha256(utf8(agentId));
}

interface SystemEventName {
  chainId: string;
  order: number;
  /** Index in the vertex, continuing after its transactions (protocol 1.3). */
  index: number;
  eventType: string;
  /** Id of what the event is about (protocol 1.3). */
  subject: string;
}

/** event_id of a system event, hex64. */
export function systemEventId(name: SystemEventName): string {
  return sha256Hex(
    jcs({
      version: 'SERVICE-SYSTEM-V1',
      chain_id: name.chainId,
      order: name.order,
      index: name.index,
      event_type: name.eventType,
      subject: name.subject,
    }),
  );
}

/** Task id, hex32, from the id of the event that posted the task or subtask. */
export function taskId(eventId: string): string {
  return sha256Hex(`task:${eventId}`).slice(0, 32);
}

/** Challenge id, from the id of the event that opened the challenge. */
export function challengeId(eventId: string): string {
  return `chal-${sha256Hex(`challenge:${eventId}`).slice(0, 24)}`;
}

/** Replay job id, hex64, of a task. */
export function replayJobId(task: string): string {
  return sha256Hex(`replay:${task}`);
}

/**
 * Validator id, hex32, of an applicant, from the id of its application's event; genesis seats have
 * theirs from the manifest.
 */
export function validatorIdOf(eventId: string): string {
  return sha256Hex(`validator:${eventId}`).slice(0, 32);
}

const API_KEY = /^vws_[0-9a-f]{64}$/;

/** True for `vws_` and 64 lower-case hex characters. */
export function isApiKeyForm(key: string): boolean {
  return API_KEY.test(key);
}

/** key_id of an API key: 16 hex characters. */
export function apiKeyId(key: string): string {
  return sha256Hex(key).slice(0, 16);
}
