// The part of the API contract about validators and their keys.

import { expect } from 'vitest';
import { newSigner } from '../../tools/load/signed-writes.ts';
import { type Agent, type Answer, TOKEN } from './agent.ts';
import type { Story } from './story.ts';

/** Refusals that need weeks of consensus time, or a verdict on an offense: test/host/sequencer, validators.long.ts, cases.long.ts. */
export const VALIDATOR_UNREACHED = [
  'POST /v1/validators permanently_excluded',
  'POST /v1/validators/{id}/resume permanently_excluded',
  'POST /v1/validators/{id}/resume cooldown_active',
  'POST /v1/validators/{id}/resume stake_below_required',
  // test/core/objections.test.ts
  'POST /v1/validators/{id}/objections already_voted',
];

const newKey = (): string => newSigner().publicKeyHex;

/** Writes that succeed one after the other. */
export const validatorSteps = (applicant: Agent, seat: Agent): [Agent, string, string, object][] => [
  [applicant, 'POST', '/v1/validators', { categories: ['code'] }],
  [seat, 'POST', '/v1/validator/recovery', { recovery_public_key: newKey() }],
  [seat, 'POST', '/v1/validators/seat-1/judge', { announced: true }],
  [seat, 'POST', '/v1/validators/seat-1/judge', { announced: false }],
  [seat, 'POST', '/v1/validators/seat-1/rotate', { new_public_key: newKey() }],
];

type Refused = (who: Agent, path: string, body: object, code: string) => Promise<Answer>;

/** Each refusal that a fresh network can give. `fresh` makes an agent that is not registered. */
export async function refuseValidatorWrites(s: Story, refused: Refused, fresh: () => Agent): Promise<void> {
  const { second, probationer, operator } = s;
  const poor = await fresh().register({ initial_stake: 9_999 * TOKEN });
  const below = await refused(poor, '/v1/validators', {}, 'stake_below_required');
  expect(below.body.details).toEqual({ staked_amount: 9_999 * TOKEN, required_stake: 10_000 * TOKEN });
  await refused(operator, '/v1/validators', {}, 'already_validator');
  await refused(second, '/v1/validators/nobody/resume', {}, 'validator_not_found');
  await refused(second, '/v1/validators/seat-0/resume', {}, 'forbidden_actor');
  await refused(probationer, '/v1/validators/seat-2/resume', {}, 'invalid_state');
  const reason = { reason: 'a stranger' };
  await refused(operator, '/v1/validators/nobody/objections', reason, 'validator_not_found');
  await refused(probationer, '/v1/validators/seat-0/objections', reason, 'not_a_validator');
  await refused(operator, '/v1/validators/seat-2/objections', reason, 'invalid_state');
  const announced = { announced: true };
  await refused(operator, '/v1/validators/nobody/judge', announced, 'validator_not_found');
  await refused(operator, '/v1/validators/seat-1/judge', announced, 'forbidden_actor');
  await refused(probationer, '/v1/validators/seat-2/judge', announced, 'invalid_state');
  const body = { new_public_key: newKey() };
  await refused(operator, '/v1/validators/nobody/rotate', body, 'validator_not_found');
  await refused(operator, '/v1/validators/seat-2/rotate', body, 'forbidden_actor');
  const used = { new_public_key: operator.id };
  await refused(probationer, '/v1/validators/seat-2/rotate', used, 'key_in_use');
  await refused(poor, '/v1/validator/recovery', { recovery_public_key: newKey() }, 'validator_not_found');
  await refused(probationer, '/v1/validator/recovery', { recovery_public_key: operator.id }, 'key_in_use');
  await refused(probationer, '/v1/validator/recovery', { recovery_public_key: '00' }, 'invalid_request');
  const recovery = fresh();
  await probationer.do('/v1/validator/recovery', { recovery_public_key: recovery.id });
  const waiting = await recovery.do('/v1/validators/seat-2/rotate', body);
  expect(waiting.pending_rotation.new_public_key).toBe(body.new_public_key);
  const again = { new_public_key: newKey() };
  await refused(probationer, '/v1/validators/seat-2/rotate', again, 'rotation_pending');
}
