// The index against a plain table: random insertions and removals, long runs, wrap-around.

import {
  addRow,
  attachIndex,
  clearIndex,
  findRow,
  KeyIndex,
  removeRow,
  slotCount,
} from '../../../assembly/lib/key-index';

const ROWS: u32 = 200;
const STRIDE: u32 = 40;
const rows = heap.alloc(ROWS * STRIDE);
const slots = heap.alloc(<usize>slotCount(ROWS) * 8);
const index = changetype<KeyIndex>(heap.alloc(64));
const present = new StaticArray<bool>(<i32>ROWS);

function keyAddress(row: u32): usize {
  return rows + row * STRIDE + 8;
}

function setUp(spread: u64): void {
  memory.fill(rows, 0, ROWS * STRIDE);
  attachIndex(index, slots, slotCount(ROWS), rows, STRIDE, 8, 32);
  clearIndex(index);
  for (let row: u32 = 0; row < ROWS; row++) {
    store<u64>(keyAddress(row), (<u64>row + 1) * spread);
    store<u64>(keyAddress(row), row, 24);
    present[row] = false;
  }
}

function churn(): void {
  let state: u32 = 12345;
  for (let step = 0; step < 4000; step++) {
    state = state * 1664525 + 1013904223;
    const row = (state >> 8) % ROWS;
    if (present[row]) removeRow(index, row);
    else addRow(index, row);
    present[row] = !present[row];
    const probe = (state >> 16) % ROWS;
    expect(findRow(index, keyAddress(probe))).toBe(present[probe] ? <i32>probe : -1);
  }
}

describe('key index', () => {
  it('sizes for half load', () => {
    expect(slotCount(1)).toBe(16);
    expect(slotCount(8)).toBe(16);
    expect(slotCount(9)).toBe(32);
    expect(slotCount(1000000)).toBe(2097152);
  });

  it('finds exactly what is in it, with distributed keys', () => {
    setUp(0x9e3779b97f4a1);
    churn();
  });

  it('finds exactly what is in it when all keys fall into one run', () => {
    setUp(0);
    churn();
  });

  it('supports keys of 8 bytes', () => {
    setUp(77);
    attachIndex(index, slots, slotCount(ROWS), rows, STRIDE, 8, 8);
    churn();
  });

  it('uses few slots for few rows, and doubles them as they fill', () => {
    setUp(0x9e3779b97f4a1);
    for (let row: u32 = 0; row < 8; row++) addRow(index, row);
    expect(index.mask).toBe(15);
    addRow(index, 8);
    expect(index.mask).toBe(31);
    for (let row: u32 = 9; row < ROWS; row++) addRow(index, row);
    expect(index.mask).toBe(slotCount(ROWS) - 1);
    for (let row: u32 = 0; row < ROWS; row++) expect(findRow(index, keyAddress(row))).toBe(<i32>row);
    clearIndex(index);
    expect(index.mask).toBe(15);
    expect(findRow(index, keyAddress(0))).toBe(-1);
  });

  it('finds all keys of one run when it has doubled', () => {
    setUp(0);
    for (let row: u32 = 0; row < ROWS; row++) addRow(index, row);
    for (let row: u32 = 0; row < ROWS; row++) expect(findRow(index, keyAddress(row))).toBe(<i32>row);
  });

  it('clears slots as they come into use', () => {
    memory.fill(slots, 0xff, <usize>slotCount(ROWS) * 8);
    setUp(77);
    for (let row: u32 = 0; row < 50; row++) addRow(index, row);
    for (let row: u32 = 0; row < ROWS; row++) {
      expect(findRow(index, keyAddress(row))).toBe(row < 50 ? <i32>row : -1);
    }
  });

  it('stops when more rows are added than slots are reserved for', () => {
    setUp(0x9e3779b97f4a1);
    attachIndex(index, slots, 16, rows, STRIDE, 8, 32);
    for (let row: u32 = 0; row < 8; row++) addRow(index, row);
    expect(() => {
      addRow(index, 8);
    }).toThrow();
  });

  it('stops when a row to be removed is missing', () => {
    setUp(3);
    expect(() => {
      removeRow(index, 1);
    }).toThrow();
  });
});
