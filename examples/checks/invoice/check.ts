// Judges what was read from an invoice, field by field: the delivery is JSON, each field of the contract has a place in it.
//   fields   [{path, must, and one of
//              text: the field's text        number, tolerance: an exact number
//              hash, salt: SHA-256 of salt and text, so that the contract does not publish what it expects}]
//            must: without this field the delivery fails, however many others are right
//   pass_bp  the share of right fields that is enough, in basis points; 10,000 where it is not stated
// The score is the share of right fields, so a poster sees how much of an extraction is right.

import {
  allowOnly,
  areParametersBad,
  arrayOf,
  Bytes,
  badParameters,
  compareText,
  countOf,
  decimalOf,
  deliveryOf,
  fail,
  flagOf,
  hexOf,
  isNear,
  isPointer,
  isSalted,
  Json,
  NUMBER,
  newDecimal,
  OBJECT,
  pass,
  quote,
  READ,
  readDecimal,
  readParameters,
  reject,
  resolve,
  STRING,
  say,
  textOf,
  toleranceOf,
} from 'vws/assembly/checks/lib';

export { vws_input } from 'vws/assembly/checks/lib';

const ALL_BPS: u32 = 10_000;

/** A text of a JSON string. */
function bytesOf(json: Json, node: u32): Bytes {
  return new Bytes(json.text(node), json.bytes(node));
}

class Field {
  path: Bytes = new Bytes(0, 0);
  isNeeded: bool;
  /** Node of the expected text in the parameters; 0: it is a number or a hash. */
  text: u32;
  /** Expected number; 0: it is a text or a hash. */
  number: usize;
  tolerance: usize;
  hash: Bytes = new Bytes(0, 0);
  salt: Bytes = new Bytes(0, 0);

  constructor(parameters: Json, node: u32) {
    const path = textOf(parameters, node, 'path');
    if (path != 0) this.path = bytesOf(parameters, path);
    if (path == 0 || !isPointer(this.path)) reject('path', 'is no JSON Pointer');
    this.isNeeded = flagOf(parameters, node, 'must');
    this.text = textOf(parameters, node, 'text');
    this.number = decimalOf(parameters, node, 'number');
    this.tolerance = toleranceOf(parameters, node);
    this.hash = hexOf(parameters, node, 'hash', 32);
    this.salt = hexOf(parameters, node, 'salt', -1);
    const kinds = (this.text == 0 ? 0 : 1) + (this.number == 0 ? 0 : 1) + (this.hash.length == 0 ? 0 : 1);
    if (kinds != 1) reject('fields', 'has an element without one of text, number, hash');
  }

  isRight(parameters: Json, json: Json): bool {
    const node = resolve(json, this.path);
    if (node < 0) return false;
    const isText = json.kind(node) == STRING;
    if (this.number != 0) {
      // A number may be delivered as a text: "118.95".
      const value = newDecimal();
      const isNumber = isText || json.kind(node) == NUMBER;
      if (!isNumber || readDecimal(json.text(node), json.bytes(node), value) != READ) return false;
      return isNear(value, this.number, this.tolerance);
    }
    if (!isText) return false;
    if (this.text == 0) return isSalted(this.salt, json.text(node), json.bytes(node), this.hash);
    const expected = bytesOf(parameters, this.text);
    return compareText(json.text(node), json.bytes(node), expected.at, expected.length) == 0;
  }
}

function readFields(parameters: Json): Field[] {
  const fields: Field[] = [];
  const list = arrayOf(parameters, 0, 'fields');
  if (list == 0 || parameters.size(list) == 0) {
    reject('fields', 'is missing');
    return fields;
  }
  let node = list + 1;
  for (let n = parameters.size(list); n > 0 && !areParametersBad; n--, node = parameters.next(node)) {
    if (parameters.kind(node) != OBJECT) {
      reject('fields', 'has an element that is no object');
      break;
    }
    allowOnly(parameters, node, 'path must text number tolerance hash salt');
    fields.push(new Field(parameters, node));
  }
  return fields;
}

export function vws_run(input: usize, _length: u32): u64 {
  const parameters = readParameters(input);
  if (areParametersBad) return badParameters();
  allowOnly(parameters, 0, 'fields pass_bp');
  const fields = readFields(parameters);
  const least = countOf(parameters, 0, 'pass_bp', ALL_BPS);
  if (least > ALL_BPS) reject('pass_bp', 'is above 10000');
  if (areParametersBad) return badParameters();

  const delivery = deliveryOf(input);
  const json = new Json(delivery.at, delivery.length);
  if (json.fault.length > 0) {
    say('no JSON: ');
    say(json.fault);
    return fail();
  }
  let right: u32 = 0;
  let isGood = true;
  for (let i = 0; i < fields.length; i++) {
    const field = fields[i];
    if (field.isRight(parameters, json)) {
      right++;
      continue;
    }
    say(right == <u32>i ? 'wrong: ' : ', ');
    quote(field.path.at, field.path.length);
    if (field.isNeeded) isGood = false;
  }
  const score = (ALL_BPS * right) / <u32>fields.length;
  return isGood && score >= least ? pass(score) : fail(score);
}
