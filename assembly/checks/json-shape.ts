// The check `json-shape`: the delivery is JSON of a stated shape. The parameters are a schema, a subset of JSON Schema
// 2020-12 with the same meaning:
//   type (a name or several), enum, const (scalars), minimum, maximum, minLength, maxLength (code points), properties,
//   required, additionalProperties (true or false), items, minItems, maxItems
// Keeps: any other member is a fault of the parameters, so that nothing is believed to be checked that is not.

import { compare, isInteger, newDecimal, READ, readDecimal } from './lib/decimal';
import { deliveryOf } from './lib/input';
import { ARRAY, FALSE, isSame, Json, NULL, NUMBER, OBJECT, STRING, TRUE } from './lib/json';
import {
  allowOnly,
  arrayOf,
  countOf,
  decimalOf,
  flagOf,
  readParameters,
  reject,
  textsOf,
} from './lib/parameters';
import {
  areParametersBad,
  badParameters,
  fail,
  pass,
  quote,
  rejectParameters,
  say,
  sayNumber,
} from './lib/report';
import { countChars } from './lib/utf8';

export { vws_input } from './lib/input';

const MEMBERS =
  'type enum const minimum maximum minLength maxLength properties required additionalProperties items minItems maxItems';
const NO_MOST: u32 = u32.MAX_VALUE;
/** A type that is no kind of node. */
const INTEGER: u32 = 8;
const STEP: usize = 12;

/**
 * The steps to the present value, for what is said of it: address and length of a name, index. 66 of them: JSON is read 64 lists
 * deep, and a member may be missing.
 */
const PATH: usize = memory.data(792, 4);

function stepTo(depth: u32, name: usize, bytes: u32, index: u32): void {
  const at = PATH + STEP * depth;
  store<u32>(at, <u32>name);
  store<u32>(at, bytes, 4);
  store<u32>(at, index, 8);
}

/** Says where, so many steps deep, and what; answers false. */
function wrong(depth: u32, what: string): bool {
  if (depth == 0) say('the value');
  const end = PATH + STEP * depth;
  for (let at = PATH; at < end; at += STEP) {
    say('/');
    if (load<u32>(at) != 0) quote(load<u32>(at), load<u32>(at, 4));
    else sayNumber(load<u32>(at, 8));
  }
  say(' ');
  say(what);
  return false;
}

/** A schema, read once. Members that are not there ask nothing. */
class Rule {
  /** One bit for each kind that is allowed; 0: all. */
  kinds: u32 = 0;
  /** Nodes of the schema. */
  constant: u32 = 0;
  choices: u32 = 0;
  required: u32 = 0;
  minimum: usize = 0;
  maximum: usize = 0;
  minLength: u32 = 0;
  maxLength: u32 = NO_MOST;
  minItems: u32 = 0;
  maxItems: u32 = NO_MOST;
  isClosed: bool = false;
  items: Rule | null = null;
  names: u32[] = [];
  rules: Rule[] = [];
}

// --- the schema -------------------------------------------------------------------------------------------------

/** The kind that a type's name means; 0 for an unknown one, TRUE for boolean. */
function kindOf(schema: Json, node: u32): u32 {
  if (schema.kind(node) != STRING) return 0;
  if (schema.is(node, 'null')) return NULL;
  if (schema.is(node, 'boolean')) return TRUE;
  if (schema.is(node, 'integer')) return INTEGER;
  if (schema.is(node, 'number')) return NUMBER;
  if (schema.is(node, 'string')) return STRING;
  if (schema.is(node, 'array')) return ARRAY;
  return schema.is(node, 'object') ? OBJECT : 0;
}

function kindBit(schema: Json, node: u32): u32 {
  const kind = kindOf(schema, node);
  if (kind == 0) reject('type', 'is not known');
  return kind == TRUE ? (1 << TRUE) | (1 << FALSE) : 1 << kind;
}

