// A step that an agent can take with a task, as the wallet shows it.

import type { ComponentChildren } from 'preact';
import type { Task } from '../../client/index.ts';
import type { Account } from './keyring.ts';

export type Step = (props: { task: Task; account: Account; onDone(): void }) => ComponentChildren;

/** Its delivery is sealed, and nobody has opened it. */
export const isClosed = (task: Pick<Task, 'key_commitment' | 'content_key'>): boolean =>
  task.key_commitment !== undefined && task.content_key === undefined;
