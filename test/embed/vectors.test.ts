// The checked-in vectors against the modules as they are built now: what other runtimes compare with is never stale.
// VWS_WRITE_VECTORS=1 (npm run test:embed -- --write) makes the file anew, after a module was meant to change.

import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { BLOCK_EVIDENCE } from '../../assembly/consensus/abi.ts';
import { type ModuleResult, runVectors } from './js/host.mjs';
import { consensusVectors } from './make/consensus-vectors.ts';
import { coreVectors, worldVectors } from './make/core-vectors.ts';
import { metBy, REQUIRED } from './make/coverage.ts';
import { readModule, sha256 } from './make/recorder.ts';
import { signatureVectors } from './make/signature-vectors.ts';

const FILE = new URL('vectors.txt', import.meta.url);
const HEAD =
  '# Questions to the WebAssembly modules, and their answers. Made by: npm run test:embed -- --write\n';
const MOST_BYTES = 1_300_000;

if (process.env.VWS_WRITE_VECTORS === '1') {
  writeFileSync(FILE, [HEAD, coreVectors(), consensusVectors(), signatureVectors()].join('\n'));
}
const TEXT = readFileSync(FILE, 'utf8');

const section = (name: string): string =>
  TEXT.split('\nmodule ')
    .find((text) => text.startsWith(name))!
    .replace(/^/, '\nmodule ');
const run = (text: string): ModuleResult[] => runVectors(text, { readModule, sha256, now: () => 0 });

describe('vectors for other runtimes', () => {
  it('hold for the modules that are built now', () => {
    const results = run(TEXT);
    const names = ['core.wasm', 'core-scalar.wasm', 'consensus.wasm', 'ed25519.wasm', 'ed25519-scalar.wasm'];
    expect(results.map(({ name }) => name)).toEqual(names);
    for (const { name, cases, mismatches } of results) {
      expect(mismatches.slice(0, 3), `${name}: meant to change? npm run test:embed -- --write`).toEqual([]);
      expect(cases, name).toBeGreaterThan(50);
    }
  });

  it.each([
    ['core.wasm', 'apply '],
    ['core.wasm', 'state_hash = '],
    ['core.wasm', 'reload = '],
    ['consensus.wasm', 'insert '],
    ['consensus.wasm', 'next_block = 1'],
    ['consensus.wasm', 'snapshot_part = '],
  ])('notice one wrong answer: %s, %s', (name, start) => {
    const lines = section(name).split('\n');
    const place = lines.findIndex((line) => line.startsWith(start));
    const wrong = lines[place]!.endsWith('0') ? '1' : '0';
    const changed = lines.with(place, lines[place]!.slice(0, -1) + wrong).join('\n');
    const found = run(changed).map(({ mismatches }) => mismatches.length);
    expect(found).toEqual(name === 'core.wasm' ? [1, 1] : [1]);
  });

  it('succeed with every operation of the core, meet every system event, and most refusals', () => {
    const met = metBy(section('core.wasm'));
    expect(REQUIRED.filter((what) => !met.has(what))).toEqual([]);
    expect([...met].filter((what) => what.startsWith('code ')).length).toBeGreaterThanOrEqual(40);
    for (const image of ['task', 'challenge', 'job', 'touched']) expect(met).toContain(image);
  });

  it('come to blocks, and to evidence of forks', () => {
    const heads = [...section('consensus.wasm').matchAll(/^next_block = 1:(\w+)$/gm)];
    const evidence = heads.map((match) => Buffer.from(match[1]!, 'hex').readUInt32LE(BLOCK_EVIDENCE));
    expect(heads.length).toBeGreaterThan(50);
    expect(evidence.filter((count) => count > 0).length).toBeGreaterThan(1);
  });

  it('are made of seeds alone, and stay small', () => {
    expect(worldVectors(1)).toBe(worldVectors(1));
    expect(consensusVectors()).toBe(consensusVectors());
    expect(statSync(FILE).size).toBeLessThan(MOST_BYTES);
  });
});
