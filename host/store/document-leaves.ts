// Which documents are under the state root, and the leaves of each (consensus 5.18). One table.
// Keeps: the leaves of a row are a function of the row alone and of the keys of agents, which the core has; so whoever is
// given rows finds out whether they are those that seats signed.

import { fromHex } from '../wire/bytes.ts';
import type { ChallengeDoc, JobDoc } from './case-documents.ts';
import type { EventDoc } from './documents.ts';
import { isOpenEvent } from './events.ts';
import { type Prefix, readU32, rowU64 } from './prefixes.ts';
import type { TaskStateDoc } from './task-documents.ts';

/** Letters that keys of leaves begin with. Append only. */
export const LEAF_KINDS = {
  agent: 'a',
  event: 'e',
  openTask: 'o',
  apiKey: 'p',
  taskPart: 'x',
  result: 'u',
  trajectory: 'g',
  listing: 'L',
  capability: 'C',
  challenge: 'H',
  replayJob: 'Y',
  program: 'P',
  dueDelivery: 'D',
  contractRun: 'A',
} as const;
export type LeafKind = keyof typeof LEAF_KINDS;

/** A leaf of a row, whose value is the hash of the row; `isSet` false: there is none of that key. */
export interface RowLeaf {
  key: Uint8Array;
  isSet: boolean;
}

/** Key of the agent with a row number. */
export type AgentKeyOf = (index: number) => Uint8Array;

/** A row, or one that was deleted (`doc` is then undefined, as for rows that are not JSON). */
interface RowLook {
  id: Uint8Array;
  isDeleted: boolean;
  doc: () => unknown;
  agentKey: AgentKeyOf;
}

/** Key of a leaf. */
export function leafKey(kind: LeafKind, id: Uint8Array): Uint8Array {
  const key = new Uint8Array(1 + id.length);
  key[0] = LEAF_KINDS[kind].charCodeAt(0);
  key.set(id, 1);
  return key;
}

/** Key of the leaf of an event. `seq`: its number. */
export const eventLeaf = (seq: number): Uint8Array => leafKey('event', rowU64(seq));

const own =
  (kind: LeafKind) =>
  ({ id, isDeleted }: RowLook): RowLeaf[] => [{ key: leafKey(kind, id), isSet: !isDeleted }];
const ofAgent =
  (kind: LeafKind) =>
  ({ id, isDeleted, agentKey }: RowLook): RowLeaf[] => [
    { key: leafKey(kind, agentKey(readU32(id))), isSet: !isDeleted },
  ];

/**
 * An event has a leaf while it is open. Only one with a deadline can ever be, except commits, which stay. By its number, not by its
 * id: what opens together then lies together in the tree, and costs a branch for sixteen events instead of one for each.
 */
function ofEvent({ id, doc }: RowLook): RowLeaf[] {
  const event = doc() as EventDoc;
  const isOpen = isOpenEvent(event);
  if (!isOpen && event.deadline === undefined) return [];
  return [{ key: leafKey('event', id), isSet: isOpen }];
}

/** Last byte of the key of a task's changing part (task-rows.ts). */
const STATE_PART = 1;

/** Open tasks have a second leaf, so that a list of them can be shown to be whole. */
function ofTask(row: RowLook): RowLeaf[] {
  const part = { key: leafKey('taskPart', row.id), isSet: true };
  if (row.id[16] !== STATE_PART) return [part];
  const { core } = row.doc() as TaskStateDoc;
  return [part, { key: leafKey('openTask', row.id.subarray(0, 16)), isSet: core?.status === 'open' }];
}

/** Cases are by their task, so that what is not shown of them is known to be of it. Nothing deletes one but `droppedRow`. */
const ofTaskCase =
  (kind: LeafKind) =>
  ({ id, isDeleted, doc }: RowLook): RowLeaf[] => {
    if (isDeleted) return [];
    const { text } = doc() as ChallengeDoc | JobDoc;
    const name = new Uint8Array(16 + Math.min(16, id.length));
    name.set(fromHex(text.task_id)!);
    name.set(id.subarray(0, 16), 16);
    return [{ key: leafKey(kind, name), isSet: true }];
  };

