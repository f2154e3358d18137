// What a content key is worth that a party of a dispute gives (protocol 15.10): whether it is the one that was committed to,
// and whether the stored box opens by it.
// Keeps: a pure function of the key and of documents of earlier blocks, so every node, and every auditor, finds the same.
// Whoever knows the key can compute it; nobody needs a party's own keys.

import * as abi from '../../assembly/abi.ts';
import { isNewText } from '../scoring/index.ts';
import type { SubmissionDoc, TaskTextDoc } from '../store/task-documents.ts';
import { fromHex, toHex } from '../wire/bytes.ts';
import { keyCommitment, openBox, type Readers, remakeBox } from '../wire/sealed-box.ts';

/** A sealed delivery of an earlier block. */
export interface SealedDelivery {
  text: TaskTextDoc;
  submission: SubmissionDoc;
  readers: Readers;
  box(): string;
}

/** Finds sealed deliveries by the id of their task. */
export interface SealedDeliveries {
  sealedDelivery(task: Uint8Array): SealedDelivery | undefined;
  /** What was found of keys that were committed to, by task and key. */
  readonly openings: Map<string, number>;
}

/** Openings that are kept: whoever repeats a key that is public has it checked once. */
const MAX_KNOWN = 1_000;

function flagsOf(id: string, key: Uint8Array, { text, readers, box }: SealedDelivery): number {
  const content = remakeBox(id, key, readers, box());
  const isDelivery = content !== undefined && content !== '' && isNewText(text, content);
  return abi.OPEN_GIVEN | abi.OPEN_MATCHES | (isDelivery ? abi.OPEN_HOLDS : 0);
}

/** OPEN_* for a key in hex; 0 without one. */
export function openingFlags(task: Uint8Array, key: string | undefined, from: SealedDeliveries): number {
  if (!key) return 0;
  const found = from.sealedDelivery(task);
  const id = toHex(task);
  const bytes = fromHex(key)!;
  if (!found || keyCommitment(id, bytes) !== found.submission.key_commitment) return abi.OPEN_GIVEN;
  const name = `${id} ${toHex(bytes)}`;
  const known = from.openings.get(name);
  if (known !== undefined) return known;
  const flags = flagsOf(id, bytes, found);
  if (from.openings.size >= MAX_KNOWN) from.openings.delete(from.openings.keys().next().value!);
  from.openings.set(name, flags);
  return flags;
}

/** What a delivery holds that was opened by this key; undefined without the box. */
export const openedContent = (taskId: string, key: string, box: string | undefined): string | undefined =>
  box === undefined ? undefined : openBox(taskId, fromHex(key)!, box);
