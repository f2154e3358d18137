// Becoming a validator: by application, and at genesis (protocol 4.3, 7.4).

import {
  ALREADY_VALIDATOR,
  CAPACITY,
  EVENT_VALIDATOR_STATUS,
  INSUFFICIENT_BALANCE,
  INVALID_REQUEST,
  NO_SEAT,
  NO_STATUS,
  OK,
  OP_GENESIS_SEAT,
  OP_VALIDATOR_APPLY,
  OUT_STATUS_BYTES,
  PERMANENTLY_EXCLUDED,
  POOL_TREASURY,
  REASON_MAX_FEE,
  STAKE_BELOW_REQUIRED,
  STATUS_REASON_EQUIVOCATION,
  TABLE_CATEGORIES,
  VALIDATOR_ACTIVE,
  VALIDATOR_EXCLUDED,
  VALIDATOR_PROBATION,
} from '../../../assembly/abi';
import { STEP_MOVEMENT_BYTES, setOutputBytes } from '../../../assembly/io/output';
import { Agent, agentAt } from '../../../assembly/ledger/agents';
import { poolBalance } from '../../../assembly/ledger/money';
import { clearMovements } from '../../../assembly/ledger/movements';
import { sha256 } from '../../../assembly/lib/sha256';
import { writeHex, writeLiteral } from '../../../assembly/lib/text';
import { FIXED_CATEGORIES } from '../../../assembly/reputation/categories';
import { addGenesisSeat } from '../../../assembly/run/genesis';
import { header } from '../../../assembly/state/header';
import { OUT_BYTES } from '../../../assembly/state/root';
import { nextDeadlineSecs } from '../../../assembly/state/timers';
import { applyAsValidator } from '../../../assembly/validators/applying';
import { emitExclusions, excludeSeat } from '../../../assembly/validators/exclusion';
import { findValidator } from '../../../assembly/validators/naming';
import { seatAt, seatKey, seatValidator } from '../../../assembly/validators/seats';
import {
  operatorOf,
  validatorAt,
  validatorCategory,
  validatorId,
} from '../../../assembly/validators/validators';
import { beginRecord, eventCount, lastEvent, putName, result, run } from '../support/command';
import { freshState, LAUNCH, newAgent, newValidator, setNow, TOKEN } from '../support/state';

const DAY: u64 = 86400;
const FORM_BYTES: usize = 56;
const SEAT_RECORD: usize = memory.data(256, 8);
const FORM: usize = memory.data(72, 8);
const TEXT: usize = memory.data(96, 8);

/** An application that names `count` categories, "a", "b" and so on. */
function application(agent: Agent, count: u32, maxFee: u64): void {
  const record = beginRecord(OP_VALIDATOR_APPLY, agent);
  store<u32>(record, count, 96);
  store<u64>(record, maxFee, 104);
  for (let i: u32 = 0; i < count; i++) {
    const form = record + 112 + <usize>i * FORM_BYTES;
    store<u32>(form, 1);
    store<u8>(form, <u8>(97 + i), 4);
  }
}

function apply(agent: Agent, count: u32 = 0, maxFee: u64 = 0): i32 {
  application(agent, count, maxFee);
  return run(applyAsValidator);
}

/** A seat of the manifest with a status; id "v" and the digit of the seat; operator and key by its number. */
function genesisSeat(seat: u32, status: u32): bool {
  memory.fill(SEAT_RECORD, 0, 256);
  store<u16>(SEAT_RECORD, OP_GENESIS_SEAT);
  store<u32>(SEAT_RECORD, 120, 4);
  store<u32>(SEAT_RECORD, seat, 8);
  store<u32>(SEAT_RECORD, status, 12);
  store<u64>(SEAT_RECORD, 5000 + seat, 16);
  store<u64>(SEAT_RECORD, 30000 * TOKEN, 48);
  store<u32>(SEAT_RECORD, 4000, 56);
  store<u32>(SEAT_RECORD, 2, 60);
  store<u64>(SEAT_RECORD, 6000 + seat, 64);
  store<u32>(SEAT_RECORD, 3, 96);
  store<u8>(SEAT_RECORD, 118, 104);
  store<u8>(SEAT_RECORD, <u8>(48 + seat), 105);
  return addGenesisSeat(SEAT_RECORD, 120);
}

