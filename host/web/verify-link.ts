// The page's access to the verifier that runs in this browser: calls in, progress and verdicts out.

import type { NumbersOf } from '../audit/index.ts';
import { openWorker } from './verify/open-worker.ts';
import type {
  Asked,
  Compared,
  FromWorker,
  OneKind,
  Recomputed,
  ToWorker,
  VerifyProgress,
  VerifyTarget,
  VerifyVerdict,
} from './verify/worker-messages.ts';

/** `node`: its address; default the one that serves this page. */
type Started = Omit<VerifyTarget, 'node'> & { node?: string; onProgress(p: VerifyProgress): void };

export interface VerifyLink {
  /** `way`: every vertex from the first, or the newest signed state and what follows it. */
  start(o: Started): Promise<VerifyVerdict>;
  pause(): void;
  resume(): void;
  /** Deletes what is stored in this browser of this node, by default the one that serves this page. */
  reset(node?: string): Promise<void>;
  /** After a good verdict: one document as computed here, compared with the node's answer. */
  compare(kind: OneKind, id: string): Promise<Compared>;
  /** After a good verdict: the numbers of these documents as computed here, at the present end of the log. */
  recompute(kind: NumbersOf, ids: readonly string[]): Promise<Recomputed>;
  /** Ends at once, whatever runs; what was computed is stored as it was computed. */
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

  start({ onProgress, node = location.origin, ...target }: Started): Promise<VerifyVerdict> {
    if (this.#run) return Promise.reject(new Error('a verification is already running'));
    return new Promise((done, fail) => {
      this.#run = { onProgress, done, fail };
      this.#post({ type: 'start', target: { ...target, node } });
    });
  }

  pause(): void {
    this.#post({ type: 'pause' });
  }

  resume(): void {
    this.#post({ type: 'resume' });
  }

  async reset(node = location.origin): Promise<void> {
    await this.#ask({ type: 'reset', node });
  }

  compare(kind: OneKind, id: string): Promise<Compared> {
    return this.#ask({ type: 'compare', kind, id });
  }

  recompute(kind: NumbersOf, ids: readonly string[]): Promise<Recomputed> {
    return this.#ask({ type: 'recompute', kind, ids });
  }

  close(): void {
    this.#worker?.terminate();
    this.#worker = undefined;
    const fault = 'the verification was closed';
    this.#end()?.fail(new Error(fault));
    for (const [call, done] of this.#calls) done({ type: 'answer', call, fault });
    this.#calls.clear();
  }

  #ask<T>(asked: Asked): Promise<T> {
    return new Promise((resolve, reject) => {
      this.#call += 1;
      this.#calls.set(this.#call, ({ value, fault }) => {
        if (fault === undefined) resolve(value as T);
        else reject(new Error(fault));
      });
      this.#post({ type: 'ask', call: this.#call, asked });
    });
  }

  #post(message: ToWorker): void {
    this.#worker ??= this.#open();
    this.#worker.postMessage(message);
  }

  #open(): Worker {
    const worker = openWorker();
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
