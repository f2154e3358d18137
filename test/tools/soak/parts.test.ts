import { expect, it } from 'vitest';
import {
  mappingsOf,
  memoryBytes,
  readMappings,
  residentOfArenas,
  residentOfSize,
} from '../../../tools/load/memory.ts';
import { partsOf } from '../../../tools/soak/parts.ts';

const PAGE = 4096;

const mapping = (from: number, pages: number, rights: string, residentKb: number): string =>
  `${from.toString(16)}-${(from + pages * PAGE).toString(16)} ${rights} 00000000 00:00 0 \n` +
  `Size:               ${pages * 4} kB\nKernelPageSize:        4 kB\nRss:                ${residentKb} kB\nPss: 1 kB\nVmFlags: rd wr \n`;

const SMAPS = readMappings(
  [
    mapping(0x400000, 100, 'r-xp', 400),
    mapping(0x7f0000000000, 100, 'rw-p', 40),
    mapping(0x7f1000000000, 100, '---p', 0),
    mapping(0x7f2000000000, 25, 'rw-p', 8),
    mapping(0x7f3000000000, 25, 'rw-p', 12),
    // Two arenas: one that uses part of its 64 MiB, one all of it; and a mapping that only looks like the front of one.
    mapping(0x7f4000000000, 33, 'rw-p', 64),
    mapping(0x7f4000000000 + 33 * PAGE, 16_384 - 33, '---p', 0),
    mapping(0x7f5000000000, 16_384, 'rw-p', 32),
    mapping(0x7f6000000000, 34, 'rw-p', 128),
    mapping(0x7f6000000000 + 34 * PAGE, 34, '---p', 0),
  ].join(''),
);

it('pages of a module are those of the writable mappings of its memory size', () => {
  expect(residentOfSize(SMAPS, 100 * PAGE)).toBe(40 * 1024);
  expect(residentOfSize(SMAPS, 25 * PAGE)).toBe(20 * 1024);
  expect(residentOfSize(SMAPS, 7 * PAGE)).toBe(0);
});

it('thread arenas are recognised by their size and alignment', () => {
  expect(residentOfArenas(SMAPS)).toBe(96 * 1024);
  expect(residentOfArenas([])).toBe(0);
});

it('the parts of a process add up to its resident memory', () => {
  const metrics = [
    ['resident', 1_000_000],
    ['heap', 300_000],
    ['heap_used', 100_000],
    ['core_memory', 100 * PAGE],
    ['dag_memory', 25 * PAGE],
    ['store_memtables', 10_000],
    ['store_cache', 5000],
    ['store_index', 1000],
  ]
    .map(([name, value]) => `vws_${name}_bytes ${value}\n`)
    .join('');
  const parts = partsOf(metrics, SMAPS);
  expect(parts).toEqual({
    ...{ resident: 1_000_000, heap: 300_000, used: 100_000, core: 40_960, dag: 20_480, memtables: 10_000 },
    cache: 6000,
    threads: 98_304,
    rest: 524_256,
  });
});

it.runIf(process.platform === 'linux')('a memory of a module is found in the process that holds it', () => {
  const pages = 1237;
  const memory = new WebAssembly.Memory({ initial: pages });
  const bytes = new Uint8Array(memory.buffer);
  for (let at = 0; at < 300 * PAGE; at += PAGE) bytes[at] = 1;
  const resident = residentOfSize(mappingsOf(process.pid)!, pages * 65_536);
  expect(resident).toBeGreaterThanOrEqual(300 * PAGE);
  expect(resident).toBeLessThan(400 * PAGE);
  expect(memoryBytes(process.pid)).toBeGreaterThan(resident);
  expect(bytes.length).toBe(pages * 65_536);
});
