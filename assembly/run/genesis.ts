// Genesis: the operators and validators of the manifest's seats, before the first block.
// Keeps: stakes and operator funds come from genesis:rewards, never more than it holds (protocol 6.1).
// The host has checked the manifest, so a seat that does not fit is a fault of the host, not an outcome.

import {
  IN_GENESIS_BASELINE_BP,
  IN_GENESIS_CONSENSUS_KEY,
  IN_GENESIS_ID,
  IN_GENESIS_ID_BYTES,
  IN_GENESIS_KEY_EPOCH,
  IN_GENESIS_OPERATOR,
  IN_GENESIS_SEAT,
  IN_GENESIS_STAKE,
  IN_GENESIS_STATUS,
  NO_STATUS,
  OUT_FIELDS,
  POOL_REWARDS,
  VALIDATOR_ACTIVE,
  VALIDATOR_EXCLUDED,
  VALIDATOR_PROBATION,
} from '../abi';
import { addStake } from '../credit/stake';
import { emitGenesis } from '../io/system-event';
import { addAgent, agentIndex, findAgent, hasAgentRow } from '../ledger/agents';
import { balanceOf, move, poolBalance, poolOf } from '../ledger/money';
import { BP, OPERATOR_FUNDS } from '../ledger/rates';
import { CATEGORY_ROW_BYTES, internCategory, isCategoryForm } from '../reputation/categories';
import { startFingerprint } from '../reputation/fingerprint';
import { CATEGORIES, capacity, header, isTestnet, nowSecs, VALIDATORS } from '../state/header';
import { addSeat, isFreeConsensusKey, isSeat } from '../validators/seats';
import { startCycle } from '../validators/status';
import { rearmValidator } from '../validators/timers';
import {
  addValidator,
  isFreeValidatorId,
  MAX_VALIDATOR_CATEGORIES,
  MAX_VALIDATOR_ID_BYTES,
  setValidatorCategory,
  validatorAt,
} from '../validators/validators';
import { holdWeight } from '../validators/weight';

function categoriesAt(record: usize): usize {
  return record + IN_GENESIS_ID + ((<usize>load<u32>(record, IN_GENESIS_ID_BYTES) + 7) & ~7);
}

// Lengths and ranges of the record alone.
function isWellFormed(record: usize, bytes: u32): bool {
  if (bytes < <u32>IN_GENESIS_ID + 8) return false;
  const idBytes = load<u32>(record, IN_GENESIS_ID_BYTES);
  if (idBytes == 0 || idBytes > MAX_VALIDATOR_ID_BYTES) return false;
  const list = categoriesAt(record);
  if (list + 8 > record + bytes) return false;
  const count = load<u32>(list);
  if (count > MAX_VALIDATOR_CATEGORIES) return false;
  if (list + 8 + <usize>count * CATEGORY_ROW_BYTES != record + bytes) return false;
  for (let i: usize = 0; i < count; i++) {
    if (!isCategoryForm(list + 8 + i * CATEGORY_ROW_BYTES)) return false;
  }
  return (
    load<u32>(record, IN_GENESIS_STATUS) <= <u32>VALIDATOR_EXCLUDED &&
    load<u32>(record, IN_GENESIS_BASELINE_BP) <= <u32>BP
  );
}

function operatorFunds(): u64 {
  return isTestnet() ? OPERATOR_FUNDS : 0;
}

// Against the state: nothing twice, nothing above a capacity or what the pool holds.
function fits(record: usize): bool {
  const h = header();
  const seat = load<u32>(record, IN_GENESIS_SEAT);
  const bonded = load<u64>(record, IN_GENESIS_STAKE);
  const held = poolBalance(POOL_REWARDS);
  if (seat >= capacity(VALIDATORS) || isSeat(seat) || !hasAgentRow()) return false;
  if (findAgent(record + IN_GENESIS_OPERATOR) >= 0) return false;
  if (bonded == 0 || bonded > held || held - bonded < operatorFunds()) return false;
  if (!isFreeValidatorId(record + IN_GENESIS_ID, load<u32>(record, IN_GENESIS_ID_BYTES))) return false;
  if (!isFreeConsensusKey(record + IN_GENESIS_CONSENSUS_KEY)) return false;
  return h.categoryCount + load<u32>(categoriesAt(record)) <= capacity(CATEGORIES);
}

function addOperator(record: usize): u32 {
  const bonded = load<u64>(record, IN_GENESIS_STAKE);
  const funds = operatorFunds();
  const agent = addAgent(record + IN_GENESIS_OPERATOR, record + IN_GENESIS_OPERATOR, record, 0, nowSecs());
  addStake(agent, poolOf(POOL_REWARDS), bonded, nowSecs());
  move(poolOf(POOL_REWARDS), balanceOf(agent), funds);
  startFingerprint(agent);
  return agentIndex(agent);
}

function addSeatValidator(record: usize, operator: u32): i32 {
  const status = load<u32>(record, IN_GENESIS_STATUS);
  if (status == NO_STATUS) return -1;
  const baseline = load<u32>(record, IN_GENESIS_BASELINE_BP);
  const idBytes = load<u32>(record, IN_GENESIS_ID_BYTES);
  const seat = load<u32>(record, IN_GENESIS_SEAT);
  const index = addValidator(operator, seat, status, baseline, record + IN_GENESIS_ID, idBytes, nowSecs());
  const row = validatorAt(index);
  row.isGenesis = 1;
  const list = categoriesAt(record);
  row.categoryCount = load<u32>(list);
  for (let i: u32 = 0; i < row.categoryCount; i++) {
    const category = internCategory(list + 8 + <usize>i * CATEGORY_ROW_BYTES);
    setValidatorCategory(row, i, <u16>category);
  }
  if (status == VALIDATOR_ACTIVE) row.activatedSecs = nowSecs();
  holdWeight(row, nowSecs());
  if (status == VALIDATOR_PROBATION) startCycle(row, 1, nowSecs());
  rearmValidator(index);
  return <i32>index;
}

/** OP_GENESIS_SEAT; false, with nothing changed, when the record does not fit. */
export function addGenesisSeat(record: usize, bytes: u32): bool {
  if (!isWellFormed(record, bytes) || !fits(record)) return false;

  const operator = addOperator(record);
  const validator = addSeatValidator(record, operator);
  const key = record + IN_GENESIS_CONSENSUS_KEY;
  const epoch = load<u32>(record, IN_GENESIS_KEY_EPOCH);
  addSeat(
    load<u32>(record, IN_GENESIS_SEAT),
    operator,
    validator,
    key,
    epoch,
    record + IN_GENESIS_ID,
    load<u32>(record, IN_GENESIS_ID_BYTES),
  );
  return true;
}

/** Size of the genesis event in the out buffer. */
export const GENESIS_EVENT_BYTES: u32 = OUT_FIELDS;

/** Emits the genesis event, once, as seq 1. */
export function emitGenesisOnce(): void {
  if (header().genesisEmitted != 0) return;
  header().genesisEmitted = 1;
  emitGenesis(GENESIS_EVENT_BYTES);
}
