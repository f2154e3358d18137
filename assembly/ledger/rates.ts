// Rates and amounts of the economy that several folders use, in basis points and micro-units.
// Keeps: each number once, with its section of the protocol.

export const BP: u64 = 10000;
export const TOKEN: u64 = 1000000;
/** protocol 6.2: fee on a settled amount. */
export const BASE_FEE_BP: u64 = 10;
/** protocol 6.2: share of the base fee that goes to the voters. */
export const VOTER_CUT_BP: u64 = 8000;
/** protocol 6.5: share of the agent's stake that a rejected generation costs. */
export const GENERATION_SLASH_BP: u64 = 1000;
/** protocol 6.5: share of the claimer's stake that a dispute lost by quorum costs. */
export const DISPUTE_SLASH_BP: u64 = 1000;
/** protocol 6.1: free balance of an operator on the testnet, besides its stake. */
export const OPERATOR_FUNDS: u64 = 25000000000;
/** protocol 6.7: stake required for assignment on the testnet. */
export const TESTNET_ASSIGNMENT_STAKE: u64 = 25000000000;
/** protocol 6.7: lower bound of the required stake. */
export const REQUIRED_STAKE_FLOOR: u64 = 10000000000;
