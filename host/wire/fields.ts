// Field tables: what a request body may contain, defined once for checking, typing and documentation.
// Keeps: a value is accepted by every node and browser or by none. The checks are part of consensus: a request that
// fails them is invalid for everyone.
// JSON null counts as absent, string limits count UTF-8 bytes. A member that is not in the table is refused: whatever a
// request holds is kept for ever by every node (protocol 1.2).

import { invalid } from '../errors.ts';
import { isRecord, jcs } from './json.ts';

interface Common {
  required?: boolean;
  doc?: string;
}
interface IntField extends Common {
  kind: 'int';
  min?: number;
  max?: number;
}
export interface StrField extends Common {
  kind: 'str';
  /** Bytes of UTF-8. An empty string where min > 0 is refused. */
  min?: number;
  max: number;
  /**
   * 'agent': names an agent; an empty string is absent (protocol 1.3). 'hex64': 64 hex characters.
   * 'url': http, https or ipfs; an empty string is absent.
   */
  form?: 'agent' | 'hex64' | 'base64' | 'url' | 'http-url';
}
interface BoolField extends Common {
  kind: 'bool';
}
/** An empty string is absent. */
interface EnumField extends Common {
  kind: 'enum';
  values: readonly string[];
}
interface StrListField extends Common {
  kind: 'strs';
  maxItems: number;
  maxBytes: number;
  values?: readonly string[];
}
/** An object with arbitrary member names and string values. */
interface MapField extends Common {
  kind: 'map';
  maxEntries: number;
  maxKeyBytes: number;
  maxBytes: number;
}
/** Any JSON object of at most so many bytes in canonical form. */
interface JsonField extends Common {
  kind: 'json';
  maxBytes: number;
}
/** An object with a fixed table of members. */
interface ObjectField extends Common {
  kind: 'object';
  fields: Readonly<Record<string, Exclude<Field, ObjectField | ObjectListField>>>;
}
/** A list of objects with a fixed table of members. */
interface ObjectListField extends Common {
  kind: 'objects';
  fields: ObjectField['fields'];
  minItems: number;
  maxItems: number;
}
export type Field =
  | IntField
  | StrField
  | BoolField
  | EnumField
  | StrListField
  | MapField
  | JsonField
  | ObjectField
  | ObjectListField;
export type FieldTable = Readonly<Record<string, Field>>;

type ValueOf<F extends Field> = F extends IntField
  ? number
  : F extends BoolField
    ? boolean
    : F extends StrListField
      ? string[]
      : F extends MapField
        ? Record<string, string>
        : F extends JsonField
          ? Record<string, unknown>
          : F extends ObjectField
            ? Values<F['fields']>
            : F extends ObjectListField
              ? Values<F['fields']>[]
              : F extends EnumField
                ? F['values'][number]
                : string;
export type Values<T extends FieldTable> = {
  [K in keyof T as T[K]['required'] extends true ? K : never]: ValueOf<T[K]>;
} & {
  [K in keyof T as T[K]['required'] extends true ? never : K]?: ValueOf<T[K]>;
};

const encoder = new TextEncoder();

/** Length in UTF-8 bytes; the common ASCII case does not encode. */
export function utf8Length(text: string): number {
  for (let i = 0; i < text.length; i++) if (text.charCodeAt(i) > 0x7f) return encoder.encode(text).length;
  return text.length;
}

