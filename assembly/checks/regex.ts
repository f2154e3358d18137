// The check `regex`: the delivery matches a pattern, in time linear in the delivery.
//   pattern  the syntax is in lib/pattern.ts and protocol 14.7
//   match    "whole" (the default): all of the delivery; "search": some part of it; "lines": each line, which there must be
// White space at the end of the delivery counts, but with "lines" a last line feed ends a line and begins none.

import { deliveryOf } from './lib/input';
import { Matcher } from './lib/matcher';
import { allowOnly, readParameters, reject, textOf } from './lib/parameters';
import { Pattern } from './lib/pattern';
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

function linesMatch(matcher: Matcher, at: usize, bytes: u32): bool {
  const end = at + bytes;
  for (let line: u32 = 1; at < end; line++) {
    let to = at;
    while (to < end && load<u8>(to) != 10) to++;
    const text = to > at && load<u8>(to - 1) == 13 ? to - 1 : to;
    if (!matcher.matches(at, text, false)) {
      say('line ');
      sayNumber(line);
      say(' does not match: ');
      quote(at, <u32>(text - at));
      return false;
    }
    at = to + 1;
  }
  if (bytes > 0) return true;
  say('there are no lines');
  return false;
}

export function vws_run(input: usize, _length: u32): u64 {
  const json = readParameters(input);
  if (areParametersBad) return badParameters();
  allowOnly(json, 0, 'pattern match');
  const text = textOf(json, 0, 'pattern');
  const mode = textOf(json, 0, 'match');
  const isSearch = mode != 0 && json.is(mode, 'search');
  const isLines = mode != 0 && json.is(mode, 'lines');
  if (mode != 0 && !isSearch && !isLines && !json.is(mode, 'whole')) reject('match', 'is not known');
  if (text == 0) rejectParameters('pattern is missing');
  if (areParametersBad) return badParameters();
  const pattern = new Pattern(json.text(text), json.bytes(text));
  if (pattern.fault.length > 0) reject('pattern:', pattern.fault);
  if (areParametersBad) return badParameters();

  const delivery = deliveryOf(input);
  if (countChars(delivery.at, delivery.length) < 0) {
    say('the delivery is not UTF-8');
    return fail();
  }
  const matcher = new Matcher(pattern);
  if (isLines) return linesMatch(matcher, delivery.at, delivery.length) ? pass() : fail();
  if (matcher.matches(delivery.at, delivery.at + delivery.length, isSearch)) return pass();
  say(isSearch ? 'no part of the delivery matches' : 'the delivery does not match');
  return fail();
}
