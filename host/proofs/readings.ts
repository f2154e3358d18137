// What a node's JSON says, read strictly: every form that the protocol does not know is a fault of the node, with a name.

import { fromHex } from '../wire/bytes.ts';
import { LogFault } from '../wire/log-fault.ts';

/** An element of GET /v1/checkpoints. */
export interface SignedCheckpoint {
  height: number;
  order: number;
  statement: string;
  signatures: readonly { validator_id: string; public_key: string; signature: string }[];
}

/** Signatures of a checkpoint: seats are counted with 16 bits. */
const MAX_SIGNATURES = 65_536;

function bad(what: string): LogFault {
  return new LogFault('answer', `${what} cannot be read`);
}

function object(value: unknown, what: string): Record<string, unknown> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw bad(what);
  return value as Record<string, unknown>;
}

function count(value: unknown, what: string): number {
  if (typeof value !== 'number' || !Number.isSafeInteger(value) || value < 0) throw bad(what);
  return value;
}

const isHex = (value: unknown, bytes: number): value is string =>
  typeof value === 'string' && fromHex(value)?.length === bytes;

/** `order` of GET /v1/status. */
export const readStatusOrder = (status: unknown): number =>
  count(object(status, "the node's status").order, "the order in the node's status");

/** `height` of GET /v1/checkpoints/latest; 0 for none. */
export const readSignedHeight = (latest: unknown): number =>
  latest === undefined
    ? 0
    : count(object(latest, 'the newest checkpoint').height, 'the height of the newest checkpoint');

/**
 * The text of X-Service-Order; undefined where there is none, as behind a proxy that removes it. Errors: LogFault for
 * anything but a number.
 */
export function readOrderHeader(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  if (!/^(0|[1-9]\d{0,15})$/.test(text) || !Number.isSafeInteger(Number(text)))
    throw new LogFault('answer', `the header X-Service-Order is "${text.slice(0, 40)}", which is no order`);
  return Number(text);
}

/** One element of the list. Errors: LogFault `answer`. */
export function readSigned(value: unknown): SignedCheckpoint {
  const { height, order, statement, signatures } = object(value, 'a listed checkpoint');
  const at = `checkpoint ${String(height)}`;
  if (!Array.isArray(signatures) || signatures.length > MAX_SIGNATURES) throw bad(`the signatures of ${at}`);
  return {
    height: count(height, 'the height of a listed checkpoint'),
    order: count(order, `the order of ${at}`),
    statement: typeof statement === 'string' ? statement : '',
    signatures: signatures.map((one) => {
      const { validator_id, public_key, signature } = object(one, `a signature of ${at}`);
      if (typeof validator_id !== 'string' || !isHex(public_key, 32) || !isHex(signature, 64))
        throw bad(`a signature of ${at}`);
      return { validator_id, public_key, signature };
    }),
  };
}

/** A list of GET /v1/checkpoints: heights above `after`, ascending, at most `limit`. */
export function readCheckpoints(list: unknown, after: number, limit: number): SignedCheckpoint[] {
  if (!Array.isArray(list) || list.length > limit) throw bad('the list of checkpoints');
  let last = after;
  return list.map((value) => {
    const checkpoint = readSigned(value);
    if (checkpoint.height <= last)
      throw new LogFault(
        'answer',
        `the list of checkpoints after ${after} names height ${checkpoint.height}`,
        {
          checkpoint: checkpoint.height,
        },
      );
    last = checkpoint.height;
    return checkpoint;
  });
}

/** The last second of year 9999, and the form of ids that a node may name: they are shown to people. */
const MAX_SECS = 253_402_300_799;
const NODE_NAME = /^[\w.:/-]{1,64}$/;

/** What to do about an epoch that the node does not serve, as far as its status tells (protocol 12.8). */
export function prunedText(epoch: number, status: unknown): string {
  const { history_from: from, full_history_at: at } = (status ?? {}) as Partial<{
    history_from: Partial<Record<'epoch' | 'order' | 'consensus_time', number>>;
    full_history_at: unknown[];
  }>;
  const { epoch: first, order, consensus_time: time } = from ?? {};
  const isCount = (n: unknown): n is number => Number.isSafeInteger(n) && Number(n) >= 0;
  const isSaid = isCount(first) && isCount(order) && isCount(time) && time <= MAX_SECS && first > epoch;
  const why = isSaid
    ? `its history begins at order ${order}, ${new Date(time * 1000).toISOString()} (epoch ${first})`
    : 'it joined later, or hides them';
  const names = (Array.isArray(at) ? at : []).map(String).filter((name) => NODE_NAME.test(name));
  const others = isSaid && names.length > 0 ? `. It names these for the whole log: ${names.join(', ')}` : '';
  return `the node does not have the vertices of epoch ${epoch}: ${why}. Begin at a checkpoint, or ask another node${others}`;
}
