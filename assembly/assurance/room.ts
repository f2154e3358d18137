// Room in the out buffer for one step of a challenge, a replay job, a canary or a validator.
// Keeps: the worst case of each fits, protocol challenges against every validator included.

import { SLASH_BYTES } from '../settlement/close';
import { MOST_ASSIGNED } from '../settlement/items';
import { header } from '../state/header';
import { REPLAY_CREATED_BYTES } from '../tasks/replays';
import { VALIDATOR_STATUS_BYTES } from '../validators/events';

export const REPLAY_CLOSED_BYTES: u32 = 152;
export const CHALLENGE_OPENED_BYTES: u32 = 128;
export const CHALLENGE_RESOLVED_BYTES: u32 = 144;

/** Bytes that one step may add besides the OUT_TX of its command. */
export function caseStepBytes(): u32 {
  const replay =
    REPLAY_CLOSED_BYTES + REPLAY_CREATED_BYTES + header().validatorCount * CHALLENGE_OPENED_BYTES;
  const challenge = CHALLENGE_RESOLVED_BYTES + SLASH_BYTES;
  return replay + challenge + (1 + MOST_ASSIGNED) * VALIDATOR_STATUS_BYTES;
}
