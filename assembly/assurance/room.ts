// Space in the out buffer for one step of a challenge, a replay job, a canary or a validator.
// Keeps: the worst case of each fits, protocol challenges against every validator included.

import {
  OUT_CHALLENGE_OPENED_BYTES,
  OUT_CHALLENGE_RESOLVED_BYTES,
  OUT_REPLAY_CLOSED_BYTES,
  OUT_REPLAY_CREATED_BYTES,
  OUT_SLASH_BYTES,
  OUT_STATUS_BYTES,
} from '../abi';
import { MAX_ASSIGNED } from '../settlement/items';
import { header } from '../state/header';

/** Bytes that one step may append, besides the OUT_TX of its command. */
export function caseStepBytes(): u32 {
  const replay =
    <u32>OUT_REPLAY_CLOSED_BYTES +
    OUT_REPLAY_CREATED_BYTES +
    header().validatorCount * OUT_CHALLENGE_OPENED_BYTES;
  const challenge = OUT_CHALLENGE_RESOLVED_BYTES + OUT_SLASH_BYTES;
  return replay + challenge + (1 + MAX_ASSIGNED) * OUT_STATUS_BYTES;
}
