// The instructions of WebAssembly as bytes: where one ends, and of which kind it is (core specification 5.4).
// Keeps: the one place that knows encodings; programs and the check of our own modules both read instructions here.
// Integers are strict as in the specification (5.2.2): at most ceil(N / 7) bytes, no unused bit set.

/** `integer`: MVP without floats, sign extension, bulk memory. `bad`: no instruction of a known length. */
export type InstructionKind = 'integer' | 'float' | 'vector' | 'bad';

// Ranges of the numeric instructions with float operands or results (core specification 5.4.7).
const FLOATS = setOf([
  [0x2a, 0x2b],
  [0x38, 0x39],
  [0x43, 0x44],
  [0x5b, 0x66],
  [0x8b, 0xa6],
  [0xa8, 0xab],
  [0xae, 0xbf],
]);

// Vector instructions that take or give floats (5.4.8): lane access, comparisons, arithmetic, rounding, conversions.
// Relaxed SIMD, from 256 on, is nondeterministic, and bad here.
const VECTOR_FLOATS = setOf([
  [19, 20],
  [31, 34],
  [65, 76],
  [94, 95],
  [103, 106],
  [116, 117],
  [122, 122],
  [148, 148],
  [224, 255],
]);

function setOf(ranges: readonly (readonly [number, number])[]): Uint8Array {
  const set = new Uint8Array(256);
  for (const [from, to] of ranges) set.fill(1, from, to + 1);
  return set;
}
/** Opcodes without immediates. */
const PLAIN = setOf([
  [0x00, 0x01],
  [0x05, 0x05],
  [0x0b, 0x0b],
  [0x0f, 0x0f],
  [0x1a, 0x1b],
  [0x45, 0xc4],
]);

export const OP = {
  unreachable: 0x00,
  block: 0x02,
  loop: 0x03,
  if: 0x04,
  else: 0x05,
  end: 0x0b,
  br: 0x0c,
  brIf: 0x0d,
  brTable: 0x0e,
  return: 0x0f,
  call: 0x10,
  callIndirect: 0x11,
  drop: 0x1a,
  select: 0x1b,
  localGet: 0x20,
  localSet: 0x21,
  localTee: 0x22,
  globalGet: 0x23,
  globalSet: 0x24,
  memorySize: 0x3f,
  memoryGrow: 0x40,
  i32Const: 0x41,
  i64Const: 0x42,
  i32LtS: 0x48,
  i32Add: 0x6a,
  i32Sub: 0x6b,
  i32ShrU: 0x76,
  /** With the prefix 0xfc in the upper byte. */
  memoryCopy: 0xfc0a,
  memoryFill: 0xfc0b,
} as const;

/** Reads the instructions of `bytes` one after the other, never past `end`. */
export class InstructionReader {
  readonly bytes: Uint8Array;
  readonly end: number;
  /** Where the present instruction begins, and the next one. */
  at: number;
  next: number;
  /** The opcode; with a prefix, (prefix << 8) | number. */
  op = 0;
  kind: InstructionKind = 'bad';
  /** Immediates: index, label or signed constant of up to 32 bits, block type; of memory access alignment and offset. */
  first = 0;
  second = 0;
  /** Labels of the br_table that was read last, the default last. */
  labels: number[] = [];
  private failed = false;

  constructor(bytes: Uint8Array, at: number, end: number) {
    this.bytes = bytes;
    this.end = end;
    this.at = at;
    this.next = at;
  }

  /** Text for a message. */
  get text(): string {
    return `0x${this.op > 0xff ? `${(this.op >> 8).toString(16)} ${this.op & 0xff}` : this.op.toString(16)}`;
  }

  /** Goes to the next instruction; false at the end. A bad one ends the reading. */
  read(): boolean {
    if (this.next >= this.end || this.failed) return false;
    this.at = this.next;
    this.op = this.byte();
    this.kind = this.decode();
    if (this.failed) this.kind = 'bad';
    if (this.kind === 'bad') this.failed = true;
    return true;
  }

  /** Goes to the next instruction; true if that is a good one with this opcode. */
  readOnly(op: number): boolean {
    return this.read() && this.kind !== 'bad' && this.op === op;
  }

