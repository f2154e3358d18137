// Interprets the table of objects: JSON Schema for the API description, and a check of real answers for tests.

import { type ObjectFields, SCALARS } from './object-types.ts';
import { OBJECTS, type ObjectName } from './objects.ts';

type Schema = Record<string, unknown>;

const isScalar = (type: string): type is keyof typeof SCALARS => Object.hasOwn(SCALARS, type);
export const isObjectName = (name: string): name is ObjectName => Object.hasOwn(OBJECTS, name);
const mapOf = (type: string): string | undefined => /^map<(.+)>$/.exec(type)?.[1];
const listOf = (type: string): string | undefined => (type.endsWith('[]') ? type.slice(0, -2) : undefined);

/** Schema of a type name: scalar, object (by reference), `X[]` or `map<X>`. */
export function typeSchema(type: string): Schema {
  const item = listOf(type);
  if (item !== undefined) return { type: 'array', items: typeSchema(item) };
  const value = mapOf(type);
  if (value !== undefined) return { type: 'object', additionalProperties: typeSchema(value) };
  if (isScalar(type)) return { ...SCALARS[type] };
  if (isObjectName(type)) return { $ref: `#/components/schemas/${type}` };
  throw new Error(`unknown type ${type} in the table of objects`);
}

/** JSON Schema (2020-12, as used by OpenAPI 3.1) of one object. */
export function schemaOf(name: ObjectName): Schema {
  const fields: ObjectFields = OBJECTS[name];
  const properties: Record<string, Schema> = {};
  const required: string[] = [];
  for (const [field, [type, presence, doc]] of Object.entries(fields)) {
    const schema = typeSchema(type);
    const unit = typeof schema.description === 'string' ? ` (${schema.description})` : '';
    properties[field] = { ...schema, description: `${doc}${unit}` };
    if (presence === 'A') required.push(field);
  }
  return { type: 'object', properties, required };
}

function checkScalar(type: keyof typeof SCALARS, value: unknown): string | undefined {
  const rule: { type?: string; minimum?: number; maximum?: number; pattern?: string } = SCALARS[type];
  if (value === null) return 'is null';
  if (rule.type === undefined) return undefined;
  if (rule.type === 'object') {
    return typeof value === 'object' && !Array.isArray(value) ? undefined : 'is not an object';
  }
  const wanted = rule.type === 'integer' ? 'number' : rule.type;
  const found = typeof value;
  if (found !== wanted) return `is ${found}, not ${rule.type}`;
  if (rule.type === 'integer' && !Number.isSafeInteger(value)) return 'is not a safe integer';
  if (rule.minimum !== undefined && (value as number) < rule.minimum) return `is below ${rule.minimum}`;
  if (rule.maximum !== undefined && (value as number) > rule.maximum) return `is above ${rule.maximum}`;
  if (rule.pattern && !new RegExp(rule.pattern).test(value as string))
    return `does not match ${rule.pattern}`;
  return undefined;
}

function check(type: string, value: unknown, at: string, problems: string[]): void {
  const item = listOf(type);
  const entry = mapOf(type);
  if (item !== undefined) {
    if (!Array.isArray(value)) problems.push(`${at} is not a list`);
    else for (const [i, one] of value.entries()) check(item, one, `${at}[${i}]`, problems);
  } else if (entry !== undefined || isObjectName(type)) {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) {
      problems.push(`${at} is not an object`);
    } else if (entry !== undefined) {
      for (const [name, one] of Object.entries(value)) check(entry, one, `${at}.${name}`, problems);
    } else checkFields(type as ObjectName, value as Record<string, unknown>, at, problems);
  } else {
    const problem = checkScalar(type as keyof typeof SCALARS, value);
    if (problem) problems.push(`${at} ${problem}`);
  }
}

function checkFields(name: ObjectName, value: Record<string, unknown>, at: string, problems: string[]): void {
  const fields: ObjectFields = OBJECTS[name];
  for (const [field, [type, presence]] of Object.entries(fields)) {
    if (value[field] !== undefined) check(type, value[field], `${at}.${field}`, problems);
    else if (presence === 'A') problems.push(`${at}.${field} is missing`);
  }
  for (const field of Object.keys(value)) {
    if (!Object.hasOwn(fields, field)) problems.push(`${at}.${field} is not in the table`);
  }
}

/** The problems of an answer of a type, e.g. `Agent` or `AgentRow[]`; empty if it is valid. */
export function checkObject(type: string, value: unknown): string[] {
  const problems: string[] = [];
  check(type, value, type, problems);
  return problems;
}
