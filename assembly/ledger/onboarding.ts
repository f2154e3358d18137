// The schedule of grants to new agents: tiers by number of grants, paid from genesis:ecosystem.
// Keeps: a grant never exceeds what the pool holds. What may be given out in a day: accounts/grants.ts.

import { POOL_ECOSYSTEM } from '../abi';
import { header } from '../state/header';
import { poolBalance } from './money';
import { TOKEN } from './rates';

/** Grant by number of grants before, micro-units (protocol 6.11). */
export function grantTier(grantsBefore: u32): u64 {
  if (grantsBefore < 1000) return 50000 * TOKEN;
  if (grantsBefore < 10000) return 10000 * TOKEN;
  if (grantsBefore < 100000) return 1000 * TOKEN;
  if (grantsBefore < 800000) return 100 * TOKEN;
  return 0;
}

/** The grant of the next registration by the schedule. */
export function nextGrant(): u64 {
  return min<u64>(grantTier(header().grantCount), poolBalance(POOL_ECOSYSTEM));
}
