// Decides whether a delivery is what was agreed. Here: a JSON object with a currency, a total, and lines whose amounts
// add up to the total.
//   parameters: currency, the text that the delivery must have as its currency

import {
  ARRAY,
  add,
  allowOnly,
  areParametersBad,
  badParameters,
  compare,
  compareText,
  deliveryOf,
  fail,
  Json,
  NUMBER,
  newDecimal,
  OBJECT,
  pass,
  READ,
  readDecimal,
  readParameters,
  rejectParameters,
  STRING,
  say,
  sayNumber,
  textOf,
} from 'vws/assembly/checks/lib';

export { vws_input } from 'vws/assembly/checks/lib';

/** Reads the number at a node exactly; false if there is none. */
function readNumber(json: Json, node: u32, to: usize): bool {
  if (node == 0 || json.kind(node) != NUMBER) return false;
  return readDecimal(json.text(node), json.bytes(node), to) == READ;
}

/** True if the amounts add up; else why not was said. */
function addsUp(json: Json): bool {
  const total = newDecimal();
  if (!readNumber(json, json.member(0, 'total'), total)) {
    say('there is no total');
    return false;
  }
  const lines = json.member(0, 'lines');
  if (lines == 0 || json.kind(lines) != ARRAY) {
    say('there are no lines');
    return false;
  }
  const sum = newDecimal();
  const amount = newDecimal();
  let line = lines + 1;
  for (let n: u32 = 1; n <= json.size(lines); n++, line = json.next(line)) {
    const isAmount = json.kind(line) == OBJECT && readNumber(json, json.member(line, 'amount'), amount);
    if (!isAmount || !add(sum, amount, false, sum)) {
      say('no amount in line ');
      sayNumber(n);
      return false;
    }
  }
  if (compare(sum, total) == 0) return true;
  say('the amounts do not add up to the total');
  return false;
}

export function vws_run(input: usize, _length: u32): u64 {
  // First the parameters, completely: a run with nothing delivered tells whether they are valid.
  const parameters = readParameters(input);
  if (areParametersBad) return badParameters();
  allowOnly(parameters, 0, 'currency');
  const currency = textOf(parameters, 0, 'currency');
  if (currency == 0) rejectParameters('currency is missing');
  if (areParametersBad) return badParameters();

  // Then the delivery. Nothing about it may be taken for granted.
  const delivery = deliveryOf(input);
  const json = new Json(delivery.at, delivery.length);
  if (json.fault.length > 0 || json.kind(0) != OBJECT) {
    say('no JSON object');
    return fail();
  }
  const own = json.member(0, 'currency');
  const isSame =
    own != 0 &&
    json.kind(own) == STRING &&
    compareText(json.text(own), json.bytes(own), parameters.text(currency), parameters.bytes(currency)) == 0;
  if (!isSame) {
    say('another currency');
    return fail();
  }
  return addsUp(json) ? pass() : fail();
}