// This grammar, and not the platform's URL parser, decides, so that every node and browser agrees.
const URLS = {
  url: /^(?:https?|ipfs):\/\/[^\s/?#\\][^\s\\]*$/i,
  'http-url': /^https?:\/\/[^\s/?#\\][^\s\\]*$/i,
} as const;
const EMPTY_IS_ABSENT = new Set<StrField['form']>(['agent', 'url', 'http-url']);

function readString(name: string, field: StrField, value: unknown): string | undefined {
  if (typeof value !== 'string') throw invalid(`${name} must be a string`);
  if (value === '' && EMPTY_IS_ABSENT.has(field.form)) return undefined;
  const bytes = utf8Length(value);
  if (bytes < (field.min ?? 0)) throw invalid(`${name} must have at least ${field.min} bytes`);
  if (bytes > field.max) throw invalid(`${name} must have at most ${field.max} bytes`);
  if (field.form === 'hex64' && !/^[0-9a-fA-F]{64}$/.test(value)) {
    throw invalid(`${name} must be 64 hex characters`);
  }
  if ((field.form === 'url' || field.form === 'http-url') && !URLS[field.form].test(value)) {
    throw invalid(`${name} must be an ${field.form === 'url' ? 'http, https or ipfs' : 'http or https'} URL`);
  }
  return value;
}

function readMap(name: string, field: MapField, value: unknown): Record<string, string> {
  if (!isRecord(value)) throw invalid(`${name} must be an object of strings`);
  const entries = Object.entries(value);
  if (entries.length > field.maxEntries)
    throw invalid(`${name} must have at most ${field.maxEntries} entries`);
  for (const [key, text] of entries) {
    if (typeof text !== 'string') throw invalid(`${name} must be an object of strings`);
    if (utf8Length(key) > field.maxKeyBytes || utf8Length(text) > field.maxBytes) {
      throw invalid(`an entry of ${name} is too long`);
    }
  }
  return value as Record<string, string>;
}

function readJsonObject(name: string, field: JsonField, value: unknown): Record<string, unknown> {
  if (!isRecord(value)) throw invalid(`${name} must be an object`);
  if (utf8Length(jcs(value)) > field.maxBytes)
    throw invalid(`${name} must have at most ${field.maxBytes} bytes`);
  return value;
}

function readList(name: string, field: StrListField, value: unknown): string[] {
  if (!Array.isArray(value)) throw invalid(`${name} must be an array of strings`);
  if (value.length > field.maxItems) throw invalid(`${name} must have at most ${field.maxItems} items`);
  for (const item of value) {
    if (typeof item !== 'string') throw invalid(`${name} must be an array of strings`);
    if (utf8Length(item) > field.maxBytes)
      throw invalid(`an item of ${name} has over ${field.maxBytes} bytes`);
    if (field.values && !field.values.includes(item)) throw invalid(`${name}: unknown value ${item}`);
  }
  return value as string[];
}

function readObjects(name: string, field: ObjectListField, value: unknown): unknown[] {
  const { minItems, maxItems } = field;
  if (!Array.isArray(value)) throw invalid(`${name} must be an array of objects`);
  if (value.length < minItems || value.length > maxItems) {
    throw invalid(`${name} must have ${minItems} to ${maxItems} items`);
  }
  return value.map((item) => {
    if (!isRecord(item)) throw invalid(`${name} must be an array of objects`);
    return readFields(field.fields, item);
  });
}

function readValue(name: string, field: Field, value: unknown): unknown {
  switch (field.kind) {
    case 'int': {
      if (typeof value !== 'number' || !Number.isSafeInteger(value)) {
        throw invalid(`${name} must be an integer`);
      }
      const min = field.min ?? 0;
      if (value < min) throw invalid(`${name} must be at least ${min}`);
      if (field.max !== undefined && value > field.max) throw invalid(`${name} must be at most ${field.max}`);
      return value === 0 ? 0 : value; // -0 is 0
    }
    case 'bool':
      if (typeof value !== 'boolean') throw invalid(`${name} must be true or false`);
      return value;
    case 'enum':
      if (value === '') return undefined;
      if (typeof value !== 'string' || !field.values.includes(value)) {
        throw invalid(`${name} must be one of ${field.values.join(', ')}`);
      }
      return value;
    case 'str':
      return readString(name, field, value);
    case 'strs':
      return readList(name, field, value);
    case 'map':
      return readMap(name, field, value);
    case 'json':
      return readJsonObject(name, field, value);
    case 'object':
      if (!isRecord(value)) throw invalid(`${name} must be an object`);
      return readFields(field.fields, value);
    case 'objects':
      return readObjects(name, field, value);
  }
}

const MAX_NAME_SHOWN = 64;

/**
 * Reads the table's fields from a request body, checked in table order. `tolerated`: further members that it may have, which
 * the caller reads.
 * Errors: 400 `invalid_request` that names the first unknown member, else the first wrong field. Source: protocol 1.2, 4.
 */
export function readFields<T extends FieldTable>(
  table: T,
  body: Record<string, unknown>,
  tolerated: readonly string[] = [],
): Values<T> {
  for (const name of Object.keys(body)) {
    if (Object.hasOwn(table, name) || tolerated.includes(name)) continue;
    throw invalid(`unknown member ${name.slice(0, MAX_NAME_SHOWN)}`);
  }
  const out: Record<string, unknown> = {};
  for (const name in table) {
    const field = table[name] as Field;
    const given = Object.hasOwn(body, name) ? body[name] : undefined;
    const value = given === undefined || given === null ? undefined : readValue(name, field, given);
    if (value !== undefined) out[name] = value;
    else if (field.required) throw invalid(`${name} is required`);
  }
  return out as Values<T>;
}

/** An optional member may also be null (protocol 1.2); an optional enumeration may also be an empty string. */
function nullable(schema: Record<string, unknown>): Record<string, unknown> {
  const values = schema.enum ? { enum: [...(schema.enum as string[]), '', null] } : {};
  return { ...schema, type: [schema.type, 'null'], ...values };
}

/** JSON Schema of a table, for the API description. `optional`: makes the schema of a member that may be absent. */
export function jsonSchemaOf(
  table: FieldTable,
  optional: (schema: Record<string, unknown>) => Record<string, unknown> = nullable,
): Record<string, unknown> {
  const one = (f: Field): Record<string, unknown> => {
    const doc = f.doc ? { description: f.doc } : {};
    switch (f.kind) {
      case 'int':
        return { type: 'integer', minimum: f.min ?? 0, maximum: f.max ?? Number.MAX_SAFE_INTEGER, ...doc };
      case 'bool':
        return { type: 'boolean', ...doc };
      case 'enum':
        return { type: 'string', enum: f.values, ...doc };
      case 'str':
        return { type: 'string', ...(f.min ? { minLength: f.min } : {}), maxLength: f.max, ...doc };
      case 'strs':
        return {
          type: 'array',
          maxItems: f.maxItems,
          items: { type: 'string', maxLength: f.maxBytes, ...(f.values ? { enum: f.values } : {}) },
          ...doc,
        };
      case 'map':
        return {
          type: 'object',
          maxProperties: f.maxEntries,
          additionalProperties: { type: 'string', maxLength: f.maxBytes },
          ...doc,
        };
      case 'json':
        return { type: 'object', ...doc };
      case 'object':
        return { ...jsonSchemaOf(f.fields, optional), ...doc };
      case 'objects': {
        const { minItems, maxItems } = f;
        return { type: 'array', minItems, maxItems, items: jsonSchemaOf(f.fields, optional), ...doc };
      }
    }
  };
  const member = (f: Field): Record<string, unknown> => (f.required ? one(f) : optional(one(f)));
  const properties = Object.fromEntries(Object.entries(table).map(([name, f]) => [name, member(f)]));
  const required = Object.entries(table).flatMap(([name, f]) => (f.required ? [name] : []));
  return { type: 'object', properties, ...(required.length ? { required } : {}) };
}
