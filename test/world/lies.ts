// What seats that do not follow the protocol do to the messages of the node that they run.
// Keeps: a lie is drawn from the world's dice; `struck` is called when a message really was changed, held back or added.

import { decodeRows, encodeRows, type Row } from '../../host/net/join-rows.ts';
import { decodeMessage, encodeMessage, type HeadMessage, type Message } from '../../host/net/messages.ts';
import { leavesOf } from '../../host/store/document-leaves.ts';
import { checkpointHash, checkpointSigningBytes } from '../../host/wire/block.ts';
import { fromUtf8 } from '../../host/wire/bytes.ts';
import type { Dice } from '../model/consensus/random-dag.ts';
import { seatKey } from './network.ts';
import type { Filter } from './wires.ts';

/** What a lie knows. */
export interface Liar {
  seat: number;
  dice: Dice;
  nowMs(): number;
  /** It did what it is there for. */
  struck(): void;
}

type Of<T extends Message['type']> = Extract<Message, { type: T }>;

/** What becomes of a message: others in its place; undefined: it is sent as it is. */
type Change = (message: Message, to: string) => readonly Message[] | undefined;

const changing =
  ({ struck }: Liar, change: Change): Filter =>
  (bytes, to) => {
    const decoded = decodeMessage(bytes);
    const changed = decoded && change(decoded, to);
    if (!changed) return [bytes];
    struck();
    return changed.map(encodeMessage);
  };

/** Vertices name their creator behind the first six bytes (consensus 5.17). */
const creatorOf = (vertex: Uint8Array): number => vertex[6]! | (vertex[7]! << 8);

/** A copy with one bit flipped. */
function spoiled(bytes: Uint8Array, dice: Dice): Uint8Array {
  const copy = bytes.slice();
  if (copy.length > 0) copy[dice.below(copy.length)]! ^= 1 << dice.below(8);
  return copy;
}

/** A head that makes others ask this seat for more than it has. */
const ahead = (head: HeadMessage, { seat }: Liar): HeadMessage => ({
  ...head,
  block: head.block + 500,
  order: head.order + 1000,
  seqs: head.seqs.map((seq, i) => (i === seat ? seq + 1000 : seq)),
});

export function silent(liar: Liar): Filter {
  const fromMs = liar.nowMs() + liar.dice.between(2000, 30_000);
  return (message) => {
    if (liar.nowMs() < fromMs) return [message];
    liar.struck();
    return [];
  };
}

/** New vertices, own and others', reach some peers only. */
export const partial = (liar: Liar): Filter =>
  changing(liar, ({ type }, to) =>
    type === 'vertices' && liar.dice.chance(to.endsWith('1') ? 80 : 40) ? [] : undefined,
  );

/** Vertices are kept back and sent in a burst. */
export function late(liar: Liar): Filter {
  const kept = new Map<string, Message[]>();
  return changing(liar, (message, to) => {
    if (message.type !== 'vertices') return undefined;
    const all = [...(kept.get(to) ?? []), message];
    kept.set(to, all.length < 6 ? all : []);
    return all.length < 6 ? [] : all;
  });
}

/** A head further than anybody is, in a later epoch, or with vertices of others that nobody has. */
export function lyingHeads(liar: Liar): Filter {
  const kind = liar.dice.below(3);
  return changing(liar, (message) => {
    if (message.type !== 'head') return undefined;
    if (kind === 0) return [ahead(message, liar)];
    if (kind === 1) return [{ ...message, epoch: message.epoch + 1 + liar.dice.below(3) }];
    return [{ ...message, seqs: message.seqs.map((seq) => seq + liar.dice.below(5)) }];
  });
}

/** Says that it is ahead, and answers `sync` with nothing. */
export const syncEmpty = (liar: Liar): Filter =>
  changing(liar, (message) => {
    if (message.type === 'head') return [ahead(message, liar)];
    return message.type === 'synced' ? [{ ...message, cursor: 0, isEnd: true, vertices: [] }] : undefined;
  });

