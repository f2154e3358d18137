// A court: disputes about deliveries, decided by panels of simulated judges under the rules of core.wasm.
// Keeps: who is drawn, what a vote counts and who is paid or slashed is the core's; only the verdicts are made here.

import * as abi from '../../assembly/abi.ts';
import { verify, voteCommit } from '../../host/core/commands.ts';
import type { ItemState } from '../../host/core/item-state.ts';
import { taskCreate, taskStep, taskSubmit } from '../../host/core/task-commands.ts';
import type { TaskImage } from '../../host/core/task-image.ts';
import { validatorJudge } from '../../host/core/validator-commands.ts';
import { fromHex, toHex } from '../../host/wire/bytes.ts';
import { labelOf } from '../../host/wire/category.ts';
import { GROUNDS } from '../../host/wire/operations/ledger.ts';
import { voteCommitment } from '../../host/wire/vote-commitment.ts';
import { Chain, keyOf, registration, type Sent, TOKEN } from '../economy/attack-chain.ts';
import { taskIdOf } from '../economy/world.ts';

/** What a judge says. */
export interface Verdict {
  forWorker: boolean;
  /** GROUND_*. */
  ground: number;
}
/** Says it; undefined: the judge is silent. `judge`: number of its validator. */
export type Judges = (judge: number) => Verdict | undefined;

export interface Terms {
  budget: number;
  /** TASK_* and SUBMIT_* flags. */
  taskFlags?: number;
  submitFlags?: number;
  workerBond?: number;
  noQuorum?: number;
}
export const DELIVERED = abi.SUBMIT_SCORED | abi.SUBMIT_HAS_CONTENT | abi.SUBMIT_FACTS_HOLD;

export interface Ruling {
  /** What the worker got of the escrow, 0 to 1. */
  share: number;
  isSlashed: boolean;
  /** Judges that were drawn. */
  panel: readonly number[];
}

/** Judges that are asked at most, with the budget and the announced judges that come to it; five are drawn first. */
export const PANELS = {
  1: { budget: 9, judges: 9 },
  3: { budget: 10, judges: 3 },
  5: { budget: 10, judges: 5 },
  7: { budget: 10, judges: 7 },
  20: { budget: 10, judges: 20 },
} as const;
export type PanelSize = keyof typeof PANELS;
export const SIZES = Object.keys(PANELS).map(Number) as PanelSize[];

const STAKE = 100 * TOKEN;
/** Nobody here guesses, so one salt does for all. */
const SALT = new Uint8Array(32).fill(7);

const groundName = (ground: number) => (ground === abi.GROUND_NONE ? undefined : GROUNDS[ground - 1]);

export class Court {
  readonly chain: Chain;
  /** Tasks as of the end of the block that changed them last: the core drops what is over. */
  readonly #tasks = new Map<string, TaskImage>();

  /** All validators announce a judge. */
  constructor(
    module: WebAssembly.Module,
    readonly judges: number,
  ) {
    this.chain = new Chain(module, true, judges);
    this.chain.onOutcome = (outcome) => {
      if (outcome.kind === 'task') this.#tasks.set(toHex(outcome.image.id), outcome.image);
    };
    const entries = [registration('poster'), registration('worker', STAKE), registration('other', STAKE)];
    this.chain.run([...entries, ...this.#all().map((judge) => this.#announcement(judge))]);
  }

  #all(): number[] {
    return Array.from({ length: this.judges }, (_, i) => i);
  }

  #announcement(judge: number): Sent {
    return { actor: keyOf(`op${judge}`), build: (head) => validatorJudge(head, `v${judge}`, true) };
  }

