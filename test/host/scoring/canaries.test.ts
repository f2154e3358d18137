// Planted work: its label is right, and the score separates good from bad for every seed tried.

import { describe, expect, it } from 'vitest';
import { type CanaryGroup, canaryItem, scoreSubmission } from '../../../host/scoring/index.ts';
import { utf8 } from '../../../host/wire/bytes.ts';
import { readFields } from '../../../host/wire/fields.ts';
import { OPERATIONS } from '../../../host/wire/operations.ts';

const GROUPS: CanaryGroup[] = ['code', 'data', 'analysis', 'content'];
const SEEDS = 200;
const items = (group: CanaryGroup) =>
  Array.from({ length: SEEDS }, (_, i) => ({ seed: i, item: canaryItem(group, utf8(`seed ${i}`)) }));

describe.each(GROUPS)('canaries of %s', (group) => {
  it('score as labelled: good work passes, bad and adversarial work fails', () => {
    const wrong = items(group).flatMap(({ seed, item }) => {
      if (item.type === 'edge_case') return [];
      const { pass, reasonCodes } = scoreSubmission(
        { ...item, category: group, required_checks: [] },
        { result_content: item.result_content },
      );
      return pass === item.truth ? [] : [`${group} seed ${seed} ${item.type}: ${reasonCodes.join(' ')}`];
    });
    expect(wrong).toEqual([]);
  });

  it('come in every type, are the same for the same seed, and fit the fields of a task', () => {
    const types = items(group).map(({ item }) => item.type);
    expect(new Set(types)).toEqual(new Set(['known_good', 'known_bad', 'adversarial', 'edge_case']));
    for (const { seed, item } of items(group).slice(0, 20)) {
      expect(canaryItem(group, utf8(`seed ${seed}`))).toEqual(item);
      const { title, description, success_criteria } = item;
      const body = { title, description, success_criteria, budget: 1 };
      expect(readFields(OPERATIONS.taskCreate.fields, body)).toEqual(body);
    }
    expect(new Set(items(group).map(({ item }) => item.description)).size).toBeGreaterThan(SEEDS / 3);
  });
});
