// What is judged: the calls that clients made, and the events that the nodes put in order.
// Keeps: a call is written down as its client saw it, with times of one clock that all clients share.

export interface Call {
  /** Who called; a number of the run. */
  agent: number;
  /** The node that was asked. */
  machine: string;
  method: string;
  path: string;
  startMs: number;
  /** Undefined: no answer came, so it may still take effect. */
  endMs?: number;
  status?: number;
  code?: string;
  /** TxID and hex64 key of the signer of a signed write. */
  txId?: string;
  actor?: string;
  /** X-Service-Order of the answer; of a repeated write, the order that the answer names. */
  order?: number;
  /** X-Service-Min-Order of the request. */
  minOrder?: number;
  /** The answer's JSON, where its values are judged. */
  body?: unknown;
}

/** An executed event, as every node lists it. */
export interface OrderedEvent {
  id: string;
  seq: number;
  order: number;
  type: string;
  /** agent_id of who acted. */
  agent: string;
  payload: Readonly<Record<string, unknown>>;
}

/** A write that was answered as executed, at a place of the order. */
export type Executed = Call & { txId: string; order: number; endMs: number };

export const isWrite = ({ method }: Call): boolean => method !== 'GET';

export function isExecuted(call: Call): call is Executed {
  const { status, txId, order, endMs } = call;
  return (
    isWrite(call) && endMs !== undefined && isSuccess(status) && txId !== undefined && order !== undefined
  );
}

export const isSuccess = (status: number | undefined): boolean =>
  status !== undefined && status >= 200 && status < 300;

/** The answer to a write that another answer had executed already: as good as the first. */
interface RepeatedBody {
  details?: { executed?: boolean; status?: number; order?: number };
}

/** Status and order that an answer stands for: those of the first execution where it was a repetition. */
export function executionOf(
  status: number,
  code: string | undefined,
  body: unknown,
): { status: number; order?: number } {
  const { details } = (body ?? {}) as RepeatedBody;
  if (code !== 'DUPLICATE_TX' || details?.executed !== true || details.status === undefined)
    return { status };
  return { status: details.status, ...(details.order === undefined ? {} : { order: details.order }) };
}

/** One line for a call: who asked what of whom, when, and what came back. */
export function callText(call: Call): string {
  const { agent, machine, method, path, startMs, endMs, status, code, order, minOrder, txId } = call;
  const short = path.replace(/[0-9a-f]{32,64}/g, (hex) => `${hex.slice(0, 8)}..`);
  const wanted = minOrder === undefined ? '' : `, at least order ${minOrder}`;
  const asked = `client ${agent}: ${method} ${short} at ${machine}${wanted}`;
  const when = `${startMs.toFixed(1)} to ${endMs === undefined ? '...' : endMs.toFixed(1)} ms`;
  const said = status === undefined ? 'no answer' : `${status}${code === undefined ? '' : ` ${code}`}`;
  const at = order === undefined ? '' : `, order ${order}`;
  return `${asked}, ${when}: ${said}${at}${txId === undefined ? '' : `, tx ${txId.slice(0, 8)}..`}`;
}
