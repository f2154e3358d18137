// Decodes the core's header, the answer to QUERY_HEADER (assembly/abi.ts): clock, counts, pools.

import * as abi from '../../assembly/abi.ts';
import { u64At } from '../wire/bytes.ts';
import type { OutView } from './core.ts';

export interface HeaderState {
  timeMs: number;
  order: number;
  seq: number;
  block: number;
  launchTime: number;
  agents: number;
  items: number;
  validators: number;
  nextDeadline: number;
  nextGrant: number;
  totalStaked: number;
  totalEscrowed: number;
  /** Rewards of pending replay jobs: part of `totalEscrowed`. */
  replayEscrow: number;
  baseFees: number;
  assuranceFees: number;
  generated: number;
  generated30d: number;
  bootstrapActive: boolean;
  activeValidators: number;
  probationValidators: number;
  voteWeight: number;
  supply: number;
  requiredStake: number;
  seats: number;
  pools: number[];
  /** Order and second of the newest block with which acknowledged writes may have been lost; 0 = none. */
  lostWritesOrder: number;
  lostWritesSecs: number;
  /** Runs of contracts that wait for a block. */
  dueRuns: number;
  /** Of the rules that apply (consensus 5.11). */
  revision: number;
}

/** Decodes an answer to QUERY_HEADER. */
export function readHeader({ view }: OutView): HeaderState {
  const word = (i: number): number => u64At(view, 8 * i);
  // Read with every batch and many answers, and several times as fast as Array.from.
  const pools: number[] = [];
  for (let i = 0; i < abi.POOL_COUNT; i++) pools.push(word(abi.HEADER_POOLS + i));
  return {
    timeMs: word(abi.HEADER_TIME_MS),
    order: word(abi.HEADER_ORDER),
    seq: word(abi.HEADER_SEQ),
    block: word(abi.HEADER_BLOCK),
    launchTime: word(abi.HEADER_LAUNCH),
    agents: word(abi.HEADER_AGENTS),
    items: word(abi.HEADER_ITEMS),
    validators: word(abi.HEADER_VALIDATORS),
    nextDeadline: word(abi.HEADER_NEXT_DEADLINE),
    nextGrant: word(abi.HEADER_NEXT_GRANT),
    totalStaked: word(abi.HEADER_TOTAL_STAKED),
    totalEscrowed: word(abi.HEADER_TOTAL_ESCROWED),
    baseFees: word(abi.HEADER_BASE_FEES),
    assuranceFees: word(abi.HEADER_ASSURANCE_FEES),
    generated: word(abi.HEADER_GENERATED),
    generated30d: word(abi.HEADER_GENERATED_30D),
    bootstrapActive: word(abi.HEADER_BOOTSTRAP_ACTIVE) === 1,
    activeValidators: word(abi.HEADER_ACTIVE_VALIDATORS),
    probationValidators: word(abi.HEADER_PROBATION_VALIDATORS),
    voteWeight: word(abi.HEADER_VOTE_WEIGHT),
    supply: word(abi.HEADER_SUPPLY),
    requiredStake: word(abi.HEADER_REQUIRED_STAKE),
    replayEscrow: word(abi.HEADER_REPLAY_ESCROW),
    seats: word(abi.HEADER_SEATS),
    lostWritesOrder: word(abi.HEADER_LOST_WRITES_ORDER),
    lostWritesSecs: word(abi.HEADER_LOST_WRITES_SECS),
    dueRuns: word(abi.HEADER_DUE_RUNS),
    revision: word(abi.HEADER_REVISION),
    pools,
  };
}
