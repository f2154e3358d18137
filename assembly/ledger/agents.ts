// The table of agents: identity, money and counters, one row of 256 bytes each.
// Keeps: agent keys and public keys are unique over both columns; rows are never freed.
// Balances change only through ledger/money; who may act is decided by access/.

import { equal32, isZero } from '../lib/bytes';
import {
  addRow,
  attachIndex,
  clearIndex,
  findRow,
  guessRow,
  KeyIndex,
  slotCount,
  warmSlots,
} from '../lib/key-index';
import { writeBytes, writeHex } from '../lib/text';
import { AGENTS, capacity, header } from '../state/header';
import { markBytes, warmMark } from '../state/marks';
import { root } from '../state/root';
import { noteTouched, warmTouched } from './touched';

export const AGENT_ROW_BYTES: u32 = 256;
const ROW_SHIFT: usize = 8;
const BY_KEY: usize = memory.data(64, 8);
const BY_PUBLIC_KEY: usize = memory.data(64, 8);

@unmanaged
export class Agent {
  /** Public key, or SHA-256 of a free-form id. */
  key0: u64;
  key1: u64;
  key2: u64;
  key3: u64;
  publicKey0: u64;
  publicKey1: u64;
  publicKey2: u64;
  publicKey3: u64;
  fingerprint0: u64;
  fingerprint1: u64;
  fingerprint2: u64;
  fingerprint3: u64;
  /** Free-form id, zeros when the id is the hex form of the key. */
  id0: u64;
  id1: u64;
  id2: u64;
  id3: u64;
  id4: u64;
  id5: u64;
  id6: u64;
  id7: u64;
  /** Free balance, micro-units. */
  balance: u64;
  staked: u64;
  /** The agent's funds in escrow: pending transfers, tasks, bonds. */
  reserved: u64;
  /** Sum of the agent's pending transfers. */
  exposure: u64;
  /** 0 while nothing is staked. */
  stakedSinceSecs: u64;
  /** protocol 6.8: time of the last settled work; before any, of the registration. */
  lastActiveSecs: u64;
  /** Last faucet grant, 0 = never. */
  faucetAtSecs: u64;
  /** Recognised value credited as beneficiary, capped for display. */
  generated: u64;
  /** Settled outgoing transfers, capped for display. */
  transferred: u64;
  /** Sums over all categories except `transfer`. */
  completed: u32;
  failed: u32;
  /** For display; at most 2^32 - 1. */
  firstSeenSecs: u32;
  /** Steps of the fingerprint (reputation/fingerprint.ts). */
  fingerprintSteps: u32;
  /** First API key that is not revoked, row + 1. */
  keyHead: u32;
  /** Validator index + 1, 0 = operates none. */
  validator: u16;
  /** Length of the free-form id, 0 when the id is the hex form of the key. */
  idBytes: u8;
  /** LISTING_*. */
  listing: u8;
}

export function agentAt(index: u32): Agent {
  return changetype<Agent>(root().agents + ((<usize>index) << ROW_SHIFT));
}

export function agentIndex(agent: Agent): u32 {
  return <u32>((changetype<usize>(agent) - root().agents) >> ROW_SHIFT);
}

export function keyOf(agent: Agent): usize {
  return changetype<usize>(agent);
}

export function publicKeyOf(agent: Agent): usize {
  return changetype<usize>(agent) + offsetof<Agent>('publicKey0');
}

export function fingerprintOf(agent: Agent): usize {
  return changetype<usize>(agent) + offsetof<Agent>('fingerprint0');
}

export function idOf(agent: Agent): usize {
  return changetype<usize>(agent) + offsetof<Agent>('id0');
}

/** The agent_id as text, at most 64 bytes; returns the address after it. */
export function writeAgentId(to: usize, agent: Agent): usize {
  if (agent.idBytes == 0) return writeHex(to, keyOf(agent), 32);
  return writeBytes(to, idOf(agent), agent.idBytes);
}