function kindsOf(schema: Json, node: u32): u32 {
  if (schema.kind(node) != ARRAY) return kindBit(schema, node);
  // An empty list allows none; bit 0 is of no kind.
  let kinds: u32 = 1;
  let type = node + 1;
  for (let n = schema.size(node); n > 0; n--, type = schema.next(type)) kinds |= kindBit(schema, type);
  return kinds;
}

function checkScalar(schema: Json, node: u32, name: string): void {
  const kind = schema.kind(node);
  if (kind == ARRAY || kind == OBJECT) reject(name, 'is no scalar');
}

function readRule(schema: Json, at: u32): Rule {
  const rule = new Rule();
  if (schema.kind(at) != OBJECT) {
    rejectParameters('a schema is no object');
    return rule;
  }
  allowOnly(schema, at, MEMBERS);
  const types = schema.member(at, 'type');
  if (types != 0) rule.kinds = kindsOf(schema, types);
  rule.constant = schema.member(at, 'const');
  if (rule.constant != 0) checkScalar(schema, rule.constant, 'const');
  rule.choices = arrayOf(schema, at, 'enum');
  if (rule.choices != 0) {
    let choice = rule.choices + 1;
    for (let n = schema.size(rule.choices); n > 0; n--, choice = schema.next(choice))
      checkScalar(schema, choice, 'enum');
  }
  rule.minimum = decimalOf(schema, at, 'minimum');
  rule.maximum = decimalOf(schema, at, 'maximum');
  rule.minLength = countOf(schema, at, 'minLength', 0);
  rule.maxLength = countOf(schema, at, 'maxLength', NO_MOST);
  rule.minItems = countOf(schema, at, 'minItems', 0);
  rule.maxItems = countOf(schema, at, 'maxItems', NO_MOST);
  rule.required = textsOf(schema, at, 'required');
  rule.isClosed =
    schema.member(at, 'additionalProperties') != 0 && !flagOf(schema, at, 'additionalProperties');
  const items = schema.member(at, 'items');
  if (items != 0) rule.items = readRule(schema, items);
  const properties = schema.member(at, 'properties');
  if (properties == 0) return rule;
  if (schema.kind(properties) != OBJECT) {
    reject('properties', 'is no object');
    return rule;
  }
  let property = properties + 1;
  for (let n = schema.size(properties); n > 0; n--, property = schema.next(property + 1)) {
    rule.names.push(property);
    rule.rules.push(readRule(schema, property + 1));
  }
  return rule;
}

// --- a value ----------------------------------------------------------------------------------------------------

class Shape {
  private value: usize = newDecimal();
  private other: usize = newDecimal();
  constructor(
    private schema: Json,
    private json: Json,
  ) {}

  /** True if the value, so many steps deep, fits; else why not was said. */
  fits(rule: Rule, node: u32, depth: u32): bool {
    const kind = this.json.kind(node);
    if (rule.kinds != 0 && !this.isOfType(rule.kinds, kind, node)) return wrong(depth, 'is of another type');
    if (rule.constant != 0 && !this.isEqual(rule.constant, node))
      return wrong(depth, 'is not what it must be');
    if (rule.choices != 0 && !this.isChosen(rule.choices, node))
      return wrong(depth, 'is none of the values it may be');
    if (kind == NUMBER) return this.numberFits(rule, node, depth);
    if (kind == STRING) return this.stringFits(rule, node, depth);
    if (kind == ARRAY) return this.arrayFits(rule, node, depth);
    return kind != OBJECT || this.objectFits(rule, node, depth);
  }

  private isOfType(kinds: u32, kind: u32, node: u32): bool {
    if (((kinds >> kind) & 1) != 0) return true;
    return kind == NUMBER && ((kinds >> INTEGER) & 1) != 0 && this.isInteger(node);
  }

  private isInteger(node: u32): bool {
    const value = this.value;
    return readDecimal(this.json.text(node), this.json.bytes(node), value) == READ && isInteger(value);
  }

