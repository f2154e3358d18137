// The tasks that one group of blocks changes: read once, changed in memory, written once with their lists and sums.
// Keeps: a task's documents, lists and sums move together, in the batch of the block that moved the task.

import * as abi from '../../../assembly/abi.ts';
import type { TaskImage } from '../../core/task-image.ts';
import type { Identities } from '../../execution/identity.ts';
import type { TaskStateDoc, TaskTextDoc } from '../../store/task-documents.ts';
import { taskKey, taskState, taskText } from '../../store/task-rows.ts';
import type { WriteSet } from '../../store/write-set.ts';
import { fromHex, toHex } from '../../wire/bytes.ts';
import { coreDoc } from './task-core.ts';
import type { Figures, TaskIndex } from './task-index.ts';
import type { ListTerms } from './task-lists.ts';

/** A task under change. `text` stays as it is; `state` is written at the end of the group. */
export interface OpenTask {
  id: Uint8Array;
  text: TaskTextDoc;
  state: TaskStateDoc;
}

/** What is told of tasks to those who list and count them. */
export type TaskSums = Pick<TaskIndex, 'add' | 'category' | 'move' | 'count' | 'flush'>;

interface Held extends OpenTask {
  terms: ListTerms | undefined;
  figures: Figures | undefined;
}

export class TaskBook {
  readonly #held = new Map<string, Held>();

  constructor(
    private readonly set: WriteSet,
    private readonly index: TaskSums,
    private readonly ids: Identities,
  ) {}

  #terms({ text, state }: OpenTask): ListTerms | undefined {
    if (!state.core) return undefined;
    const category = this.index.category(text.category);
    const { status, assurance_lane: lane } = state.core;
    return { status, category, poster: state.poster, claimer: state.claimer, lane };
  }

  #figures({ core, paid }: TaskStateDoc): Figures | undefined {
    return core && { status: core.status, escrow: core.escrow_amount, paid };
  }

  /** A task by its hex id. Throws when it has no documents. */
  open(task: string): OpenTask {
    const known = this.#held.get(task);
    if (known) return known;
    const id = fromHex(task)!;
    const text = taskText(this.set, id);
    const state = taskState(this.set, id);
    if (!text || !state) throw new Error(`task ${task} has no documents`);
    const held: Held = { id, text, state, terms: undefined, figures: this.#figures(state) };
    held.terms = this.#terms(held);
    this.#held.set(task, held);
    return held;
  }

  /** A new task. `budget` and `parent`: for the sums. */
  create(task: string, text: Omit<TaskTextDoc, 'number'>, budget: number, parent: string | undefined): void {
    const id = fromHex(task)!;
    const number = this.index.add(this.set, id, text.category, budget, parent !== undefined);
    const full: TaskTextDoc = { number, ...text };
    const state: TaskStateDoc = { paid: 0, subtasks: [], commits: 0 };
    this.set.putJson(taskKey('text', id), full);
    this.#held.set(task, { id, text: full, state, terms: undefined, figures: undefined });
    if (parent !== undefined) this.open(parent).state.subtasks.push(task);
  }

  /** What the core says of a task at the end of a block. */
  image(image: TaskImage): OpenTask {
    const task = this.open(toHex(image.id));
    const { state } = task;
    state.core = coreDoc(image, this.ids);
    state.poster = image.poster;
    if (image.claimer === undefined) delete state.claimer;
    else state.claimer = image.claimer;
    state.paid = image.payout === abi.PAYOUT_PAID ? image.net : 0;
    return task;
  }

  /** Writes what changed. */
  flush(): void {
    if (this.#held.size === 0) return;
    for (const held of this.#held.values()) {
      const terms = this.#terms(held);
      const figures = this.#figures(held.state);
      if (!terms || !figures) throw new Error(`the core told nothing of task ${toHex(held.id)}`);
      this.set.putJson(taskKey('state', held.id), held.state);
      this.index.move(held.text.number, held.terms, terms);
      this.index.count(held.figures, figures);
    }
    this.index.flush(this.set);
    this.#held.clear();
  }
}
