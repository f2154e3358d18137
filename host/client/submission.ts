// Gets a signed write executed exactly once despite broken connections and busy nodes.
// Keeps: only the same signed request is ever resent, so it is one transaction however often it arrives; DUPLICATE_TX
// of an executed transaction counts as success. Unsigned writes have no TxID: they are not handled here.
// Source: protocol 1.8.

import type { SignedRequest } from './signed-request.ts';
import { errorOf, isSuccess, type Reply } from './transport.ts';
import { VwsError } from './vws-error.ts';

/** 503 codes that mean "not now"; `faucet_empty` means "no" and is not among them. */
const BUSY_CODES = new Set(['no_quorum', 'not_ready', 'overloaded', 'behind']);
/** 5xx of a node that did not carry the request out. After any other it may have run: what broke may be the answer. */
const NOT_RUN_CODES = new Set(['not_ready', 'overloaded', 'behind', 'faucet_empty', 'ask_a_node']);
const MAX_PAUSE_SECS = 5;

interface SubmissionPorts {
  send(request: SignedRequest): Promise<Reply>;
  /** The event of a TxID, undefined while there is none. */
  findEvent(txid: string): Promise<unknown | undefined>;
  /** Whether it was not executed, and no copy of it can be any more. */
  hasLapsed(request: SignedRequest): Promise<boolean>;
  sleep(ms: number): Promise<void>;
  /** How often a request is resent at most. */
  retries: number;
}

/** `answered`: the node's reply. `executed`: it ran earlier and that reply was lost. */
export type Submission = { kind: 'answered'; reply: Reply } | { kind: 'executed'; event: unknown };

/**
 * Sends until there is a result. `wasSent`: perhaps by an earlier call, or another process: then a refusal says nothing of
 * the copy that is on its way.
 * Errors: the node's refusal; `unreachable` or the last 503 when the attempts are used up. While the transaction may
 * have run or may still, the error has its `request`.
 */
export async function submit(
  ports: SubmissionPorts,
  request: SignedRequest,
  wasSent: boolean,
): Promise<Submission> {
  let mayHaveRun = wasSent;
  for (let attempt = 0; ; attempt++) {
    const outcome = await attemptOnce(ports, request);
    if ('reply' in outcome && isSuccess(outcome.reply)) return { kind: 'answered', reply: outcome.reply };

    const error = 'reply' in outcome ? errorOf(outcome.reply, request.txid) : outcome.lost;
    mayHaveRun ||= isOutcomeOpen(error);
    const isWaiting = error.code === 'DUPLICATE_TX' && error.details?.executed === false;
    const isRetryable = isWaiting || isOutcomeOpen(error) || BUSY_CODES.has(error.code);
    if (!isRetryable) return await resolveRefusal(ports, request, error, mayHaveRun);
    if (attempt >= ports.retries) throw isWaiting || mayHaveRun ? stillOpen(error, request) : error;
    await ports.sleep(1000 * pauseSecs('reply' in outcome ? outcome.reply : undefined, attempt));
  }
}

async function attemptOnce(
  ports: SubmissionPorts,
  request: SignedRequest,
): Promise<{ reply: Reply } | { lost: VwsError }> {
  try {
    return { reply: await ports.send(request) };
  } catch (error) {
    if (!(error instanceof VwsError)) throw error;
    const lost = named(error, request.txid);
    // An unreadable 2xx is not an answer either: the transaction ran, but its result is lost.
    return { lost: lost.code === 'bad_answer' ? asUnreachable(lost) : lost };
  }
}

/** A refusal is final, unless an earlier attempt of the same request was executed. */
async function resolveRefusal(
  ports: SubmissionPorts,
  request: SignedRequest,
  error: VwsError,
  mayHaveRun: boolean,
): Promise<Submission> {
  const isDuplicate = error.code === 'DUPLICATE_TX';
  if (isDuplicate || mayHaveRun) {
    const event = await findEvent(ports, request);
    if (event !== undefined) return { kind: 'executed', event };
  }
  if (isDuplicate) throw duplicateWithoutEvent(error, request);
  const isOpen = mayHaveRun && !(error.code === 'tx_expired' && (await hasLapsed(ports, request)));
  throw isOpen ? stillOpen(error, request) : error;
}

/** It was executed and refused; or this node executed it and does not have its event, as after it joined from a checkpoint. */
function duplicateWithoutEvent({ status, code, details }: VwsError, request: SignedRequest): VwsError {
  const { txid } = request;
  const was = details?.status;
  if (typeof was !== 'number' || was < 400) {
    const message = 'the transaction was executed before, and this node does not have its event';
    return new VwsError({ status, code, message, details, txid, request });
  }
  const message = `the transaction was executed before and refused with status ${was}`;
  return new VwsError({ status: was, code, message, details, txid });
}

/** False where that cannot be read. */
async function hasLapsed(ports: SubmissionPorts, request: SignedRequest): Promise<boolean> {
  try {
    return await ports.hasLapsed(request);
  } catch (error) {
    if (error instanceof VwsError) return false;
    throw error;
  }
}

/** The transaction's event; errors carry the request, since it may have run. */
async function findEvent(ports: SubmissionPorts, request: SignedRequest): Promise<unknown | undefined> {
  try {
    return await ports.findEvent(request.txid);
  } catch (error) {
    throw error instanceof VwsError ? stillOpen(error, request) : error;
  }
}

function named(error: VwsError, txid: string): VwsError {
  const { status, code, message, details, cause, retryAfterSecs } = error;
  return new VwsError({ status, code, message, details, cause, retryAfterSecs, txid });
}

function stillOpen(error: VwsError, request: SignedRequest): VwsError {
  const { status, code, message, details, cause, retryAfterSecs } = error;
  return new VwsError({ status, code, message, details, cause, retryAfterSecs, txid: request.txid, request });
}

/** No answer, one that comes too early, a failure behind the request, or what a proxy says that had no answer. */
function isOutcomeOpen({ code, status }: VwsError): boolean {
  return code === 'unreachable' || (status >= 500 && !NOT_RUN_CODES.has(code));
}

function pauseSecs(reply: Reply | undefined, attempt: number): number {
  const wanted = reply?.retryAfterSecs ?? 2 ** attempt / 2;
  return Math.min(wanted, MAX_PAUSE_SECS);
}

function asUnreachable(error: VwsError): VwsError {
  return new VwsError({
    status: 0,
    code: 'unreachable',
    message: error.message,
    cause: error.cause,
    txid: error.txid,
  });
}
