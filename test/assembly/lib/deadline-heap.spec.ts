// The heap against a plain search: order by deadline, then id as text, with removals from anywhere.

import {
  addTimerTable,
  attachHeap,
  DEADLINE_HEAP_BYTES,
  DeadlineHeap,
  dropDeadline,
  ID_CHALLENGE,
  ID_HEX_16,
  ID_HEX_32,
  ID_NONE,
  ID_TEXT,
  pushDeadline,
  topDeadlineSecs,
  topTimer,
} from '../../../assembly/lib/deadline-heap';
import { writeLiteral } from '../../../assembly/lib/text';

const ROWS: u32 = 100;
const LONG_BYTES: u32 = 32;
const SHORT_BYTES: u32 = 24;
const NAMED_BYTES: u32 = 88;
/** Offsets of length and text in a named row. */
const LENGTH_AT: u32 = 4;
const TEXT_AT: u32 = 16;

const longRows = heap.alloc(ROWS * LONG_BYTES);
const shortRows = heap.alloc(2 * SHORT_BYTES);
const challengeRows = heap.alloc(3 * SHORT_BYTES);
const namedRows = heap.alloc(4 * NAMED_BYTES);
const entries = heap.alloc(200 * 16);
const positions = heap.alloc(200 * 4);
const queue = changetype<DeadlineHeap>(heap.alloc(<usize>DEADLINE_HEAP_BYTES));
const due = new StaticArray<u64>(<i32>ROWS);

/** First timers of the tables, in the order in which they were added. */
const LONG: u32 = 0;
const SHORT: u32 = ROWS;
const CHALLENGES: u32 = SHORT + 2;
const NAMED: u32 = CHALLENGES + 3;
const NONE: u32 = NAMED + 4;

function name(row: u32, text: string): void {
  const at = namedRows + row * NAMED_BYTES;
  memory.fill(at, 0, NAMED_BYTES);
  store<u32>(at + LENGTH_AT, <u32>text.length);
  writeLiteral(at + TEXT_AT, text);
}

function setUp(): void {
  attachHeap(queue, entries, positions);
  memory.fill(longRows, 0, ROWS * LONG_BYTES);
  memory.fill(shortRows, 0, 2 * SHORT_BYTES);
  memory.fill(challengeRows, 0, 3 * SHORT_BYTES);
  memory.fill(namedRows, 0, 4 * NAMED_BYTES);
  expect(addTimerTable(queue, longRows, LONG_BYTES, ROWS, ID_HEX_32)).toBe(LONG);
  expect(addTimerTable(queue, shortRows, SHORT_BYTES, 2, ID_HEX_16)).toBe(SHORT);
  expect(addTimerTable(queue, challengeRows, SHORT_BYTES, 3, ID_CHALLENGE)).toBe(CHALLENGES);
  expect(addTimerTable(queue, namedRows, NAMED_BYTES, 4, ID_TEXT, TEXT_AT, LENGTH_AT)).toBe(NAMED);
  expect(addTimerTable(queue, 0, 0, 2, ID_NONE)).toBe(NONE);
  // Ids descend as rows ascend; bytes sort like their hex text.
  for (let row: u32 = 0; row < ROWS; row++) {
    store<u8>(longRows + row * LONG_BYTES + 31, <u8>(ROWS - row));
    due[row] = 0;
  }
}

function earliest(): i32 {
  let best = -1;
  for (let row = 0; row < <i32>ROWS; row++) {
    if (due[row] == 0) continue;
    if (best < 0 || due[row] <= due[best]) best = row;
  }
  return best;
}

// Removes all timers, which must come in this order.
function expectOrder(order: u32[]): void {
  for (let i = 0; i < order.length; i++) {
    expect(topTimer(queue)).toBe(order[i]);
    dropDeadline(queue, order[i]);
  }
  expect(topDeadlineSecs(queue)).toBe(0);
}