describe('an application', () => {
  it('needs the required stake to the last unit', () => {
    freshState();
    const agent = newAgent(1, 0, 10000 * TOKEN - 1);
    expect(apply(agent)).toBe(STAKE_BELOW_REQUIRED);
    expect(result(0)).toBe(10000 * TOKEN - 1);
    expect(result(1)).toBe(10000 * TOKEN);
    expect(header().validatorCount).toBe(0);
    agent.staked++;
    expect(apply(agent)).toBe(OK);
    expect(header().validatorCount).toBe(1);
  });

  it('starts the first cycle of probation, without weight', () => {
    freshState();
    setNow(LAUNCH + 77);
    const agent = newAgent(1, 0, 10000 * TOKEN);
    expect(apply(agent, 2)).toBe(OK);
    expect(result(0)).toBe(0);
    expect(result(1)).toBe(0);
    const validator = validatorAt(0);
    expect(validator.status).toBe(VALIDATOR_PROBATION);
    expect(validator.cycle).toBe(1);
    expect(validator.probationSecs).toBe(LAUNCH + 77);
    expect(validator.registeredAtSecs).toBe(LAUNCH + 77);
    expect(validator.baselineBp).toBe(0);
    expect(validator.isGenesis).toBe(0);
    expect(validator.seat).toBe(NO_SEAT);
    expect(validator.categoryCount).toBe(2);
    expect(validatorCategory(validator, 0)).toBe(FIXED_CATEGORIES);
    expect(validatorCategory(validator, 1)).toBe(FIXED_CATEGORIES + 1);
    expect(nextDeadlineSecs()).toBe(LAUNCH + 77 + 30 * DAY);
    expect(eventCount()).toBe(0);
  });

  it('derives the id from the event, by which it is found', () => {
    freshState();
    newValidator(0, TOKEN, 5000);
    newValidator(1, TOKEN, 5000);
    expect(apply(newAgent(1, 0, 10000 * TOKEN))).toBe(OK);
    memory.fill(FORM, 1, 32);
    const end = writeHex(writeLiteral(TEXT, 'validator:'), FORM, 32);
    sha256(TEXT, <u32>(end - TEXT), FORM);
    writeHex(TEXT, FORM, 16);
    expect(validatorAt(2).idBytes).toBe(32);
    expect(memory.compare(validatorId(validatorAt(2)), TEXT, 32)).toBe(0);
    putName(FORM, TEXT, 32);
    expect(findValidator(FORM)).toBe(2);
    store<u8>(FORM, 122, 8);
    expect(findValidator(FORM)).toBe(-1);
    store<u32>(FORM, 0);
    expect(findValidator(FORM)).toBe(-1);
  });

  it('of a validator is refused, of an excluded one permanently', () => {
    freshState();
    const validator = newValidator(0, 30000 * TOKEN, 5000);
    expect(apply(operatorOf(validator))).toBe(ALREADY_VALIDATOR);
    validator.status = VALIDATOR_EXCLUDED;
    expect(apply(operatorOf(validator))).toBe(PERMANENTLY_EXCLUDED);
  });

  it('pays for its row once more than half of them are used, and no more than it allows', () => {
    freshState();
    header().validatorCount = 25;
    expect(apply(newAgent(1, 0, 10000 * TOKEN))).toBe(OK);
    // 24 of 50 rows are free: 10,000 tokens times 50 / 48, less 10,000.
    const fee: u64 = 416666666;
    const agent = newAgent(2, fee - 1, 10000 * TOKEN);
    expect(apply(agent)).toBe(INVALID_REQUEST);
    expect(result(0)).toBe(REASON_MAX_FEE);
    expect(result(1)).toBe(fee);
    expect(apply(agent, 0, fee - 1)).toBe(INVALID_REQUEST);
    expect(apply(agent, 0, fee)).toBe(INSUFFICIENT_BALANCE);
    expect(result(0)).toBe(fee - 1);
    expect(result(1)).toBe(fee);
    agent.balance = fee + 1;
    const treasury = poolBalance(POOL_TREASURY);
    expect(apply(agent, 0, 1000 * TOKEN)).toBe(OK);
    expect(agent.balance).toBe(1);
    expect(poolBalance(POOL_TREASURY)).toBe(treasury + fee);
    // The last row costs 24 times the required stake.
    header().validatorCount = 49;
    const last = newAgent(3, 240000 * TOKEN, 10000 * TOKEN);
    expect(apply(last, 0, 240000 * TOKEN)).toBe(OK);
    expect(last.balance).toBe(0);
  });

  it('is refused when the names of its categories do not fit', () => {
    freshState();
    // 50 names fit.
    expect(apply(newAgent(1, 0, 10000 * TOKEN), 2)).toBe(OK);
    header().categoryCount = 49;
    const agent = newAgent(2, 0, 10000 * TOKEN);
    expect(apply(agent, 4)).toBe(CAPACITY);
    expect(result(0)).toBe(TABLE_CATEGORIES);
    expect(header().validatorCount).toBe(1);
    // Known names need no row.
    expect(apply(agent, 3)).toBe(OK);
    expect(header().categoryCount).toBe(50);
    expect(validatorCategory(validatorAt(1), 1)).toBe(FIXED_CATEGORIES + 1);
    expect(validatorCategory(validatorAt(1), 2)).toBe(49);
  });
});

