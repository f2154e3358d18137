// Everything that SERVICE_AUTOVALIDATOR does for this node's validator: verdicts, replays, canaries.

import type { Executed } from '../execution/executor.ts';
import { Autovalidator, type AutovalidatorOptions } from './autovalidator.ts';
import { CanaryRunner, type CanaryRunnerOptions } from './canary-runner.ts';
import { ReplayRunner, type ReplayRunnerOptions } from './replay-runner.ts';

export type OwnValidatorOptions = AutovalidatorOptions & ReplayRunnerOptions & CanaryRunnerOptions;

export class OwnValidator {
  readonly #parts: readonly (Autovalidator | ReplayRunner | CanaryRunner)[];

  constructor(options: OwnValidatorOptions) {
    const canaries = options.rateBp > 0 ? [new CanaryRunner(options)] : [];
    this.#parts = [new Autovalidator(options), new ReplayRunner(options), ...canaries];
  }

  /** Queues all open work. */
  async start(): Promise<void> {
    for (const part of this.#parts) await part.start();
  }

  /** Events of a batch that is on disk. */
  onExecuted({ events }: Pick<Executed, 'events'>): void {
    for (const part of this.#parts) part.onExecuted(events);
  }

  stop(): void {
    for (const part of this.#parts) part.stop();
  }
}