export function attachAgents(): void {
  const slots = slotCount(capacity(AGENTS));
  const r = root();
  const keyOffset = <u32>offsetof<Agent>('publicKey0');
  attachIndex(changetype<KeyIndex>(BY_KEY), r.agentSlots, slots, r.agents, AGENT_ROW_BYTES, 0, 32);
  attachIndex(
    changetype<KeyIndex>(BY_PUBLIC_KEY),
    r.publicKeySlots,
    slots,
    r.agents,
    AGENT_ROW_BYTES,
    keyOffset,
    32,
  );
}

// Most public keys are the agent key as well; only those of free-form ids need the second index.
function indexAgent(index: u32): void {
  const agent = agentAt(index);
  addRow(changetype<KeyIndex>(BY_KEY), index);
  const publicKey = publicKeyOf(agent);
  if (agent.idBytes != 0 && !isZero(publicKey, 32)) addRow(changetype<KeyIndex>(BY_PUBLIC_KEY), index);
}

export function rebuildAgentIndex(): void {
  clearIndex(changetype<KeyIndex>(BY_KEY));
  clearIndex(changetype<KeyIndex>(BY_PUBLIC_KEY));
  for (let index: u32 = 0; index < header().agentCount; index++) indexAgent(index);
}

/** Loads where the searches for agents begin, by the tags of their keys (lib/warm.ts). */
export function warmAgentSlots(tags: usize, strideBytes: usize, count: u32): void {
  warmSlots(changetype<KeyIndex>(BY_KEY), tags, strideBytes, count);
}

/** Index of the agent whose agent key has this tag, probably; -1: there is none. */
export function guessAgent(tag: u32): i32 {
  return guessRow(changetype<KeyIndex>(BY_KEY), tag);
}

/** Loads the key of an agent (lib/warm.ts). */
export function warmKey(index: u32): u64 {
  return agentAt(index).key0;
}

/** Loads what changes in the row of an agent when money moves (lib/warm.ts). */
export function warmMoney(index: u32): u64 {
  const agent = agentAt(index);
  return agent.balance ^ agent.completed ^ warmMark(changetype<usize>(agent)) ^ warmTouched(index);
}

/** True when the agent at this index, which may be -1, has this agent key. */
export function isAgent(index: i32, key: usize): bool {
  return index >= 0 && equal32(keyOf(agentAt(index)), key);
}

/** Index of the agent with this agent key or public key, or -1. */
export function findAgent(key: usize): i32 {
  const index = findRow(changetype<KeyIndex>(BY_KEY), key);
  if (index >= 0) return index;
  return findRow(changetype<KeyIndex>(BY_PUBLIC_KEY), key);
}

export function hasAgentRow(): bool {
  return header().agentCount < capacity(AGENTS);
}

/**
 * Adds a row with identity and times; the caller sets money and fingerprint. `idBytes` is 0 when the
 * id is the hex form of the key. The caller has checked hasAgentRow and that neither key is taken.
 */
export function addAgent(key: usize, publicKey: usize, id: usize, idBytes: u32, nowSecs: u64): Agent {
  const index = header().agentCount++;
  const agent = agentAt(index);
  memory.copy(keyOf(agent), key, 32);
  memory.copy(publicKeyOf(agent), publicKey, 32);
  memory.copy(idOf(agent), id, idBytes);
  agent.idBytes = <u8>idBytes;
  agent.firstSeenSecs = <u32>min<u64>(nowSecs, u32.MAX_VALUE);
  agent.lastActiveSecs = nowSecs;
  indexAgent(index);
  touchAgent(agent);
  return agent;
}

/** Marks the row as changed: for the state hash, the snapshot, and the list at the end of the block. */
export function touchAgent(agent: Agent): void {
  markBytes(changetype<usize>(agent), AGENT_ROW_BYTES);
  noteTouched(agentIndex(agent));
}
