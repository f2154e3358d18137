// What translation may know of tasks: texts and commits of earlier blocks, which never change.
// Keeps: an entry means the same whenever its block runs, also in a replay over documents of later blocks: what a
// vertex beyond the core's present order brought counts as unknown.

import type { State } from '../core/state.ts';
import type { EventDoc } from '../store/documents.ts';
import { keyOf } from '../store/prefixes.ts';
import type { Store } from '../store/store.ts';
import type { TaskTextDoc } from '../store/task-documents.ts';
import { readJson } from '../store/write-set.ts';
import { toHex } from '../wire/bytes.ts';

export class TaskFacts {
  #source: Pick<Store, 'get'>;

  constructor(
    private readonly state: State,
    store: Pick<Store, 'get'>,
  ) {
    this.#source = store;
  }

  /** Where documents are read from now on: the write set of the group that is being executed. */
  readFrom(source: Pick<Store, 'get'>): void {
    this.#source = source;
  }

  /** The unchanging part of a task; undefined while no executed block has brought it. */
  text(task: Uint8Array): TaskTextDoc | undefined {
    const doc = readJson<TaskTextDoc>(this.#source.get(keyOf('x', task)));
    return doc && doc.order <= this.state.header().order ? doc : undefined;
  }

  /** Whether an event is a trajectory commit of a task. */
  isCommit(task: Uint8Array, event: Uint8Array): boolean {
    const doc = readJson<EventDoc>(this.#source.get(keyOf('e', event)));
    if (doc?.event_type !== 'trajectory_commit' || doc.order > this.state.header().order) return false;
    return doc.task_id === toHex(task);
  }
}
