// The base fee of a settled item: four fifths to those who voted for it, by weight (protocol 6.2).
// Keeps: shares are floored and paid out of the open split; the caller ends it with the treasury, which gets the rest.

import { balanceOf, payPart } from '../ledger/money';
import { BP, VOTER_CUT_BP } from '../ledger/rates';
import { addCapped, mulDiv } from '../lib/u128';
import { header } from '../state/header';
import { operatorOf, validatorAt } from '../validators/validators';
import { Item } from './items';
import { tally, weightOn } from './quorum';
import { isApproval, voteAt, voterOf } from './votes';

/** Part of a fee that goes to voters, micro-units. */
export function voterCut(fee: u64): u64 {
  return mulDiv(fee, VOTER_CUT_BP, BP);
}

/**
 * Shares the fee of an approved item, whose votes were counted into `tally()`, among its voters, and counts it into
 * the total of base fees.
 */
export function shareFee(item: Item, fee: u64, nowSecs: u64): void {
  header().baseFees = addCapped(header().baseFees, fee);
  const cut = voterCut(fee);
  const weights = tally().approveWeight;
  for (let link = item.voteHead; link != 0 && weights != 0; link = voteAt(link - 1).next) {
    const vote = voteAt(link - 1);
    if (!isApproval(vote)) continue;
    const share = mulDiv(cut, weightOn(item, voterOf(vote), nowSecs), weights);
    if (share != 0) payPart(balanceOf(operatorOf(validatorAt(voterOf(vote)))), share);
  }
}
