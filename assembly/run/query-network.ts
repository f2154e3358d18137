// Answers about the network as a whole: the header words, categories, API keys.
// Keeps: read only; what depends on time uses the T of the last executed block.

import {
  HEADER_ACTIVE_VALIDATORS,
  HEADER_AGENTS,
  HEADER_ASSURANCE_FEES,
  HEADER_ASSURED_30D,
  HEADER_BASE_FEES,
  HEADER_BLOCK,
  HEADER_BOOTSTRAP_ACTIVE,
  HEADER_CHALLENGES,
  HEADER_DUE_RUNS,
  HEADER_GENERATED,
  HEADER_GENERATED_30D,
  HEADER_ITEMS,
  HEADER_JOBS,
  HEADER_KEYS,
  HEADER_LARGEST_30D,
  HEADER_LAUNCH,
  HEADER_LOST_WRITES_ORDER,
  HEADER_LOST_WRITES_SECS,
  HEADER_NEXT_DEADLINE,
  HEADER_NEXT_GRANT,
  HEADER_ORDER,
  HEADER_POOLS,
  HEADER_PROBATION_VALIDATORS,
  HEADER_REPLAY_ESCROW,
  HEADER_REQUIRED_STAKE,
  HEADER_REVISION,
  HEADER_SEATS,
  HEADER_SEQ,
  HEADER_SUPPLY,
  HEADER_TASKS,
  HEADER_TIME_MS,
  HEADER_TOTAL_ESCROWED,
  HEADER_TOTAL_STAKED,
  HEADER_TXIDS,
  HEADER_VALIDATORS,
  HEADER_VOTE_WEIGHT,
  HEADER_WORDS,
  KEY_BYTES,
  POOL_COUNT,
  VALIDATOR_ACTIVE,
  VALIDATOR_PROBATION,
} from '../abi';
import { findKey, keyAt } from '../access/keys';
import { poolBalance } from '../ledger/money';
import { nextGrant } from '../ledger/onboarding';
import { categoryBytes, categoryName } from '../reputation/categories';
import { generatedInWindow } from '../reputation/generated';
import { header, nowSecs } from '../state/header';
import { root } from '../state/root';
import { nextDeadlineSecs } from '../state/timers';
import { countStatus } from '../validators/validators';
import { requiredStake, totalVoteWeight } from '../validators/weight';

function setWord(word: u32, value: u64): void {
  store<u64>(root().output + ((<usize>word) << 3), value);
}

function answerCounters(): void {
  const h = header();
  setWord(HEADER_TIME_MS, h.timeMs);
  setWord(HEADER_ORDER, h.order);
  setWord(HEADER_SEQ, h.seq);
  setWord(HEADER_BLOCK, h.block);
  setWord(HEADER_LAUNCH, h.launchSecs);
  setWord(HEADER_AGENTS, h.agentCount);
  setWord(HEADER_ITEMS, h.itemsLive);
  setWord(HEADER_VALIDATORS, h.validatorCount);
  setWord(HEADER_KEYS, h.keysLive);
  setWord(HEADER_TXIDS, h.seenCount);
  setWord(HEADER_NEXT_DEADLINE, nextDeadlineSecs());
  setWord(HEADER_NEXT_GRANT, nextGrant());
  setWord(HEADER_TOTAL_STAKED, h.totalStaked);
  setWord(HEADER_TOTAL_ESCROWED, h.totalEscrowed);
  setWord(HEADER_BASE_FEES, h.baseFees);
  setWord(HEADER_ASSURANCE_FEES, h.assuranceFees);
  setWord(HEADER_GENERATED, h.generated);
  setWord(HEADER_GENERATED_30D, generatedInWindow());
  setWord(HEADER_TASKS, h.tasksLive);
  setWord(HEADER_ASSURED_30D, h.assuredVolume);
  setWord(HEADER_LARGEST_30D, h.assuredLargest);
  setWord(HEADER_CHALLENGES, h.challengesLive);
  setWord(HEADER_JOBS, h.jobsLive);
  setWord(HEADER_REPLAY_ESCROW, h.replayEscrow);
  setWord(HEADER_SEATS, h.seatCount);
  setWord(HEADER_LOST_WRITES_ORDER, h.lostWritesOrder);
  setWord(HEADER_LOST_WRITES_SECS, h.lostWritesSecs);
  setWord(HEADER_DUE_RUNS, h.dueCount);
  setWord(HEADER_REVISION, h.revision);
}

/** QUERY_HEADER. O(validators) for the weights. */
export function answerHeader(): i32 {
  const active = countStatus(VALIDATOR_ACTIVE);
  answerCounters();
  setWord(HEADER_BOOTSTRAP_ACTIVE, header().bootstrapOver == 0 ? 1 : 0);
  setWord(HEADER_ACTIVE_VALIDATORS, active);
  setWord(HEADER_PROBATION_VALIDATORS, countStatus(VALIDATOR_PROBATION));
  setWord(HEADER_VOTE_WEIGHT, totalVoteWeight(nowSecs()));
  setWord(HEADER_SUPPLY, header().supply);
  setWord(HEADER_REQUIRED_STAKE, requiredStake(active));
  for (let pool: u32 = 0; pool < <u32>POOL_COUNT; pool++) setWord(HEADER_POOLS + pool, poolBalance(pool));
  return HEADER_WORDS * 8;
}

/** QUERY_KEY; the argument is the address of the 8-byte id. */
export function answerKey(id: usize): i32 {
  const row = findKey(id);
  if (row < 0) return -1;
  memory.copy(root().output, changetype<usize>(keyAt(<u32>row)), KEY_BYTES);
  return KEY_BYTES;
}

/** QUERY_CATEGORY. */
export function answerCategory(index: u32): i32 {
  if (index >= header().categoryCount) return -1;
  memory.copy(root().output, categoryName(index), categoryBytes(index));
  return <i32>categoryBytes(index);
}
