// Runs metered programs in plain JavaScript and compares how they end: protocol 14.2, 14.5 and 14.6.
// Keeps: no import, so a browser can use it as it stands. Each line of the file is
//   <metered module, hex> <fuel> <input, hex> = <end> <fuel used> <output>
// with the output in hex up to 64 bytes, else the first 16 bytes of its SHA-256.

const HEX = Array.from({ length: 256 }, (_, i) => i.toString(16).padStart(2, '0'));
const toHex = (bytes) => Array.from(bytes, (b) => HEX[b]).join('');
const digit = (code) => (code & 15) + (code > 57 ? 9 : 0);
function unhex(text) {
  const bytes = new Uint8Array(text.length >> 1);
  for (let i = 0; i < bytes.length; i++)
    bytes[i] = 16 * digit(text.charCodeAt(2 * i)) + digit(text.charCodeAt(2 * i + 1));
  return bytes;
}
/** By the stop global: what a trap means. */
const ENDS = ['trapped', 'out_of_fuel', 'out_of_stack', 'unreachable'];

/** The output; undefined if the program names bytes that are not its own. */
function call(exports, input) {
  exports.vws_start?.();
  const at = exports.vws_input(input.length) >>> 0;
  const memory = new Uint8Array(exports.memory.buffer);
  if (at + input.length > memory.length) return undefined;
  memory.set(input, at);
  const range = BigInt.asUintN(64, exports.vws_run(at, input.length));
  const [from, length] = [Number(range >> 32n), Number(range & 0xffff_ffffn)];
  return from + length > memory.length || length > 1_048_576
    ? undefined
    : memory.subarray(from, from + length);
}

function answer(bytes, fuel, input, sha256) {
  const { exports } = new WebAssembly.Instance(new WebAssembly.Module(bytes));
  exports.vws_fuel.value = fuel;
  const used = () => Math.min(fuel, fuel - exports.vws_fuel.value);
  try {
    const output = call(exports, input);
    if (output === undefined) return `bad_range ${used()} `;
    return `returned ${used()} ${toHex(output.length > 64 ? sha256(output).subarray(0, 16) : output)}`;
  } catch (error) {
    if (!(error instanceof WebAssembly.RuntimeError)) throw error;
    return `${ENDS[exports.vws_stop.value]} ${used()} `;
  }
}

/** Runs all lines: how many, those that differ, as texts, and 16 bytes of the SHA-256 of all answers, each with a line feed. */
export function runPrograms(text, sha256) {
  const lines = text.split('\n').filter((line) => line.includes(' = '));
  const mismatches = [];
  let answers = '';
  for (const [i, line] of lines.entries()) {
    const [question, expected] = line.split(' = ');
    const [module, fuel, input] = question.split(' ');
    const actual = answer(unhex(module), Number(fuel), unhex(input), sha256);
    answers += `${actual}\n`;
    if (actual !== expected) mismatches.push(`program ${i}: ${actual}, expected ${expected}`);
  }
  const digest = toHex(sha256(new TextEncoder().encode(answers)).subarray(0, 16));
  return { cases: lines.length, mismatches, digest };
}
