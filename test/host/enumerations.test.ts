// The catalogue of enumerations (protocol 2.3) lists what the program knows, each value and no other.

import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import * as cases from '../../host/core/case-names.ts';
import * as tasks from '../../host/core/task-names.ts';
import { SEAT_WEIGHT_CHANGE, VALIDATOR_STATUS } from '../../host/core/validator-names.ts';
import { SETTLEMENT_REASONS } from '../../host/views/projection/votes.ts';
import { COMPONENT_NAMES, GATE_NAMES } from '../../host/wire/check-names.ts';
import { OPERATIONS, SCOPES } from '../../host/wire/operations.ts';

/** Values by the name of the row: what stands before the first remark behind a semicolon, without remarks in brackets. */
const ROWS = new Map(
  readFileSync('docs/protocol/catalogues.md', 'utf8')
    .split('\n')
    .filter((line) => line.startsWith('| '))
    .map((line) => line.split('|').slice(1, 3))
    .map(([name, cell]) => {
      const values = cell!
        .replace(/\([^)]*\)|`/g, '')
        .split(';')[0]!
        .split(',');
      return [name!.trim(), values.map((value) => value.trim())];
    }),
);

/** Values of a field of a request. */
function valuesOf(operation: keyof typeof OPERATIONS, field: string): readonly string[] {
  const { [field]: found } = OPERATIONS[operation].fields as Record<string, { values?: readonly string[] }>;
  return found?.values ?? [];
}

const names = (table: Readonly<Record<number, string | undefined>>): string[] =>
  Object.values(table).filter((name) => name !== undefined);

describe('the catalogue', () => {
  it.each<[string, readonly string[]]>([
    ['task.status', names(tasks.TASK_STATUS)],
    ['task.delivery_method', valuesOf('taskCreate', 'delivery_method')],
    ['assurance lane', names(tasks.LANE)],
    ['assurance lane', valuesOf('taskCreate', 'assurance_lane')],
    ['task.routing', valuesOf('taskCreate', 'routing')],
    ['task.payout_status', names(tasks.PAYOUT)],
    ['task.resolution', names(tasks.RESOLUTION)],
    ['task.replay_status', names(tasks.REPLAY)],
    ['task.generation_status', names(tasks.GENERATION)],
    ['task.no_quorum', names(tasks.NO_QUORUM)],
    ['task.no_quorum', valuesOf('taskCreate', 'no_quorum')],
    ['task.reserved_then', valuesOf('taskCreate', 'reserved_then')],
    ['task.delivered', valuesOf('taskCreate', 'delivered')],
    ['settle (of `acceptance`)', valuesOf('taskCreate', 'settle')],
    ['policy_version', valuesOf('taskCreate', 'policy_version')],
    ['ground of a verdict', names(tasks.GROUND)],
    ['ground of a verdict', valuesOf('verify', 'ground')],
    ['settlement_reason', names(SETTLEMENT_REASONS)],
    ['validator.status', names(VALIDATOR_STATUS)],
    ['change in seat_weight', names(SEAT_WEIGHT_CHANGE)],
    ['offense', names(cases.OFFENSE)],
    ['challenge.status', names(cases.CHALLENGE_STATUS)],
    ['challenge vote outcome', valuesOf('challengeVote', 'outcome')],
    ['replay job status', names(cases.JOB_STATUS)],
    ['replay job reason', names(cases.REPLAY_REASON)],
    ['replay outcome', names(cases.OUTCOME)],
    ['replay action', names(cases.ACTION)],
    ['canary type', names(cases.CANARY_TYPE)],
    ['API key scope', SCOPES],
    ['gates, in order of checking', GATE_NAMES],
    ['components', COMPONENT_NAMES],
  ])('lists each %s', (row, values) => {
    expect([...(ROWS.get(row) ?? [])].sort()).toEqual([...values].sort());
  });

  it('has the gates in their order', () => {
    expect(ROWS.get('gates, in order of checking')).toEqual(GATE_NAMES);
  });
});
