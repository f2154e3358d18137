// Runs programs on a worker thread, apart from the node's own memory.
// Keeps: the same answers as on one thread, since both run the same code; what waits is bounded, and a full queue refuses.

import { overloaded } from '../errors.ts';
import type { Pool } from '../world/threads.ts';
import type { World } from '../world/world.ts';
import { type ProgramJob, packJob, unpackResult } from './job-codec.ts';
import type { ProgramRunner, Run } from './runner.ts';

export interface ProgramPoolOptions {
  /** Of its thread, in metrics. */
  name: string;
  /** Runs that may wait or be under way; more are refused with `overloaded`. */
  maxWaiting: number;
  /** Path of the compiled `worker.ts`. */
  workerFile: string;
  world: Pick<World, 'threads'>;
}

class PoolRunner implements ProgramRunner {
  /** From the first run on. */
  private pool: Pool | undefined;
  private waiting = 0;

  constructor(private readonly o: ProgramPoolOptions) {}

  async run(job: ProgramJob): Promise<Run> {
    const { maxWaiting, workerFile, world } = this.o;
    if (this.waiting >= maxWaiting) throw overloaded();
    this.waiting += 1;
    try {
      this.pool ??= world.threads.open({ name: this.o.name, file: workerFile, threads: 1, data: {} });
      return unpackResult(await this.pool.run(packJob(job)));
    } finally {
      this.waiting -= 1;
    }
  }

  async close(): Promise<void> {
    await this.pool?.close();
  }
}

export const createProgramPool = (options: ProgramPoolOptions): ProgramRunner => new PoolRunner(options);
