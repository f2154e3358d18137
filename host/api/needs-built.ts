// The refusal of reads that need an index which a start has not built yet (views/index-builds.ts).

import { ServiceError } from '../errors.ts';

/** Errors: `not_ready` until it is built. */
export function needsBuilt(isBuilt: boolean): void {
  if (isBuilt) return;
  throw new ServiceError('not_ready', {
    text: 'this node has just started and still builds what this is read from',
    headers: { 'Retry-After': '1' },
  });
}
