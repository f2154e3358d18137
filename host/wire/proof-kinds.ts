// What can be proven of the documents: kinds of ids and of lists, and the range of keys that each is about (consensus 5.18).
// Keeps: who asks and who answers compute the same range, so that a proof of something else is none.

import { concat, fromHex, isHex, toHex, utf8 } from './bytes.ts';
import { agentKey } from './ids.ts';

interface Item {
  letter: string;
  /** 0: the id is that of an agent. 8: it is a number. */
  idBytes: number;
  /** Bytes of the key behind the id. */
  tail: number;
}

const NUMBER_BYTES = 8;

/**
 * Kinds of documents with an id. A task has several: its parts. Of an agent's reputation, and of the validator that it
 * operates, it is the agent's, with rows of the core beside it.
 */
const ITEMS = {
  agent: { letter: 'a', idBytes: 0, tail: 0 },
  reputation: { letter: 'a', idBytes: 0, tail: 0 },
  validator: { letter: 'a', idBytes: 0, tail: 0 },
  listing: { letter: 'L', idBytes: 0, tail: 0 },
  task: { letter: 'x', idBytes: 16, tail: 1 },
  result: { letter: 'u', idBytes: 16, tail: 0 },
  event: { letter: 'e', idBytes: NUMBER_BYTES, tail: 0 },
} as const satisfies Record<string, Item>;
/** Lists: letter, and bytes of the id behind it. Validators are rows of the core: their keys are numbers of rows. */
const LISTS = {
  agents: { letter: 'a', idBytes: 32 },
  listings: { letter: 'L', idBytes: 32 },
  open_tasks: { letter: 'o', idBytes: 16 },
  open_events: { letter: 'e', idBytes: NUMBER_BYTES },
  validators: { letter: '', idBytes: 4 },
} as const;

export type ProofItem = keyof typeof ITEMS;
export type ProofList = keyof typeof LISTS;
export const PROOF_ITEMS = Object.keys(ITEMS) as ProofItem[];
export const PROOF_LISTS = Object.keys(LISTS) as ProofList[];
/** Documents of one page of a list. Source: protocol 8.2. */
export const MAX_PROVEN = 50;
/** Rows of the core in one page of a list, each with its leaves. Source: protocol 8.2. */
export const MAX_PROVEN_ROWS = 20;
/** Is a list one of rows of the core. */
export const isRowList = (kind: ProofList): boolean => LISTS[kind].letter === '';
/** The id behind which a list goes on after this key. */
export const idBehind = (kind: ProofList, key: Uint8Array): string =>
  toHex(key.subarray(LISTS[kind].letter.length));

/** Number of a row, of its key. */
export const numberOf = (key: Uint8Array): number => Number.parseInt(toHex(key), 16);

/** Keys from `first` to `last`, both of one length. */
export interface KeyRange {
  first: Uint8Array;
  last: Uint8Array;
}

const keyOf = (letter: string, ...parts: readonly Uint8Array[]): Uint8Array => concat(utf8(letter), ...parts);

/** A number, in decimal, as events have it in the order of their execution. */
function numberKey(text: string): Uint8Array | undefined {
  const number = Number(text);
  if (!/^(0|[1-9]\d{0,15})$/.test(text) || !Number.isSafeInteger(number)) return undefined;
  return fromHex(number.toString(16).padStart(2 * NUMBER_BYTES, '0'));
}

const bytesOf = (id: string, count: number): Uint8Array | undefined =>
  isHex(id, 2 * count) ? fromHex(id) : undefined;

/**
 * Is this the id of an event. Keys have the numbers of events, which a node looks up for an id: of what it shows, the document
 * tells the id; that there is nothing under the number is shown of the number alone.
 */
export const isEventId = (id: string): boolean => isHex(id, 64);

/** The number of an event, of its key. */
export const seqOfKey = (key: Uint8Array): number => numberOf(key.subarray(1));

/** The keys of one document and its parts; undefined for a text that is no id of the kind. */
export function rangeOfItem(kind: ProofItem, id: string): KeyRange | undefined {
  const { letter, idBytes, tail } = ITEMS[kind];
  const bytes =
    idBytes === 0 ? agentKey(id) : idBytes === NUMBER_BYTES ? numberKey(id) : bytesOf(id, idBytes);
  if (!bytes) return undefined;
  const end = (byte: number): Uint8Array => new Uint8Array(tail).fill(byte);
  return { first: keyOf(letter, bytes, end(0)), last: keyOf(letter, bytes, end(255)) };
}

/** The next id in the order of bytes; undefined for the last of all. */
function nextId(id: Uint8Array): Uint8Array | undefined {
  const next = id.slice();
  for (let i = next.length - 1; i >= 0; i--) {
    next[i]! += 1;
    if (next[i] !== 0) return next;
  }
  return undefined;
}

/**
 * The keys of a list behind an id in hex, or behind all ids that begin with it; all keys for an empty text. Undefined for a
 * text that is neither, and behind the last id of all.
 */
export function rangeOfList(kind: ProofList, after: string): KeyRange | undefined {
  const { letter, idBytes } = LISTS[kind];
  const begin = after.length <= 2 * idBytes ? fromHex(after) : undefined;
  if (!begin) return undefined;
  const end = new Uint8Array(idBytes).fill(255);
  const from = end.slice();
  from.set(begin);
  const first = after === '' ? new Uint8Array(idBytes) : nextId(from);
  return first && { first: keyOf(letter, first), last: keyOf(letter, end) };
}
