// Reads an answer of /v1/proof: what it shows, and whether it shows it. A pure function of bytes.
// Keeps: an answer is one of the range that was asked for, or a fault; a document counts only with its hash in the tree, and
// a range only if nothing of it is left out. Who signed the root is checked by proofs.ts.

import { type ListedValidator, readValidators } from '../core/state-rows.ts';
import { type CheckpointStatement, decodeCheckpoint } from '../wire/block.ts';
import { compareBytes, equalBytes, fromHex, toHex, utf8 } from '../wire/bytes.ts';
import { MAX_PROOF_BYTES, readProof, type Shown, stateRootOf } from '../wire/document-proof.ts';
import { sha256 } from '../wire/hash.ts';
import { LogFault } from '../wire/log-fault.ts';
import { type KeyRange, numberOf } from '../wire/proof-kinds.ts';
import { readSigned, type SignedCheckpoint } from './readings.ts';
import { readLeaves } from './row-proof.ts';

/** A document as it is under the root. */
export interface ProvenText {
  /** Of its leaf, hex. */
  key: string;
  /** JSON, or the content of a result. */
  text: string;
}

export interface ReadProof {
  checkpoint: SignedCheckpoint;
  statement: CheckpointStatement;
  bytes: Uint8Array;
  /** All documents of the range, up to `last`. */
  documents: ProvenText[];
  /** All validators of the range, where it is one of their numbers. */
  validators?: ListedValidator[];
  last: Uint8Array;
  /** Root of the core, under the state root. */
  coreRoot: Uint8Array;
  /** The range was shown to its end. */
  isEnd: boolean;
}

const MAX_DOCUMENTS = 1000;
const fault = (text: string): LogFault => new LogFault('proof', text);

/** A hex member of an answer. Errors: LogFault `answer`. */
function hexOf(answer: Record<string, unknown>, name: string, maxBytes: number): Uint8Array {
  const text = answer[name];
  const bytes = typeof text === 'string' && text.length <= 2 * maxBytes ? fromHex(text) : undefined;
  if (!bytes) throw new LogFault('answer', `${name} of a proof cannot be read`);
  return bytes;
}

function checkpointOf(value: unknown): { checkpoint: SignedCheckpoint; bytes: Uint8Array } {
  const checkpoint = readSigned(value);
  const bytes = checkpoint.statement.length < 1000 ? fromHex(checkpoint.statement) : undefined;
  if (!bytes) throw new LogFault('answer', 'the checkpoint of a proof cannot be read');
  return { checkpoint, bytes };
}

/** The documents of an answer, which must be those of the tree in the range. Errors: LogFault. */
function documentsOf(list: unknown, shown: Shown, first: Uint8Array, last: Uint8Array): ProvenText[] {
  if (!Array.isArray(list) || list.length > MAX_DOCUMENTS)
    throw new LogFault('answer', 'the documents of a proof cannot be read');
  const leaves = shown.leaves.filter(
    ({ key }) => compareBytes(key, first) >= 0 && compareBytes(key, last) <= 0,
  );
  if (list.length !== leaves.length) {
    throw fault(`the tree has ${leaves.length} documents where the node shows ${list.length}`);
  }
  return leaves.map(({ key, value }, i) => {
    const { key: name, text } = (list[i] ?? {}) as Partial<ProvenText>;
    if (name !== toHex(key) || typeof text !== 'string')
      throw fault(`the node does not show the document ${toHex(key)}, which the tree has`);
    // Half of a character has no bytes of its own: it would pass for U+FFFD.
    if (/\p{Surrogate}/u.test(text) || !equalBytes(sha256(utf8(text)), value))
      throw fault(`the document ${name} is not the one under the state root`);
    return { key: name, text };
  });
}

/** What answers of all kinds have. */
type Frame = Omit<ReadProof, 'documents'> & { answer: Record<string, unknown>; shown: Shown };

function readFrame(body: unknown, range: KeyRange): Frame {
  if (typeof body !== 'object' || body === null) throw new LogFault('answer', 'a proof cannot be read');
  const answer = body as Record<string, unknown>;
  const { first } = range;
  const last = hexOf(answer, 'last', 64);
  const isFirst = equalBytes(hexOf(answer, 'first', 64), first);
  const isInside =
    last.length === first.length && compareBytes(first, last) <= 0 && compareBytes(last, range.last) <= 0;
  if (!isFirst || !isInside) throw fault('the proof is of other keys than were asked for');
  const { checkpoint, bytes } = checkpointOf(answer.checkpoint);
  const statement = decodeCheckpoint(bytes);
  if (!statement) throw new LogFault('answer', 'the statement of a proof cannot be read');
  const shown = readProof(hexOf(answer, 'proof', MAX_PROOF_BYTES));
  if (!shown) throw fault('the part of the tree cannot be read');
  const coreRoot = hexOf(answer, 'core_root', 32);
  const root = stateRootOf(coreRoot, shown.root);
  if (!equalBytes(root, statement.stateRoot)) {
    const text = `the proof leads to state root ${toHex(root)}, the checkpoint has ${toHex(statement.stateRoot)}`;
    throw new LogFault('proof', text, { checkpoint: statement.height });
  }
  const isEnd = equalBytes(last, range.last);
  return { answer, shown, checkpoint, statement, bytes, last, coreRoot, isEnd };
}

/** Errors: LogFault `answer` for what cannot be read, `proof` for what does not prove the range. */
export function readProofAnswer(body: unknown, range: KeyRange): ReadProof {
  const { answer, shown, ...frame } = readFrame(body, range);
  const [first, { last, isEnd }] = [range.first, frame];
  if (!shown.covers(first, last)) throw fault('the proof leaves out a part of what it is about');
  const documents = documentsOf(answer.documents, shown, first, last);
  if (!isEnd && documents.length === 0) throw fault('the proof ends before it shows anything');
  return { ...frame, documents };
}

/** A page of the validators, which are rows of the core. Errors: as `readProofAnswer`. */
export function readValidatorsAnswer(body: unknown, range: KeyRange): ReadProof {
  const { answer, shown: _, ...frame } = readFrame(body, range);
  const { last, isEnd, coreRoot } = frame;
  const first = numberOf(range.first);
  const read = readLeaves(answer.state, coreRoot);
  const { count, validators } = readValidators(read, first, numberOf(last));
  if (!isEnd && numberOf(last) >= count) throw fault('the proof goes on behind the last validator');
  return { ...frame, documents: [], validators };
}
