// What a thread that takes requests in has to know of the service beforehand: how long bodies may be, which requests are
// batches, and what the refusals say that drivers make by themselves.

import { Refusals } from '../api/refusals.ts';
import { DEFAULT_BODY_BYTES, type Route } from '../api/route.ts';
import { BATCHES } from '../api/routes/batch.ts';
import { ServiceError } from '../errors.ts';
import { type HttpReply, REFUSAL_CODES, type RefusalCode } from '../world/http.ts';
import type { BatchLimit } from './vetting.ts';

/** All of it can be sent to a thread. */
export interface ServiceFacts {
  /** Of routes whose bodies may be longer than others'. */
  bodyLimits: readonly { method: string; path: RegExp; bytes: number }[];
  usualBodyBytes: number;
  refusals: Readonly<Record<RefusalCode, HttpReply>>;
  batch: BatchLimit;
}

const TEMPLATE = /\\?\{[^}]*\\?\}/g;
const SPECIAL = /[.*+?^$()|[\]\\{}]/g;

/** Paths of a route: a template stands for one segment that is not empty. */
const patternOf = (path: string): RegExp =>
  new RegExp(`^${path.replace(SPECIAL, '\\$&').replace(TEMPLATE, '[^/]+')}$`);

/** Counted when they are made, not here. */
const refusals = new Refusals({ error: () => {} });

export function factsOf<Ctx>(routes: readonly Route<Ctx>[]): ServiceFacts {
  const replies = REFUSAL_CODES.map((code) => [code, refusals.from(new ServiceError(code))] as const);
  const [batch] = BATCHES;
  return {
    bodyLimits: routes.flatMap((route) =>
      'maxBodyBytes' in route && route.maxBodyBytes !== undefined
        ? [{ method: route.method, path: patternOf(route.path), bytes: route.maxBodyBytes }]
        : [],
    ),
    usualBodyBytes: DEFAULT_BODY_BYTES,
    refusals: Object.fromEntries(replies) as Record<RefusalCode, HttpReply>,
    batch: { path: batch!.path, maxRequests: batch!.maxRequests },
  };
}
