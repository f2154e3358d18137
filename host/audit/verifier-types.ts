// Types of the auditor: its options, its progress, and its results.

import type { ClientEnvironment } from '../client/environment.ts';
import type { Scale } from '../execution/open-core.ts';
import type { Modules } from '../modules/modules.ts';
import type { FaultKind, FaultPlace } from '../wire/log-fault.ts';
import type { VerifierStore } from './kept-rows.ts';
import type { LogSource } from './source.ts';

export type Way = 'genesis' | 'checkpoint';

export interface VerifyProgress {
  /** Order number reached by the check, and the newest one that the node reports. */
  order: number;
  toOrder: number;
  epoch: number;
  transactions: number;
  signatures: number;
  /** Newest checkpoint that a quorum signed and that equals the computed one. */
  checkpoint: number;
}

export interface Verdict {
  isGood: boolean;
  /** Order number up to which everything was computed. */
  order: number;
  /** Newest checkpoint signed by a quorum whose order and state equal the computed ones; 0 = none. */
  checkpoint: number;
  /** Root of the computed state at `order`. */
  stateRoot: string;
  fault?: FaultPlace & { kind: FaultKind; text: string };
}

/** Result of comparing a document of the node with the computed one. `text`: the difference, in one sentence. */
export interface Comparison {
  /** False: the node kept moving, or the event is older than the checkpoint at which the audit began. */
  isKnown: boolean;
  isEqual: boolean;
  order: number;
  text?: string;
}

export interface VerifierOptions {
  source: LogSource;
  modules: Modules;
  store: VerifierStore;
  /** Genesis hash of the network in hex; undefined: accept the node's network. */
  genesisHash?: string;
  way: Way;
  environment: Pick<ClientEnvironment, 'randomBytes'>;
  onProgress?(progress: VerifyProgress): void;
  scale?: Scale;
}
