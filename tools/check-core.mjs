// Checks what the WebAssembly modules contain: no import, exactly the documented exports, no global, no float
// type or instruction, a size within their budgets. Reads the binaries themselves, so no tool can hide anything. Needs a build.
// Usage: node tools/check-core.mjs [file]; prints the sizes and exits 1 on any finding.

import { readFileSync } from 'node:fs';
import { InstructionReader } from '../build/host/programs/instructions.js';

const CORE = [
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
  'core_hashes_ptr',
  'core_import',
  'core_import_end',
  'core_state_bytes',
  'core_state_ptr',
  'core_trap_ptr',
];
const ED25519 = [
  'memory',
  'ed25519_abi_version',
  'ed25519_init',
  'ed25519_jobs_ptr',
  'ed25519_messages_ptr',
  'ed25519_trap_ptr',
  'ed25519_load',
  'ed25519_is_open',
  'ed25519_batch',
  'ed25519_single',
];
/** What each module may hold. `v128`: it may use SIMD. `globals`: it keeps no state, so no image can miss them. */
const MODULES = {
  'build/core.wasm': { budgetBytes: 192 * 1024, exports: CORE, v128: true },
  'build/core-scalar.wasm': { budgetBytes: 192 * 1024, exports: CORE },
  'build/consensus.wasm': {
    budgetBytes: 48 * 1024,
    exports: [
      'memory',
      'consensus_abi_version',
      'consensus_in_ptr',
      'consensus_out_ptr',
      'consensus_init',
      'consensus_insert',
      'consensus_next_block',
      'consensus_block_part',
      'consensus_evidence_part',
      'consensus_preview',
      'consensus_explain',
      'consensus_leader',
      'consensus_slot',
      'consensus_has_quorum',
      'consensus_figures',
      'consensus_timely',
      'consensus_snapshot_begin',
      'consensus_snapshot_part',
      'consensus_trap_ptr',
    ],
  },
  'build/ed25519.wasm': { budgetBytes: 48 * 1024, exports: ED25519, v128: true, globals: true },
  'build/ed25519-scalar.wasm': { budgetBytes: 48 * 1024, exports: ED25519, globals: true },
};
const V128 = 0x7b;
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

/** Findings in one module; prints its size. */
function check(file, rules) {
  const bytes = readFileSync(file);
  const parts = sections(bytes);
  const problems = [];
  const section = (id) => (parts.has(id) ? new Reader(parts.get(id)) : undefined);

  function checkType(type, where) {
    if (type === I32 || type === I64 || (type === V128 && rules.v128)) return;
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
  if (!rules.globals && globals !== undefined && globals.u32() > 0)
    problems.push('there are globals, which a memory image misses');

  const exported = [];
  const exports = section(EXPORT);
  exports?.list(() => {
    exported.push(exports.name());
    exports.byte();
    exports.u32();
  });
  for (const name of exported)
    if (!rules.exports.includes(name)) problems.push(`export ${name} is not listed`);
  for (const name of rules.exports) if (!exported.includes(name)) problems.push(`export ${name} is missing`);

  let instructions = 0;
  const code = section(CODE);
  code?.list((_, index) => {
    const end = code.u32() + code.at;
    code.list(() => {
      code.u32();
      checkType(code.byte(), `locals of function ${index}`);
    });
    const reader = new InstructionReader(code.bytes, code.at, end);
    while (reader.read()) {
      instructions++;
      const { kind, text } = reader;
      if (kind === 'float') problems.push(`function ${index}: ${text} is a float instruction`);
      if (kind === 'bad') problems.push(`function ${index}: ${text} is not expected here`);
    }
    code.at = end;
  });

  if (bytes.length > rules.budgetBytes)
    problems.push(`${bytes.length} bytes are above the budget of ${rules.budgetBytes}`);
  for (const problem of problems) console.error(`${file}: ${problem}`);
  console.log(
    `${file}: ${bytes.length} of ${rules.budgetBytes} bytes, ${instructions} instructions, ${exported.length} exports`,
  );
  return problems.length;
}

const asked = process.argv[2];
const rulesOf = (file) => MODULES[file] ?? MODULES['build/core.wasm'];
const files = asked === undefined ? Object.keys(MODULES) : [asked];
const found = files.reduce((sum, file) => sum + check(file, rulesOf(file)), 0);
process.exit(found > 0 ? 1 : 0);
