// A check of the node's whole log that may take longer than a call may: it runs on, and later calls ask for it.
// Keeps: one check at a time; its report is given once.

import { type Clock, pause } from '../world/clock.ts';
import { ToolRefusal } from './refusal.ts';

export interface LogQuestion {
  from: 'checkpoint' | 'genesis';
  genesisHash?: string;
  agentId?: string;
  taskId?: string;
}

/** Which names `shown` has: protocol 12.1, `vws audit`. */
export interface LogReport {
  shown: string;
  genesis_hash: string;
  /** The last order number that was recomputed, and its time. */
  order: number;
  consensus_time: number;
  transactions: number;
  signatures: number;
  state_root: string;
  /** The newest checkpoint of the validators that was found equal; 0: none is signed yet. */
  checkpoint: number;
  checkpoint_code: string;
  findings: readonly { kind: string; text: string }[];
  fault?: { kind: string; text: string };
  /** What was compared with the recomputed state. */
  compared: { kind: string; id: string; shown: string; text?: string | undefined }[];
}

export interface RunningCheck {
  progress(): { order: number; toOrder: number };
  report: Promise<LogReport>;
}

export type StartCheck = (question: LogQuestion) => RunningCheck;

type Asked = { report: LogReport } | { order: number; toOrder: number };

export class LogCheck {
  #running: { question: string; check: RunningCheck } | undefined;

  constructor(
    private readonly start: StartCheck,
    private readonly clock: Pick<Clock, 'setTimer'>,
  ) {}

  /** The report, or how far the check has got after `waitMs`. Errors: those of the check; ToolRefusal `busy`. */
  async ask(question: LogQuestion, waitMs: number): Promise<Asked> {
    const text = JSON.stringify(question);
    this.#running ??= { question: text, check: this.start(question) };
    const { check } = this.#running;
    if (this.#running.question !== text) {
      throw new ToolRefusal(
        'busy',
        'another check is running',
        'Repeat the call of that check until it is finished.',
      );
    }
    let report: LogReport | undefined;
    try {
      report = await Promise.race([check.report, pause(this.clock, waitMs).then(() => undefined)]);
    } catch (error) {
      this.#running = undefined;
      throw error;
    }
    if (report === undefined) return check.progress();
    this.#running = undefined;
    return { report };
  }
}
