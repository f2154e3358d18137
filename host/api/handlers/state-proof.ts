// Leaves of the core's state for proofs: as the newest checkpoint has them, although the state has moved on.
// Keeps: what is shown leads to the root of that checkpoint, or nothing is shown.

import { type ReadState, type RowKind, readRows, stateOf } from '../../core/state-rows.ts';
import { storedLeaf } from '../../store/state-pages.ts';
import { equalBytes, toHex } from '../../wire/bytes.ts';
import { encodeStateLeaf, isChild, readStateLeaf } from '../../wire/state-leaf.ts';
import type { ReadContext } from '../context.ts';

/** A leaf is not known any more as the checkpoint has it. */
class NotKnown extends Error {}

/**
 * A leaf with its way to the root. Errors: NotKnown if it changed since and neither the core nor the last snapshot has it
 * as it was, or if a snapshot has moved the tree on.
 */
function provenLeaf(
  { state, store }: ReadContext,
  number: number,
  root: Uint8Array,
): { bytes: Uint8Array; proof: Uint8Array } {
  const found = state.core.leafOfHash(number);
  if (!found) throw new NotKnown();
  const { leaf, nodes } = found;
  const bytes = leaf ?? storedLeaf(store, number);
  if (!bytes || !isChild(nodes[0]!, number, bytes)) throw new NotKnown();
  const proof = encodeStateLeaf(number, bytes, nodes);
  if (!equalBytes(readStateLeaf(proof)!.root, root)) throw new NotKnown();
  return { bytes, proof };
}

/** What a reader finds, with the leaves that it reads, in hex; undefined where one of them cannot be shown now. */
export function shownTo<T>(
  c: ReadContext,
  coreRoot: Uint8Array,
  run: (read: ReadState) => T,
): { found: T; state: string[] } | undefined {
  const leaves = new Map<number, ReturnType<typeof provenLeaf>>();
  const read = stateOf((number) => {
    const leaf = leaves.get(number) ?? provenLeaf(c, number, coreRoot);
    leaves.set(number, leaf);
    return leaf.bytes;
  });
  try {
    const found = run(read);
    return { found, state: [...leaves.values()].map(({ proof }) => toHex(proof)) };
  } catch (error) {
    if (error instanceof NotKnown) return undefined;
    throw error;
  }
}

/** The members of a proof that show an agent's rows in the core; none where they cannot be shown now. */
export function rowProof(
  c: ReadContext,
  kind: RowKind,
  agent: number,
  coreRoot: Uint8Array,
): { agent_row: number; state: string[] } | undefined {
  const shown = shownTo(c, coreRoot, (read) => readRows(read, kind, agent, c.state.agentKey(agent)));
  return shown?.found && { agent_row: agent, state: shown.state };
}
