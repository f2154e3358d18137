// The key space of the store: every key starts with one letter of the table below, and keys are built only here.
// Integers in keys are big-endian, so that the order of bytes is the order of numbers.

import { utf8 } from '../wire/bytes.ts';

/** Letter -> key and value of its rows. A letter that is no longer used stays listed. */
export const PREFIXES = {
  m: 'meta: text name -> JSON',
  v: 'vertex: id[32] -> header, signature, payload',
  b: 'block: index u64 -> block record (ordering/block.ts)',
  o: 'order: u64 -> vertex id[32]',
  r: 'order number of a vertex: id[32] -> order u64 (0 = dropped at a seal), consensus time in ms u64, round u32, TxIDs[32]',
  X: 'entries of an ordered vertex with bad signatures: id[32] -> indexes, u16 each',
  i: 'vertices of an epoch in the order in which this node received them: epoch u32, position u32 -> id[32]',
  c: 'epoch: number u32 -> JSON record',
  E: 'epoch by its id: id[32] -> number u32; no row for the first epoch',
  t: 'transaction refused at execution: TxID[32] -> order u64, core code u32',
  e: 'event by its id: event id[32] -> seq u64',
  q: 'event: seq u64 -> JSON document',
  l: 'chunk of an event list of an author and/or type: list[6], number u32 -> 64 seqs, u64 each',
  n: 'event list: list[6] -> length u32, then the seqs that fill no chunk yet, u64 each',
  a: 'agent: index u32 -> JSON names',
  d: 'deposit address: bytes[20] -> agent index u32',
  k: 'checkpoint: height u64 -> JSON',
  h: 'activity: hour u64 -> volume u64, count u64',
  p: 'API key: id[8] -> JSON document',
  s: 'snapshot: page number u32 -> page of the state (state-pages.ts)',
  w: 'totals of views: text name -> JSON',
  L: 'listing: agent index u32 -> JSON',
  C: 'capability of the router: agent index u32 -> JSON',
  R: 'route: number u64 -> JSON, the newest ones',
  W: 'unfinished webhook delivery: seq of task_routed u64 -> JSON',
  x: 'task: id[16], part u8 (0 fixed part, 1 changing part, 2 submission) -> JSON',
  y: 'no longer used',
  z: 'no longer used',
  u: 'content of a task result: id[16] -> UTF-8 text',
  g: 'trajectory: task id[16], position u16, 0 commit or 1 body u8 -> JSON',
  j: 'task by number of creation: u32 -> id[16]',
  f: 'ranked list of tasks, challenges or replay jobs: list, level u8, node u32 -> node (ranked-lists.ts)',
  H: 'challenge: id[12] -> JSON',
  Y: 'replay job: id[32] -> JSON',
  N: 'challenge or replay job by number of creation: kind u8, number u32 -> id',
  P: 'program: hash[32], part u8 (0 JSON document, 1 module) -> row',
  D: 'submission whose contract is to run: task id[16] -> JSON',
  A: 'run of a contract: task id[16], number u32 -> JSON report',
  K: 'unfinished canary of this node: task id[16] -> JSON',
  J: 'answer of the judge of this node to an open event: event id[32] -> JSON',
  S: 'trend of this node: span u8, place in its ring u16 -> JSON (trend-rows.ts)',
  T: 'tree of documents: depth u8, prefix -> its children; without both: the root (document-root.ts)',
  M: 'leaves of documents that changed since the last root: number u32 -> changes',
  G: 'document that this node has dropped: key of its leaf -> value of the leaf[32]',
} as const;

export type Prefix = keyof typeof PREFIXES;

const code = (prefix: Prefix): number => prefix.charCodeAt(0);

function writeU16(b: Uint8Array, n: number, at: number): void {
  b[at] = n >>> 8;
  b[at + 1] = n;
}
export function writeU32(b: Uint8Array, n: number, at = 0): void {
  writeU16(b, n >>> 16, at);
  writeU16(b, n, at + 2);
}
/** `n`: an integer in 0..2^53-1. */
export function writeU64(b: Uint8Array, n: number, at = 0): void {
  writeU32(b, Math.floor(n / 0x1_0000_0000), at);
  writeU32(b, n % 0x1_0000_0000, at + 4);
}
/** The value of a row that is a number. */
export function rowU32(n: number): Uint8Array {
  const row = new Uint8Array(4);
  writeU32(row, n);
  return row;
}
export function rowU64(n: number): Uint8Array {
  const row = new Uint8Array(8);
  writeU64(row, n);
  return row;
}

/** Key of a prefix and raw bytes. */
function keyOf(prefix: Prefix, bytes: Uint8Array): Uint8Array {
  const key = new Uint8Array(1 + bytes.length);
  key[0] = code(prefix);
  key.set(bytes, 1);
  return key;
}

function keyU32(prefix: Prefix, n: number): Uint8Array {
  const key = new Uint8Array(5);
  key[0] = code(prefix);
  writeU32(key, n, 1);
  return key;
}

function keyU64(prefix: Prefix, n: number): Uint8Array {
  const key = new Uint8Array(9);
  key[0] = code(prefix);
  writeU64(key, n, 1);
  return key;
}

function keyU32Pair(prefix: Prefix, high: number, low: number): Uint8Array {
  const key = new Uint8Array(9);
  key[0] = code(prefix);
  writeU32(key, high, 1);
  writeU32(key, low, 5);
  return key;
}

