// Compares one document of a node with the computed one, at one order number.
// Keeps: only an answer of an order that was really computed is called checked; an answer that cannot be compared accuses
// nobody.

import { VwsError } from '../client/vws-error.ts';
import { readOrderHeader } from '../proofs/readings.ts';
import { leafKey } from '../store/document-leaves.ts';
import { rowKey } from '../store/prefixes.ts';
import { taskKey } from '../store/task-rows.ts';
import { markedHash } from '../views/hidden.ts';
import { fromHex, utf8 } from '../wire/bytes.ts';
import { sha256Hex } from '../wire/hash.ts';
import { isRecord } from '../wire/json.ts';
import { LogFault } from '../wire/log-fault.ts';
import { COUNTS_OF_TASK, computed, difference, type Kind, PATHS } from './answers.ts';
import type { Replica } from './replica.ts';
import type { LogSource, ReportedDocument } from './source.ts';
import type { Comparison, Verdict, Way } from './verifier-types.ts';

const NO_ROOM = 'there was no room here to keep settled events and results';
/** Attempts to catch a moving node at the verified order. */
const MAX_ATTEMPTS = 8;

interface Question {
  source: LogSource;
  replica: Replica;
  way: Way;
  /** Whether the store had to forget settled events. */
  isPartial(): boolean;
  /** Follows the log to its present end. */
  run(): Promise<Verdict>;
  kind: Kind;
  id: string;
}

/** Errors: those of a node that is away. */
export async function compareDocument(q: Question): Promise<Comparison> {
  for (let tries = 0; tries < MAX_ATTEMPTS; tries++) {
    let reported: ReportedDocument;
    let at: number | undefined;
    try {
      reported = await q.source.document(PATHS[q.kind](q.id));
      at = readOrderHeader(reported.order);
    } catch (error) {
      return noAnswer(q.replica.checkedOrder, error);
    }
    const verdict = await q.run();
    const { order } = verdict;
    if (!verdict.isGood) return { shown: 'lie', order, text: verdict.fault!.text };
    const text = whyNot(verdict, reported, at);
    if (text !== undefined) return { shown: 'not_comparable', order, text };
    if (at! > order) {
      const ahead = `the answer is said to be of order ${at}, but the vertices sent after it reach order ${order} only`;
      return { shown: 'lie', order, text: ahead };
    }
    if (at === order) return compared(q, order, reported.body);
  }
  const text =
    'no answer came at an order that was computed here: the node kept moving, or reports other orders';
  return { shown: 'not_comparable', order: q.replica.checkedOrder, text };
}

/** The node does not answer: wrongly, which is a fault, or not at all. */
function noAnswer(order: number, error: unknown): Comparison {
  if (error instanceof LogFault) return { shown: 'lie', order, text: error.message };
  if (error instanceof VwsError && error.status > 0)
    return { shown: 'not_comparable', order, text: `the node refuses to answer: status ${error.status}` };
  throw error;
}

/** Does a node say that it does not show the content of a task. */
const isHidden = (body: object): boolean => (body as { result_hidden?: unknown }).result_hidden === true;

/** Findings with which the computed state is not the node's newest. */
const APART = ['rollback', 'behind', 'pruned', 'unfinished'];

/** Why an answer cannot be compared at all; undefined when it can. */
function whyNot(
  { findings }: Verdict,
  { body }: ReportedDocument,
  at: number | undefined,
): string | undefined {
  const apart = findings.find(({ kind }) => APART.includes(kind));
  if (apart) return apart.text;
  if (at !== undefined) return undefined;
  return `the node does not say of which order its answer is${body === undefined ? ' that this does not exist' : ''}`;
}

/** An object without some members. */
const without = (body: object, names: readonly string[]): object =>
  Object.fromEntries(Object.entries(body).filter(([name]) => !names.includes(name)));

interface Uncovered {
  /** Members of what is computed here, and of the node's answer, that nothing can be compared with. */
  own: string[];
  theirs: string[];
  why: string;
}

