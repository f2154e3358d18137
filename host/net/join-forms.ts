// Are rows that a joining node receives of the form in which this program writes them. What is under the state root is proven
// besides; sums and old checkpoints are a peer's word, and must not end the node that reads or goes on from them.
// Keeps: one table; whatever it lets pass can be read, and counted on from, without a failure.

import { TASK_STATUSES } from '../core/task-names.ts';
import { readU64 } from '../store/prefixes.ts';
import { isRunCount } from '../store/run-counts.ts';
import { decodePage } from '../store/state-pages.ts';
import { decodeCheckpoint } from '../wire/block.ts';
import { fromHex, fromUtf8, isHex } from '../wire/bytes.ts';
import { isRecord } from '../wire/json.ts';

type Form = (key: Uint8Array, value: Uint8Array) => boolean;

const isCount = (n: unknown): boolean => Number.isSafeInteger(n) && (n as number) >= 0;
const hasCounts = (doc: Record<string, unknown>, names: readonly string[]): boolean =>
  names.every((name) => isCount(doc[name]));
const isHexText = (text: unknown, bytes: number): boolean =>
  typeof text === 'string' && isHex(text, 2 * bytes);

function recordOf(value: Uint8Array): Record<string, unknown> | undefined {
  try {
    const doc: unknown = JSON.parse(fromUtf8(value));
    return isRecord(doc) ? doc : undefined;
  } catch {
    return undefined;
  }
}

function isCheckpoint(key: Uint8Array, value: Uint8Array): boolean {
  const doc = recordOf(value);
  if (!doc || key.length !== 9 || doc.height !== readU64(key, 1)) return false;
  const { statement, signatures } = doc;
  const bytes = typeof statement === 'string' ? fromHex(statement) : undefined;
  return (
    bytes !== undefined &&
    decodeCheckpoint(bytes)?.height === doc.height &&
    hasCounts(doc, ['order', 'consensus_time', 'block_index']) &&
    [doc.state_root, doc.manifest_digest, doc.block_hash].every((hash) => isHexText(hash, 32)) &&
    Array.isArray(signatures) &&
    signatures.every(
      (one) =>
        isRecord(one) &&
        typeof one.validator_id === 'string' &&
        isHexText(one.public_key, 32) &&
        isHexText(one.signature, 64),
    )
  );
}

/** Sums by the name of their row; those of others are records of any kind. */
const SUMS: Readonly<Record<string, (doc: Record<string, unknown>) => boolean>> = {
  totals: (doc) =>
    hasCounts(doc, ['vertices', 'checkpoints']) &&
    isRecord(doc.events) &&
    Object.values(doc.events).every(isCount),
  tasks: (doc) =>
    hasCounts(doc, ['count', 'budget', 'escrowed', 'paid', 'categories']) &&
    // A start adds up these two if an earlier version did not.
    (doc.claim_bonds === undefined || hasCounts(doc, ['escrowed_subtasks', 'claim_bonds'])) &&
    isRecord(doc.by_status) &&
    hasCounts(doc.by_status, TASK_STATUSES),
  cases: (doc) => hasCounts(doc, ['challenges', 'jobs']),
  market: (doc) => hasCounts(doc, ['routes']),
};

function isSum(key: Uint8Array, value: Uint8Array): boolean {
  const name = fromUtf8(key.subarray(1));
  const doc = recordOf(value);
  if (!doc) return false;
  if (isRunCount(name)) return hasCounts(doc, ['runs', 'passed']);
  if (name.startsWith('task-category-')) return typeof doc.name === 'string' && isCount(doc.tasks);
  return Object.hasOwn(SUMS, name) ? SUMS[name]!(doc) : true;
}

const sized =
  (keyBytes: number, ...valueBytes: readonly number[]): Form =>
  (key, value) =>
    key.length === keyBytes && valueBytes.includes(value.length);

/** By prefix; all others are documents under the root, or texts that are read as they are. */
const FORMS: Readonly<Record<string, Form>> = {
  s: (key, value) => key.length === 5 && decodePage(value) !== undefined,
  e: sized(33, 8),
  t: sized(33, 12),
  h: sized(9, 16),
  k: isCheckpoint,
  R: (key, value) => key.length === 9 && recordOf(value) !== undefined,
  w: isSum,
};

export function hasForm(key: Uint8Array, value: Uint8Array): boolean {
  const form = FORMS[String.fromCharCode(key[0]!)];
  return form === undefined || form(key, value);
}
