// Requests of validators on themselves, and on challenges, replays and canaries: which rule answers which.

import * as abi from '../../assembly/abi.ts';
import { commitCanary, giveBack, revealCanary } from './canaries.ts';
import { openChallenge, voteOnChallenge } from './challenges.ts';
import type { Command } from './command.ts';
import { announce } from './panels.ts';
import type { Verdict } from './refusal.ts';
import { reportReplay, submitReplay } from './replays.ts';
import type { ModelAgent, ModelState } from './state.ts';
import { setRecovery } from './validator-keys.ts';
import { applyAsValidator, objectTo, resume } from './validator-life.ts';

/** Refusals or effects; undefined for other requests. */
export function operateCase(s: ModelState, c: Command, actor: ModelAgent, now: number): Verdict | undefined {
  switch (c.opcode) {
    case abi.OP_VALIDATOR_APPLY:
      return applyAsValidator(s, c, actor);
    case abi.OP_VALIDATOR_RESUME:
      return resume(s, c, actor, now);
    case abi.OP_VALIDATOR_OBJECT:
      return objectTo(s, c, actor);
    case abi.OP_VALIDATOR_JUDGE:
      return announce(s, c, actor);
    case abi.OP_RECOVERY_SET:
      return setRecovery(s, c, actor);
    case abi.OP_CHALLENGE_OPEN:
      return openChallenge(s, c, actor, now);
    case abi.OP_CHALLENGE_VOTE:
      return voteOnChallenge(s, c, actor);
    case abi.OP_REPLAY_SUBMIT:
      return submitReplay(s, c, actor);
    case abi.OP_REPLAY_OUTCOME:
      return reportReplay(s, c, actor);
    case abi.OP_CANARY_COMMIT:
      return commitCanary(s, c, actor);
    case abi.OP_CANARY_REVEAL:
      return revealCanary(s, c, actor);
    case abi.OP_CANARY_RETURN:
      return giveBack(s, actor);
    default:
      return undefined;
  }
}
