// The page's access to the verifier that runs in this browser: calls in, progress and verdicts out.

import type {
  CheckedAgent,
  FromWorker,
  ToWorker,
  VerifyProgress,
  VerifyVerdict,
} from './verify/worker-messages.ts';

export interface VerifyLink {
  /** `way`: every vertex from the first, or the newest signed state and what follows it. */
  start(o: { way: 'genesis' | 'checkpoint'; onProgress(p: VerifyProgress): void }): Promise<VerifyVerdict>;
  pause(): void;
  resume(): void;
  /** Deletes what is stored in this browser. */
  reset(): Promise<void>;
  /** After a good verdict: the agent's account as computed here; undefined if there is none. */
  agent(id: string): Promise<CheckedAgent | undefined>;
  close(): void;
}

/** The verifier of this page: a worker that is created at the first start. */
class WorkerLink implements VerifyLink {
  #worker: Worker | undefined;
  readonly #calls = new Map<number, (answer: Answer) => void>();
  #call = 0;
  #run:
    | { onProgress(p: VerifyProgress): void; done(verdict: VerifyVerdict): void; fail(error: Error): void }
    | undefined;

  start({ way, onProgress }: Parameters<VerifyLink['start']>[0]): Promise<VerifyVerdict> {
    if (this.#run) return Promise.reject(new Error('a verification is already running'));
    return new Promise((done, fail) => {
      this.#run = { onProgress, done, fail };
      this.#post({ type: 'start', way, node: location.origin });
    });
  }

  pause(): void {
    this.#post({ type: 'pause' });
  }

  resume(): void {
    this.#post({ type: 'resume' });
  }

  async reset(): Promise<void> {
    const { fault } = await this.#request((call) => ({ type: 'reset', call, node: location.origin }));
    if (fault !== undefined) throw new Error(fault);
  }

  async agent(id: string): Promise<CheckedAgent | undefined> {
    return (await this.#request((call) => ({ type: 'agent', call, id }))).agent;
  }

  close(): void {
    this.#worker?.terminate();
    this.#worker = undefined;
    this.#end()?.fail(new Error('the verification was closed'));
  }

  #request(messageFor: (call: number) => ToWorker): Promise<Answer> {
    return new Promise((resolve) => {
      this.#call += 1;
      this.#calls.set(this.#call, resolve);
      this.#post(messageFor(this.#call));
    });
  }

  #post(message: ToWorker): void {
    this.#worker ??= this.#open();
    this.#worker.postMessage(message);
  }

  #open(): Worker {
    const worker = new Worker(new URL('./verify/worker.ts', import.meta.url), { type: 'module' });
    worker.addEventListener('message', ({ data }: MessageEvent<FromWorker>) => this.#receive(data));
    worker.addEventListener('error', ({ message }) =>
      this.#end()?.fail(new Error(message || 'the worker failed')),
    );
    return worker;
  }

  #receive(message: FromWorker): void {
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
