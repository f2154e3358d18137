// Tasks for the tests of this folder.

import type { TaskContract } from '../../../host/scoring/index.ts';

export function task(over: Partial<TaskContract> = {}): TaskContract {
  return {
    title: 'Harbour traffic',
    description: '',
    category: 'general',
    success_criteria: [],
    required_checks: [],
    ...over,
  };
}
