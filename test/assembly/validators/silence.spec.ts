// Silent seats: when they lose their ordering weight, which of them, how much at most, and how they get it back.

import {
  CONFIG_PARAMS,
  EVENT_SEAT_WEIGHT,
  PARAM_MIN_PARTICIPANTS,
  PARAM_SILENCE_EPOCHS,
  PARAM_SILENCE_SECS,
  SEAT_WEIGHT_BOUND,
  SEAT_WEIGHT_HEARD,
  SEAT_WEIGHT_REMOVED,
  VALIDATOR_EXCLUDED,
  VALIDATOR_SUSPENDED,
} from '../../../assembly/abi';
import { setOutputBytes } from '../../../assembly/io/output';
import { header } from '../../../assembly/state/header';
import { root } from '../../../assembly/state/root';
import { addSeat, seatAt } from '../../../assembly/validators/seats';
import {
  closeEpoch,
  emitSeatWeights,
  expectSeats,
  fullSeatWeight,
  noteHeard,
  passTime,
} from '../../../assembly/validators/silence';
import { operatorOf, validatorAt } from '../../../assembly/validators/validators';
import { eventCount, lastEvent } from '../support/command';
import { freshState, LAUNCH, newValidator, TOKEN } from '../support/state';

const KEY: usize = memory.data(32, 8);
const ID: usize = memory.data<u8>([115, 101, 97, 116, 0, 0, 0, 0]);
const STAKE: u64 = 25000 * TOKEN;
const EPOCHS: u64 = 2;
const SECS: u64 = 100;
/** Of an epoch in these specs; two of them are more than SECS, one is less. */
const EPOCH_SECS: u64 = 60;

function setParam(number: u32, value: u64): void {
  store<u64>(root().base + <usize>CONFIG_PARAMS + ((<usize>number) << 3), value);
}

/** So many equal seats at genesis. */
function network(seats: u32): void {
  freshState();
  setParam(PARAM_SILENCE_EPOCHS, EPOCHS);
  setParam(PARAM_SILENCE_SECS, SECS);
  for (let i: u32 = 0; i < seats; i++) {
    newValidator(i, STAKE, 5000);
    validatorAt(i).seat = i;
    store<u32>(KEY, i + 1);
    addSeat(i, validatorAt(i).agent, <i32>i, KEY, 1, ID, 4);
  }
  expectSeats();
}

function pass(secs: u64): void {
  const timeMs = header().timeMs + secs * 1000;
  passTime(timeMs);
  header().timeMs = timeMs;
}

/** An epoch of `secs` in which the seats whose bit is set are heard, and its seal. */
function epoch(heard: u32, secs: u64 = EPOCH_SECS): void {
  // Blocks come more often than once a minute.
  for (let left = secs; left > 0; left -= min<u64>(left, 30)) pass(min<u64>(left, 30));
  for (let seat: u32 = 0; seat < header().seatCount; seat++) {
    if (((heard >> seat) & 1) != 0) noteHeard(seat);
  }
  closeEpoch();
}

/** Bits of the seats without ordering weight. */
function removed(): u32 {
  let bits: u32 = 0;
  for (let seat: u32 = 0; seat < header().seatCount; seat++) {
    if (seatAt(seat).isRemoved != 0) bits |= 1 << seat;
  }
  return bits;
}

/** Emits what is pending; how many events. */
function told(): u32 {
  setOutputBytes(0);
  expect(emitSeatWeights()).toBe(true);
  return eventCount();
}

describe('a silent seat', () => {
  it('loses its weight after so many epochs and so much time, not before', () => {
    network(7);
    epoch(0b0111111);
    expect(removed()).toBe(0);
    expect(seatAt(6).silentFrom).toBe(1);
    expect(seatAt(6).silentSinceMs).toBe(LAUNCH * 1000);
    epoch(0b0111111, 39);
    expect(removed()).toBe(0);
    epoch(0b0111111, 1);
    expect(removed()).toBe(0b1000000);
    expect(told()).toBe(1);
    const event = lastEvent(EVENT_SEAT_WEIGHT);
    expect(load<u32>(event, 64)).toBe(6);
    expect(load<u32>(event, 68)).toBe(SEAT_WEIGHT_REMOVED);
    expect(load<u32>(event, 72)).toBe(3);
    expect(load<u32>(event, 76)).toBe(1);
    expect(load<u64>(event, 80)).toBe(LAUNCH);
    expect(told()).toBe(0);
    // Its validator keeps what else it has.
    expect(fullSeatWeight(6)).toBe(STAKE / 2);
  });

  it('needs the epochs too, however long one lasts', () => {
    network(7);
    epoch(0b0111111, 5000);
    expect(removed()).toBe(0);
    epoch(0b0111111, 1);
    expect(removed()).toBe(0b1000000);
  });

  it('is none when it is heard once in a while', () => {
    network(7);
    for (let n = 0; n < 20; n++) epoch(n % 2 == 1 ? 0b1111111 : 0b0111111);
    expect(removed()).toBe(0);
    expect(told()).toBe(0);
  });

  it('is not made by time in which nothing was ordered', () => {
    network(7);
    epoch(0b0111111, 10);
    // The network was off for a day: the step counts as a minute.
    pass(86400);
    epoch(0b0111111, 29);
    expect(removed()).toBe(0);
    epoch(0b0111111, 1);
    expect(removed()).toBe(0b1000000);
  });

  it('is none without weight: a seat that joins is expected from the next epoch on', () => {
    network(7);
    operatorOf(validatorAt(6)).staked = 0;
    epoch(0b0111111);
    for (let n = 0; n < 9; n++) epoch(0b0111111);
    expect(seatAt(6).silentFrom).toBe(0);
    operatorOf(validatorAt(6)).staked = STAKE;
    epoch(0b0111111);
    expect(removed()).toBe(0);
    epoch(0b0111111);
    expect(removed()).toBe(0);
    epoch(0b0111111);
    expect(removed()).toBe(0b1000000);
  });

  it('that is suspended weighs in the order as ever', () => {
    network(7);
    validatorAt(6).status = VALIDATOR_SUSPENDED;
    epoch(0b0111111);
    epoch(0b0111111);
    expect(removed()).toBe(0b1000000);
  });
});

