// Pairs of route and error that the network of the contract is not brought to, and the tests that show them.

import { DISCOVERY_UNREACHED } from './discovery-cases.ts';
import { PROGRAM_UNREACHED } from './program-cases.ts';
import { PROOF_UNREACHED } from './proof-cases.ts';
import { TASK_UNREACHED } from './task-cases.ts';
import { VALIDATOR_UNREACHED } from './validator-cases.ts';

export const UNREACHED: readonly string[] = [
  // Need a node of another kind: contract.test.ts.
  'GET /v1/checkpoints/latest checkpoint_not_found',
  'POST /v1/faucet faucet_empty',
  'POST /v1/faucet not_found',
  'POST /v1/platform/keys not_found',
  'DELETE /v1/platform/keys/{key} not_found',
  // Needs a panel that leaves a validator out: test/host/sequencer/panels.test.ts.
  'POST /v1/verify not_assigned',
  'POST /v1/verify/commit not_assigned',
  // Needs a page of another origin that would write: test/host/api/stream-writes.test.ts.
  'GET /v1/ws origin_not_allowed',
  // Needs 21 streams: stream.test.ts.
  'GET /v1/ws too_many_streams',
  // A keyless agent exists under --no-auth only: auth.test.ts.
  'GET /v1/agents/{id}/address address_not_found',
  ...TASK_UNREACHED,
  ...PROGRAM_UNREACHED,
  ...VALIDATOR_UNREACHED,
  ...DISCOVERY_UNREACHED,
  ...PROOF_UNREACHED,
];
