// The values of the API description's placeholders in the scenario of the black-box tests.

import { CHECK_DIGESTS } from '../../host/modules/module-digests.ts';
import type { Placeholder } from '../../host/wire/placeholders.ts';
import { programNamed } from './program-cases.ts';
import type { Story } from './story.ts';

export const valuesOf = (s: Story): Record<Placeholder, string> => ({
  agent_id: s.alice.id,
  task_id: s.tasks.submitted,
  event_id: s.settledTransfer,
  validator_id: 'seat-1',
  address: s.address,
  key_id: s.keyId,
  vertex_hash: s.vertex,
  challenge_id: s.cases.challenge,
  job_id: s.cases.job,
  program_hash: CHECK_DIGESTS.size,
  // One that nobody has published.
  module: programNamed('example'),
  node_key: s.operator.id,
});
