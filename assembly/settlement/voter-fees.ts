// The base fee of a settled item: four fifths to those who voted for it, by weight, the rest and every
// remainder to the treasury (DECISIONS 6.2).
// Keeps: exactly the fee is credited; the caller took it from somewhere.

import { POOL_TREASURY } from '../abi';
import { creditBalance, creditPool } from '../ledger/money';
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
 * Shares the fee of an approved item whose votes were counted into `tally()`, and counts it into the
 * total of base fees. Returns the treasury's part.
 */
export function shareFee(item: Item, fee: u64, nowSecs: u64): u64 {
  header().baseFees = addCapped(header().baseFees, fee);
  const cut = voterCut(fee);
  const weights = tally().approveWeight;
  let paid: u64 = 0;
  for (let link = item.voteHead; link != 0 && weights != 0; link = voteAt(link - 1).next) {
    const vote = voteAt(link - 1);
    if (!isApproval(vote)) continue;
    const share = mulDiv(cut, weightOn(item, voterOf(vote), nowSecs), weights);
    if (share == 0) continue;
    creditBalance(operatorOf(validatorAt(voterOf(vote))), share);
    paid += share;
  }
  creditPool(POOL_TREASURY, fee - paid);
  return fee - paid;
}
