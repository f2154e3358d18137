// Walks the instructions of a WebAssembly function body, so that a check can examine each.
// Knows the integer part of the core specification, the bulk-memory prefix and 128-bit SIMD; any other instruction
// is reported as unknown and ends the walk, because its length is not known here.

const PREFIX_MISC = 0xfc;
const PREFIX_SIMD = 0xfd;
const BLOCK_TYPES = [0x02, 0x03, 0x04];
const ONE_INDEX = [0x0c, 0x0d, 0x10, 0x20, 0x21, 0x22, 0x23, 0x24];
// Ranges of the numeric instructions with float operands or results (WebAssembly core specification, 5.4.7).
const FLOAT_RANGES = [
  [0x2a, 0x2b],
  [0x38, 0x39],
  [0x43, 0x44],
  [0x5b, 0x66],
  [0x8b, 0xa6],
  [0xa8, 0xab],
  [0xae, 0xbf],
];

// SIMD instructions that take or give floats (SIMD proposal, opcode table): lane access, comparisons, arithmetic,
// rounding and conversions. Relaxed SIMD, from 256 on, is nondeterministic and counts as unknown.
const SIMD_FLOAT_RANGES = [
  [19, 20],
  [31, 34],
  [65, 76],
  [94, 95],
  [103, 106],
  [116, 117],
  [122, 122],
  [148, 148],
  [224, 255],
];

function skipLeb(bytes, at) {
  while (bytes[at] >= 128) at++;
  return at + 1;
}

function readLeb(bytes, at) {
  let [value, shift] = [0, 0];
  for (; ; at++) {
    value += (bytes[at] & 127) * 2 ** shift;
    if (bytes[at] < 128) return [value, at + 1];
    shift += 7;
  }
}

// End of a br_table: count, then that many labels and a default.
function skipTable(bytes, at) {
  let [count, next] = readLeb(bytes, at);
  for (; count >= 0; count--) next = skipLeb(bytes, next);
  return next;
}

// Bulk memory and saturating conversions: 0..7 convert floats, 8..11 work on memory.
function skipMisc(bytes, at) {
  const [operation, next] = readLeb(bytes, at);
  const text = `0xfc ${operation}`;
  if (operation < 8) return { next, text, isFloat: true };
  if (operation === 8) return { next: skipLeb(bytes, next) + 1, text };
  if (operation === 9) return { next: skipLeb(bytes, next), text };
  if (operation === 10) return { next: next + 2, text };
  if (operation === 11) return { next: next + 1, text };
  return { next, text, isUnknown: true };
}

// Memory access 0..11 and 92..93: alignment and offset; constants and shuffles: 16 bytes; lanes: one byte;
// lane memory access 84..91: alignment, offset, lane.
function skipSimd(bytes, at) {
  const [operation, next] = readLeb(bytes, at);
  const text = `0xfd ${operation}`;
  const isFloat = SIMD_FLOAT_RANGES.some(([from, to]) => operation >= from && operation <= to);
  const isUnknown = operation > 255;
  if (operation <= 11 || operation === 92 || operation === 93) {
    return { next: skipLeb(bytes, skipLeb(bytes, next)), text, isFloat };
  }
  if (operation === 12 || operation === 13) return { next: next + 16, text };
  if (operation >= 21 && operation <= 34) return { next: next + 1, text, isFloat };
  if (operation >= 84 && operation <= 91) {
    return { next: skipLeb(bytes, skipLeb(bytes, next)) + 1, text };
  }
  return { next, text, isFloat, isUnknown };
}

function decode(bytes, at) {
  const op = bytes[at++];
  const text = `0x${op.toString(16)}`;
  if (op === PREFIX_MISC) return skipMisc(bytes, at);
  if (op === PREFIX_SIMD) return skipSimd(bytes, at);
  if (op === 0x43) return { next: at + 4, text, isFloat: true };
  if (op === 0x44) return { next: at + 8, text, isFloat: true };
  const isFloat = FLOAT_RANGES.some(([from, to]) => op >= from && op <= to);
  if (op >= 0x28 && op <= 0x3e) return { next: skipLeb(bytes, skipLeb(bytes, at)), text, isFloat };
  if (op === 0x0e) return { next: skipTable(bytes, at), text };
  if (op === 0x11) return { next: skipLeb(bytes, skipLeb(bytes, at)), text };
  if (op === 0x3f || op === 0x40) return { next: at + 1, text };
  if (op === 0x41 || op === 0x42 || BLOCK_TYPES.includes(op) || ONE_INDEX.includes(op)) {
    return { next: skipLeb(bytes, at), text };
  }
  const isPlain = [0x00, 0x01, 0x05, 0x0b, 0x0f, 0x1a, 0x1b].includes(op) || (op >= 0x45 && op <= 0xc4);
  return { next: at, text, isFloat, isUnknown: !isPlain };
}

/** Calls `visit({text, isFloat, isUnknown})` for each instruction between two offsets. */
export function walkInstructions(bytes, from, end, visit) {
  for (let at = from; at < end; ) {
    const { next, text, isFloat = false, isUnknown = false } = decode(bytes, at);
    visit({ text, isFloat, isUnknown });
    if (isUnknown) return;
    at = next;
  }
}