/** Key of a number within a kind. */
function keyNumber(prefix: 'N', kind: number, n: number): Uint8Array {
  const key = new Uint8Array(6);
  key[0] = code(prefix);
  key[1] = kind;
  writeU32(key, n, 2);
  return key;
}

/** Key of a branch of the tree of documents. */
function keyBranch(depth: number, prefix: Uint8Array): Uint8Array {
  const key = new Uint8Array(2 + prefix.length);
  key[0] = code('T');
  key[1] = depth;
  key.set(prefix, 2);
  return key;
}

/** Key of a part of a task (task-rows.ts). */
function keyTask(id: Uint8Array, part: number): Uint8Array {
  const key = new Uint8Array(18);
  key[0] = code('x');
  key.set(id, 1);
  key[17] = part;
  return key;
}

/** Key of a part (0 commit, 1 body) of the commit at a position of a task's trajectory. */
function keyCommit(task: Uint8Array, position: number, part: 0 | 1): Uint8Array {
  const key = new Uint8Array(20);
  key[0] = code('g');
  key.set(task, 1);
  writeU16(key, position, 17);
  key[19] = part;
  return key;
}

/** Key of a place in the ring of a span. */
function keyTrend(span: number, place: number): Uint8Array {
  const key = new Uint8Array(4);
  key[0] = code('S');
  key[1] = span;
  writeU16(key, place, 2);
  return key;
}

/** Key of a part of a program: 0 document, 1 module. */
function keyProgram(hash: Uint8Array, part: 0 | 1): Uint8Array {
  const key = new Uint8Array(34);
  key[0] = code('P');
  key.set(hash, 1);
  key[33] = part;
  return key;
}

function keyRun(task: Uint8Array, number: number): Uint8Array {
  const key = new Uint8Array(21);
  key[0] = code('A');
  key.set(task, 1);
  writeU32(key, number, 17);
  return key;
}

function keyText(prefix: Prefix, name: string): Uint8Array {
  return utf8(prefix + name);
}

/** Key of an event list, or of a chunk of it: of one author (index + 1, 0 = any) and one type (number, 0 = any). */
function keyList(prefix: 'l' | 'n', author: number, type: number, chunk?: number): Uint8Array {
  const key = new Uint8Array(chunk === undefined ? 7 : 11);
  key[0] = code(prefix);
  writeU32(key, author, 1);
  writeU16(key, type, 5);
  if (chunk !== undefined) writeU32(key, chunk, 7);
  return key;
}

/** Keys by meaning; see PREFIXES for the rows. */
export const rowKey = {
  meta: (name: string) => keyText('m', name),
  vertex: (id: Uint8Array) => keyOf('v', id),
  block: (index: number) => keyU64('b', index),
  orderedVertex: (order: number) => keyU64('o', order),
  vertexPlace: (id: Uint8Array) => keyOf('r', id),
  badSignatures: (vertex: Uint8Array) => keyOf('X', vertex),
  epochVertex: (epoch: number, position: number) => keyU32Pair('i', epoch, position),
  epoch: (number: number) => keyU32('c', number),
  epochById: (id: Uint8Array) => keyOf('E', id),
  refusedTx: (txId: Uint8Array) => keyOf('t', txId),
  eventSeq: (id: Uint8Array) => keyOf('e', id),
  event: (seq: number) => keyU64('q', seq),
  eventList: (author: number, type: number) => keyList('n', author, type),
  eventChunk: (author: number, type: number, chunk: number) => keyList('l', author, type, chunk),
  agent: (index: number) => keyU32('a', index),
  address: (bytes: Uint8Array) => keyOf('d', bytes),
  checkpoint: (height: number) => keyU64('k', height),
  activity: (hour: number) => keyU64('h', hour),
  apiKey: (id: Uint8Array) => keyOf('p', id),
  statePage: (number: number) => keyU32('s', number),
  totals: (name: string) => keyText('w', name),
  listing: (agent: number) => keyU32('L', agent),
  capability: (agent: number) => keyU32('C', agent),
  route: (number: number) => keyU64('R', number),
  delivery: (seq: number) => keyU64('W', seq),
  taskPart: keyTask,
  taskId: (number: number) => keyU32('j', number),
  resultContent: (task: Uint8Array) => keyOf('u', task),
  commit: keyCommit,
  rankedNode: (name: Uint8Array) => keyOf('f', name),
  challenge: (id: Uint8Array) => keyOf('H', id),
  replayJob: (id: Uint8Array) => keyOf('Y', id),
  caseId: (kind: number, number: number) => keyNumber('N', kind, number),
  program: keyProgram,
  dueDelivery: (task: Uint8Array) => keyOf('D', task),
  contractRun: keyRun,
  canary: (task: Uint8Array) => keyOf('K', task),
  judgement: (event: Uint8Array) => keyOf('J', event),
  trend: keyTrend,
  branch: keyBranch,
  documentRoot: () => keyText('T', ''),
  droppedLeaf: (leaf: Uint8Array) => keyOf('G', leaf),
  changedLeaves: (number: number) => keyU32('M', number),
} as const;

/** All keys of a prefix. */
export function rangeOf(prefix: Prefix): { gte: Uint8Array; lt: Uint8Array } {
  return { gte: Uint8Array.of(code(prefix)), lt: Uint8Array.of(code(prefix) + 1) };
}

export const readU32 = (b: Uint8Array, at = 0): number =>
  new DataView(b.buffer, b.byteOffset, b.byteLength).getUint32(at, false);
export const readU64 = (b: Uint8Array, at = 0): number =>
  Number(new DataView(b.buffer, b.byteOffset, b.byteLength).getBigUint64(at, false));