  private isEqual(expected: u32, node: u32): bool {
    const schema = this.schema;
    const json = this.json;
    const kind = json.kind(node);
    if (kind != schema.kind(expected)) return false;
    if (kind == STRING)
      return isSame(schema.text(expected), schema.bytes(expected), json.text(node), json.bytes(node));
    if (kind != NUMBER) return true;
    if (readDecimal(schema.text(expected), schema.bytes(expected), this.other) != READ) return false;
    return (
      readDecimal(json.text(node), json.bytes(node), this.value) == READ &&
      compare(this.other, this.value) == 0
    );
  }

  private isChosen(choices: u32, node: u32): bool {
    let choice = choices + 1;
    for (let n = this.schema.size(choices); n > 0; n--, choice = this.schema.next(choice)) {
      if (this.isEqual(choice, node)) return true;
    }
    return false;
  }

  private numberFits(rule: Rule, node: u32, depth: u32): bool {
    if ((rule.minimum | rule.maximum) == 0) return true;
    const value = this.value;
    if (readDecimal(this.json.text(node), this.json.bytes(node), value) != READ)
      return wrong(depth, 'has more digits than can be compared');
    if (rule.minimum != 0 && compare(value, rule.minimum) < 0) return wrong(depth, 'is below its minimum');
    return rule.maximum == 0 || compare(value, rule.maximum) <= 0 || wrong(depth, 'is above its maximum');
  }

  private stringFits(rule: Rule, node: u32, depth: u32): bool {
    if (rule.minLength == 0 && rule.maxLength == NO_MOST) return true;
    const chars = <u32>countChars(this.json.text(node), this.json.bytes(node));
    if (chars < rule.minLength) return wrong(depth, 'is too short');
    return chars <= rule.maxLength || wrong(depth, 'is too long');
  }

  private arrayFits(rule: Rule, node: u32, depth: u32): bool {
    const size = this.json.size(node);
    if (size < rule.minItems) return wrong(depth, 'has too few elements');
    if (size > rule.maxItems) return wrong(depth, 'has too many elements');
    const items = rule.items;
    if (items === null) return true;
    let element = node + 1;
    for (let i: u32 = 0; i < size; i++, element = this.json.next(element)) {
      stepTo(depth, 0, 0, i);
      if (!this.fits(items, element, depth + 1)) return false;
    }
    return true;
  }

  /** The rule for a member; null if there is none. */
  private ruleOf(rule: Rule, text: usize, bytes: u32): Rule | null {
    const schema = this.schema;
    const names = rule.names;
    for (let i = 0; i < names.length; i++) {
      const name = unchecked(names[i]);
      if (isSame(schema.text(name), schema.bytes(name), text, bytes)) return unchecked(rule.rules[i]);
    }
    return null;
  }

  private objectFits(rule: Rule, node: u32, depth: u32): bool {
    const schema = this.schema;
    const json = this.json;
    const required = rule.required;
    let name = required + 1;
    for (let n = required == 0 ? 0 : schema.size(required); n > 0; n--, name = schema.next(name)) {
      if (json.memberAt(node, schema.text(name), schema.bytes(name)) != 0) continue;
      stepTo(depth, schema.text(name), schema.bytes(name), 0);
      return wrong(depth + 1, 'is missing');
    }
    let member = node + 1;
    for (let n = json.size(node); n > 0; n--, member = json.next(member + 1)) {
      const text = json.text(member);
      const bytes = json.bytes(member);
      const own = this.ruleOf(rule, text, bytes);
      if (own === null && !rule.isClosed) continue;
      stepTo(depth, text, bytes, 0);
      if (own === null) return wrong(depth + 1, 'is not expected');
      if (!this.fits(own, member + 1, depth + 1)) return false;
    }
    return true;
  }
}

export function vws_run(input: usize, _length: u32): u64 {
  const schema = readParameters(input);
  if (areParametersBad) return badParameters();
  const rule = readRule(schema, 0);
  if (areParametersBad) return badParameters();

  const delivery = deliveryOf(input);
  const json = new Json(delivery.at, delivery.length);
  if (json.fault.length > 0) {
    say('no JSON: ');
    say(json.fault);
    return fail();
  }
  return new Shape(schema, json).fits(rule, 0, 0) ? pass() : fail();
}
