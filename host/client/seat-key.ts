// The consensus key of the seat whose node a client talks to: what is meant for this node alone names it.

import { type Calls, segment } from './calls.ts';
import type * as o from './objects.ts';

/** Hex64; undefined for a node without a seat, or whose seat has no validator yet. */
export async function seatKeyHex(calls: Pick<Calls, 'get'>): Promise<string | undefined> {
  const { validator_id } = await calls.get<o.Status>('/v1/status');
  if (!validator_id) return undefined;
  const seat = await calls.get<o.Validator>(`/v1/validators/${segment(validator_id)}`);
  return seat.consensus_public_key;
}