  #step(who: string, opcode: number, task: () => Uint8Array): Sent {
    return { actor: keyOf(who), build: (head) => taskStep(opcode, head, task()) };
  }

  /** A task that `worker` has delivered. */
  delivered(
    { budget, taskFlags = 0, submitFlags = DELIVERED, ...terms }: Terms,
    worker = 'worker',
  ): Uint8Array {
    let task: Uint8Array = new Uint8Array();
    const bond = terms.workerBond === undefined ? {} : { workerBond: terms.workerBond };
    const given = terms.workerBond === undefined ? 0 : abi.TASK_BOND_GIVEN;
    const wanted = {
      ...{ budget, flags: taskFlags | given, ...bond, lane: abi.LANE_NONE, reviewSecs: 0, deliverySecs: 0 },
      ...{ fuel: 0, noQuorum: terms.noQuorum ?? abi.NO_QUORUM_SPLIT },
      ...{ category: 'writing', categoryLabel: labelOf('writing'), tagLabels: [] },
    };
    const post: Sent = {
      actor: keyOf('poster'),
      build: (head) => {
        task = taskIdOf(head.txId);
        return taskCreate(head, wanted);
      },
    };
    const submit: Sent = {
      actor: keyOf(worker),
      build: (head) => taskSubmit(head, task, submitFlags, 5000),
    };
    this.chain.run([post, this.#step(worker, abi.OP_TASK_CLAIM, () => task), submit]);
    return task;
  }

  task(id: Uint8Array): TaskImage {
    return this.#tasks.get(toHex(id))!;
  }

  dispute(task: Uint8Array): void {
    this.chain.run([this.#step('poster', abi.OP_TASK_DISPUTE, () => task)]);
  }
  /** The worker's answer to a dispute: OP_TASK_CONTEST or _CONCEDE. */
  reply(task: Uint8Array, opcode: number, worker = 'worker'): void {
    this.chain.run([this.#step(worker, opcode, () => task)]);
  }

  panel(task: Uint8Array): number[] {
    const event = this.task(task).disputeEvent;
    const row = event && this.chain.state.findItem(event);
    return row === undefined ? [] : this.chain.state.item(row)!.assigned;
  }

  /** Those who may vote now and have not. */
  #asked(task: Uint8Array): number[] {
    const voted = new Set(this.#item(task)!.voters.map((v) => v.validator));
    const all = this.task(task).panels === 2 ? this.#all() : this.panel(task);
    return all.filter((judge) => !voted.has(judge));
  }

  #item(task: Uint8Array): ItemState | undefined {
    const row = this.chain.state.findItem(this.task(task).disputeEvent!);
    return row === undefined ? undefined : this.chain.state.item(row);
  }

  /** The judges that are asked commit what they say, without seeing each other, and reveal it when all are in or time is up. */
  #vote(task: Uint8Array, judges: Judges): void {
    const event = this.task(task).disputeEvent!;
    const votes = this.#asked(task).flatMap((judge) => {
      const verdict = judges(judge);
      return verdict ? [{ actor: keyOf(`op${judge}`), ...verdict }] : [];
    });
    if (votes.length === 0) return;
    this.chain.run(
      votes.map(({ actor, forWorker, ground }): Sent => {
        const said = { verdict: forWorker, ground: groundName(ground) };
        const commitment = voteCommitment(toHex(event), toHex(actor), said, toHex(SALT));
        return { actor, build: (head) => voteCommit(head, event, fromHex(commitment)!) };
      }),
    );
    if (this.#item(task)?.stage === abi.VOTES_COMMITTED)
      this.chain.run([], 0, this.chain.params.dispute_deadline_secs);
    this.chain.run(
      votes.map(
        ({ actor, forWorker, ground }): Sent => ({
          actor,
          build: (head) => verify(head, event, forWorker, undefined, ground, 0, SALT),
        }),
      ),
    );
  }

  shareOf(task: Uint8Array): number {
    const { status, share } = this.task(task);
    if (status !== abi.TASK_COMPLETED) return 0;
    return share === 0 ? 1 : share / 10;
  }

  /** Asks the panel, then all judges, until the rule of the task decides; the panel that was asked. */
  #decide(task: Uint8Array, judges: Judges): number[] {
    const first = this.panel(task);
    while (this.task(task).status === abi.TASK_DISPUTED) {
      const { panels } = this.task(task);
      this.#vote(task, judges);
      const { status, panels: now } = this.task(task);
      if (status === abi.TASK_DISPUTED && now === panels)
        this.chain.run([], 0, this.chain.params.dispute_deadline_secs);
    }
    return first;
  }

  /** A dispute that the worker contests, or concedes: its share. */
  disputed(terms: Terms, isContested: boolean, judges: Judges): number {
    const task = this.delivered(terms);
    this.dispute(task);
    this.reply(task, isContested ? abi.OP_TASK_CONTEST : abi.OP_TASK_CONCEDE);
    if (isContested) this.#decide(task, judges);
    return this.shareOf(task);
  }

  /** A contested dispute about what was delivered, decided by so many judges at most, or as the task says without them. */
  judge(terms: Omit<Terms, 'budget'>, size: PanelSize, judges: Judges): Ruling {
    const { budget } = PANELS[size];
    const task = this.delivered({ ...terms, budget: budget * TOKEN });
    const staked = this.#staked();
    this.dispute(task);
    let panel: number[] = [];
    // What was not delivered is decided at once.
    if (this.task(task).status === abi.TASK_DISPUTED) {
      this.reply(task, abi.OP_TASK_CONTEST);
      panel = this.#decide(task, judges);
    }
    return { share: this.shareOf(task), isSlashed: this.#staked() < staked, panel };
  }

  #staked(): number {
    return this.chain.state.agent(this.chain.index('worker'))!.staked;
  }
}
