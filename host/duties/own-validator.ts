// All that the node's own validator does by itself under SERVICE_AUTOVALIDATOR: votes, replays, canaries.

import type { Executed } from '../execution/executor.ts';
import { Autovalidator, type AutovalidatorOptions } from './autovalidator.ts';
import { CanaryRunner, type CanaryRunnerOptions } from './canary-runner.ts';
import { ReplayRunner, type ReplayRunnerOptions } from './replay-runner.ts';

export type OwnValidatorOptions = AutovalidatorOptions & ReplayRunnerOptions & CanaryRunnerOptions;

export class OwnValidator {
  readonly #parts: readonly (Autovalidator | ReplayRunner | CanaryRunner)[];

  constructor(o: OwnValidatorOptions) {
    const canaries = o.rateBp > 0 ? [new CanaryRunner(o)] : [];
    this.#parts = [new Autovalidator(o), new ReplayRunner(o), ...canaries];
  }

  /** Takes up what is open, then what comes. */
  async start(): Promise<void> {
    for (const part of this.#parts) await part.start();
  }

  /** What a group did, once it is on disk. */
  executed({ events }: Pick<Executed, 'events'>): void {
    for (const part of this.#parts) part.executed(events);
  }

  stop(): void {
    for (const part of this.#parts) part.stop();
  }
}