describe('a seat of genesis', () => {
  it('that is active has no probation; in probation it starts its first cycle', () => {
    freshState();
    expect(genesisSeat(0, VALIDATOR_ACTIVE)).toBe(true);
    expect(validatorAt(0).status).toBe(VALIDATOR_ACTIVE);
    expect(validatorAt(0).activatedSecs).toBe(LAUNCH);
    expect(validatorAt(0).cycle).toBe(0);
    expect(nextDeadlineSecs()).toBe(0);
    expect(genesisSeat(1, VALIDATOR_PROBATION)).toBe(true);
    expect(validatorAt(1).cycle).toBe(1);
    expect(validatorAt(1).baselineBp).toBe(4000);
    expect(validatorAt(1).isGenesis).toBe(1);
    expect(nextDeadlineSecs()).toBe(LAUNCH + 30 * DAY);
  });

  it('with a consensus key in use is refused', () => {
    freshState();
    expect(genesisSeat(0, VALIDATOR_ACTIVE)).toBe(true);
    store<u64>(SEAT_RECORD, 5001, 16);
    store<u32>(SEAT_RECORD, 1, 8);
    store<u8>(SEAT_RECORD, 49, 105);
    expect(addGenesisSeat(SEAT_RECORD, 120)).toBe(false);
    store<u64>(SEAT_RECORD, 6001, 64);
    expect(addGenesisSeat(SEAT_RECORD, 120)).toBe(true);
  });

  it('that is pending has no validator until its operator applies', () => {
    freshState();
    expect(genesisSeat(0, VALIDATOR_ACTIVE)).toBe(true);
    expect(genesisSeat(1, NO_STATUS)).toBe(true);
    expect(header().validatorCount).toBe(1);
    expect(seatValidator(1)).toBe(-1);
    const operator = agentAt(seatAt(1).operator - 1);
    expect(apply(operator)).toBe(OK);
    expect(seatValidator(1)).toBe(1);
    const validator = validatorAt(1);
    expect(validator.seat).toBe(1);
    expect(validator.status).toBe(VALIDATOR_PROBATION);
    expect(validator.idBytes).toBe(2);
    expect(load<u8>(validatorId(validator), 1)).toBe(49);
    expect(load<u64>(seatKey(seatAt(1)))).toBe(6001);
    expect(seatAt(1).keyEpoch).toBe(3);
  });
});

describe('a proven equivocation', () => {
  it('excludes the validator of the seat and is emitted once', () => {
    freshState();
    genesisSeat(0, VALIDATOR_ACTIVE);
    genesisSeat(1, VALIDATOR_PROBATION);
    genesisSeat(2, NO_STATUS);
    setOutputBytes(0);
    for (let seat: u32 = 0; seat < 3; seat++) excludeSeat(seat);
    excludeSeat(1);
    expect(validatorAt(0).status).toBe(VALIDATOR_EXCLUDED);
    expect(validatorAt(1).status).toBe(VALIDATOR_EXCLUDED);
    expect(nextDeadlineSecs()).toBe(0);
    expect(eventCount()).toBe(0);
    expect(emitExclusions()).toBe(true);
    expect(eventCount()).toBe(2);
    const event = lastEvent(EVENT_VALIDATOR_STATUS);
    expect(load<u32>(event, 64)).toBe(1);
    expect(load<u32>(event, 68)).toBe(VALIDATOR_EXCLUDED);
    expect(load<u32>(event, 72)).toBe(STATUS_REASON_EQUIVOCATION);
    expect(emitExclusions()).toBe(true);
    expect(eventCount()).toBe(2);
    expect(header().exclusionsPending).toBe(0);
    // The operator keeps its stake.
    expect(operatorOf(validatorAt(0)).staked).toBe(30000 * TOKEN);
  });

  it('keeps its event pending while the out buffer is full', () => {
    freshState();
    genesisSeat(0, VALIDATOR_ACTIVE);
    genesisSeat(1, VALIDATOR_ACTIVE);
    excludeSeat(0);
    excludeSeat(1);
    clearMovements();
    // Room for one, with its movements beside it.
    setOutputBytes(OUT_BYTES - STEP_MOVEMENT_BYTES - 2 * OUT_STATUS_BYTES);
    expect(emitExclusions()).toBe(false);
    expect(header().exclusionsPending).toBe(1);
    setOutputBytes(0);
    expect(emitExclusions()).toBe(true);
    expect(eventCount()).toBe(1);
    expect(load<u32>(lastEvent(EVENT_VALIDATOR_STATUS), 64)).toBe(1);
  });
});
