// One attempt to deliver a webhook, through the guard of world/guarded-post.ts (SSRF guard, protocol 10).
// Keeps: at most 64 KiB of the answer read, 5 s in total. Never throws: the outcome is the result.

import { type GuardedPostOptions, guardedPost, type Message } from '../world/guarded-post.ts';

const ATTEMPT_MS = 5000;
const MAX_ANSWER_BYTES = 65_536;

/** ok: status 2xx; failed: may be retried; blocked: the guard refused the target. */
export type AttemptResult = 'ok' | 'failed' | 'blocked';

export type Attempt = Message;
export type AttemptOptions = Pick<GuardedPostOptions, 'clock' | 'policy' | 'resolve' | 'post'>;

/** Makes one attempt. `signal` ends it early, as failed. */
export async function attempt(a: Attempt, o: AttemptOptions, signal: AbortSignal): Promise<AttemptResult> {
  const limits = { limitMs: ATTEMPT_MS, maxAnswerBytes: MAX_ANSWER_BYTES };
  const answer = await guardedPost(a, { ...o, ...limits }, signal);
  if (typeof answer === 'string') return answer;
  return answer.status >= 200 && answer.status < 300 ? 'ok' : 'failed';
}
