// The check `contains`: texts that must or must not occur in the delivery.
//   all   texts that must all occur        any   texts of which one must
//   none  texts of which none may          ignore_case  true: letters A to Z and a to z are alike

import { Bytes, deliveryOf } from './lib/input';
import { Json } from './lib/json';
import { allowOnly, flagOf, readParameters, reject, textsOf } from './lib/parameters';
import { areParametersBad, badParameters, fail, pass, quote, rejectParameters, say } from './lib/report';

export { vws_input } from './lib/input';

function lower(at: usize, bytes: u32): void {
  for (const end = at + bytes; at < end; at++) {
    const b = load<u8>(at);
    if (b >= 65 && b <= 90) store<u8>(at, b + 32);
  }
}

/** Knuth, Morris, Pratt: each byte of the text is read once. */
function occurs(text: Bytes, word: usize, bytes: u32): bool {
  const back = heap.alloc(4 * <usize>bytes);
  store<u32>(back, 0);
  let matched: u32 = 0;
  for (let i: u32 = 1; i < bytes; i++) {
    while (matched > 0 && load<u8>(word + i) != load<u8>(word + matched))
      matched = load<u32>(back + 4 * (matched - 1));
    if (load<u8>(word + i) == load<u8>(word + matched)) matched++;
    store<u32>(back + 4 * i, matched);
  }
  matched = 0;
  const end = text.at + text.length;
  for (let at = text.at; at < end; at++) {
    const b = load<u8>(at);
    while (matched > 0 && b != load<u8>(word + matched)) matched = load<u32>(back + 4 * (matched - 1));
    if (b == load<u8>(word + matched)) matched++;
    if (matched == bytes) return true;
  }
  return false;
}

/** Texts of an array, none of them empty; lower case if that is asked. */
function prepared(json: Json, name: string, isLower: bool): u32 {
  const array = textsOf(json, 0, name);
  if (array == 0 || areParametersBad) return 0;
  if (json.size(array) == 0) reject(name, 'is empty');
  let node = array + 1;
  for (let n = json.size(array); n > 0; n--, node = json.next(node)) {
    if (json.bytes(node) == 0) reject(name, 'has an empty text');
    if (isLower) lower(json.text(node), json.bytes(node));
  }
  return array;
}

/** The first text that occurs, or that does not; 0 if there is none. */
function first(json: Json, array: u32, delivery: Bytes, isThere: bool): u32 {
  let node = array + 1;
  for (let n = array == 0 ? 0 : json.size(array); n > 0; n--, node = json.next(node)) {
    if (occurs(delivery, json.text(node), json.bytes(node)) == isThere) return node;
  }
  return 0;
}

export function vws_run(input: usize, _length: u32): u64 {
  const json = readParameters(input);
  if (areParametersBad) return badParameters();
  allowOnly(json, 0, 'all any none ignore_case');
  const isLower = flagOf(json, 0, 'ignore_case');
  const all = prepared(json, 'all', isLower);
  const any = prepared(json, 'any', isLower);
  const none = prepared(json, 'none', isLower);
  if ((all | any | none) == 0) rejectParameters('nothing is asked');
  if (areParametersBad) return badParameters();

  const delivery = deliveryOf(input);
  if (isLower) lower(delivery.at, delivery.length);
  const missing = first(json, all, delivery, false);
  const unwanted = first(json, none, delivery, true);
  if (missing != 0) {
    say('does not contain ');
    quote(json.text(missing), json.bytes(missing));
  } else if (unwanted != 0) {
    say('contains ');
    quote(json.text(unwanted), json.bytes(unwanted));
  } else if (any != 0 && first(json, any, delivery, true) == 0) {
    say('contains none of the texts of which one is needed');
  } else return pass();
  return fail();
}
