// Everything that SERVICE_AUTOVALIDATOR does for this node's validator: verdicts, judging, replays, canaries.

import type { Executed } from '../execution/executor.ts';
import { Autovalidator } from './autovalidator.ts';
import { CanaryRunner, type CanaryRunnerOptions } from './canary-runner.ts';
import { JudgeRunner, type JudgeRunnerOptions } from './judging/judge-runner.ts';
import { ReplayRunner, type ReplayRunnerOptions } from './replay-runner.ts';
import type { VotingOptions } from './voting-options.ts';

export type OwnValidatorOptions = VotingOptions &
  JudgeRunnerOptions &
  ReplayRunnerOptions &
  CanaryRunnerOptions;

export class OwnValidator {
  readonly #parts: readonly (Autovalidator | JudgeRunner | ReplayRunner | CanaryRunner)[];

  constructor(options: OwnValidatorOptions) {
    const canaries = options.rateBp > 0 ? [new CanaryRunner(options)] : [];
    const always = [new Autovalidator(options), new JudgeRunner(options), new ReplayRunner(options)];
    this.#parts = [...always, ...canaries];
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
