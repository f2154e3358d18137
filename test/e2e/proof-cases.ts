// The API contract of the proofs of documents under the state root.

import { PROOF_ITEMS, PROOF_LISTS } from '../../host/wire/proof-kinds.ts';
import type { Story } from './story.ts';

const UNKNOWN = 'f'.repeat(64);
const NO_TASK = 'f'.repeat(32);

/** Of each kind one that there is; a task that there is not is proven absent, and an event that is not open, by its number. */
const idsOf = (s: Story): Record<(typeof PROOF_ITEMS)[number], string[]> => ({
  agent: [s.alice.id, 'bob', 'nobody'],
  reputation: [s.alice.id, 'bob', 'nobody'],
  validator: [s.alice.id, 'nobody'],
  listing: [s.alice.id, 'bob'],
  task: [s.tasks.submitted, s.tasks.completed, NO_TASK],
  result: [s.tasks.submitted],
  event: [s.pendingTransfer, s.stakeEvent, '1', '999999'],
});

export const PROOF_READS: Record<string, (s: Story) => string[]> = {
  '/v1/proof/{kind}/{id}': (s) =>
    PROOF_ITEMS.flatMap((kind) => idsOf(s)[kind].map((id) => `/v1/proof/${kind}/${id}`)),
  '/v1/proof/{kind}': () =>
    PROOF_LISTS.flatMap((kind) => ['', '?limit=1', '?after=7f&limit=2'].map((q) => `/v1/proof/${kind}${q}`)),
};

export const PROOF_READ_REFUSALS: [string, string][] = [
  [`/v1/proof/harbour/${UNKNOWN}`, 'not_found'],
  ['/v1/proof/task/no-id', 'not_found'],
  [`/v1/proof/event/${UNKNOWN}`, 'not_found'],
  ['/v1/proof/event/01', 'not_found'],
  ['/v1/proof/harbour', 'not_found'],
  ['/v1/proof/agents?after=x', 'invalid_request'],
  [`/v1/proof/agents?after=${UNKNOWN}`, 'invalid_request'],
  ['/v1/proof/agents?limit=0', 'invalid_request'],
  ['/v1/proof/validators?after=0102030405', 'invalid_request'],
];

/** Paths of proofs, which a young chain has none of: contract.test.ts. */
export const YOUNG_PROOFS = ['/v1/proof/agents', '/v1/proof/agent/nobody'];

/** What the network of the contract is not brought to. */
export const PROOF_UNREACHED = [
  // Need a chain without a checkpoint: contract.test.ts.
  ...Object.keys(PROOF_READS).map((path) => `GET ${path} not_ready`),
  // Needs a node that drops old documents: test/host/audit/row-proofs.test.ts.
  'GET /v1/proof/{kind}/{id} history_dropped',
];
