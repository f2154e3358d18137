// The check `size`: how much was delivered.
//   min_bytes, max_bytes; min_chars, max_chars (code points; the delivery must be UTF-8); min_lines, max_lines

import { deliveryOf } from './lib/input';
import { Json } from './lib/json';
import { allowOnly, countOf, readParameters } from './lib/parameters';
import { areParametersBad, badParameters, fail, pass, rejectParameters, say, sayNumber } from './lib/report';
import { countChars } from './lib/utf8';

export { vws_input } from './lib/input';

const NO_MOST: u32 = u32.MAX_VALUE;

/** Lines end with a line feed; text behind the last one is a line too. */
function countLines(at: usize, bytes: u32): u32 {
  let lines: u32 = 0;
  const end = at + bytes;
  for (; at < end; at++) if (load<u8>(at) == 10) lines++;
  return lines + (bytes > 0 && load<u8>(end - 1) != 10 ? 1 : 0);
}

function isWithin(actual: u32, least: u32, most: u32, unit: string): bool {
  if (actual >= least && actual <= most) return true;
  sayNumber(actual);
  say(unit);
  say(actual < least ? ', at least ' : ', at most ');
  sayNumber(actual < least ? least : most);
  return false;
}

function asks(json: Json, least: string, most: string): bool {
  return json.member(0, least) != 0 || json.member(0, most) != 0;
}

export function vws_run(input: usize, _length: u32): u64 {
  const json = readParameters(input);
  if (areParametersBad) return badParameters();
  allowOnly(json, 0, 'min_bytes max_bytes min_chars max_chars min_lines max_lines');
  if (json.size(0) == 0) rejectParameters('nothing is asked');
  const minBytes = countOf(json, 0, 'min_bytes', 0);
  const maxBytes = countOf(json, 0, 'max_bytes', NO_MOST);
  const minChars = countOf(json, 0, 'min_chars', 0);
  const maxChars = countOf(json, 0, 'max_chars', NO_MOST);
  const minLines = countOf(json, 0, 'min_lines', 0);
  const maxLines = countOf(json, 0, 'max_lines', NO_MOST);
  if (minBytes > maxBytes || minChars > maxChars || minLines > maxLines)
    rejectParameters('a minimum above its maximum');
  if (areParametersBad) return badParameters();

  const delivery = deliveryOf(input);
  if (!isWithin(delivery.length, minBytes, maxBytes, ' bytes')) return fail();
  if (asks(json, 'min_chars', 'max_chars')) {
    const chars = countChars(delivery.at, delivery.length);
    if (chars < 0) {
      say('the delivery is not UTF-8');
      return fail();
    }
    if (!isWithin(<u32>chars, minChars, maxChars, ' characters')) return fail();
  }
  if (asks(json, 'min_lines', 'max_lines')) {
    const lines = countLines(delivery.at, delivery.length);
    if (!isWithin(lines, minLines, maxLines, ' lines')) return fail();
  }
  return pass();
}
