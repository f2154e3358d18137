// What the shipped modules are made of: no imports, no floats, flat exports, fixed memory, and a size worth loading.

import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

const NAMES = ['ed25519.wasm', 'ed25519-scalar.wasm'];
const EXPORTS = [
  'ed25519_abi_version',
  'ed25519_batch',
  'ed25519_init',
  'ed25519_is_open',
  'ed25519_jobs_ptr',
  'ed25519_load',
  'ed25519_messages_ptr',
  'ed25519_single',
  'ed25519_trap_ptr',
  'memory',
];
const MAX_BYTES = 32_768;

describe.each(NAMES)('%s', (name) => {
  const bytes = readFileSync(new URL(`../../build/${name}`, import.meta.url));
  const module = new WebAssembly.Module(bytes);

  it('imports nothing and exports its list, nothing else', () => {
    expect(WebAssembly.Module.imports(module)).toEqual([]);
    expect(
      WebAssembly.Module.exports(module)
        .map((each) => each.name)
        .sort(),
    ).toEqual(EXPORTS);
  });

  it(`stays below ${MAX_BYTES} bytes`, () => {
    expect(bytes.length).toBeLessThan(MAX_BYTES);
  });

  it('has memory that cannot grow', () => {
    const { memory } = new WebAssembly.Instance(module, {}).exports as { memory: WebAssembly.Memory };
    expect(() => memory.grow(1)).toThrow(RangeError);
  });

  it('takes no verdict on jobs that the last load did not hold', () => {
    const open = () => {
      const wasm = new WebAssembly.Instance(module, {}).exports as Record<
        string,
        (...args: number[]) => number
      >;
      wasm.ed25519_init!();
      wasm.ed25519_load!(2);
      return wasm;
    };
    expect(() => open().ed25519_batch!(1, 2)).toThrow(WebAssembly.RuntimeError);
    expect(() => open().ed25519_single!(2)).toThrow(WebAssembly.RuntimeError);
    expect(() => open().ed25519_is_open!(2)).toThrow(WebAssembly.RuntimeError);
    expect(() => open().ed25519_batch!(3, -1)).toThrow(WebAssembly.RuntimeError);
  });

  it('traps with its text on a job count out of bounds', () => {
    const wasm = new WebAssembly.Instance(module, {}).exports as {
      memory: WebAssembly.Memory;
      ed25519_init(): void;
      ed25519_load(count: number): void;
      ed25519_trap_ptr(): number;
    };
    wasm.ed25519_init();
    expect(() => wasm.ed25519_load(1025)).toThrow(WebAssembly.RuntimeError);
    const at = wasm.ed25519_trap_ptr();
    const length = new DataView(wasm.memory.buffer).getUint32(at + 12, true);
    const text = new Uint16Array(wasm.memory.buffer, at + 16, length);
    expect(String.fromCharCode(...text)).toBe('too many jobs');
  });
});
