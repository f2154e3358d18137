// Publishing a program: the host stores its module, the publisher pays for what every node keeps for ever.

import { INSUFFICIENT_BALANCE, OK, PARAM_ROW_DEPOSIT, RESULT_AGENT } from '../abi';
import { actor, commits, frame, refuse, setResult } from '../io/frame';
import { payFee } from '../ledger/row-price';
import { param } from '../state/header';

/** OP_PROGRAM_PUBLISH: a fee of one row beside that of the request's bytes. Errors: INSUFFICIENT_BALANCE (balance, needed). */
export function publishProgram(): i32 {
  const fee = param(PARAM_ROW_DEPOSIT);
  if (actor().balance < fee) return refuse(INSUFFICIENT_BALANCE, actor().balance, fee);
  if (!commits()) return OK;

  if (fee != 0) payFee(actor(), fee);
  setResult(RESULT_AGENT, frame().actor);
  return OK;
}
