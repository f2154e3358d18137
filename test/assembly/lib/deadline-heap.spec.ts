// The heap against a plain search: order by deadline, then id, with removals from anywhere.

import {
  DeadlineHeap,
  dropDeadline,
  pushDeadline,
  topDeadlineSecs,
  topTimer,
} from '../../../assembly/lib/deadline-heap';

const ROWS: u32 = 100;
const rows = heap.alloc(ROWS * 32);
const shortRows = heap.alloc(32);
const queue = changetype<DeadlineHeap>(heap.alloc(64));
const due = new StaticArray<u64>(<i32>ROWS);

function setUp(): void {
  queue.entries = heap.alloc((ROWS + 4) * 16);
  queue.places = heap.alloc((ROWS + 4) * 4);
  queue.longRows = rows;
  queue.longStride = 32;
  queue.longCount = ROWS;
  queue.shortRows = shortRows;
  queue.shortStride = 16;
  queue.shortCount = 2;
  queue.count = 0;
  memory.fill(rows, 0, ROWS * 32);
  // Ids go down as rows go up; bytes decide in the order of their hex text.
  for (let row: u32 = 0; row < ROWS; row++) {
    store<u8>(rows + row * 32 + 31, <u8>(ROWS - row));
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
    memory.fill(shortRows, 0, 32);
    store<u8>(shortRows + 16, 1);
    for (let timer = <i32>ROWS + 3; timer >= <i32>ROWS; timer--) pushDeadline(queue, <u32>timer, 7);
    pushDeadline(queue, 0, 7);
    pushDeadline(queue, 1, 6);
    const order: u32[] = [1, ROWS, 0, ROWS + 1, ROWS + 2, ROWS + 3];
    for (let i = 0; i < order.length; i++) {
      expect(topTimer(queue)).toBe(order[i]);
      dropDeadline(queue, order[i]);
    }
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
