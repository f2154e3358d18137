// The check `number`: one number of the delivery, exactly or within a tolerance, without floats.
//   path   JSON Pointer (RFC 6901) into a JSON delivery; absent: the delivery is the number, white space around it aside
//   value  the expected number, and tolerance, how far the two may be apart; or hash and salt: SHA-256 of salt and the
//          shortest decimal form of the number

import { isNear, newDecimal, READ, readDecimal, writeShortest } from './lib/decimal';
import { Bytes, deliveryOf } from './lib/input';
import { Json, NUMBER, STRING } from './lib/json';
import { allowOnly, decimalOf, hexOf, readParameters, textOf, toleranceOf } from './lib/parameters';
import { isPointer, resolve } from './lib/pointer';
import { areParametersBad, badParameters, fail, pass, quote, rejectParameters, say } from './lib/report';
import { isBlank, isSalted } from './lib/salted';

export { vws_input } from './lib/input';

const SHORTEST_BYTES: usize = 160;

/** The bytes of the number; none if the reason why there is none was said. */
function numberAt(delivery: Bytes, path: Bytes): Bytes {
  const none = new Bytes(0, 0);
  if (path.at == 0) {
    let at = delivery.at;
    let end = at + delivery.length;
    while (at < end && isBlank(load<u8>(at))) at++;
    while (end > at && isBlank(load<u8>(end - 1))) end--;
    return new Bytes(at, <u32>(end - at));
  }
  const json = new Json(delivery.at, delivery.length);
  if (json.fault.length > 0) {
    say('no JSON: ');
    say(json.fault);
    return none;
  }
  const node = resolve(json, path);
  if (node >= 0 && (json.kind(node) == NUMBER || json.kind(node) == STRING))
    return new Bytes(json.text(node), json.bytes(node));
  say(node < 0 ? 'nothing at ' : 'no number at ');
  quote(path.at, path.length);
  return none;
}

export function vws_run(input: usize, _length: u32): u64 {
  const json = readParameters(input);
  if (areParametersBad) return badParameters();
  allowOnly(json, 0, 'path value tolerance hash salt');
  const pathNode = textOf(json, 0, 'path');
  const path = pathNode == 0 ? new Bytes(0, 0) : new Bytes(json.text(pathNode), json.bytes(pathNode));
  if (pathNode != 0 && !isPointer(path)) rejectParameters('path is no JSON Pointer');
  const value = decimalOf(json, 0, 'value');
  const tolerance = toleranceOf(json, 0);
  const hash = hexOf(json, 0, 'hash', 32);
  const salt = hexOf(json, 0, 'salt', -1);
  if ((value == 0) == (hash.length == 0)) rejectParameters('either value or hash must be stated');
  if (value == 0 && json.member(0, 'tolerance') != 0) rejectParameters('a hash has no tolerance');
  if (areParametersBad) return badParameters();

  const text = numberAt(deliveryOf(input), path);
  if (text.at == 0) return fail();
  const actual = newDecimal();
  if (readDecimal(text.at, text.length, actual) != READ) {
    quote(text.at, text.length);
    say(' is no number that can be compared');
    return fail();
  }
  let isRight = false;
  if (value != 0) isRight = isNear(actual, value, tolerance);
  else {
    const shortest = heap.alloc(SHORTEST_BYTES);
    isRight = isSalted(salt, shortest, <u32>(writeShortest(actual, shortest) - shortest), hash);
  }
  if (isRight) return pass();
  quote(text.at, text.length);
  say(' is not the expected number');
  return fail();
}
