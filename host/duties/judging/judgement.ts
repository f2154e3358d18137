// What a judge answers (protocol 15.9), and the reading of that.
// Keeps: an answer is taken only whole and only if it names the question; anything else is an abstention, never a verdict.

import { fromUtf8, utf8 } from '../../wire/bytes.ts';
import { GROUNDS } from '../../wire/operations/ledger.ts';
import type { Question } from './question.ts';

const BP = 10_000;
/** A split goes in steps of 10 %. */
const STEP_BP = 1000;
/** As in POST /v1/verify. */
export const MAX_REASON_BYTES = 500;

export interface Judgement {
  verdict: 'worker' | 'poster' | 'split';
  /** What the worker is to get of the escrow: 10000 with worker, 0 with poster. */
  worker_share_bp: number;
  /** What the worker did, with poster. */
  ground?: (typeof GROUNDS)[number];
  reason: string;
  confidence_bp: number;
}

/**
 * Why there is no verdict. abstained: the judge said so; sealed: nobody can read the delivery; otherwise the judge failed:
 * it was late, ended with an error or wrote too much, could not be reached, or its answer is no answer to the question.
 */
export const ABSTENTIONS = [
  'abstained',
  'sealed',
  'late',
  'failed',
  'too_long',
  'unreachable',
  'malformed',
] as const;
export interface Abstention {
  abstains: (typeof ABSTENTIONS)[number];
  /** For the operator's log. */
  detail?: string;
}

/** The one door to whoever judges. `signal`: the time is over, or the node stops. */
export type Judge = (question: Question, signal: AbortSignal) => Promise<Judgement | Abstention>;

const malformed = (detail: string): Abstention => ({ abstains: 'malformed', detail });
const isBp = (value: unknown): value is number =>
  Number.isInteger(value) && (value as number) >= 0 && (value as number) <= BP;

function objectIn(bytes: Uint8Array): Record<string, unknown> | undefined {
  try {
    const value = JSON.parse(fromUtf8(bytes)) as unknown;
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
    return isObject ? (value as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}

/** The worker's share that a verdict stands for; undefined where the answer does not fit. */
function shareOf({ verdict, worker_share_bp: share }: Record<string, unknown>): number | undefined {
  const whole = verdict === 'worker' ? BP : 0;
  if (verdict !== 'split') return share === undefined || share === whole ? whole : undefined;
  const isStep = isBp(share) && share % STEP_BP === 0 && share > 0 && share < BP;
  return isStep ? share : undefined;
}

/** Reads the answer to a question. */
export function readJudgement(bytes: Uint8Array, question: string): Judgement | Abstention {
  const answer = objectIn(bytes);
  if (!answer) return malformed('it is not one JSON object');
  // What a delivery says, however a judge was made to repeat it, cannot know this.
  if (answer.question !== question) return malformed('it does not name the question');
  const { verdict, ground, reason, confidence_bp } = answer;
  if (verdict === 'abstain') return { abstains: 'abstained' };
  if (verdict !== 'worker' && verdict !== 'poster' && verdict !== 'split') {
    return malformed('verdict is not worker, poster, split or abstain');
  }
  const worker_share_bp = shareOf(answer);
  if (worker_share_bp === undefined) return malformed('worker_share_bp does not fit the verdict');
  if (typeof reason !== 'string' || reason === '' || utf8(reason).length > MAX_REASON_BYTES) {
    return malformed(`reason is not a text of 1 to ${MAX_REASON_BYTES} bytes`);
  }
  if (!isBp(confidence_bp)) return malformed('confidence_bp is not a whole number of 0 to 10000');
  const judgement: Judgement = { verdict, worker_share_bp, reason, confidence_bp };
  if (ground === undefined || ground === null) return judgement;
  const named = GROUNDS.find((one) => one === ground);
  if (named === undefined || verdict !== 'poster') return malformed('ground does not fit the verdict');
  return { ...judgement, ground: named };
}
