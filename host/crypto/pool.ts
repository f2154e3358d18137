// Verification on worker threads. Batches form by themselves: while a worker is free, signatures that arrived together are
// sent to it at once; while all are busy, signatures gather until there are MIN_BATCH, a worker is free again, or the
// oldest has waited 2 ms.
// Keeps: every accepted signature is answered once, even if a worker fails; the queue is bounded, and a full one refuses.

import { overloaded, ServiceError } from '../errors.ts';
import type { Clock } from '../world/clock.ts';
import type { Pool } from '../world/threads.ts';
import type { World } from '../world/world.ts';
import type { Implementation } from './implementation.ts';
import { packJobs } from './job-codec.ts';
import type { SignatureJob, SignatureVerifier, VerifierStats, VerifyMany } from './verifier.ts';
import { newStats } from './verifier.ts';

/** While all workers are busy, a batch of this size is worth the cost of a hand-over (about 66 us). */
const MIN_BATCH = 64;
/**
 * So few signatures that came together are verified at once where that is possible: those of a vertex with one request, or with a
 * rotation. Handed over they would cost the process more, and their answer would wait for a thread to wake up.
 */
const MAX_ALONE = 3;
/** What one call of the module takes. A queue this long is of whole vertices, and no answer waits for a part of them. */
const MAX_BATCH = 1024;
/** How long a signature waits for a fuller batch while workers are busy, ms. */
const MAX_AGE_MS = 2;
/** Batches sent to each worker: one running, and one waiting so that the worker is never idle in between. */
const MAX_BATCHES_PER_WORKER = 2;

export interface PoolOptions {
  /** Worker threads. */
  threads: number;
  /** Signatures that may wait or run at once; more are refused with `overloaded`. */
  maxWaiting?: number;
  /** Path of the compiled `worker.ts`, or of another worker module. */
  workerFile: string;
  world: Pick<World, 'clock' | 'threads'>;
  /** Which implementation the workers run. */
  implementation?: Implementation;
  /**
   * Verifies up to MAX_ALONE signatures on the calling thread, since a hand-over would take longer. Undefined: nothing is
   * verified there.
   */
  alone?: VerifyMany;
}

/** Who waits for a verdict. */
interface Asker {
  tell(isGood: boolean, index: number): void;
  reject(error: unknown): void;
}

interface Waiting {
  job: SignatureJob;
  asker: Asker;
  /** Which of the asker's it is. */
  index: number;
}

const hasRightLengths = ({ publicKey, signature }: SignatureJob): boolean =>
  publicKey.length === 32 && signature.length === 64;

/** What is answered together. */
class Group implements Asker {
  constructor(
    private readonly verdicts: Uint8Array,
    /** How many of them are not known yet. */
    private open: number,
    private readonly resolve: (verdicts: Uint8Array) => void,
    readonly reject: (error: unknown) => void,
  ) {}

  tell(isGood: boolean, index: number): void {
    this.verdicts[index] = isGood ? 1 : 0;
    this.open -= 1;
    if (this.open === 0) this.resolve(this.verdicts);
  }
}

class PoolVerifier implements SignatureVerifier {
  readonly stats: VerifierStats = newStats();
  private readonly pool: Pool;
  private readonly clock: Clock;
  private readonly threads: number;
  private readonly maxInFlight: number;
  private readonly maxWaiting: number;
  private queue: Waiting[] = [];
  private inFlight = 0;
  private isFlushDue = false;
  private cancelTimer: (() => void) | undefined;
  private closing: Promise<void> | undefined;
  private onDrained: (() => void) | undefined;

  private readonly alone: VerifyMany | undefined;

  constructor(options: PoolOptions) {
    const { threads, workerFile: file, world, maxWaiting = 16_384, implementation = 'wasm' } = options;
    this.pool = world.threads.open({ name: 'signatures', file, threads, data: { implementation } });
    this.alone = options.alone;
    this.maxInFlight = MAX_BATCHES_PER_WORKER * threads;
    this.maxWaiting = maxWaiting;
    this.clock = world.clock;
    this.threads = threads;
  }

  verify(job: SignatureJob): Promise<boolean> {
    const right = hasRightLengths(job) ? 1 : 0;
    const refusal = this.take(1, right);
    if (refusal) return Promise.reject(refusal);
    if (right === 0) return Promise.resolve(false);
    return new Promise((resolve, reject) => {
      this.queue.push({ job, asker: { tell: resolve, reject }, index: 0 });
      this.schedule();
    });
  }

