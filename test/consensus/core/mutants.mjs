// node test/consensus/core/mutants.mjs: breaks the three rules of CONSENSUS 7.3 in the core, one at a time, and demands
// that the tests of this folder fail for each. Sources stay untouched: mutants are built from a copy under build/.

import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

const MUTANTS = [
  {
    name: 'a simple majority is a quorum',
    file: 'dag/seats.ts',
    rule: '(667 * d.totalWeight + 999) / 1000',
    broken: 'd.totalWeight / 2 + 1',
  },
  {
    name: 'votes commit without certificates',
    file: 'consensus/votes.ts',
    rule: '!isCertifiedBy(v, candidate) || ',
    broken: '',
  },
  {
    name: 'the anchor is one round short',
    file: 'consensus/decide.ts',
    rule: 'ANCHOR_DISTANCE: u32 = 4',
    broken: 'ANCHOR_DISTANCE: u32 = 3',
  },
];

const folder = join('build', 'mutants');

function node(args, options) {
  return spawnSync(process.execPath, args, { encoding: 'utf8', ...options });
}

let survivors = 0;
for (const { name, file, rule, broken } of MUTANTS) {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  cpSync('assembly', join(folder, 'assembly'), { recursive: true });
  cpSync('asconfig.consensus.json', join(folder, 'asconfig.consensus.json'));
  const path = join(folder, 'assembly', file);
  const source = readFileSync(path, 'utf8');
  if (!source.includes(rule)) throw new Error(`${file} no longer holds: ${rule}`);
  writeFileSync(path, source.replace(rule, broken));
  const compiler = resolve('node_modules', 'assemblyscript', 'bin', 'asc.js');
  const built = node([compiler, '--config', 'asconfig.consensus.json', '--target', 'consensus'], {
    cwd: folder,
  });
  if (built.status !== 0) throw new Error(`${name} does not compile:\n${built.stderr}`);
  const tests = node(['node_modules/vitest/vitest.mjs', 'run', 'test/consensus/core'], {
    env: { ...process.env, CONSENSUS_WASM: join(folder, 'build', 'consensus.wasm') },
  });
  const isCaught = tests.status !== 0 && /Tests .*failed/.test(tests.stdout);
  console.log(`${isCaught ? 'caught  ' : 'SURVIVED'} ${name}`);
  if (!isCaught) survivors += 1;
}
rmSync(folder, { recursive: true, force: true });
process.exit(survivors === 0 ? 0 : 1);
