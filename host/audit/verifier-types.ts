// Types of the auditor: its options, its progress, and its results.

import type { ClientEnvironment } from '../client/environment.ts';
import type { ReadyBatch } from '../execution/executor.ts';
import type { Scale } from '../execution/open-core.ts';
import type { Modules } from '../modules/modules.ts';
import type { SignedCheckpoint } from '../proofs/readings.ts';
import type { FaultKind, FaultPlace } from '../wire/log-fault.ts';
import type { Bounds } from './bounds.ts';
import type { Pin } from './checkpoint-code.ts';
import type { Finding } from './freshness.ts';
import type { VerifierStore } from './kept-rows.ts';
import type { Shown } from './shown.ts';
import type { LogSource } from './source.ts';
import type { TwoHistories } from './two-histories.ts';

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
  /** No fault was found. What was shown is in `shown` and `findings`. */
  isGood: boolean;
  /** What the log and its state rest on. */
  shown: Shown;
  /** Order number and consensus time (ms) of the state computed here, and its root. */
  order: number;
  timeMs: number;
  stateRoot: string;
  /** Newest checkpoint signed by a quorum whose order and state equal the computed ones; 0 = none. */
  checkpoint: number;
  /** Its hash in the form that can be read aloud; empty for none. */
  checkpointCode: string;
  /** Order number that the node reported. */
  nodeOrder: number;
  findings: readonly Finding[];
  fault?: FaultPlace & { kind: FaultKind; text: string };
  /** Of fault `histories`. */
  proof?: TwoHistories;
}

/** Result of comparing a document of the node with the computed one. */
export interface Comparison {
  shown: Shown;
  /** Of the computed state. */
  order: number;
  /** What differs, or why there is no comparison, in one sentence. */
  text?: string;
}

export interface VerifierOptions {
  source: LogSource;
  modules: Modules;
  store: VerifierStore;
  /** Genesis hash of the network in hex; undefined: accept the node's network. */
  genesisHash?: string;
  way: Way;
  /** A checkpoint that is known from elsewhere. */
  pin?: Pin;
  /** Age of the log from which it is a finding, ms. */
  maxAgeMs?: number;
  /** Age of the newest point known from elsewhere from which it is a finding, ms. */
  maxAnchorMs?: number;
  bounds?: Partial<Bounds>;
  environment: Pick<ClientEnvironment, 'randomBytes' | 'clock'>;
  onProgress?(progress: VerifyProgress): void;
  /** Bytes of vertices that are computed before they are written, while the node has more; 0: one page. */
  batchBytes?: number;
  /**
   * Called with each batch of blocks that was computed, before it is written to the store: what is written elsewhere first is
   * never behind the store. If it rejects, the run rejects, and the verifier must not be used any more.
   */
  onBatch?(batch: ReadyBatch): Promise<void>;
  /**
   * Called with checkpoints that equal the computed ones, with their signatures, before they are kept. `quorum`: height of
   * the newest one that a quorum has signed, 0 = none.
   */
  onSigned?(checkpoints: readonly SignedCheckpoint[], quorum: number): Promise<void>;
  scale?: Scale;
  /**
   * Nobody asks for an event afterwards, and no later verifier resumes from the store: documents of events, which make up half
   * of the work, are made only as far as the state root is over them.
   */
  isOnce?: boolean;
}
