// A module driven from plain JavaScript: a door answers the questions of ../vectors.txt.
// Keeps: no import, so a browser can use it as it stands; views are taken afresh for each access, because memory may
// grow. Questions and answers: ../README.md; what they call: assembly/README.md.

const HEX = Array.from({ length: 256 }, (_, i) => i.toString(16).padStart(2, '0'));
const toHex = (bytes) => Array.from(bytes, (b) => HEX[b]).join('');
// Bytes are written as x and hex.
function unhex(text) {
  const digit = (at) => (text.charCodeAt(at) & 15) + (text.charCodeAt(at) > 57 ? 9 : 0);
  const bytes = new Uint8Array(text.length >> 1);
  for (let i = 0; i < bytes.length; i++) bytes[i] = 16 * digit(2 * i + 1) + digit(2 * i + 2);
  return bytes;
}

/** Bytes that consensus.wasm has written when a call gave `result`. */
const WRITTEN = {
  insert: (result) => result,
  preview: (result) => result,
  explain: (result) => result,
  figures: (result) => result,
  timely: (result) => result,
  snapshot_part: (result) => result,
  next_block: (result) => 56 * result,
  block_part: (result) => 56 + 36 * result,
  evidence_part: (result) => 72 * result,
};

const PAGE_BYTES = 8192;

class Door {
  constructor(prefix, module, sha256) {
    Object.assign(this, { prefix, module, sha256 });
  }
  open() {
    this.exports = new WebAssembly.Instance(this.module).exports;
  }
  call(name, ...args) {
    return this.exports[`${this.prefix}_${name}`](...args) ?? 0;
  }
  read(at, length) {
    return new Uint8Array(this.exports.memory.buffer, at, length).slice();
  }
  write(at, bytes) {
    new Uint8Array(this.exports.memory.buffer).set(bytes, at);
  }
  put(bytes) {
    this.write(this.call('in_ptr'), bytes);
    return bytes.length;
  }
  show = (bytes) => toHex(bytes.length > 64 ? this.sha256(bytes).subarray(0, 16) : bytes);

  answer(verb, args) {
    if (verb === 'new') return this.fresh(...args);
    if (verb === 'reload') return this.reload();
    if (verb === 'load') return this.load(args.map(unhex));
    const values = args.map((arg) => (arg[0] === 'x' ? this.put(unhex(arg)) : Number(arg)));
    if (verb === 'init') this.config = unhex(args[0]);
    const result = this.call(verb, ...values);
    const length = this.prefix === 'core' ? this.call('out_len') : (WRITTEN[verb]?.(result) ?? 0);
    if (result < 0 || length <= 0) return `${result}`;
    const out = this.read(this.call('out_ptr'), length);
    if (verb === 'dirty') this.keep(out);
    return `${result}:${this.show(out)}`;
  }
  // A new instance; that of ed25519.wasm takes 16 random bytes.
  fresh(random) {
    this.open();
    this.pages = new Map();
    if (random) {
      this.write(this.call('jobs_ptr'), unhex(random));
      this.call('init');
    }
    return `${this.call('abi_version')}`;
  }
  // Where a page of the state is, and its bytes: the last one may be shorter.
  page(number) {
    const at = PAGE_BYTES * number;
    return [this.call('state_ptr') + at, Math.min(PAGE_BYTES, this.call('state_bytes') - at)];
  }
  keep(out) {
    for (const number of new Uint32Array(out.buffer)) this.pages.set(number, this.read(...this.page(number)));
  }
  // A new core, as it is after the import of all pages that are not zero.
  reload() {
    this.open();
    let code = this.call('init', this.put(this.config)) || this.call('import', 0);
    const sorted = [...this.pages].sort(([a], [b]) => a - b);
    const pages = sorted.filter(([, page]) => page.some((b) => b !== 0));
    const all = [];
    for (const [number, page] of pages) {
      const name = new Uint8Array(Uint32Array.of(number).buffer);
      all.push(...name, ...page);
      this.write(this.page(number)[0], page);
      this.put(name);
      code ||= this.call('import', 1);
    }
    return `${code || this.call('import_end', 0)}:${this.show(Uint8Array.from(all))}`;
  }
  load(jobs) {
    let from = 0;
    for (const [i, job] of jobs.entries()) {
      const [at, message] = [this.call('jobs_ptr') + 128 * i, job.subarray(112)];
      this.write(at, job.subarray(0, 112));
      this.write(at + 112, new Uint8Array(Uint32Array.of(from, message.length).buffer));
      this.write(this.call('messages_ptr') + from, message);
      from += message.length;
    }
    return `${this.call('load', jobs.length)}`;
  }
}

/** A door to the module of that file name: `answer(verb, arguments)`; `sha256` takes and gives bytes. */
export const openDoor = (name, bytes, sha256) =>
  new Door(name.match(/^[a-z0-9]+/)[0], new WebAssembly.Module(bytes), sha256);
