// Encodes the commands about challenges, replays and canaries, as laid out in assembly/abi.ts.

import * as abi from '../../assembly/abi.ts';
import { type CommandHead, command } from './commands.ts';
import { putValidatorForm, VALIDATOR_FORM_BYTES } from './validator-commands.ts';

const CHALLENGE_FORM = 16;

interface NewChallenge {
  /** 16 bytes. */
  task: Uint8Array;
  /** Names the validator: its id, or agent_id or key of its operator. */
  target: string;
  /** OFFENSE_*. */
  offense: number;
  /** Micro-units; undefined: the smallest bond. */
  bond: number | undefined;
}

export function challengeOpen(head: CommandHead, c: NewChallenge): Uint8Array {
  const target = abi.COMMAND_FIELDS + 16;
  const { bytes, view } = command(abi.OP_CHALLENGE_OPEN, head, 16 + VALIDATOR_FORM_BYTES + 16);
  bytes.set(c.task, abi.COMMAND_FIELDS);
  putValidatorForm(bytes, target, c.target);
  view.setUint32(target + VALIDATOR_FORM_BYTES, c.offense, true);
  view.setUint32(target + VALIDATOR_FORM_BYTES + 4, c.bond === undefined ? 0 : 1, true);
  view.setBigUint64(target + VALIDATOR_FORM_BYTES + 8, BigInt(c.bond ?? 0), true);
  return bytes;
}

/** `challenge`: 12 bytes; `outcome`: CHALLENGE_*. */
export function challengeVote(head: CommandHead, challenge: Uint8Array, outcome: number): Uint8Array {
  const { bytes, view } = command(abi.OP_CHALLENGE_VOTE, head, CHALLENGE_FORM + 8);
  bytes.set(challenge, abi.COMMAND_FIELDS);
  view.setUint32(abi.COMMAND_FIELDS + CHALLENGE_FORM, outcome, true);
  return bytes;
}

/** `task`: 16 bytes, undefined when not given; `compared`: a COMPARED_* byte for each check of the baseline. */
export function replaySubmit(
  head: CommandHead,
  job: Uint8Array,
  task: Uint8Array | undefined,
  compared: ArrayLike<number>,
): Uint8Array {
  const { bytes, view } = command(abi.OP_REPLAY_SUBMIT, head, 56 + compared.length);
  bytes.set(job, 96);
  if (task) bytes.set(task, 128);
  view.setUint32(144, compared.length, true);
  bytes.set(compared, 152);
  return bytes;
}

/** `outcome`: OUTCOME_* of a completed replay, or REPLAY_OUTCOME_FAILED. */
export function replayOutcome(
  head: CommandHead,
  job: Uint8Array,
  outcome: number,
  isCodeOrData: boolean,
): Uint8Array {
  const { bytes, view } = command(abi.OP_REPLAY_OUTCOME, head, 40);
  bytes.set(job, 96);
  view.setUint32(128, outcome, true);
  view.setUint32(132, isCodeOrData ? 1 : 0, true);
  return bytes;
}

export function canaryCommit(head: CommandHead, commitment: Uint8Array): Uint8Array {
  const { bytes } = command(abi.OP_CANARY_COMMIT, head, 32);
  bytes.set(commitment, abi.COMMAND_FIELDS);
  return bytes;
}

export const canaryReturn = (head: CommandHead): Uint8Array => command(abi.OP_CANARY_RETURN, head, 0).bytes;

/** `type`: CANARY_*. */
export function canaryReveal(
  head: CommandHead,
  task: Uint8Array,
  salt: Uint8Array,
  type: number,
  truth: boolean,
): Uint8Array {
  const { bytes, view } = command(abi.OP_CANARY_REVEAL, head, 56);
  bytes.set(task, 96);
  bytes.set(salt, 112);
  view.setUint32(144, type, true);
  view.setUint32(148, truth ? 1 : 0, true);
  return bytes;
}
