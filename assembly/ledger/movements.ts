// The list of movements of one call to core_apply: each change of an account, for the host's double-entry postings.
// Keeps: a change is listed as it is made, with the records of the out buffer that came before it; the changes after one
// record and before the next sum to zero (ledger/money owns both sides of a movement).
// Written from the end of the out buffer backwards; records have precedence: a list that found no room says so.

import {
  MOVEMENT_ACCOUNT,
  MOVEMENT_AMOUNT,
  MOVEMENT_BYTES,
  MOVEMENT_KIND,
  MOVEMENTS_ARE_CUT,
  MOVEMENTS_BYTES,
  MOVEMENTS_FIELDS,
} from '../abi';
import { outputCursor } from '../state/output-cursor';
import { OUT_BYTES, root } from '../state/root';

/** Begins an empty list. */
export function clearMovements(): void {
  outputCursor().movementBytes = 0;
  outputCursor().isCut = 0;
}

/** Lists the change of an account, MOVED_* and its index, by an amount. */
export function noteMovement(kind: u32, account: u32, amount: i64): void {
  const cursor = outputCursor();
  const bytes = cursor.movementBytes + MOVEMENT_BYTES;
  if (cursor.bytes + bytes > OUT_BYTES) {
    cursor.isCut = 1;
    return;
  }
  cursor.movementBytes = bytes;
  const at = root().output + OUT_BYTES - bytes;
  store<u32>(at, cursor.bytes);
  store<u32>(at, kind, MOVEMENT_KIND);
  store<u32>(at, account, MOVEMENT_ACCOUNT);
  store<u32>(at, 0, MOVEMENT_ACCOUNT + 4);
  store<i64>(at, amount, MOVEMENT_AMOUNT);
}

/** QUERY_MOVEMENTS: where the list is. */
export function answerMovements(): i32 {
  store<u32>(root().output, outputCursor().isCut, MOVEMENTS_ARE_CUT);
  store<u32>(root().output, outputCursor().movementBytes, MOVEMENTS_BYTES);
  return MOVEMENTS_FIELDS;
}
