// The messages between the page and its verifier, which runs in a worker.

import type { Numbers, NumbersOf } from '../../audit/index.ts';

export interface VerifyProgress {
  phase: 'loading' | 'running' | 'paused' | 'done' | 'failed';
  /** Order number reached, and the last one according to the node. */
  order: number;
  toOrder: number;
  epoch: number;
  transactions: number;
  signatures: number;
  checkpoints: number;
  bytes: number;
  seconds: number;
}

export interface VerifyFault {
  kind: string;
  /** One sentence: what is wrong. */
  text: string;
  vertex?: string;
  order?: number;
  checkpoint?: number;
}

export interface VerifyVerdict {
  /** No fault was found. */
  isGood: boolean;
  /** Network that was checked: its genesis hash. */
  network: string;
  order: number;
  /** Consensus time of that order, ms. */
  timeMs: number;
  checkpoint: number;
  /** Its hash in the form that people can compare; empty for none. */
  checkpointCode: string;
  stateRoot: string;
  way: 'genesis' | 'checkpoint';
  /** What accuses nobody, but must be known: one sentence each. */
  findings: readonly { kind: string; text: string }[];
  fault?: VerifyFault;
  /** Of two histories: a file that anybody can check. */
  proof?: object;
}

/** The names of what an audit shows (protocol 12.1). */
export type Shown = 'checked' | 'proven' | 'as_the_node_says' | 'not_comparable' | 'lie';

/** What the comparison of one document with the computed one showed, and the numbers that were computed here. */
export interface Compared {
  shown: Shown;
  /** Order number of the computed state. */
  order: number;
  text?: string;
  /** Undefined where there is no such document. */
  own?: Numbers | undefined;
}

/** The numbers of some documents as computed here, all of one state. */
export interface Recomputed {
  order: number;
  /** By id. */
  numbers: Readonly<Record<string, Numbers>>;
  /** Of the log that was followed up to that order. */
  verdict: VerifyVerdict;
}

/** What can be compared one by one. */
export type OneKind = 'agent' | 'task' | 'event';

/** What is checked, and what of it is known from elsewhere than from the node. */
export interface VerifyTarget {
  way: 'genesis' | 'checkpoint';
  node: string;
  genesisHash?: string;
  /** "height:hash". */
  pin?: string;
}

export type Asked =
  | { type: 'reset'; node: string }
  | { type: 'compare'; kind: OneKind; id: string }
  | { type: 'recompute'; kind: NumbersOf; ids: readonly string[] };

export type ToWorker =
  | { type: 'start'; target: VerifyTarget }
  | { type: 'pause' }
  | { type: 'resume' }
  | { type: 'ask'; call: number; asked: Asked };

export type FromWorker =
  | { type: 'progress'; progress: VerifyProgress }
  | { type: 'verdict'; verdict: VerifyVerdict }
  | { type: 'failed'; text: string }
  | { type: 'answer'; call: number; value?: unknown; fault?: string };
