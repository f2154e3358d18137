// The border between the page and the verifier that runs in this browser: what it is told, what it tells.

import type { FromWorker, ToWorker } from './verify/worker-messages.ts';

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

/** The verifier of this page: a worker, which begins with the first start. */
class WorkerLink implements VerifyLink {
  #worker: Worker | undefined;
  readonly #calls = new Map<number, (answer: Answer) => void>();
  #call = 0;
  #run:
    | { onProgress(p: VerifyProgress): void; done(verdict: VerifyVerdict): void; fail(error: Error): void }
    | undefined;

  start({ way, onProgress }: Parameters<VerifyLink['start']>[0]): Promise<VerifyVerdict> {
    if (this.#run) return Promise.reject(new Error('a check is under way'));
    return new Promise((done, fail) => {
      this.#run = { onProgress, done, fail };
      this.#say({ type: 'start', way, node: location.origin });
    });
  }

  pause(): void {
    this.#say({ type: 'pause' });
  }

  resume(): void {
    this.#say({ type: 'resume' });
  }

  async reset(): Promise<void> {
    const { fault } = await this.#ask((call) => ({ type: 'reset', call, node: location.origin }));
    if (fault !== undefined) throw new Error(fault);
  }

  async agent(id: string): Promise<CheckedAgent | undefined> {
    return (await this.#ask((call) => ({ type: 'agent', call, id }))).agent;
  }

  close(): void {
    this.#worker?.terminate();
    this.#worker = undefined;
    this.#end()?.fail(new Error('the check was closed'));
  }

  #ask(question: (call: number) => ToWorker): Promise<Answer> {
    return new Promise((resolve) => {
      this.#call += 1;
      this.#calls.set(this.#call, resolve);
      this.#say(question(this.#call));
    });
  }

  #say(message: ToWorker): void {
    this.#worker ??= this.#open();
    this.#worker.postMessage(message);
  }

  #open(): Worker {
    const worker = new Worker(new URL('./verify/worker.ts', import.meta.url), { type: 'module' });
    worker.addEventListener('message', ({ data }: MessageEvent<FromWorker>) => this.#take(data));
    worker.addEventListener('error', ({ message }) =>
      this.#end()?.fail(new Error(message || 'the worker failed')),
    );
    return worker;
  }

  #take(message: FromWorker): void {
    switch (message.type) {
      case 'progress':
        this.#run?.onProgress(message.progress);
        break;
      case 'verdict':
        this.#end()?.done(message.verdict);
        break;
      case 'failed':
        this.#end()?.fail(new Error(message.text));
        break;
      case 'answer':
        this.#calls.get(message.call)?.(message);
        this.#calls.delete(message.call);
    }
  }

  #end() {
    const run = this.#run;
    this.#run = undefined;
    return run;
  }
}

type Answer = Extract<FromWorker, { type: 'answer' }>;

export const openVerifier = (): VerifyLink => new WorkerLink();
