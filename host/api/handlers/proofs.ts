// Proofs of documents under the newest state root (consensus 5.18): of one, of its absence, of pages of lists.
// Keeps: a proof is of the newest checkpoint, whose signatures may still be on their way; a reader fetches them as those of
// any checkpoint. A request reads only what it sends.

import { isRowKind, readValidators } from '../../core/state-rows.ts';
import { ServiceError } from '../../errors.ts';
import { LEAF_KINDS } from '../../store/document-leaves.ts';
import type { CheckpointDoc } from '../../store/documents.ts';
import { seqOfEvent } from '../../store/events.ts';
import { readU64, rowKey } from '../../store/prefixes.ts';
import { taskKey } from '../../store/task-rows.ts';
import { readJson } from '../../store/write-set.ts';
import { compareBytes, equalBytes, fromHex, fromUtf8, toHex } from '../../wire/bytes.ts';
import { encodeProof, type Leaf, readProof, stateRootOf } from '../../wire/document-proof.ts';
import {
  isEventId,
  isRowList,
  type KeyRange,
  MAX_PROVEN,
  MAX_PROVEN_ROWS,
  numberOf,
  PROOF_ITEMS,
  PROOF_LISTS,
  type ProofItem,
  rangeOfItem,
  rangeOfList,
} from '../../wire/proof-kinds.ts';
import type { ReadContext } from '../context.ts';
import type { ReadArgs, Reply } from '../route.ts';
import { missing } from './history.ts';
import { signedCheckpoint } from './log.ts';
import { rowProof, shownTo } from './state-proof.ts';

/** Bytes of documents in one answer, unless a single one is longer. */
const MAX_BYTES = 256 * 1024;

const notReady = (text: string): ServiceError =>
  new ServiceError('not_ready', { text, headers: { 'Retry-After': '1' } });

/** Key of the row in which the document of a leaf is stored. */
function rowOf({ state }: ReadContext, key: Uint8Array): Uint8Array | undefined {
  const id = key.subarray(1);
  const kind = String.fromCharCode(key[0]!);
  if (kind === LEAF_KINDS.openTask) return taskKey('state', id);
  if (kind === LEAF_KINDS.taskPart) return rowKey.taskPart(id.subarray(0, 16), id[16]!);
  if (kind === LEAF_KINDS.result) return rowKey.resultContent(id);
  if (kind === LEAF_KINDS.event) return rowKey.event(readU64(id));
  const index = state.findAgent(id);
  if (index === undefined) return undefined;
  return kind === LEAF_KINDS.agent ? rowKey.agent(index) : rowKey.listing(index);
}

/** Errors: 503 not_ready for one that changed since the root, 410 history_dropped for one that this node has dropped. */
function documentOf(c: ReadContext, leaf: Leaf): Uint8Array {
  const row = rowOf(c, leaf.key);
  const document = c.documents.documentOf(leaf, row && c.store.get(row));
  if (document) return document;
  if (c.store.get(rowKey.droppedLeaf(leaf.key))) throw missing(c, 'not_found');
  throw notReady('the document changed since the newest checkpoint: ask again after the next one');
}

/** The newest checkpoint. Errors: 503 not_ready when there is none. */
function newest({ store, totals, documents }: ReadContext): CheckpointDoc {
  const doc = readJson<CheckpointDoc>(store.get(rowKey.checkpoint(totals.checkpoints)));
  if (doc?.core_root === undefined) throw notReady('there is no checkpoint yet');
  const root = stateRootOf(fromHex(doc.core_root)!, documents.hash);
  if (toHex(root) !== doc.state_root)
    throw new Error('the tree of documents is not that of the newest checkpoint');
  return doc;
}

