// What a duty that votes for this node's validator needs: the events that are open, and a way to have its own writes ordered.

import type { Logger } from '../log.ts';
import type { Submission } from '../sequencer/sequencer.ts';
import type { PendingIndex } from '../views/pending-index.ts';
import type { Store } from '../world/store.ts';
import type { OwnKey, OwnWritesOptions } from './own-writes.ts';

export interface VotingOptions extends OwnWritesOptions {
  store: Store;
  pending: PendingIndex;
  /** The key of the validator's operator. */
  key: OwnKey;
  clock: { nowMs(): number; setTimer(run: () => void, ms: number): () => void };
  log: Pick<Logger, 'info' | 'warn'>;
  submit(s: Submission): Promise<unknown>;
}