/** Undefined where everything can be compared. */
function uncovered({ kind, way, isPartial }: Question, own: object, body: object): Uncovered | undefined {
  if (kind !== 'task') return undefined;
  const found: Uncovered = { own: [], theirs: [], why: '' };
  const why: string[] = [];
  // A store may have to forget contents; all else of a task it keeps.
  const { result_hash, result_content } = own as Record<string, unknown>;
  if (isPartial() && result_hash !== undefined && result_content === undefined) {
    for (const names of [found.own, found.theirs]) names.push('result_content', 'opened_content');
    why.push(NO_ROOM);
  }
  if (isHidden(body)) {
    found.own.push('result_content');
    found.theirs.push('result_hidden');
    why.push('its content is hidden by this node');
  }
  // A task without a contract has no such counts, and whoever shows some invents them.
  if (way !== 'genesis' && 'acceptance_contract_hash' in own) {
    for (const names of [found.own, found.theirs]) names.push(...COUNTS_OF_TASK);
    why.push('how often programs were run is counted from genesis on');
  }
  return why.length === 0 ? undefined : { ...found, why: why.join(', ') };
}

interface Unhidden {
  /** The answer with each hidden text as it is computed here. */
  body: unknown;
  count: number;
}

/** Puts texts back in the place of their marks, as far as the marks name the hashes of these texts. */
function unhidden(own: unknown, body: unknown): Unhidden {
  if (typeof own === 'string' && typeof body === 'string') {
    const isMark = markedHash(body) === sha256Hex(utf8(own));
    return isMark ? { body: own, count: 1 } : { body, count: 0 };
  }
  let count = 0;
  const member = (mine: unknown, theirs: unknown): unknown => {
    const found = unhidden(mine, theirs);
    count += found.count;
    return found.body;
  };
  if (Array.isArray(own) && Array.isArray(body))
    return { body: body.map((theirs, i) => member(own[i], theirs)), count };
  if (isRecord(own) && isRecord(body)) {
    const entries = Object.entries(body).map(([name, theirs]) => [name, member(own[name], theirs)] as const);
    return { body: Object.fromEntries(entries), count };
  }
  return { body, count };
}

async function compared(q: Question, order: number, answer: unknown): Promise<Comparison> {
  const { replica, way, kind, id } = q;
  const own = await computed(replica, kind, id);
  const missing = own === undefined ? whyMissing(q) : undefined;
  if (missing !== undefined) return { shown: 'not_comparable', order, text: missing };
  const { body, count } = unhidden(own, answer);
  const part = own && isRecord(body) ? uncovered(q, own, body) : undefined;
  // All else must be right; what is left out nobody can compare.
  if (part && difference(without(own!, part.own), without(body as object, part.theirs)) === undefined)
    return { shown: 'not_comparable', order, text: `${part.why}; all else agrees` };
  const text = difference(own, body);
  if (text === undefined && count > 0)
    return { shown: 'not_comparable', order, text: `texts hidden by this node: ${count}; all else agrees` };
  if (text === undefined) return { shown: way === 'genesis' ? 'checked' : 'proven', order };
  return { shown: 'lie', order, text: `${kind} ${id}: ${text}` };
}

/**
 * Why what is not here may exist nevertheless, where the store had to forget settled events, or in an audit that began at a seal;
 * undefined where it cannot.
 */
function whyMissing({ replica, way, kind, id, isPartial }: Question): string | undefined {
  if (kind === 'event' && isPartial()) return NO_ROOM;
  if (way === 'genesis') return undefined;
  if (kind === 'event') return 'it may be older than the state at which the audit began';
  const task = kind === 'task' && id.length === 32 ? fromHex(id) : undefined;
  if (!task || !replica.store.get(rowKey.droppedLeaf(leafKey('taskPart', taskKey('text', task).subarray(1)))))
    return undefined;
  return 'the node that gave the state at which the audit began has dropped it with older history';
}