/** Answers `sync` with spoiled vertices, and with the first of them again and again. */
export function syncWrong(liar: Liar): Filter {
  const { dice } = liar;
  return changing(liar, (message) => {
    if (message.type === 'head') return [ahead(message, liar)];
    if (message.type !== 'synced' || message.vertices.length === 0) return undefined;
    const vertices = message.vertices.map((bytes) =>
      dice.chance(50) ? spoiled(bytes, dice) : message.vertices[0]!,
    );
    return [{ ...message, vertices }];
  });
}

/** Never comes to the end of an answer to `sync`, and brings nothing in it. */
export const syncEndless = (liar: Liar): Filter =>
  changing(liar, (message) => {
    if (message.type === 'head') return [ahead(message, liar)];
    if (message.type !== 'synced') return undefined;
    const cursor = message.cursor + liar.dice.between(0, 300);
    return [{ ...message, cursor, isEnd: false, vertices: message.vertices.slice(0, 1) }];
  });

/** Kinds of lies about seals, with the truth as the last; and of lies about rows. */
export const SEAL_LIES = 6;
export const ROW_LIES = 6;

/** Proofs of seals, and the state at a seal, for those who join: altered, cut short, endless or gone. */
export function lyingState(
  liar: Liar,
  ofSeals = liar.dice.below(SEAL_LIES),
  ofRows = liar.dice.below(ROW_LIES),
): Filter {
  const { dice } = liar;
  const sealed = (message: Of<'sealed'>): Message => {
    switch (ofSeals) {
      case 0:
        return { ...message, proofs: message.proofs.map((proof) => spoiled(proof, dice)) };
      case 1:
        return { ...message, proofs: [] };
      case 2:
        return { ...message, offered: message.offered + 1 };
      case 3:
        return { ...message, openers: message.openers.map((opener) => spoiled(opener, dice)) };
      case 4:
        return { ...message, rowCount: 2 ** 40 };
      default:
        return message;
    }
  };
  const fetched = (message: Of<'fetched'>): Message => {
    const rows = decodeRows(message.rows, new Uint8Array(0)) ?? [];
    switch (ofRows) {
      case 0:
        return { ...message, rows: encodeRows(rows.map((row) => altered(row, dice))) };
      case 1:
        return { ...message, part: 'gone', rows: new Uint8Array(0) };
      case 2:
        return { ...message, part: 'last', rows: encodeRows(rows.slice(0, rows.length >> 1)) };
      case 3:
        return { ...message, part: 'more', rows: encodeRows(rows.slice(0, 1)) };
      case 4:
        return { ...message, part: 'more' };
      default:
        return { ...message, rows: encodeRows(withOneSpoiled(rows, dice)) };
    }
  };
  return changing(liar, (message) => {
    if (message.type === 'sealed' && ofSeals < SEAL_LIES - 1) return [sealed(message)];
    return message.type === 'fetched' ? [fetched(message)] : undefined;
  });
}

/** Rows of the core, and addresses, which are checked against its keys. */
const OF_CORE = new Set(['s', 'd'].map((prefix) => prefix.charCodeAt(0)));

/** Is a row a document under the state root (consensus 5.18). */
const isDocument = ([key, value]: Row): boolean =>
  leavesOf(
    key,
    false,
    () => JSON.parse(fromUtf8(value)),
    () => new Uint8Array(32),
  ).some(({ isSet }) => isSet);

/** What a join checks, altered here and there. Of other rows it takes the word of one peer. */
function altered(row: Row, dice: Dice): Row {
  const [key, value] = row;
  const isChecked = OF_CORE.has(key[0]!) || isDocument(row);
  return isChecked && dice.chance(20) ? [key, spoiled(value, dice)] : row;
}

/** One document among true rows is another one: of a task, an event, a listing, an agent, whatever there is. */
function withOneSpoiled(rows: readonly Row[], dice: Dice): Row[] {
  const documents = rows.filter(isDocument);
  if (documents.length === 0) return [...rows];
  const [key] = dice.pick(documents);
  return rows.map((row) => (row[0] === key ? [key, spoiled(row[1], dice)] : row));
}

