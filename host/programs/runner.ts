// Runs programs: admits, compiles and executes, on the calling thread.
// Keeps: compiled programs are kept by the hash of their bytes, a bounded number of bounded size, so that a program is
// validated and compiled once while it is in use; whether it, or a memory, was kept changes nothing but the time. Each run
// has an instance of its own, on a memory that is all zero.

import { sha256Hex } from '../wire/hash.ts';
import { admitWith } from './admit.ts';
import { type Execution, execute } from './execute.ts';
import { demand } from './fault.ts';
import type { ProgramJob } from './job-codec.ts';
import { MAX_FUEL, MAX_INPUT_BYTES, MAX_OUTPUT_BYTES } from './limits.ts';
import { Memories } from './memories.ts';

/** A run, with what it needed besides fuel. */
export interface Run extends Execution {
  memoryPages: number;
}

export interface ProgramRunner {
  /** Errors: ProgramFault if the module is no program or the input is too large. */
  run(job: ProgramJob): Promise<Run>;
  close(): Promise<void>;
}

/** Metered bytes of all programs that are kept compiled. Machine code takes some ten times as much. */
const MAX_KEPT_BYTES = 4_194_304;

interface Kept {
  module: WebAssembly.Module;
  memoryPages: number;
  bytes: number;
}

export class InlineRunner implements ProgramRunner {
  /** In the order of their last use. */
  private readonly kept = new Map<string, Kept>();
  private keptBytes = 0;
  private readonly memories = new Memories();

  /** Compiled programs that are kept. */
  get count(): number {
    return this.kept.size;
  }

  async run(job: ProgramJob): Promise<Run> {
    return this.runNow(job);
  }

  async close(): Promise<void> {
    this.kept.clear();
    this.keptBytes = 0;
  }

  /** As `run`, at once. */
  runNow({ program, input, limits }: ProgramJob): Run {
    demand(input.length <= MAX_INPUT_BYTES, `the input has more than ${MAX_INPUT_BYTES} bytes`);
    const bounded = {
      fuel: Math.min(limits.fuel, MAX_FUEL),
      outputBytes: Math.min(limits.outputBytes, MAX_OUTPUT_BYTES),
    };
    const { module, memoryPages } = this.compiled(program);
    const memory = this.memories.take(memoryPages);
    const execution = execute(module, input, bounded, memory);
    this.memories.give(memory);
    return { ...execution, memoryPages };
  }

  private compiled(program: Uint8Array): Kept {
    const hash = sha256Hex(program);
    const found = this.kept.get(hash);
    if (found !== undefined) {
      this.kept.delete(hash);
      this.kept.set(hash, found);
      return found;
    }
    const { metered, memoryPages } = admitWith('runner', program);
    const made = { module: new WebAssembly.Module(metered), memoryPages, bytes: metered.length };
    this.kept.set(hash, made);
    this.keptBytes += metered.length;
    for (const [oldest, { bytes }] of this.kept) {
      if (this.keptBytes <= MAX_KEPT_BYTES) break;
      this.kept.delete(oldest);
      this.keptBytes -= bytes;
    }
    return made;
  }
}
