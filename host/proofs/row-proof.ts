// Reads what rows of the core say of an agent from leaves under a proven root of the core.
// Keeps: every byte that is read lies in a leaf that leads to that root, at a place that the proven header gives, and the
// row is the one with the agent's key; anything else is a fault.

import {
  MAX_ROW_LEAVES,
  type ProvenRows,
  type ReadState,
  type RowKind,
  readRows,
  stateOf,
} from '../core/state-rows.ts';
import { equalBytes, fromHex } from '../wire/bytes.ts';
import { LogFault } from '../wire/log-fault.ts';
import { readStateLeaf } from '../wire/state-leaf.ts';

/** Hex of a leaf with its way: it has at most eight nodes of sixteen children. */
const MAX_LEAF_HEX = 2 * (512 + 5 + 8 * (2 + 16 * 32));

/** A reader of the leaves that are shown; a byte of another leaf is a fault. Errors: LogFault. */
export function readLeaves(state: unknown, coreRoot: Uint8Array): ReadState {
  if (!Array.isArray(state) || state.length > MAX_ROW_LEAVES)
    throw new LogFault('answer', 'the leaves of a row cannot be read');
  const leaves = new Map<number, Uint8Array>();
  for (const hex of state) {
    const bytes = typeof hex === 'string' && hex.length <= MAX_LEAF_HEX ? fromHex(hex) : undefined;
    const leaf = bytes && readStateLeaf(bytes);
    if (!leaf) throw new LogFault('answer', 'a leaf of the state cannot be read');
    if (!equalBytes(leaf.root, coreRoot))
      throw new LogFault('proof', `leaf ${leaf.number} of the state does not lead to the root of the core`);
    leaves.set(leaf.number, leaf.bytes);
  }
  return stateOf((number) => {
    const leaf = leaves.get(number);
    if (!leaf) throw new LogFault('proof', `leaf ${number} of the state is not shown`);
    return leaf;
  });
}

/**
 * What the rows in an answer say; undefined where the answer has none. `key`: agent key; `coreRoot`: proven. Errors:
 * LogFault `answer` for what cannot be read, `proof` for what does not prove it.
 */
export function readRowProof(
  { agent_row: agent, state }: Record<string, unknown>,
  kind: RowKind,
  key: Uint8Array,
  coreRoot: Uint8Array,
): ProvenRows | undefined {
  if (state === undefined) return undefined;
  if (typeof agent !== 'number' || !Number.isSafeInteger(agent) || agent < 0)
    throw new LogFault('answer', 'the number of a row cannot be read');
  const rows = readRows(readLeaves(state, coreRoot), kind, agent, key);
  if (!rows) throw new LogFault('proof', `row ${agent} is not that of the agent`);
  return rows;
}
