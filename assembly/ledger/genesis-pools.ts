// The genesis pools: they hold the whole supply before anybody is registered.
// Keeps: the pools of protocol 6.1 sum to exactly 10^15.

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
import { issue, move, poolOf, SUPPLY } from './money';
import { TOKEN } from './rates';

const FAUCET_TOKENS: u64 = 10000000;
const REPLAY_RESERVE_TOKENS: u64 = 50;

/** Fills the pools; on the testnet the faucet is fed from genesis:public. */
export function fillPools(): void {
  issue(POOL_FOUNDERS, 150000000 * TOKEN);
  issue(POOL_INVESTORS, 150000000 * TOKEN);
  issue(POOL_ECOSYSTEM, 300000000 * TOKEN);
  issue(POOL_REWARDS, 200000000 * TOKEN);
  issue(POOL_TREASURY, 100000000 * TOKEN);
  issue(POOL_PUBLIC, 100000000 * TOKEN);
  assert(header().supply == SUPPLY, 'the pools of genesis are not the supply');
  if (isTestnet()) move(poolOf(POOL_PUBLIC), poolOf(POOL_FAUCET), FAUCET_TOKENS * TOKEN);
  for (let pool: u32 = POOL_REPLAY_CODE; pool <= <u32>POOL_REPLAY_GENERAL; pool++) {
    move(poolOf(POOL_TREASURY), poolOf(pool), REPLAY_RESERVE_TOKENS * TOKEN);
  }
}
