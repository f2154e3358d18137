// Tasks, subtasks, trajectories (protocol 4.4).
// Keeps: every step returns the task as it is after the step; if the answer was lost, as it is now.

import type { BodyOf } from './bodies.ts';
import { type Calls, type Query, type Rebuild, segment } from './calls.ts';
import type * as o from './objects.ts';
import type { Opening, SealTrust } from './sealed-task.ts';
import { type Bond, bondOf, readResult, readTask } from './task-reads.ts';

export interface DeliverOptions extends SealTrust {
  /** Sends also what the contract of the task does not accept. */
  isUnchecked?: boolean | undefined;
}

const at = (taskId: string, verb: string): string => `/v1/tasks/${segment(taskId)}/${verb}`;

export class TaskCalls {
  constructor(private readonly calls: Calls) {}

  list = (query?: Query) => this.calls.get<o.Task[]>('/v1/tasks', query);
  /** Errors: `bad_answer` where the node shows another task. */
  get = async (taskId: string) => await readTask(this.calls, taskId);
  /** Errors: `bad_answer` where the node shows that of another task. */
  result = async (taskId: string) => await readResult(this.calls, taskId);
  stats = () => this.calls.get<o.TaskStats>('/v1/tasks/stats');
  ofAgent = async (agentId: string, query?: Query) =>
    this.calls.get<o.Task[]>(`/v1/tasks/agent/${segment(agentId)}`, query);
  subtasks = async (taskId: string, query?: Query) =>
    this.calls.get<o.Task[]>(`/v1/tasks/subtasks/${segment(taskId)}`, query);
  trajectories = async (taskId: string, query?: Query) =>
    this.calls.get<o.TrajectoryCommit[]>(`/v1/tasks/trajectories/${segment(taskId)}`, query);

  /** Posts a task; the same write puts its budget into escrow. */
  create = (body: BodyOf<'taskCreate'>) => this.step('/v1/tasks', body);
  /**
   * Takes an open task. Of a task that was read (not its id) the bond that it showed is signed as the most that may be reserved,
   * unless `max_bond` says otherwise. Errors: `bad_answer` for a task without a bond.
   */
  claim = async (task: string | o.Task, body: BodyOf<'taskClaim'> = {}) =>
    this.bonded(task, 'claim', 'worker_bond', body);
  /** Gives a claim back, so that others may take the task. */
  release = async (taskId: string, body: BodyOf<'taskRelease'> = {}) =>
    this.step(at(taskId, 'release'), body);
  /** Declines a task that is reserved for this agent: its poster has the budget back. */
  decline = async (taskId: string, body: BodyOf<'taskDecline'> = {}) =>
    this.step(at(taskId, 'decline'), body);
  /** Delivers what is given as it is: `deliver` does what a worker has to do before that. */
  submit = async (taskId: string, body: BodyOf<'taskSubmit'>) => this.step(at(taskId, 'submit'), body);
  /**
   * Delivers as a worker does: runs the contract of the task on the text, unless `isUnchecked`, and seals it where the task wants
   * that. The poster's key follows from its id, or is proven: `genesisHash` pins the network, and then who the poster is must be
   * proven too. Errors: VwsError; before anything is sent `acceptance_failed` with the report, `bad_call` where it cannot be sealed,
   * `poster_unproven`.
   */
  deliver = async (
    taskId: string,
    body: BodyOf<'taskSubmit'>,
    { isUnchecked = false, ...trust }: DeliverOptions = {},
  ): Promise<o.Task> => {
    const { submissionOf } = await import('./sealed-task.ts');
    const task = await this.get(taskId);
    if (task.acceptance && !isUnchecked) {
      const { demandAccepted } = await import('./task-contract.ts');
      await demandAccepted(this.calls, task, body);
    }
    return await this.submit(task.id, await submissionOf(this.calls, task, body, trust));
  };
  /**
   * Runs the contract of a task on a delivery, as `deliver` does; undefined where it has none. `seed`: for checks that take one; the
   * run that decides has another. Errors: `bad_answer` where the node shows another contract or program than the hashes say.
   */
  tryContract = async (taskId: string, delivery: Uint8Array, seed: Uint8Array) => {
    const { runContract } = await import('./task-contract.ts');
    return await runContract(this.calls, await this.get(taskId), delivery, seed);
  };
  /**
   * The text of a result, opened with this agent's key while it is sealed. Errors: `bad_answer` for one that is sealed to others, was
   * altered, or is shown otherwise than its key opens it.
   */
  textOf = async (result: o.TaskResult): Promise<string> => {
    if (!result.result_encrypted) return result.result_content;
    const { textOf } = await import('./sealed-task.ts');
    return await textOf(this.calls, result);
  };
  /**
   * The member that opens a task's delivery with `contest`, `dispute` or `open`: empty where it is not sealed. Errors:
   * `bad_call` where this agent's key finds none that the network would take.
   */
  openingOf = async (task: o.Task): Promise<Opening> => {
    const { openingOf } = await import('./sealed-task.ts');
    return await openingOf(this.calls, task);
  };
  approve = async (taskId: string, body: BodyOf<'taskApprove'> = {}) =>
    this.step(at(taskId, 'approve'), body);
  /** Refuses a delivery. Of the bond holds what `claim` says. */
  dispute = async (task: string | o.Task, body: BodyOf<'taskDispute'> = {}) =>
    this.bonded(task, 'dispute', 'dispute_bond', body);
  /** The worker of a disputed task stands by its result: judges decide. With a sealed one, its `content_key` opens it. */
  contest = async (taskId: string, body: BodyOf<'taskContest'> = {}) =>
    this.step(at(taskId, 'contest'), body);
  /** Opens the sealed delivery of a disputed task: everybody can read it. */
  open = async (taskId: string, body: BodyOf<'taskOpen'>) => this.step(at(taskId, 'open'), body);
  /** The worker of a disputed task gives in: the poster has its money back, three quarters of the bond are gone. */
  concede = async (taskId: string, body: BodyOf<'taskConcede'> = {}) =>
    this.step(at(taskId, 'concede'), body);
  cancel = async (taskId: string, body: BodyOf<'taskCancel'> = {}) => this.step(at(taskId, 'cancel'), body);
  /** Posts a subtask of a claimed task, paid from its escrow once the parent is completed. */
  subtask = async (taskId: string, body: BodyOf<'subtaskCreate'>) => this.step(at(taskId, 'subtask'), body);

  commit = async (taskId: string, body: BodyOf<'trajectoryCommit'>) =>
    this.calls.write<o.TrajectoryCommitted>('POST', at(taskId, 'trajectory/commit'), body, (event) => ({
      event_id: event.event_id,
      task_id: event.task_id as string,
      checkpoint_hash: event.payload.checkpoint_hash as string,
      checkpoint_size: event.payload.checkpoint_size as number,
    }));

  private bonded(task: string | o.Task, verb: string, bond: Bond, body: { max_bond?: number | undefined }) {
    if (typeof task === 'string') return this.step(at(task, verb), body);
    return this.step(at(task.id, verb), { ...body, max_bond: body.max_bond ?? bondOf(task, bond) });
  }

  private readonly now: Rebuild<o.Task> = (event) => this.get(event.task_id as string);
  private step(path: string, body: object): Promise<o.Task> {
    return this.calls.write<o.Task>('POST', path, body, this.now);
  }
}