describe('the way back', () => {
  it('is one ordered vertex, and it is told at once', () => {
    network(7);
    epoch(0b0111111);
    epoch(0b0111111);
    told();
    noteHeard(6);
    expect(removed()).toBe(0);
    expect(seatAt(6).silentFrom).toBe(0);
    expect(told()).toBe(1);
    const event = lastEvent(EVENT_SEAT_WEIGHT);
    expect(load<u32>(event, 68)).toBe(SEAT_WEIGHT_HEARD);
    expect(load<u32>(event, 76)).toBe(0);
    epoch(0b0111111);
    // Its silence begins anew: a seat that comes and goes is removed no faster the second time.
    epoch(0b0111111);
    expect(removed()).toBe(0);
    epoch(0b0111111);
    expect(removed()).toBe(0b1000000);
  });

  it('is not the stake: a removed seat that takes its stake away and puts it back stays removed', () => {
    network(7);
    epoch(0b0111111);
    epoch(0b0111111);
    operatorOf(validatorAt(6)).staked = 0;
    epoch(0b0111111);
    operatorOf(validatorAt(6)).staked = STAKE;
    epoch(0b0111111);
    expect(removed()).toBe(0b1000000);
    expect(seatAt(6).silentFrom).toBe(1);
    expect(told()).toBe(1);
  });
});

describe('the bound', () => {
  it('lets seven equal seats become four, and no fewer', () => {
    network(7);
    for (let n = 0; n < 3; n++) epoch(0b0000111);
    expect(removed()).toBe(0b0111000);
    for (let n = 0; n < 9; n++) epoch(0b0000111);
    expect(removed()).toBe(0b0111000);
  });

  it('removes first who is silent for the longest, then the lower number', () => {
    network(7);
    epoch(0b0011111);
    epoch(0b0001101);
    epoch(0b0001101);
    epoch(0b0001101);
    expect(removed()).toBe(0b1100010);
  });

  it('leaves four seats: of five equal ones one is removed, of four none', () => {
    network(5);
    for (let n = 0; n < 5; n++) epoch(0b00111);
    expect(removed()).toBe(0b01000);
    network(4);
    for (let n = 0; n < 5; n++) epoch(0b0011);
    expect(removed()).toBe(0);
  });

  it('is 45 % to the unit: nine of twenty equal seats, and no tenth', () => {
    network(20);
    epoch(0x7ff);
    epoch(0x7ff);
    expect(removed()).toBe(0xff800);
    network(20);
    epoch(0x3ff);
    epoch(0x3ff);
    expect(removed()).toBe(0x7fc00);
  });

  it('leaves min_participants', () => {
    network(7);
    setParam(PARAM_MIN_PARTICIPANTS, 6);
    for (let n = 0; n < 5; n++) epoch(0b0000111);
    expect(removed()).toBe(0b0001000);
  });

  it('is of weight: of unequal seats a heavy one is passed over, and a lighter one behind it is removed', () => {
    network(7);
    operatorOf(validatorAt(2)).staked = 6 * STAKE;
    for (let n = 0; n < 3; n++) epoch(0b1110011);
    expect(removed()).toBe(0b0001000);
  });

  it('gives weight back when the others lose theirs, to the last that fell silent', () => {
    network(9);
    epoch(0b011111111);
    for (let n = 0; n < 3; n++) epoch(0b000111111);
    expect(removed()).toBe(0b111000000);
    told();
    for (let i: u32 = 0; i < 3; i++) operatorOf(validatorAt(i)).staked = STAKE / 5;
    // 3.6 seats of weight are left beside three: more than two of them would be too much.
    epoch(0b000111111);
    expect(removed()).toBe(0b101000000);
    expect(told()).toBe(1);
    const event = lastEvent(EVENT_SEAT_WEIGHT);
    expect(load<u32>(event, 64)).toBe(7);
    expect(load<u32>(event, 68)).toBe(SEAT_WEIGHT_BOUND);
    expect(load<u32>(event, 76)).toBe(2);
  });

  it('counts no excluded seat', () => {
    network(7);
    for (let n = 0; n < 3; n++) epoch(0b0000111);
    validatorAt(0).status = VALIDATOR_EXCLUDED;
    epoch(0b0000110);
    // Six weigh; four of them are left.
    expect(removed()).toBe(0b0011000);
  });
});
