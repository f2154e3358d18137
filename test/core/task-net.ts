// Tasks on the small network of the fixture: commands by name, images, and what settlements add up to.

import * as abi from '../../assembly/abi.ts';
import type { Command } from '../model/command.ts';
import { taskIdOf } from '../model/task-operations.ts';
import { decodeTaskEvent } from './compare-tasks.ts';
import type { CoreConfig, EventOutcome } from './driver.ts';
import { hex, unhex } from './driver.ts';
import { Net, type Seat, TOKEN, type Told } from './fixture.ts';

/** Something was delivered; nothing was. */
export const DELIVERED = abi.SUBMIT_SCORED | abi.SUBMIT_HAS_CONTENT | abi.SUBMIT_FACTS_HOLD;
export const NOTHING = abi.SUBMIT_SCORED | abi.SUBMIT_HAS_CONTENT;

export class TaskNet extends Net {
  /** All events so far. */
  readonly told: EventOutcome[] = [];

  constructor(seats: number | Seat[], over: Partial<CoreConfig> = {}) {
    super(typeof seats === 'number' ? Array.from({ length: seats }, () => ({})) : seats, over);
    this.run(
      ['poster', 'worker', 'helper'].map((name) => this.register(name, name === 'poster' ? 0n : TOKEN)),
    );
  }

  override run(commands: Command[], gapSecs = 1, seat = 0): Told {
    const told = super.run(commands, gapSecs, seat);
    this.told.push(...told.events);
    return told;
  }

  post(budget: bigint, fields: Partial<Command> = {}): Command {
    const flags = abi.TASK_DOWNGRADE_ALLOWED | abi.TASK_GENERATION_ELIGIBLE;
    return this.cmd(abi.OP_TASK_CREATE, 'poster', { amount: budget, flags, category: 'code', ...fields });
  }

  sub(parent: Command, budget: bigint): Command {
    return this.cmd(abi.OP_SUBTASK_CREATE, 'worker', {
      ...this.#of(parent),
      amount: budget,
      category: 'code',
    });
  }

  on(opcode: number, name: string, task: Command, fields: Partial<Command> = {}): Command {
    return this.cmd(opcode, name, { ...this.#of(task), ...fields });
  }

  claim(name: string, task: Command): Command {
    return this.on(abi.OP_TASK_CLAIM, name, task);
  }

  /** A command that stakes what twenty claims need. */
  back(name: string): Command {
    return this.cmd(abi.OP_STAKE, name, { amount: 1_900n * TOKEN });
  }

  submit(name: string, task: Command, flags = DELIVERED): Command {
    return this.on(abi.OP_TASK_SUBMIT, name, task, { flags, overallBp: 8000 });
  }

  /** The poster disputes and the worker contests; what the judges vote on. */
  contested(task: Command, poster = 'poster', worker = 'worker'): Command {
    const dispute = this.on(abi.OP_TASK_DISPUTE, poster, task);
    this.must(dispute, this.on(abi.OP_TASK_CONTEST, worker, task));
    return dispute;
  }

  #of(task: Command): Partial<Command> {
    return { taskId: taskIdOf(task.txid) };
  }

  /** A u32 of a task's image; undefined when the task is not in the core. */
  task32(task: Command, field: number): number | undefined {
    return this.core.query(abi.QUERY_TASK, unhex(taskIdOf(task.txid)))?.getUint32(field, true);
  }

  task64(task: Command, field: number): bigint | undefined {
    return this.core.query(abi.QUERY_TASK, unhex(taskIdOf(task.txid)))?.getBigUint64(field, true);
  }

  /** Validator indexes of a submitted task's panel. */
  panel(task: Command): number[] {
    const image = this.core.query(abi.QUERY_TASK, unhex(taskIdOf(task.txid)))!;
    const count = image.getUint32(abi.TASK_PANEL_COUNT, true);
    return Array.from({ length: count }, (_, i) => image.getUint32(abi.TASK_PANEL + 4 * i, true));
  }

  /** Something to vote on: the submission event of an assured task. */
  submission(task: Command): Command {
    return this.#event(task, abi.TASK_SUBMISSION_EVENT);
  }

  /** The dispute event of a task. */
  dispute(task: Command): Command {
    return this.#event(task, abi.TASK_DISPUTE_EVENT);
  }

  #event(task: Command, field: number): Command {
    const image = this.core.query(abi.QUERY_TASK, unhex(taskIdOf(task.txid)))!;
    const txid = hex(new Uint8Array(image.buffer, image.byteOffset + field, 32));
    return { ...task, txid };
  }

  /** The task_settled event of a task. */
  settled(task: Command): Record<string, unknown> {
    const id = taskIdOf(task.txid);
    const events = this.told.filter((e) => e.type === abi.EVENT_TASK_SETTLED).map((e) => decodeTaskEvent(e)!);
    const mine = events.filter((e) => e.id === id);
    if (mine.length !== 1) throw new Error(`${mine.length} settlements of ${id}`);
    return mine[0]!;
  }

  /** Applies commands that must all succeed. */
  must(...commands: Command[]): void {
    const { txs } = this.run(commands);
    const bad = txs.find((t) => t.code !== abi.OK);
    if (bad) throw new Error(`opcode ${bad.opcode} was refused with ${bad.code}`);
  }
}
