// Answers about the network as a whole: the header words, categories, validators, keys.
// Keeps: read only; what depends on time uses the T of the last executed block.

import {
  CALIBRATION_BYTES,
  HEADER_ACTIVE_VALIDATORS,
  HEADER_AGENTS,
  HEADER_ASSURANCE_FEES,
  HEADER_ASSURED_30D,
  HEADER_BASE_FEES,
  HEADER_BLOCK,
  HEADER_BOOTSTRAP_ACTIVE,
  HEADER_GENERATED,
  HEADER_GENERATED_30D,
  HEADER_ITEMS,
  HEADER_KEYS,
  HEADER_LARGEST_30D,
  HEADER_LAUNCH,
  HEADER_NEXT_DEADLINE,
  HEADER_NEXT_GRANT,
  HEADER_ORDER,
  HEADER_POOLS,
  HEADER_PROBATION_VALIDATORS,
  HEADER_REQUIRED_STAKE,
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
  VALIDATOR_CALIBRATION,
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
import { calibrationAt, overallAssignmentWeight } from '../validators/calibration';
import { countStatus, operatorOf, Validator, validatorAt } from '../validators/validators';
import { requiredStake, totalVoteWeight, validatorReputationBp, voteWeight } from '../validators/weight';

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
  setWord(HEADER_KEYS, h.keyCount);
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

function putCalibrations(out: usize, validator: Validator): i32 {
  const first = out + VALIDATOR_CALIBRATION;
  let at = first;
  for (let link = validator.calibrationHead; link != 0; link = calibrationAt(link - 1).next) {
    const calibration = calibrationAt(link - 1);
    store<u32>(at, calibration.category);
    store<u32>(at, calibration.signals, 4);
    store<u32>(at, calibration.correct, 8);
    store<u32>(at, 0, 12);
    at += CALIBRATION_BYTES;
  }
  store<u32>(out, <u32>(at - first) / CALIBRATION_BYTES, 80);
  store<u32>(out, 0, 84);
  return <i32>(at - out);
}

/** QUERY_VALIDATOR. */
export function answerValidator(index: u32): i32 {
  if (index >= header().validatorCount) return -1;
  const validator = validatorAt(index);
  const secs = nowSecs();
  const out = root().output;
  store<u32>(out, validator.status);
  store<u32>(out, validator.agent, 4);
  store<u32>(out, validator.seat, 8);
  store<u32>(out, validator.baselineBp, 12);
  store<u32>(out, <u32>validatorReputationBp(validator, secs), 16);
  store<u32>(out, <u32>overallAssignmentWeight(validator), 20);
  store<u32>(out, validator.votesDecided, 24);
  store<u32>(out, validator.votesRight, 28);
  store<u32>(out, validator.tasksProcessed, 32);
  store<u32>(out, validator.slashes, 36);
  store<u32>(out, validator.collusions, 40);
  store<u32>(out, validator.isGenesis, 44);
  store<u64>(out, operatorOf(validator).staked, 48);
  store<u64>(out, voteWeight(validator, secs), 56);
  store<u64>(out, validator.registeredAtSecs, 64);
  store<u64>(out, validator.lastDutySecs, 72);
  return putCalibrations(out, validator);
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
