// Validators and their keys (protocol 4.3).

import type { BodyOf } from './bodies.ts';
import { type Calls, type Query, type Rebuild, segment } from './calls.ts';
import type * as o from './objects.ts';

const path = (id: string, step = ''): string => `/v1/validators/${segment(id)}${step}`;

export class ValidatorCalls {
  constructor(private readonly calls: Calls) {}

  list = (query?: Query) => this.calls.get<o.Validator[]>('/v1/validators', query);
  /** `id`: a validator id, or the agent_id of its operator. */
  get = async (id: string) => this.calls.get<o.Validator>(path(id));

  /** Applies to become a validator with the agent's stake; probation begins. */
  apply = (body: BodyOf<'validatorApply'> = {}) =>
    this.calls.write<o.Validator>('POST', '/v1/validators', body, this.#after);

  resume = async (id: string, body: BodyOf<'validatorResume'> = {}) =>
    this.calls.write<o.Validator>('POST', path(id, '/resume'), body, this.#after);

  /** Objects to an applicant that passed probation, as the operator of an active validator. */
  object = async (id: string, body: BodyOf<'validatorObject'>) =>
    this.calls.write<o.ObjectionResult>('POST', path(id, '/objections'), body, ({ event_id, payload }) => ({
      event_id,
      validator_id: payload.validator_id as string,
      objection_weight: payload.objection_weight as number,
      total_weight: payload.total_weight as number,
      is_rejected: (payload.objection_weight as number) * 3 > (payload.total_weight as number),
    }));

  /** Announces a judge of the own validator for the panels of disputes, or withdraws it. */
  judge = async (id: string, body: BodyOf<'validatorJudge'>) =>
    this.calls.write<o.Validator>('POST', path(id, '/judge'), body, this.#after);

  setRecoveryKey = (body: BodyOf<'recoverySet'>) =>
    this.calls.write<o.RecoveryKeySet>('POST', '/v1/validator/recovery', body, (event) => ({
      event_id: event.event_id,
      validator_id: event.payload.validator_id as string,
      status: 'recovery_key_set',
      effective_at: event.payload.effective_at as number,
    }));

  /** The client's key must be the seat's consensus key or its recovery key, not the operator's. */
  rotate = async (id: string, body: BodyOf<'keyRotate'>) =>
    this.calls.write<o.Validator>('POST', path(id, '/rotate'), body, this.#after);

  /** The validator of the event of a lost answer, as it is now. */
  readonly #after: Rebuild<o.Validator> = (event) => this.get(event.payload.validator_id as string);
}
