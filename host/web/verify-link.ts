// The border between the page and the verifier that runs in this browser: what it is told, what it tells.

export interface VerifyProgress {
  phase: 'loading' | 'running' | 'paused' | 'done' | 'failed';
  /** Where the check stands and how far the node says it goes. */
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
  /** One sentence: what lied. */
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

export interface VerifyLink {
  /** way: every vertex from the first, or the newest signed state and what came after. */
  start(o: { way: 'genesis' | 'checkpoint'; onProgress(p: VerifyProgress): void }): Promise<VerifyVerdict>;
  pause(): void;
  resume(): void;
  /** Forgets what is kept in this browser. */
  reset(): Promise<void>;
  /** After a good verdict: the agent's own account as computed here; undefined when there is none. */
  agent(id: string): Promise<CheckedAgent | undefined>;
  close(): void;
}

/** Errors: throws while no verifier is built in. */
export function openVerifier(): VerifyLink {
  throw new Error('not built in yet');
}
