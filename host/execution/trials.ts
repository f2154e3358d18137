// Trials before ordering: the node that receives a task proves its parameters, the one that receives a submission runs its
// contract, on worker threads (protocol 14.9).
// Keeps: what fails a check without a seed is refused and never ordered, so its body reaches nobody. What passes here is
// executed all the same; its outcomes are noted, so that execution need not compute them again. Of one agent a few run or wait at
// a time, and networks take turns: the thread is one, and a try that fails costs nothing.

import { invalid, overloaded, ServiceError } from '../errors.ts';
import type { EntryInput } from '../ordering/block.ts';
import type { CheckOutcome } from '../programs/check-job.ts';
import { drive } from '../programs/check-steps.ts';
import { DEFAULT_FUEL } from '../programs/limits.ts';
import type { ProgramRunner } from '../programs/runner.ts';
import type { CheckDoc, TaskTextDoc } from '../store/task-documents.ts';
import { Tally } from '../tally.ts';
import { utf8 } from '../wire/bytes.ts';
import { ContractRuns } from './contract-runs.ts';
import { admitContract, type CheckRun, ReportOf, runOf, stepsOf } from './contracts.ts';
import type { TaskFacts } from './task-facts.ts';
import { taskIdBytes } from './translation/tasks.ts';
import { TrialTurns } from './trial-turns.ts';

/** Trials of one agent under way. */
const MAX_OF_OWNER = 4;

const NOTHING = new Uint8Array(0);
/** Fields for the proof of parameters, before there is a task. */
const NO_TEXT = {
  title: '',
  description: '',
  category: '',
  success_criteria: [],
  required_checks: [],
  tags: [],
};

/** A write, and whose it is. */
interface Trying {
  input: EntryInput;
  owner: string;
}

export class Trials {
  /** Trials under way, by the agent whose they are. */
  readonly #underWay = new Tally<string>();
  readonly #turns = new TrialTurns();

  constructor(
    private readonly facts: TaskFacts,
    private readonly runner: ProgramRunner,
    private readonly runs: ContractRuns,
  ) {}

  /**
   * The trial that a write needs before it is ordered; undefined if it needs none. `from`: where it came from, which is not
   * asked for otherwise. `admit`: refuses what the state would refuse, before anything is run for a stranger. Errors: those
   * of `admit`, invalid_request for parameters that are not valid, acceptance_failed with the report, overloaded.
   */
  of(
    { input, owner }: Trying,
    from: { readonly network: string },
    admit: () => void,
  ): Promise<void> | undefined {
    const { parsed } = input;
    if (parsed?.name === 'taskSubmit') {
      const text = this.facts.text(taskIdBytes(parsed.path.id!));
      // What is sealed is opened in a dispute only.
      if (!text?.acceptance || text.delivery_method === 'encrypted') return undefined;
      admit();
      const delivery = utf8(parsed.args.result_content ?? '');
      const { network } = from;
      return this.#counted(owner, network, () => this.#delivery(text, delivery, network));
    }
    if (parsed?.name !== 'taskCreate' && parsed?.name !== 'subtaskCreate') return undefined;
    const contract = admitContract(parsed.args, this.facts);
    if (!contract) return undefined;
    admit();
    const { network } = from;
    return this.#counted(owner, network, () => this.#parameters(contract.checks, network));
  }

  #counted(owner: string, network: string, run: () => Promise<void>): Promise<void> {
    if (this.#underWay.of(owner) >= MAX_OF_OWNER) throw overloaded();
    return this.#turns.hold(network, () => {
      this.#underWay.add(owner);
      return run().finally(() => this.#underWay.remove(owner));
    });
  }

  async #parameters(checks: readonly CheckDoc[], network: string): Promise<void> {
    for (const [i, check] of checks.entries()) {
      const run = runOf(check, NO_TEXT as unknown as TaskTextDoc, NOTHING, undefined, this.facts);
      const { end, reason } = await this.#run(network, { ...run, fuel: Math.min(run.fuel, DEFAULT_FUEL) });
      if (end === 'bad_parameters') throw invalid(`acceptance[${i}].parameters: ${reason}`);
    }
  }

  async #delivery(text: TaskTextDoc, delivery: Uint8Array, network: string): Promise<void> {
    const report = new ReportOf();
    for (const [i, check] of text.acceptance!.checks.entries()) {
      // Its seed is not known before the order.
      if (check.seeded) continue;
      const run = runOf(check, text, delivery, undefined, this.facts);
      const outcome = await this.#run(network, run);
      this.runs.note(ContractRuns.keyOf(run), outcome);
      if (!report.take(i, check, outcome)) break;
    }
    const { passed, check, program, end, reason, score_bp } = report.report;
    if (!passed) {
      throw new ServiceError('acceptance_failed', {
        text: `check ${check} failed: ${reason || end}`,
        details: { check, program, end, reason, score_bp },
      });
    }
  }

  #run(network: string, run: CheckRun): Promise<CheckOutcome> {
    return this.#turns.run(network, () => drive(stepsOf(run), this.runner));
  }
}
