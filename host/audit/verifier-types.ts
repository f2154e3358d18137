// What a verifier is given, what it tells on the way, and what it comes to.

import type { ClientEnvironment } from '../client/environment.ts';
import type { Scale } from '../execution/open-core.ts';
import type { Modules } from '../modules/modules.ts';
import type { FaultKind, FaultPlace } from '../wire/log-fault.ts';
import type { VerifierStore } from './kept-rows.ts';
import type { LogSource } from './source.ts';

export type Way = 'genesis' | 'checkpoint';

export interface VerifyProgress {
  /** Where the check stands, and how far the node says it goes. */
  order: number;
  toOrder: number;
  epoch: number;
  transactions: number;
  signatures: number;
  /** Newest checkpoint that a quorum signed and that is as computed here. */
  checkpoint: number;
}

export interface Verdict {
  isGood: boolean;
  /** Up to where everything was computed here. */
  order: number;
  /** Newest checkpoint, signed by a quorum, whose order and state are as computed here; 0 = none. */
  checkpoint: number;
  /** Root of the state computed here at `order`. */
  stateRoot: string;
  fault?: FaultPlace & { kind: FaultKind; text: string };
}

/** A document of the node's against what was computed here. `text`: what differs, in one sentence. */
export interface Comparison {
  /** False: the node was never at rest, or the event is from before the checkpoint that this began at. */
  isKnown: boolean;
  isEqual: boolean;
  order: number;
  text?: string;
}

export interface VerifierOptions {
  source: LogSource;
  modules: Modules;
  store: VerifierStore;
  /** Hash of the network's genesis in hex; undefined: that of whatever network the node is of. */
  genesisHash?: string;
  way: Way;
  environment: Pick<ClientEnvironment, 'randomBytes'>;
  onProgress?(progress: VerifyProgress): void;
  scale?: Scale;
}
