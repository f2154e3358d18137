// Grants to new agents: tiers by number of registrations, paid from genesis:ecosystem.
// Keeps: a grant never exceeds what the pool holds.

import { POOL_ECOSYSTEM } from '../abi';
import { header } from '../state/header';
import { poolBalance } from './money';
import { TOKEN } from './rates';

/** Grant by number of registrations before, genesis operators not counted, micro-units (protocol 6.11). */
export function grantTier(registrationsBefore: u32): u64 {
  if (registrationsBefore < 1000) return 50000 * TOKEN;
  if (registrationsBefore < 10000) return 10000 * TOKEN;
  if (registrationsBefore < 100000) return 1000 * TOKEN;
  if (registrationsBefore < 800000) return 100 * TOKEN;
  return 0;
}

/** The grant of the next registration. */
export function nextGrant(): u64 {
  return min<u64>(grantTier(header().registrationCount), poolBalance(POOL_ECOSYSTEM));
}