/** A proof of all documents of a range; of its first ones, if there are more than `max` or they are long. */
function proven(c: ReadContext, { first, last }: KeyRange, max: number): { body: object; compress: true } {
  const doc = newest(c);
  const isInRange = ({ key }: Leaf): boolean => compareBytes(key, first) >= 0 && compareBytes(key, last) <= 0;
  const leaves = readProof(c.documents.prove(first, last, max))!.leaves.filter(isInRange);
  const documents: { key: string; text: string }[] = [];
  let bytes = 0;
  for (const leaf of leaves.slice(0, max)) {
    const document = documentOf(c, leaf);
    bytes += document.length;
    if (bytes > MAX_BYTES && documents.length > 0) break;
    documents.push({ key: toHex(leaf.key), text: fromUtf8(document) });
  }
  const shown = documents.length;
  const end = shown === leaves.length ? last : leaves[shown - 1]!.key;
  const isEnd = equalBytes(end, last);
  return {
    body: {
      first: toHex(first),
      last: toHex(end),
      is_end: isEnd,
      checkpoint: signedCheckpoint(doc),
      core_root: doc.core_root,
      proof: toHex(c.documents.prove(first, end, shown)),
      documents,
    },
    compress: true,
  };
}

/** The id that a key is made of: of an event its number, by which it is looked up here if it is named by its id. */
function numberedId({ store }: ReadContext, kind: ProofItem, id: string): string {
  if (kind !== 'event' || !isEventId(id)) return id;
  const seq = seqOfEvent(store, fromHex(id)!);
  if (seq === undefined) throw new ServiceError('not_found', { text: 'no event has this id' });
  return `${seq}`;
}

/** A proof of one document, with all its parts, or that there is none; of an agent with its rows in the core. */
export function item(c: ReadContext, { path }: ReadArgs): Reply {
  const kind = PROOF_ITEMS.find((name) => name === path.kind);
  const range = kind && rangeOfItem(kind, numberedId(c, kind, path.id!));
  if (!range) throw new ServiceError('not_found', { text: 'no kind of documents has such an id' });
  const reply = proven(c, range, MAX_PROVEN);
  const key = range.first.subarray(1);
  const agent = isRowKind(kind) ? c.state.findAgent(key) : undefined;
  if (!isRowKind(kind) || agent === undefined || !equalBytes(c.state.agentKey(agent), key)) return reply;
  const root = fromHex(newest(c).core_root!)!;
  return { ...reply, body: { ...reply.body, ...rowProof(c, kind, agent, root) } };
}

/** A proof of a page of the validators, by number; the header of the core says how many there are. */
function validators(c: ReadContext, { first, last }: KeyRange, max: number): Reply {
  const doc = newest(c);
  const from = numberOf(first);
  const until = from + Math.min(max, MAX_PROVEN_ROWS) - 1;
  const shown = shownTo(c, fromHex(doc.core_root!)!, (read) => readValidators(read, from, until));
  if (!shown)
    throw notReady('rows of validators changed since the newest checkpoint: ask again after the next one');
  const isEnd = until + 1 >= shown.found.count;
  return {
    body: {
      first: toHex(first),
      last: isEnd ? toHex(last) : until.toString(16).padStart(2 * last.length, '0'),
      is_end: isEnd,
      checkpoint: signedCheckpoint(doc),
      core_root: doc.core_root,
      proof: toHex(encodeProof({ kind: 'pruned', hash: c.documents.hash })),
      documents: [],
      state: shown.state,
    },
    compress: true,
  };
}

/** A proof of a page of a list, by rising keys. */
export function list(c: ReadContext, { path, query }: ReadArgs): Reply {
  const kind = PROOF_LISTS.find((name) => name === path.kind);
  if (!kind) throw new ServiceError('not_found', { text: 'there is no such list of documents' });
  const range = rangeOfList(kind, (query.after as string | undefined) ?? '');
  if (!range) throw new ServiceError('invalid_request', { text: 'after must be an id of the list, in hex' });
  const max = query.limit as number;
  return isRowList(kind) ? validators(c, range, max) : proven(c, range, max);
}
