// Writes for fuzzing, generated from the catalogue of operations: the example, a body within the table's limits, or
// such a body with one member corrupted. A new operation or field is covered without a change here.

import fc from 'fast-check';
import type { Field, FieldTable, StrField } from '../../host/wire/fields.ts';
import { OPERATIONS, type Operation, type OperationName } from '../../host/wire/operations.ts';

export interface ShapedWrite {
  body: Record<string, unknown>;
  /** Draws among those who may act, or all agents. */
  who: number;
  /** Draws the thing that the path names. */
  target: number;
  /** Whether somebody acts who may, on something that is in a fitting state. */
  fits: boolean;
}

type Body = fc.Arbitrary<Record<string, unknown>>;

/** Fields that name something the network made. */
const NAMES: Readonly<Record<string, string>> = {
  to_agent: '{agent_id}',
  beneficiary: '{agent_id}',
  reserved_for: '{agent_id}',
  event_id: '{event_id}',
  parent_commit_id: '{event_id}',
  task_id: '{task_id}',
  target_id: '{validator_id}',
  job_id: '{job_id}',
};
const FORMS: Readonly<Record<NonNullable<StrField['form']>, fc.Arbitrary<string>>> = {
  agent: fc.stringMatching(/^[a-z][a-z0-9._:/-]{0,20}$/),
  hex64: fc.stringMatching(/^[0-9a-f]{64}$/),
  base64: fc.uint8Array({ minLength: 32, maxLength: 32 }).map((key) => Buffer.from(key).toString('base64')),
  url: fc.webUrl({ size: 'small' }),
  'http-url': fc.webUrl({ size: 'small' }),
};

function text(min: number, most: number): fc.Arbitrary<string> {
  const short = fc.string({ unit: 'grapheme-composite', minLength: min, maxLength: Math.max(min, 12) });
  const fitting = short.filter((value) => Buffer.byteLength(value) <= most);
  return fc.oneof({ weight: 8, arbitrary: fitting }, fc.constant('x'.repeat(most)));
}

function fieldValue(name: string, field: Field): fc.Arbitrary<unknown> {
  switch (field.kind) {
    case 'int': {
      const min = field.min ?? 0;
      const most = field.max ?? Number.MAX_SAFE_INTEGER;
      const usual = fc.integer({ min, max: Math.min(most, min + 5_000_000) });
      return fc.oneof({ weight: 8, arbitrary: usual }, fc.constantFrom(min, most));
    }
    case 'bool':
      return fc.boolean();
    case 'enum':
      return fc.constantFrom(...field.values);
    case 'strs': {
      const item = field.values ? fc.constantFrom(...field.values) : text(1, field.maxBytes);
      return fc.array(item, { maxLength: Math.min(field.maxItems, 4) });
    }
    case 'json':
      return fc.dictionary(fc.constantFrom('a', 'b'), fc.integer(), { maxKeys: 2 });
    case 'map': {
      const size = { maxKeys: Math.min(field.maxEntries, 4) };
      return fc.dictionary(text(0, field.maxKeyBytes), text(0, field.maxBytes), size);
    }
    case 'object':
      return shaped(field.fields);
    case 'objects': {
      const size = { minLength: field.minItems, maxLength: Math.min(field.maxItems, 4) };
      return fc.array(shaped(field.fields), size);
    }
    case 'str':
      if (NAMES[name])
        return fc.oneof({ weight: 8, arbitrary: fc.constant(NAMES[name]) }, text(1, field.max));
      return field.form ? FORMS[field.form] : text(field.min ?? 0, field.max);
  }
}

/** A body within the limits of a table. */
function shaped(fields: FieldTable): Body {
  const model = Object.entries(fields).map(([name, field]) => [name, fieldValue(name, field)]);
  const requiredKeys = Object.entries(fields).flatMap(([name, field]) => (field.required ? [name] : []));
  return fc.record(Object.fromEntries(model), { requiredKeys });
}

/** Such a body with one member left out, of another kind, beyond its limit, or unknown. */
function spoilt(operation: Operation): Body {
  const names = [...Object.keys(operation.fields), ...operation.actors, 'unknown', '__proto__'];
  const values = fc.oneof(
    fc.jsonValue({ maxDepth: 3 }),
    fc.constantFrom<unknown>(undefined, null, -1, 0.5, 2 ** 53, 'x'.repeat(20_000), '\u0000', '\ud800', []),
  );
  return fc
    .tuple(shaped(operation.fields), fc.constantFrom(...names), values)
    .map(([body, name, value]) => Object.fromEntries([...Object.entries(body), [name, value]]));
}

/** Writes of an operation. */
export function shapedWrites(name: OperationName): fc.Arbitrary<ShapedWrite> {
  const operation: Operation = OPERATIONS[name];
  return fc.record({
    body: fc.oneof(
      fc.constant(operation.example),
      { weight: 2, arbitrary: shaped(operation.fields) },
      spoilt(operation),
    ),
    who: fc.nat(1000),
    target: fc.nat(1000),
    fits: fc.integer({ min: 0, max: 5 }).map((n) => n > 0),
  });
}
