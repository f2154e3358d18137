// The instructions that a program may contain: operands, result, cost, alignment (protocol 14.4, 14.5).
// Keeps: what is not listed here is refused. Control, variables and calls depend on the module, so their types are in
// function-check.ts; this table has their cost alone.

export const I32 = 0x7f;
export const I64 = 0x7e;

export interface Signature {
  /** Types of the operands, the lowest first. */
  operands: readonly number[];
  /** Type of the result; 0 if there is none. */
  result: number;
  cost: number;
  /** Of memory access: the largest alignment that may be stated, as a power of two. */
  align: number;
}

const types = (text: string): number[] => Array.from(text, (letter) => (letter === 'i' ? I32 : I64));

// First and last opcode, operands, result, cost; i is i32, l is i64. Division is the one arithmetic that a machine does
// not do in a few cycles.
const ROWS: readonly (readonly [number, number, string, string, number])[] = [
  [0x28, 0x28, 'i', 'i', 1],
  [0x29, 0x29, 'i', 'l', 1],
  [0x2c, 0x2f, 'i', 'i', 1],
  [0x30, 0x35, 'i', 'l', 1],
  [0x36, 0x36, 'ii', '', 1],
  [0x37, 0x37, 'il', '', 1],
  [0x3a, 0x3b, 'ii', '', 1],
  [0x3c, 0x3e, 'il', '', 1],
  [0x3f, 0x3f, '', 'i', 1],
  [0x40, 0x40, 'i', 'i', 1],
  [0x41, 0x41, '', 'i', 1],
  [0x42, 0x42, '', 'l', 1],
  [0x45, 0x45, 'i', 'i', 1],
  [0x46, 0x4f, 'ii', 'i', 1],
  [0x50, 0x50, 'l', 'i', 1],
  [0x51, 0x5a, 'll', 'i', 1],
  [0x67, 0x69, 'i', 'i', 1],
  [0x6a, 0x6c, 'ii', 'i', 1],
  [0x6d, 0x70, 'ii', 'i', 8],
  [0x71, 0x78, 'ii', 'i', 1],
  [0x79, 0x7b, 'l', 'l', 1],
  [0x7c, 0x7e, 'll', 'l', 1],
  [0x7f, 0x82, 'll', 'l', 8],
  [0x83, 0x8a, 'll', 'l', 1],
  [0xa7, 0xa7, 'l', 'i', 1],
  [0xac, 0xad, 'i', 'l', 1],
  [0xc0, 0xc1, 'i', 'i', 1],
  [0xc2, 0xc4, 'l', 'l', 1],
  [0xfc0a, 0xfc0b, 'iii', '', 4],
];

/** Width of memory access by opcode, 0x28 to 0x3e, as a power of two; floats are not asked for. */
const WIDTHS = [2, 3, 0, 0, 0, 0, 1, 1, 0, 0, 1, 1, 2, 2, 2, 3, 0, 0, 0, 1, 0, 1, 2];

function table(): ReadonlyMap<number, Signature> {
  const rows = new Map<number, Signature>();
  for (const [from, to, operands, result, cost] of ROWS) {
    for (let op = from; op <= to; op++) {
      const align = op >= 0x28 && op <= 0x3e ? WIDTHS[op - 0x28]! : 0;
      rows.set(op, { operands: types(operands), result: result === '' ? 0 : types(result)[0]!, cost, align });
    }
  }
  return rows;
}

export const SIGNATURES = table();

/** Cost of the others, by opcode; absent: 1. `else` and `end` are paid by what they belong to. */
const COSTS: Readonly<Record<number, number>> = { 5: 0, 11: 0, 14: 2, 16: 2, 17: 6 };
export const costOf = (op: number): number => SIGNATURES.get(op)?.cost ?? COSTS[op] ?? 1;
/** Entering a function: this, and 1 for each 4 locals that are set to zero. */
export const ENTRY_COST = 2;
export const LOCALS_PER_FUEL = 4;
/** Bytes that a bulk operation moves for one unit of fuel, as a shift. */
export const BULK_SHIFT = 3;
