// The messages between the page and its verifier, which runs in a worker.

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
  isGood: boolean;
  order: number;
  checkpoint: number;
  stateRoot: string;
  fault?: VerifyFault;
}

export interface CheckedAgent {
  agent_id: string;
  /** Micro-units. */
  balance: number;
  staked: number;
  order: number;
}

export type ToWorker =
  | { type: 'start'; way: 'genesis' | 'checkpoint'; node: string }
  | { type: 'pause' }
  | { type: 'resume' }
  | { type: 'reset'; call: number; node: string }
  | { type: 'agent'; call: number; id: string };

export type FromWorker =
  | { type: 'progress'; progress: VerifyProgress }
  | { type: 'verdict'; verdict: VerifyVerdict }
  | { type: 'failed'; text: string }
  | { type: 'answer'; call: number; agent: CheckedAgent | undefined; fault?: string };
