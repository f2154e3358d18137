// A fresh small state for a spec: configuration record, core_init, agents and validators by hand.
// Keeps: each call lays out new memory, so specs do not see each other's rows, and the objects that a spec
// allocates (each `expect` does) are never inside it.

import {
  ABI_VERSION,
  CONFIG_CAPACITIES,
  CONFIG_LAUNCH,
  CONFIG_PARAMS,
  CONFIG_TESTNET,
  NO_SEAT,
  PARAM_COUNT,
  POOL_REWARDS,
  VALIDATOR_ACTIVE,
} from '../../../assembly/abi';
import { addStake } from '../../../assembly/credit/stake';
import { Agent, addAgent, agentIndex } from '../../../assembly/ledger/agents';
import { balanceOf, move, poolOf } from '../../../assembly/ledger/money';
import { initialize } from '../../../assembly/run/layout';
import { CAPACITY_COUNT, header } from '../../../assembly/state/header';
import { inputAddress, root } from '../../../assembly/state/root';
import { addValidator, Validator, validatorAt } from '../../../assembly/validators/validators';
import { holdWeight } from '../../../assembly/validators/weight';

export const LAUNCH: u64 = 1800000000;
export const TOKEN: u64 = 1000000;
// Length and bytes of the chain id follow the parameters.
const CHAIN_BYTES: usize = CONFIG_PARAMS + 8 * PARAM_COUNT;
const KEY: usize = memory.data(32, 8);
const ID: usize = memory.data(8, 8);

function setParam(config: usize, number: u32, value: u64): void {
  store<u64>(config + <usize>CONFIG_PARAMS + ((<usize>number) << 3), value);
}

/** Lays out an empty testnet state: 50 rows per table, days of 86,400 s, one participant. */
export function freshState(): void {
  // On its first allocation the specs' runtime takes all existing memory, so that must happen before the arenas are laid
  // out. Later it only uses memory that it adds itself, as the core does.
  heap.free(heap.alloc(8));
  root().base = 0;
  const config = inputAddress();
  memory.fill(config, 0, 320);
  store<u32>(config, ABI_VERSION);
  store<u32>(config, CONFIG_TESTNET, 4);
  for (let table: usize = 0; table < <usize>CAPACITY_COUNT; table++) {
    store<u32>(config + <usize>CONFIG_CAPACITIES + (table << 2), 50);
  }
  store<u64>(config + <usize>CONFIG_LAUNCH, LAUNCH);
  setParam(config, 0, 86400);
  setParam(config, 1, 300);
  setParam(config, 2, 300);
  setParam(config, 3, 600);
  setParam(config, 4, 3600);
  setParam(config, 5, 259200);
  setParam(config, 6, 7200);
  setParam(config, 7, 60);
  setParam(config, 8, 86400);
  setParam(config, 9, 86400);
  setParam(config, 10, 5000000000);
  setParam(config, 11, 100000);
  setParam(config, 13, 1);
  setParam(config, 14, 1);
  setParam(config, 16, 10000000000000);
  setParam(config, 19, 1000000000);
  setParam(config, 20, 100000000);
  setParam(config, 21, 60);
  setParam(config, 24, 86400);
  setParam(config, 25, 86400);
  setParam(config, 26, 32);
  setParam(config, 27, 10000000);
  store<u32>(config, 4, CHAIN_BYTES);
  store<u32>(config, 0x74736574, CHAIN_BYTES + 4);
  assert(initialize(<u32>CHAIN_BYTES + 8) == 0, 'the state of the spec was not laid out');
}

/** An agent whose key is `number`, with a free balance and a stake from genesis:rewards. */
export function newAgent(number: u64, balance: u64, staked: u64): Agent {
  store<u64>(KEY, number);
  const agent = addAgent(KEY, KEY, KEY, 0, LAUNCH);
  move(poolOf(POOL_REWARDS), balanceOf(agent), balance);
  if (staked > 0) addStake(agent, poolOf(POOL_REWARDS), staked, LAUNCH);
  return agent;
}

/** The same row under another key, where only the key of an agent counts: a spec has 50 rows. */
export function underKey(agent: Agent, number: u64): Agent {
  agent.key0 = number;
  return agent;
}

/** A validator with the given stake and baseline, whose weight is held, as at genesis; its id is its number in base 26. */
export function newValidator(
  number: u64,
  staked: u64,
  baselineBp: u32,
  status: u32 = VALIDATOR_ACTIVE,
): Validator {
  const agent = newAgent(number + 1000, 0, staked);
  store<u8>(ID, <u8>(97 + number / 26));
  store<u8>(ID + 1, <u8>(97 + (number % 26)));
  const validator = validatorAt(addValidator(agentIndex(agent), NO_SEAT, status, baselineBp, ID, 2, LAUNCH));
  holdWeight(validator, LAUNCH);
  return validator;
}

/** Sets consensus time in seconds. */
export function setNow(secs: u64): void {
  header().timeMs = secs * 1000;
}
