// Parameters of a check: one JSON object with known members.
// Keeps: what is missing, unknown or of another kind is a fault of the contract, and said as such; readers answer
// something harmless then, and the check ends with badParameters().

import { newDecimal, READ, readDecimal } from './decimal';
import { Bytes, parametersOf } from './input';
import { ARRAY, FALSE, Json, NUMBER, OBJECT, STRING, TRUE } from './json';
import { quote, rejectParameters, say } from './report';

/** The parameters as JSON; a fault is noted unless they are one object. */
export function readParameters(input: usize): Json {
  const bytes = parametersOf(input);
  const json = new Json(bytes.at, bytes.length);
  if (json.fault.length > 0) rejectParameters(json.fault);
  else if (json.kind(0) != OBJECT) rejectParameters('no object');
  return json;
}

/** Notes a fault of one member. */
export function reject(name: string, why: string): void {
  rejectParameters(name);
  say(' ');
  say(why);
}

/** Notes members of an object that are not among the names, which are separated by single spaces. */
export function allowOnly(json: Json, object: u32, names: string): void {
  let node = object + 1;
  for (let n = json.size(object); n > 0; n--) {
    if (!isListed(json, node, names)) {
      rejectParameters('unknown member ');
      quote(json.text(node), json.bytes(node));
      return;
    }
    node = json.next(node + 1);
  }
}

// A text of the source has two bytes for each character: four of them at once.
const ONES: u64 = ((<u64>0x00010001) << 32) | 0x00010001;

/** The next space at or behind an address, or the end. */
function spaceFrom(at: usize, end: usize): usize {
  for (; at + 8 <= end; at += 8) {
    const x = load<u64>(at) ^ (ONES * 32);
    const found = (x - ONES) & ~x & (ONES << 15);
    if (found != 0) return at + <usize>((ctz(found) >> 4) << 1);
  }
  while (at < end && load<u16>(at) != 32) at += 2;
  return at;
}

function isListed(json: Json, node: u32, names: string): bool {
  const text = json.text(node);
  const bytes = json.bytes(node);
  const from = changetype<usize>(names);
  const end = from + ((<usize>names.length) << 1);
  for (let at = from; at < end; ) {
    const to = spaceFrom(at, end);
    if (<u32>(to - at) == bytes << 1) {
      let i: u32 = 0;
      while (i < bytes && load<u16>(at + (i << 1)) == load<u8>(text + i)) i++;
      if (i == bytes) return true;
    }
    at = to + 2;
  }
  return false;
}

/** A member of that kind; 0 if there is none. */
function memberOf(json: Json, object: u32, name: string, kind: u32, why: string): u32 {
  const node = json.member(object, name);
  if (node == 0 || json.kind(node) == kind) return node;
  reject(name, why);
  return 0;
}

export function textOf(json: Json, object: u32, name: string): u32 {
  return memberOf(json, object, name, STRING, 'is no text');
}

export function arrayOf(json: Json, object: u32, name: string): u32 {
  return memberOf(json, object, name, ARRAY, 'is no array');
}

/** An array of texts; 0 if there is none. */
export function textsOf(json: Json, object: u32, name: string): u32 {
  const array = arrayOf(json, object, name);
  if (array == 0) return 0;
  let node = array + 1;
  for (let n = json.size(array); n > 0; n--, node = json.next(node)) {
    if (json.kind(node) != STRING) reject(name, 'has an element that is no text');
  }
  return array;
}

export function flagOf(json: Json, object: u32, name: string): bool {
  const node = json.member(object, name);
  if (node == 0 || json.kind(node) == FALSE) return false;
  if (json.kind(node) != TRUE) reject(name, 'is neither true nor false');
  return true;
}

/** A count below 2^31; `otherwise` if there is none. */
export function countOf(json: Json, object: u32, name: string, otherwise: u32): u32 {
  const node = memberOf(json, object, name, NUMBER, 'is no number');
  if (node == 0) return otherwise;
  let value: u32 = 0;
  const text = json.text(node);
  const bytes = json.bytes(node);
  for (let i: u32 = 0; i < bytes; i++) {
    const digit = <u32>load<u8>(text + i) - 48;
    if (digit > 9 || bytes > 9) {
      reject(name, 'is no count');
      return otherwise;
    }
    value = 10 * value + digit;
  }
  return value;
}

/** An exact number, given as a number or a text; 0 if there is none. */
export function decimalOf(json: Json, object: u32, name: string): usize {
  const node = json.member(object, name);
  if (node == 0) return 0;
  const value = newDecimal();
  const kind = json.kind(node);
  const isGood = kind == NUMBER || kind == STRING;
  if (!isGood || readDecimal(json.text(node), json.bytes(node), value) != READ) reject(name, 'is no number');
  return value;
}

/** How far apart two numbers may be: not below zero; zero if it is not stated. */
export function toleranceOf(json: Json, object: u32): usize {
  const stated = decimalOf(json, object, 'tolerance');
  if (stated == 0) return newDecimal();
  if (load<u32>(stated)) reject('tolerance', 'is below zero');
  return stated;
}

function nibble(code: u32): u32 {
  return code - 48 < 10 ? code - 48 : code - 97 < 6 ? code - 87 : 16;
}

/** Bytes of a member in lower-case hex, of that many bytes unless it is -1; none if there is no such member. */
export function hexOf(json: Json, object: u32, name: string, expected: i32): Bytes {
  const node = textOf(json, object, name);
  if (node == 0) return new Bytes(0, 0);
  const bytes = json.bytes(node) >> 1;
  const to = heap.alloc(<usize>bytes);
  let isGood = (json.bytes(node) & 1) == 0 && (expected < 0 || bytes == <u32>expected);
  for (let i: u32 = 0; i < bytes; i++) {
    const high = nibble(load<u8>(json.text(node) + 2 * i));
    const low = nibble(load<u8>(json.text(node) + 2 * i + 1));
    isGood = isGood && (high | low) < 16;
    store<u8>(to + i, <u8>((high << 4) | low));
  }
  if (!isGood) reject(name, 'is not the hex it must be');
  return new Bytes(to, bytes);
}