  private decode(): InstructionKind {
    const op = this.op;
    if (op === 0xfc) return this.misc();
    if (op === 0xfd) return this.vector();
    if (op === 0x43 || op === 0x44) return this.skip(op === 0x43 ? 4 : 8, 'float');
    const kind = FLOATS[op] === 1 ? 'float' : 'integer';
    if (op >= 0x28 && op <= 0x3e) return this.two(kind);
    switch (op) {
      case OP.block:
      case OP.loop:
      case OP.if:
        this.first = this.signed(33);
        return kind;
      case OP.brTable:
        return this.table();
      case OP.callIndirect:
        return this.two(kind);
      case OP.memorySize:
      case OP.memoryGrow:
        this.first = this.byte();
        return kind;
      case OP.i32Const:
        this.first = this.signed(32);
        return kind;
      case OP.i64Const:
        this.signed(64);
        return kind;
    }
    if ((op >= OP.br && op <= OP.brIf) || op === OP.call || (op >= OP.localGet && op <= OP.globalSet)) {
      this.first = this.unsigned();
      return kind;
    }
    return PLAIN[op] === 1 ? kind : 'bad';
  }

  // Saturating conversions are 0 to 7 and take floats; 8 to 11 work on memory, 12 and above on tables.
  private misc(): InstructionKind {
    const number = this.unsigned();
    this.op = 0xfc00 | Math.min(number, 255);
    if (number < 8) return 'float';
    if (number === 8) return this.two('integer');
    if (number === 9) this.first = this.unsigned();
    else if (number === 10) this.first = this.byte() | this.byte();
    else if (number === 11) this.first = this.byte();
    else return 'bad';
    return 'integer';
  }

  // Memory access 0 to 11, 92 and 93: alignment and offset; 84 to 91: a lane besides; constants and shuffles: 16 bytes.
  private vector(): InstructionKind {
    const number = this.unsigned();
    this.op = 0xfd00 | Math.min(number, 255);
    if (number > 255) return 'bad';
    if (number <= 11 || (number >= 84 && number <= 93)) this.two('vector');
    if (number === 12 || number === 13) this.skip(16, 'vector');
    if ((number >= 21 && number <= 34) || (number >= 84 && number <= 91)) this.byte();
    return VECTOR_FLOATS[number] === 1 ? 'float' : 'vector';
  }

  private table(): InstructionKind {
    let count = this.unsigned();
    // A label takes a byte at least, so a count above what is left is refused before anything is reserved.
    if (count >= this.end - this.next) return 'bad';
    this.labels = [];
    for (; count >= 0; count--) this.labels.push(this.unsigned());
    return 'integer';
  }

  private two(kind: InstructionKind): InstructionKind {
    this.first = this.unsigned();
    this.second = this.unsigned();
    return kind;
  }

  private skip(count: number, kind: InstructionKind): InstructionKind {
    this.next += count;
    if (this.next > this.end) this.failed = true;
    return kind;
  }

  private byte(): number {
    if (this.next >= this.end) {
      this.failed = true;
      return 0;
    }
    return this.bytes[this.next++]!;
  }

  /** LEB128 of at most 32 bits. */
  unsigned(): number {
    let value = 0;
    for (let shift = 0; shift < 35; shift += 7) {
      const b = this.byte();
      value += (b & 127) * 2 ** shift;
      if (b < 128) {
        if (value > 0xffff_ffff) this.failed = true;
        return value;
      }
    }
    this.failed = true;
    return 0;
  }

  /** Signed LEB128 of at most `bits` bits; the value is exact up to 33 bits. */
  private signed(bits: number): number {
    const most = Math.ceil(bits / 7);
    let value = 0;
    for (let count = 1; count <= most; count++) {
      const b = this.byte();
      value += (b & 127) * 2 ** (7 * (count - 1));
      if (b >= 128) continue;
      if (count === most && !isSignExtended(b, bits - 7 * (most - 1))) this.failed = true;
      return b & 64 ? value - 2 ** (7 * count) : value;
    }
    this.failed = true;
    return 0;
  }
}

/** True if the bits of the last byte above the `used` ones all equal the sign, which is the highest used one. */
function isSignExtended(last: number, used: number): boolean {
  const above = (last & 127) >> (used - 1);
  return above === 0 || above === 127 >> (used - 1);
}
