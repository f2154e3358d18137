// The check `equals`: the delivery is the one whose salted hash is stated.
//   hash  SHA-256 of salt and delivery, hex        salt  hex, may be absent
//   trim  true: without white space at both ends

import { deliveryOf } from './lib/input';
import { allowOnly, flagOf, hexOf, readParameters } from './lib/parameters';
import { areParametersBad, badParameters, fail, pass, rejectParameters, say } from './lib/report';
import { isBlank, isSalted } from './lib/salted';

export { vws_input } from './lib/input';

export function vws_run(input: usize, _length: u32): u64 {
  const json = readParameters(input);
  if (areParametersBad) return badParameters();
  allowOnly(json, 0, 'hash salt trim');
  const hash = hexOf(json, 0, 'hash', 32);
  const salt = hexOf(json, 0, 'salt', -1);
  const isTrimmed = flagOf(json, 0, 'trim');
  if (hash.length == 0) rejectParameters('hash is missing');
  if (areParametersBad) return badParameters();

  const delivery = deliveryOf(input);
  let at = delivery.at;
  let end = at + delivery.length;
  if (isTrimmed) {
    while (at < end && isBlank(load<u8>(at))) at++;
    while (end > at && isBlank(load<u8>(end - 1))) end--;
  }
  if (isSalted(salt, at, <u32>(end - at), hash)) return pass();
  say('the delivery is not the expected one');
  return fail();
}
