// Whether a completed task is replayed: the rate that applies to it, and the draw (protocol 6.12).
// Keeps: the draw depends on the block's hash, which no author can choose; the highest applicable rate counts.

import { REPLAY_CLUSTER, REPLAY_PROBATION, REPLAY_SAMPLED } from '../abi';
import { BP } from '../ledger/rates';
import { sha256 } from '../lib/sha256';
import { writeHex, writeLiteral } from '../lib/text';
import { blockHash, header } from '../state/header';

// Rates in bp during bootstrap, and after it.
const ASSURED_EARLY: u64 = 4000;
const ASSURED: u64 = 2000;
const ELIGIBLE_EARLY: u64 = 5000;
const ELIGIBLE: u64 = 3500;
const NEWCOMER_EARLY: u64 = 7500;
const NEWCOMER: u64 = 5000;
const PROBATION: u64 = 5000;
/** A claimer with fewer completed tasks is a newcomer. */
const NEWCOMER_TASKS: u32 = 10;

const TEXT: usize = memory.data(112, 8);
const HASH: usize = memory.data(32, 8);

/** The facts that determine the rate, besides the bootstrap phase. */
@unmanaged
export class ReplayCase {
  isEligible: bool;
  /** A panel member is in probation. */
  hasProbation: bool;
  /** A validator that voted for completion is in a cluster. */
  hasCluster: bool;
  spare: bool;
  /** Tasks that the claimer completed before this one, as far as its standing backs them. */
  completed: u32;
}

// The rate that follows from the task and its claimer.
function taskRateBp(facts: ReplayCase): u64 {
  const isOver = header().bootstrapOver != 0;
  if (facts.completed < NEWCOMER_TASKS) return isOver ? NEWCOMER : NEWCOMER_EARLY;
  if (facts.isEligible) return isOver ? ELIGIBLE : ELIGIBLE_EARLY;
  return isOver ? ASSURED : ASSURED_EARLY;
}

/** REPLAY_*: the reason for the rate; probation only where its rate is the higher one. */
export function replayReason(facts: ReplayCase): u32 {
  if (facts.hasCluster) return REPLAY_CLUSTER;
  return facts.hasProbation && PROBATION > taskRateBp(facts) ? REPLAY_PROBATION : REPLAY_SAMPLED;
}

/** Share of such tasks that are replayed, in bp. */
export function replayRateBp(facts: ReplayCase): u64 {
  const reason = replayReason(facts);
  if (reason == REPLAY_CLUSTER) return BP;
  return reason == REPLAY_PROBATION ? PROBATION : taskRateBp(facts);
}

/** True when the task with this 16-byte id, completed in the current block, is drawn at a rate in bp. */
export function isReplayDrawn(taskId: usize, rateBp: u64): bool {
  let to = writeHex(writeLiteral(TEXT, 'replay:'), taskId, 16);
  to = writeHex(writeLiteral(to, ':'), blockHash(), 32);
  sha256(TEXT, <u32>(to - TEXT), HASH);
  return bswap<u64>(load<u64>(HASH)) % BP < rateBp;
}