/**
 * Own vertices are shown to nobody until a worst moment; then all at once, and hidden again. It has struck when they are
 * shown: one that hides for ever is no more than silent.
 */
export function withheld(liar: Liar, moment: () => Promise<void>): Filter {
  /** By the peer that lacks them. */
  const kept = new Map<string, Message[]>();
  let releases = 0;
  const done = new Map<string, number>();
  const wait = (): void => {
    void moment().then(() => {
      releases += 1;
      wait();
    });
  };
  wait();
  const isOwn = (vertex: Uint8Array): boolean => creatorOf(vertex) === liar.seat;
  return changing({ ...liar, struck() {} }, (message, to) => {
    if (message.type === 'hello') return undefined;
    const due = (done.get(to) ?? 0) < releases ? (kept.get(to) ?? []) : [];
    if (due.length > 0) {
      kept.delete(to);
      liar.struck();
    }
    done.set(to, releases);
    if (!('vertices' in message)) return due.length > 0 ? [...due, message] : undefined;
    const own = message.vertices.filter(isOwn);
    if (own.length > 0)
      kept.set(to, [
        ...(kept.get(to) ?? []).slice(-200),
        { type: 'vertices', epoch: message.epoch, vertices: own },
      ]);
    if (own.length === 0 && due.length === 0) return undefined;
    const others = { ...message, vertices: message.vertices.filter((vertex) => !isOwn(vertex)) };
    return [...due, ...(others.vertices.length > 0 || message.type === 'synced' ? [others] : [])];
  });
}

/** Far more requests than anybody needs, for a while. */
export function flood(liar: Liar): Filter {
  const { dice } = liar;
  const fromMs = liar.nowMs() + dice.between(2000, 15_000);
  const questions: readonly (() => Message)[] = [
    () => ({ type: 'sync', epoch: 0, cursor: 0, seqs: [] }),
    () => ({ type: 'want', ids: Array.from({ length: 200 }, () => dice.bytes(32)) }),
    () => ({ type: 'fetch', epoch: 1, after: new Uint8Array(0) }),
    () => ({ type: 'seals', from: 0 }),
    () => ({ type: 'words' }),
    () => ({ type: 'ping', nonce: dice.u32() }),
  ];
  return changing(liar, (message) => {
    const sinceMs = liar.nowMs() - fromMs;
    if (message.type === 'hello' || sinceMs < 0 || sinceMs > 10_000) return undefined;
    return [message, ...Array.from({ length: 5 }, () => dice.pick(questions)())];
  });
}

/** Messages of a link that are kept to be said again. */
const MAX_KEPT = 100;

/** Says again what it said before: old heads, vertices of epochs that are over, answers that nobody waits for. */
export function repeats(liar: Liar): Filter {
  const { dice } = liar;
  const said = new Map<string, Message[]>();
  return changing(liar, (message, to) => {
    if (message.type === 'hello' || message.type === 'bye') return undefined;
    const before = said.get(to) ?? [];
    const again = before.length > 0 && dice.chance(10) ? dice.pick(before) : undefined;
    if (before.length < MAX_KEPT) before.push(message);
    else before[dice.below(MAX_KEPT)] = message;
    said.set(to, before);
    return again && [again, message];
  });
}

/** Byte offset of the state root in a checkpoint statement (consensus 5.17). */
const STATE_ROOT_AT = 104;

/** Signs another state than all others, now and then, and shows it to some. */
export const otherStates = (liar: Liar): Filter =>
  changing(liar, (message) => {
    if (message.type !== 'checkpoint' || message.seat !== liar.seat || liar.dice.chance(50)) return undefined;
    const statement = message.statement.slice();
    statement[STATE_ROOT_AT]! ^= 1;
    const signature = seatKey(liar.seat).sign(checkpointSigningBytes(checkpointHash(statement)));
    return [{ ...message, statement, signature }];
  });