describe('deadline heap', () => {
  it('is empty at first', () => {
    setUp();
    expect(topDeadlineSecs(queue)).toBe(0);
  });

  it('breaks ties by id', () => {
    setUp();
    for (let row: u32 = 0; row < 10; row++) pushDeadline(queue, row, 7);
    for (let left = 9; left >= 0; left--) {
      expect(topTimer(queue)).toBe(<u32>left);
      dropDeadline(queue, <u32>left);
    }
  });

  it('a short id comes before the longer one that begins with it, and timers without id come last', () => {
    setUp();
    store<u8>(shortRows + SHORT_BYTES, 1);
    for (let timer = <i32>NONE + 1; timer >= <i32>NONE; timer--) pushDeadline(queue, <u32>timer, 7);
    for (let timer = <i32>SHORT + 1; timer >= <i32>SHORT; timer--) pushDeadline(queue, <u32>timer, 7);
    pushDeadline(queue, 0, 7);
    pushDeadline(queue, 1, 6);
    expectOrder([1, SHORT, 0, SHORT + 1, NONE, NONE + 1]);
  });

  it('a challenge sorts as chal- and hex: after the hex ids up to c, before those from d on', () => {
    setUp();
    store<u8>(shortRows, 0xcf);
    store<u8>(shortRows + SHORT_BYTES, 0xd0);
    store<u8>(challengeRows, 0x01);
    store<u8>(challengeRows + SHORT_BYTES, 0xff);
    store<u8>(challengeRows + 2 * SHORT_BYTES, 0x01);
    store<u8>(challengeRows + 2 * SHORT_BYTES + 11, 0x01);
    store<u8>(longRows, 0xce);
    for (let timer = <i32>CHALLENGES + 2; timer >= <i32>SHORT; timer--) pushDeadline(queue, <u32>timer, 9);
    pushDeadline(queue, LONG, 9);
    expectOrder([LONG, SHORT, CHALLENGES, CHALLENGES + 2, CHALLENGES + 1, SHORT + 1]);
  });

  it('the bytes after the twelve of a challenge do not count', () => {
    setUp();
    store<u8>(challengeRows + 12, 0xff);
    store<u8>(challengeRows + SHORT_BYTES + 11, 0x01);
    pushDeadline(queue, CHALLENGES + 1, 9);
    pushDeadline(queue, CHALLENGES, 9);
    expectOrder([CHALLENGES, CHALLENGES + 1]);
  });

  it('texts sort among hex ids and challenges by their letters, a prefix first', () => {
    setUp();
    name(0, 'chal');
    name(1, 'chal-00');
    name(2, 'b');
    name(3, 'node-1');
    store<u8>(shortRows, 0xb0);
    store<u8>(shortRows + SHORT_BYTES, 0xff);
    store<u8>(challengeRows, 0x01);
    for (let timer: u32 = SHORT; timer <= CHALLENGES; timer++) pushDeadline(queue, timer, 9);
    for (let timer: u32 = NAMED; timer <= NONE; timer++) pushDeadline(queue, timer, 9);
    expectOrder([NAMED + 2, SHORT, NAMED, NAMED + 1, CHALLENGES, SHORT + 1, NAMED + 3, NONE]);
  });

  it('an earlier deadline goes before any id', () => {
    setUp();
    name(0, 'a');
    pushDeadline(queue, NAMED, 9);
    pushDeadline(queue, NONE, 8);
    expectOrder([NONE, NAMED]);
  });

  it('has the earliest on top through random changes', () => {
    setUp();
    let state: u32 = 99;
    for (let step = 0; step < 4000; step++) {
      state = state * 1664525 + 1013904223;
      const row = (state >> 8) % ROWS;
      if (due[row] != 0) {
        dropDeadline(queue, row);
        due[row] = 0;
      } else {
        due[row] = 1 + ((state >> 20) % 40);
        pushDeadline(queue, row, due[row]);
      }
      const best = earliest();
      if (best >= 0) expect(topTimer(queue)).toBe(<u32>best);
      expect(topDeadlineSecs(queue)).toBe(best < 0 ? 0 : due[best]);
    }
  });

  it('stops when a timer to be dropped is missing', () => {
    setUp();
    pushDeadline(queue, 1, 5);
    expect(() => {
      dropDeadline(queue, 2);
    }).toThrow();
  });
});