/** The module of a program has none: its name is its hash. */
function ofProgram({ id, isDeleted }: RowLook): RowLeaf[] {
  return id[32] === 0 ? [{ key: leafKey('program', id.subarray(0, 32)), isSet: !isDeleted }] : [];
}

type Rule = (row: RowLook) => RowLeaf[];
/** Why rows have no leaves. */
const LOG = 'of the log: signed by seats, or follows from what they signed';
const STATE = 'of the core, which has a root of its own';
const DERIVED = 'follows from events and documents; nothing is decided by it';
const PRIVATE = 'of this node alone';
const UNUSED = 'no longer used';

/** What each prefix has under the root: its leaves, or why it has none. */
const ROOTED: Record<Prefix, Rule | string> = {
  a: ofAgent('agent'),
  q: ofEvent,
  p: own('apiKey'),
  x: ofTask,
  u: own('result'),
  g: own('trajectory'),
  L: ofAgent('listing'),
  C: ofAgent('capability'),
  H: ofTaskCase('challenge'),
  Y: ofTaskCase('replayJob'),
  P: ofProgram,
  D: own('dueDelivery'),
  A: own('contractRun'),
  v: LOG,
  b: LOG,
  o: LOG,
  r: LOG,
  X: LOG,
  i: LOG,
  c: LOG,
  E: LOG,
  k: LOG,
  t: DERIVED,
  e: 'checked against the events',
  l: DERIVED,
  n: DERIVED,
  d: 'checked against the keys in the core',
  h: DERIVED,
  w: 'counts of documents, checked against them; other sums are derived',
  R: DERIVED,
  j: DERIVED,
  f: DERIVED,
  N: DERIVED,
  s: STATE,
  m: PRIVATE,
  W: PRIVATE,
  K: PRIVATE,
  J: PRIVATE,
  S: PRIVATE,
  T: 'the tree itself',
  M: 'the tree itself',
  G: 'leaves without their documents',
  y: UNUSED,
  z: UNUSED,
};

/** Rows of this node alone, the marks of the store among them: they are not sent to others. */
export const PRIVATE_PREFIXES = (Object.keys(ROOTED) as Prefix[]).filter(
  (prefix) => ROOTED[prefix] === PRIVATE,
);

export const ROOTED_PREFIXES = (Object.keys(ROOTED) as Prefix[])
  .filter((prefix) => typeof ROOTED[prefix] !== 'string')
  .sort();

/** Leaves of a row of the store; none for rows that are outside of the root. `doc`: the row's JSON. */
export function leavesOf(
  key: Uint8Array,
  isDeleted: boolean,
  doc: () => unknown,
  agentKey: AgentKeyOf,
): readonly RowLeaf[] {
  const rule = ROOTED[String.fromCharCode(key[0]!) as Prefix];
  return typeof rule === 'function' ? rule({ id: key.subarray(1), isDeleted, doc, agentKey }) : [];
}

const isOfKind = (leaf: Uint8Array, ...kinds: readonly LeafKind[]): boolean =>
  kinds.some((kind) => leaf[0] === LEAF_KINDS[kind].charCodeAt(0));

/** Kinds of leaves whose documents a node may drop when their task is over; their ids begin with that of the task. */
const OF_TASKS: readonly LeafKind[] = ['taskPart', 'result', 'trajectory', 'challenge', 'replayJob'];

/** The task of a leaf whose document may be dropped; undefined for others, such as open tasks and agents. */
export function taskOfDropped(leaf: Uint8Array): Uint8Array | undefined {
  return isOfKind(leaf, ...OF_TASKS) && leaf.length >= 17 ? leaf.subarray(1, 17) : undefined;
}

/** True for the leaf of an event. */
export const isEventLeaf = (leaf: Uint8Array): boolean => isOfKind(leaf, 'event');
/** True for the leaf of a challenge or a replay job. */
export const isCaseLeaf = (leaf: Uint8Array): boolean => isOfKind(leaf, 'challenge', 'replayJob');