  verifyAll(jobs: readonly SignatureJob[]): Promise<Uint8Array> {
    const right = jobs.filter(hasRightLengths).length;
    const refusal = this.take(jobs.length, right);
    if (refusal) return Promise.reject(refusal);
    const verdicts = new Uint8Array(jobs.length);
    if (right === 0) return Promise.resolve(verdicts);
    return new Promise((resolve, reject) => {
      const asker = new Group(verdicts, right, resolve, reject);
      for (const [index, job] of jobs.entries()) {
        if (!hasRightLengths(job)) continue;
        this.queue.push({ job, asker, index });
        this.schedule();
      }
    });
  }

  /** Counts `count` signatures, of which those that have not the right lengths are refused already, or says why it takes none. */
  private take(count: number, right: number): ServiceError | undefined {
    if (this.closing) return new ServiceError('not_ready');
    // More than the queue holds are taken when nothing else waits.
    if (this.stats.waiting > 0 && this.stats.waiting + right > this.maxWaiting) {
      this.stats.overloaded += count;
      return overloaded();
    }
    this.stats.verified += count - right;
    this.stats.refused += count - right;
    this.stats.waiting += right;
    return undefined;
  }

  /** Decides when the queue is flushed next. */
  private schedule(): void {
    if (this.queue.length >= MAX_BATCH) {
      this.flush();
    } else if (this.inFlight < this.threads) {
      if (this.isFlushDue) return;
      this.isFlushDue = true;
      this.clock.soon(() => {
        this.isFlushDue = false;
        const areFew = this.queue.length <= MAX_ALONE && this.inFlight === 0;
        if (this.alone && areFew) this.verifyAlone(this.alone);
        else this.flush();
      });
    } else if (this.queue.length >= MIN_BATCH) {
      this.flush();
    } else if (!this.cancelTimer) {
      this.cancelTimer = this.clock.setTimer(() => {
        this.cancelTimer = undefined;
        this.flush();
      }, MAX_AGE_MS);
    }
  }

  /** For the few signatures of this turn of the event loop: no batch would form. */
  private verifyAlone(verifyMany: VerifyMany): void {
    const batch = this.queue.splice(0);
    this.answerAll(batch, verifyMany(batch.map(({ job }) => job)));
    this.stats.waiting -= batch.length;
    if (this.stats.waiting === 0) this.onDrained?.();
  }

  private answerAll(batch: readonly Waiting[], verdicts: Uint8Array): void {
    this.stats.batches += 1;
    for (const [i, waiting] of batch.entries()) {
      const isGood = verdicts[i] === 1;
      this.stats.verified += 1;
      if (!isGood) this.stats.refused += 1;
      waiting.asker.tell(isGood, waiting.index);
    }
  }

  /** Sends batches to workers, up to the limit in flight. */
  private flush(): void {
    while (this.queue.length > 0 && this.inFlight < this.maxInFlight) {
      // Spread the queue over the free workers, in batches of at least MIN_BATCH.
      const free = Math.max(1, this.threads - this.inFlight);
      const share = Math.max(MIN_BATCH, Math.ceil(this.queue.length / free));
      void this.send(this.queue.splice(0, Math.min(MAX_BATCH, share)));
    }
    if (this.queue.length === 0 && this.cancelTimer) {
      this.cancelTimer();
      this.cancelTimer = undefined;
    }
  }

  private async send(batch: Waiting[]): Promise<void> {
    this.inFlight += 1;
    try {
      const packed = packJobs(batch.map((item) => item.job));
      const verdicts = await this.pool.run(packed);
      if (verdicts.length !== batch.length) throw new Error('verification worker: wrong number of verdicts');
      this.answerAll(batch, verdicts);
    } catch (cause) {
      for (const { asker } of batch) asker.reject(new ServiceError('internal', { cause }));
    }
    this.inFlight -= 1;
    this.stats.waiting -= batch.length;
    if (this.queue.length > 0) this.flush();
    else if (this.inFlight === 0) this.onDrained?.();
  }

  close(): Promise<void> {
    this.closing ??= this.drain();
    return this.closing;
  }

  private async drain(): Promise<void> {
    this.flush();
    if (this.stats.waiting > 0) {
      await new Promise<void>((resolve) => {
        this.onDrained = resolve;
      });
    }
    await this.pool.close();
  }
}

export function createVerifierPool(options: PoolOptions): SignatureVerifier {
  return new PoolVerifier(options);
}
