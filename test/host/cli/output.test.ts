import { describe, expect, it } from 'vitest';
import type { ObjectFields } from '../../../host/api/object-types.ts';
import { OBJECTS } from '../../../host/api/objects.ts';
import { labelOf, printJson, printObject, printTable, UNITS } from '../../../host/cli/output.ts';
import { FakeIo } from './harness.ts';

describe('output', () => {
  it('prints one labelled line for each member, with units', () => {
    const io = new FakeIo();
    printObject(io, {
      event_id: 'ab',
      amount: 2_500_000,
      deadline: 1_800_000_000,
      reputation_score: 4608,
      dag_size: 3,
      memo: undefined,
      tips: [],
      assigned_to: ['v1', 'v2'],
      votes: { approve_weight: 5 },
      no_auth: false,
    });
    expect(io.outLines).toEqual([
      'Event ID: ab',
      'Amount: 2500000 (2.5t)',
      'Deadline: 2027-01-15T08:00:00Z',
      'Reputation score: 4608 of 10000',
      'DAG size: 3',
      'Tips: -',
      'Assigned to: v1, v2',
      'Votes approve weight: 5',
      'No auth: false',
    ]);
  });

  it('gives the numbers of a map the unit of its name, and those of an object in it none', () => {
    const io = new FakeIo();
    printObject(io, {
      reserves: { dispute: 1, replay: { code: 50_000_000 } },
      canary: { code: { signals: 3 } },
      suspended_categories: { code: 1_800_000_000 },
      subtask_ids: [],
    });
    expect(io.outLines).toEqual([
      'Reserves dispute: 1 (0.000001t)',
      'Reserves replay code: 50000000 (50t)',
      'Canary code signals: 3',
      'Suspended categories code: 2027-01-15T08:00:00Z',
      'Subtask IDs: -',
    ]);
  });

  it('knows the unit of every member that has one', () => {
    const named = { u: 'amount', ts: 'time', bp: 'bp' } as const;
    for (const [object, fields] of Object.entries<ObjectFields>(OBJECTS)) {
      for (const [name, [type]] of Object.entries(fields)) {
        const unit = named[(/^map<(.+)>$/.exec(type)?.[1] ?? type) as keyof typeof named];
        if (unit !== undefined) expect([object, name, UNITS[name]]).toEqual([object, name, unit]);
      }
    }
  });

  it('prints the members of each object of a list, with their units', () => {
    const io = new FakeIo();
    const voter = { validator_id: 'v1', verified_value: 80_000_000, timestamp: 1_800_000_000 };
    printObject(io, { voters: [voter, { validator_id: 'v2' }], tags: ['a', 'b'], rest: [] });
    expect(io.outLines).toEqual([
      'Voters 1 validator ID: v1',
      'Voters 1 verified value: 80000000 (80t)',
      'Voters 1 timestamp: 2027-01-15T08:00:00Z',
      'Voters 2 validator ID: v2',
      'Tags: a, b',
      'Rest: -',
    ]);
  });

  it('shows what no honest node sends without an error, and nothing that steers a terminal', () => {
    const io = new FakeIo();
    printObject(io, {
      amount: 1.5,
      deadline: 1e18,
      balance: 2 ** 60,
      'a\u001b[2J': 1,
      list: [{ a: 1 }, 'x\u009b1m'],
    });
    expect(io.outLines).toEqual([
      'Amount: 1.5',
      'Deadline: 1000000000000000000',
      'Balance: 1152921504606847000',
      'A\ufffd[2J: 1',
      'List: {"a":1}, x\ufffd1m',
    ]);
  });

  it('aligns tables and prints only the heads of empty ones', () => {
    const io = new FakeIo();
    printTable(
      io,
      ['Event ID', 'Type'],
      [
        ['a', 'transfer'],
        ['abcdefghijk', '-'],
      ],
    );
    expect(io.outLines).toEqual(['Event ID     Type', 'a            transfer', 'abcdefghijk  -']);
    const empty = new FakeIo();
    printTable(empty, ['Event ID', 'Type'], []);
    expect(empty.outLines).toEqual(['Event ID  Type']);
  });

  it('prints JSON as the server sent it', () => {
    const io = new FakeIo();
    printJson(io, { a: [1, null], b: 'x' });
    expect(JSON.parse(io.stdout)).toEqual({ a: [1, null], b: 'x' });
  });

  it('prints JSON of the same value that steers no terminal', () => {
    const io = new FakeIo();
    const value = { 'k\u009b': 'a\u009b2J\u202eb\u{e0041}\u2028👩\u200d🔧\u001b[m' };
    printJson(io, value);
    expect(JSON.parse(io.stdout)).toEqual(value);
    expect(io.stdout.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\p{Cf}\p{Zl}]/u);
    expect(io.stdout).toContain('👩');
  });

  it('knows abbreviations', () => {
    expect(labelOf('agent_id')).toBe('Agent ID');
    expect(labelOf('ocs_pending')).toBe('OCS pending');
  });
});
