// Refusals that a model can mend: what went wrong, and the step that mends it.
// Keeps: every refusal of a tool has a step; those of the node get theirs from one table by code.

import { VwsError } from '../client/vws-error.ts';
import { ServiceError } from '../errors.ts';
import type { Fence } from '../wire/fence.ts';

/** A tool's own refusal. `next`: what to do instead. */
export class ToolRefusal extends Error {
  constructor(
    readonly code: string,
    message: string,
    readonly next: string,
    readonly details?: Record<string, unknown>,
  ) {
    super(message);
    this.name = 'ToolRefusal';
  }
}

/** A refusal that is the outcome of an idempotency key for good: what mends it needs another key. */
export class FinalRefusal extends VwsError {}

const NEW_KEY = 'This idempotency_key stands for the refused request: for another try choose a new one.';

/** Without a key the second request is refused because of what the first one did, where that ran. */
const OUTCOME_OPEN =
  'The outcome is open. Repeat the same call, with its idempotency_key if it had one: it cannot happen twice.';

/** What mends a refusal of the node, by its code. */
const MENDS: Readonly<Record<string, string>> = {
  agent_not_found: 'Check the id. If it is your own, call register first.',
  task_not_found: 'Check the task_id: 32 hex characters, whole. find_tasks lists tasks.',
  listing_not_found: 'This agent offers no service. find_workers lists agents that do.',
  event_not_found: 'Check the id.',
  insufficient_balance: 'Call balance, then use a lower amount, or wait until money comes in.',
  trust_limit_exceeded:
    'Transfers that are pending may not exceed the trust limit: stake more, or transfer less.',
  budget_below_minimum: 'Use a higher budget.',
  insufficient_stake: 'Use a lower amount.',
  already_registered: 'Nothing to do: whoami shows the account.',
  self_claim: 'You posted this task; somebody else has to claim it.',
  claim_limit: 'Submit or wait for the tasks that you hold before you claim another.',
  claim_barred:
    'An earlier claim of yours on this task expired, or you gave it back. Choose another task with find_tasks.',
  routed_to_other: 'Wait until exclusive_until of the task has passed, or choose another with find_tasks.',
  reserved_for_other: 'Its poster hired another agent for it. Choose another with find_tasks.',
  too_few_judges:
    'Nobody may be there to judge a dispute about it. Ask whoever you work for, then post with accept_no_judges: true.',
  not_poster: 'Only the poster of the task may do this. get_task shows who that is.',
  not_claimer: 'Only the agent that holds the task may do this: claim_task first.',
  invalid_state:
    'Call get_task: its status and next say what is possible now. An earlier call whose outcome was open may have done this.',
  subtasks_open: 'Close the subtasks first.',
  content_key_needed:
    'The result is sealed, and judges must read it: contest with open true, which shows it to everybody for ever.',
  acceptance_failed:
    'It was not delivered. error says which check of the contract failed, and reason what its program says: mend the result and call again.',
  poster_unproven:
    'Nobody can tell whose key it is, so nothing was sealed. Repeat the call in some minutes; if that fails, tell the person who runs this.',
  bad_call: 'Check the id.',
  invalid_request: 'Correct the argument that the message names and call again.',
  tx_expired: 'The clock of this machine and that of the network differ. Set the clock.',
  tx_invalid_timestamp: 'The clock of this machine and that of the network differ. Set the clock.',
  no_quorum: OUTCOME_OPEN,
  unreachable: OUTCOME_OPEN,
};

const READ_UNREACHABLE =
  'No node answers. Repeat the call in a few seconds; if that fails, tell the person who runs this.';
const RATE_LIMITED = 'rate_limited';
/** Limits are by the hour: who repeats after seconds is refused again. */
const whenAgain = (secs: number | undefined): string =>
  `Wait ${secs === undefined ? 'some minutes' : `${secs} s`}, then repeat the call.`;
const OTHERWISE = 'Read the message. If nothing in it can be changed, tell the person who runs this.';

export interface RefusalAnswer {
  error: { code: string; message: string; details?: Record<string, unknown>; txid?: string };
  next: string;
}

/** Refusals with words of strangers: the program of a poster says why a delivery fails. */
function fenced(answer: RefusalAnswer, fence: Fence): RefusalAnswer {
  const { error, next } = answer;
  if (error.code !== 'acceptance_failed') return answer;
  const { reason, ...rest } = error.details ?? {};
  const said = typeof reason === 'string' ? fence.maybe('the poster', reason) : undefined;
  const message = `check ${Number(rest.check)} of the task's contract failed`;
  return { error: { ...error, message, details: { ...rest, reason: said } }, next };
}

/** The answer for an error; undefined for one that is nobody's refusal but a fault of the program. */
export function refusalOf(error: unknown, fence: Fence): RefusalAnswer | undefined {
  const answer = answerOf(error);
  return answer && fenced(answer, fence);
}

function answerOf(error: unknown): RefusalAnswer | undefined {
  if (error instanceof ToolRefusal) {
    const { code, message, details, next } = error;
    return { error: { code, message, ...(details ? { details } : {}) }, next };
  }
  if (error instanceof ServiceError) {
    const { code, message, details } = error;
    return {
      error: { code, message, ...(details ? { details } : {}) },
      next: MENDS[code] ?? OTHERWISE,
    };
  }
  if (!(error instanceof VwsError)) return undefined;
  const { code, message, details, txid } = error;
  return {
    error: { code, message, ...(details ? { details } : {}), ...(txid ? { txid } : {}) },
    next: error instanceof FinalRefusal ? `${nextOf(error)} ${NEW_KEY}` : nextOf(error),
  };
}

function nextOf({ code, txid, retryAfterSecs }: VwsError): string {
  if (code === RATE_LIMITED) return whenAgain(retryAfterSecs);
  const isUnsentRead = code === 'unreachable' && txid === undefined;
  return isUnsentRead ? READ_UNREACHABLE : (MENDS[code] ?? OTHERWISE);
}
