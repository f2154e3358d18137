// Checks what build/core.wasm contains: no import, exactly the documented exports, no mutable global, no float
// type or instruction, a size within its budget. Reads the binary itself, so no tool can hide anything.
// Usage: node tools/check-core.mjs [file]; prints the size and exits 1 on any finding.

import { readFileSync } from 'node:fs';
import { walkInstructions } from './wasm-instructions.mjs';

const EXPORTS = [
  'memory',
  'core_abi_version',
  'core_init',
  'core_in_ptr',
  'core_in_cap',
  'core_out_ptr',
  'core_out_len',
  'core_apply',
  'core_check',
  'core_query',
  'core_state_hash',
  'core_dirty',
  'core_import',
  'core_import_end',
  'core_trap_ptr',
];
const BUDGET_BYTES = 96 * 1024;
const [TYPE, IMPORT, GLOBAL, EXPORT, CODE] = [1, 2, 6, 7, 10];
const [I32, I64] = [0x7f, 0x7e];

class Reader {
  constructor(bytes, at = 0) {
    this.bytes = bytes;
    this.at = at;
  }
  byte() {
    return this.bytes[this.at++];
  }
  /** LEB128, unsigned; wide enough for 32 bits. */
  u32() {
    let [value, shift] = [0, 0];
    for (;;) {
      const b = this.byte();
      value += (b & 127) * 2 ** shift;
      if (b < 128) return value;
      shift += 7;
    }
  }
  name() {
    const length = this.u32();
    this.at += length;
    return Buffer.from(this.bytes.subarray(this.at - length, this.at)).toString('utf8');
  }
  list(read) {
    return Array.from({ length: this.u32() }, read);
  }
}

function sections(bytes) {
  const found = new Map();
  const r = new Reader(bytes, 8);
  while (r.at < bytes.length) {
    const id = r.byte();
    const size = r.u32();
    found.set(id, bytes.subarray(r.at, r.at + size));
    r.at += size;
  }
  return found;
}

const file = process.argv[2] ?? 'build/core.wasm';
const bytes = readFileSync(file);
const parts = sections(bytes);
const problems = [];
const section = (id) => (parts.has(id) ? new Reader(parts.get(id)) : undefined);

function checkType(type, where) {
  if (type !== I32 && type !== I64)
    problems.push(`${where}: value type 0x${type.toString(16)} is no integer`);
}

section(IMPORT)?.list(() => problems.push('there are imports'));
const types = section(TYPE);
types?.list((_, i) => {
  types.byte();
  for (const type of [...types.list(() => types.byte()), ...types.list(() => types.byte())]) {
    checkType(type, `function type ${i}`);
  }
});

const globals = section(GLOBAL);
if (globals !== undefined && globals.u32() > 0)
  problems.push('there are globals, which a memory image misses');

const exported = [];
const exports = section(EXPORT);
exports?.list(() => {
  exported.push(exports.name());
  exports.byte();
  exports.u32();
});
for (const name of exported) if (!EXPORTS.includes(name)) problems.push(`export ${name} is not listed`);
for (const name of EXPORTS) if (!exported.includes(name)) problems.push(`export ${name} is missing`);

let instructions = 0;
const code = section(CODE);
code?.list((_, index) => {
  const end = code.u32() + code.at;
  code.list(() => {
    code.u32();
    checkType(code.byte(), `locals of function ${index}`);
  });
  walkInstructions(code.bytes, code.at, end, (instruction) => {
    instructions++;
    if (instruction.isFloat) problems.push(`function ${index}: ${instruction.text} is a float instruction`);
    if (instruction.isUnknown) problems.push(`function ${index}: ${instruction.text} is not expected here`);
  });
  code.at = end;
});

if (bytes.length > BUDGET_BYTES)
  problems.push(`${bytes.length} bytes are above the budget of ${BUDGET_BYTES}`);
for (const problem of problems) console.error(`${file}: ${problem}`);
console.log(
  `${file}: ${bytes.length} of ${BUDGET_BYTES} bytes, ${instructions} instructions, ${exported.length} exports`,
);
process.exit(problems.length > 0 ? 1 : 0);
