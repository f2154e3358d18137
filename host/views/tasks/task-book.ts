// The tasks that one batch changes: read once, changed in memory, written once with their lists and sums.
// Keeps: a task's documents, lists and sums change together, in the batch of the block that changed the task.

import * as abi from '../../../assembly/abi.ts';
import type { TaskImage } from '../../core/task-image.ts';
import type { Identities } from '../../execution/identity.ts';
import type { TaskStateDoc, TaskTextDoc } from '../../store/task-documents.ts';
import { taskKey, taskState, taskText } from '../../store/task-rows.ts';
import type { WriteSet } from '../../store/write-set.ts';
import { fromHex, toHex } from '../../wire/bytes.ts';
import { type Figures, figuresOf } from './figures.ts';
import { coreDoc } from './task-core.ts';
import type { TaskIndex } from './task-index.ts';
import { type ListTerms, termsOfTask } from './task-lists.ts';

/** A task being changed. `text` is fixed; `state` is written at the end of the batch. */
interface OpenTask {
  id: Uint8Array;
  text: TaskTextDoc;
  state: TaskStateDoc;
}

/** The writing side of the task index. */
export type TaskIndexWriter = Pick<TaskIndex, 'add' | 'category' | 'move' | 'count' | 'flush'>;

/** A task with the terms and figures under which it is listed and counted so far. */
interface LoadedTask extends OpenTask {
  terms: ListTerms | undefined;
  figures: Figures | undefined;
}

export class TaskBook {
  readonly #loaded = new Map<string, LoadedTask>();

  constructor(
    private readonly set: WriteSet,
    private readonly index: TaskIndexWriter,
    private readonly ids: Identities,
  ) {}

  #terms({ text, state }: OpenTask): ListTerms | undefined {
    return termsOfTask(state, this.index.category(text.category));
  }

  /** A task by its hex id. Throws when it has no documents. */
  open(task: string): OpenTask {
    const known = this.#loaded.get(task);
    if (known) return known;
    const id = fromHex(task)!;
    const text = taskText(this.set, id);
    const state = taskState(this.set, id);
    if (!text || !state) throw new Error(`task ${task} has no documents`);
    const loaded: LoadedTask = { id, text, state, terms: undefined, figures: figuresOf(state) };
    loaded.terms = this.#terms(loaded);
    this.#loaded.set(task, loaded);
    return loaded;
  }

  /** Creates a task. `budget`: for the sums; `parent`: hex id of the parent of a subtask. */
  create(task: string, text: Omit<TaskTextDoc, 'number'>, budget: number, parent: string | undefined): void {
    const id = fromHex(task)!;
    const number = this.index.add(this.set, id, text.category, budget, parent !== undefined);
    const full: TaskTextDoc = { number, ...text };
    const state: TaskStateDoc = { paid: 0, subtasks: [], commits: 0 };
    this.set.putJson(taskKey('text', id), full);
    this.#loaded.set(task, { id, text: full, state, terms: undefined, figures: undefined });
    if (parent !== undefined) this.open(parent).state.subtasks.push(task);
  }

  /** Takes over the core's image of a task at the end of a block. */
  image(image: TaskImage): OpenTask {
    const task = this.open(toHex(image.id));
    const { state } = task;
    state.core = coreDoc(image, this.ids);
    state.poster = image.poster;
    if (image.claimer === undefined) delete state.claimer;
    else state.claimer = image.claimer;
    if (state.core.reserved_until === undefined) delete state.hired;
    else state.hired = image.routedTo!;
    state.paid = image.payout === abi.PAYOUT_PAID ? image.net : 0;
    return task;
  }

  /** Writes all changes. */
  flush(): void {
    if (this.#loaded.size === 0) return;
    for (const task of this.#loaded.values()) {
      const terms = this.#terms(task);
      const figures = figuresOf(task.state);
      if (!terms || !figures) throw new Error(`the core sent no image of task ${toHex(task.id)}`);
      this.set.putJson(taskKey('state', task.id), task.state);
      this.index.move(task.text.number, task.terms, terms);
      this.index.count(task.figures, figures);
    }
    this.index.flush(this.set);
    this.#loaded.clear();
  }
}
