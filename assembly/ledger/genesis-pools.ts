// The pools of the first moment: where the whole supply stands before anybody is registered.
// Keeps: the pools of DECISIONS 6.1 sum to exactly 10^15.

import {
  POOL_ECOSYSTEM,
  POOL_FAUCET,
  POOL_FOUNDERS,
  POOL_INVESTORS,
  POOL_PUBLIC,
  POOL_REPLAY_CODE,
  POOL_REPLAY_GENERAL,
  POOL_REWARDS,
  POOL_TREASURY,
} from '../abi';
import { header, isTestnet } from '../state/header';
import { creditPool, debitPool, SUPPLY } from './money';
import { TOKEN } from './rates';

const FAUCET_TOKENS: u64 = 10000000;
const REPLAY_RESERVE_TOKENS: u64 = 50;

function movePool(from: u32, to: u32, amount: u64): void {
  debitPool(from, amount);
  creditPool(to, amount);
}

/** Fills the pools; on the testnet the faucet is fed from genesis:public. */
export function fillPools(): void {
  creditPool(POOL_FOUNDERS, 150000000 * TOKEN);
  creditPool(POOL_INVESTORS, 150000000 * TOKEN);
  creditPool(POOL_ECOSYSTEM, 300000000 * TOKEN);
  creditPool(POOL_REWARDS, 200000000 * TOKEN);
  creditPool(POOL_TREASURY, 100000000 * TOKEN);
  creditPool(POOL_PUBLIC, 100000000 * TOKEN);
  assert(header().supply == SUPPLY, 'the pools of genesis are not the supply');
  if (isTestnet()) movePool(POOL_PUBLIC, POOL_FAUCET, FAUCET_TOKENS * TOKEN);
  for (let pool: u32 = POOL_REPLAY_CODE; pool <= <u32>POOL_REPLAY_GENERAL; pool++) {
    movePool(POOL_TREASURY, pool, REPLAY_RESERVE_TOKENS * TOKEN);
  }
}
