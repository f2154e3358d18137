// npm run mutants: breaks one rule of consensus at a time, builds the module with it, and expects the tests to fail.
// The rules are those of consensus 7, row 3, and of incarnations (5.1, 5.7). Exit code 1 if a mutant survives, or if the unchanged build does not pass.

import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

const MUTANTS = [
  { name: 'sound' },
  {
    name: 'quorum of a simple majority',
    file: 'assembly/dag/seats.ts',
    from: '(667 * d.totalWeight + 999) / 1000',
    to: '(500 * d.totalWeight + 999) / 1000',
  },
  {
    name: 'no certificates: all visible votes count, not those in the past of the certifier',
    file: 'assembly/consensus/votes.ts',
    from: 'load<u64>(mask + i) & load<u64>(candidate.votes + i)',
    to: 'load<u64>(candidate.votes + i)',
  },
  {
    name: 'anchor one round too near',
    file: 'assembly/consensus/decide.ts',
    from: 'const ANCHOR_DISTANCE: u32 = 4;',
    to: 'const ANCHOR_DISTANCE: u32 = 3;',
  },
  {
    name: 'the walk ignores incarnations: only the next vertex of a branch takes effect',
    file: 'assembly/consensus/order.ts',
    from: '(head != 0 && incarnationOf(v.seq) > incarnationOf(vertex(head).seq))',
    to: 'false',
  },
  {
    name: 'an older incarnation takes effect as well',
    file: 'assembly/consensus/order.ts',
    from: '(head != 0 && incarnationOf(v.seq) > incarnationOf(vertex(head).seq))',
    to: '(head != 0 && incarnationOf(v.seq) != incarnationOf(vertex(head).seq))',
  },
  {
    name: 'whatever is void beside a higher incarnation is evidence',
    file: 'assembly/consensus/order.ts',
    from: '!= incarnationOf(v.seq)) return 0;',
    to: '!= incarnationOf(v.seq)) return load<u32>(e.heads + seat);',
  },
  {
    name: 'evidence is looked for in the newest incarnation alone',
    file: 'assembly/consensus/order.ts',
    from: 'while (first != 0 && ',
    to: 'while (false && first != 0 && ',
  },
  {
    name: 'an incarnation may begin anywhere',
    file: 'assembly/dag/insert.ts',
    from: 'if (numberOf(seq) > 1) return',
    to: 'if (incarnationOf(seq) == 0 && numberOf(seq) > 1) return',
  },
  {
    name: 'an incarnation may follow itself',
    file: 'assembly/dag/insert.ts',
    from: 'incarnationOf(seq) > incarnationOf(vertex(self).seq);',
    to: 'incarnationOf(seq) >= incarnationOf(vertex(self).seq);',
  },
];
const SUITES = [
  'test/consensus/core/incarnations.test.ts',
  'test/consensus/core/directed.test.ts',
  'test/sim/election.test.ts',
  'test/sim/views.test.ts',
  'test/sim/core-oracle.test.ts',
];

function build(mutant, folder) {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(join(folder, 'build'), { recursive: true });
  cpSync('assembly', join(folder, 'assembly'), { recursive: true });
  cpSync('asconfig.consensus.json', join(folder, 'asconfig.consensus.json'));
  if (mutant.file) {
    const path = join(folder, mutant.file);
    const text = readFileSync(path, 'utf8');
    if (text.split(mutant.from).length !== 2)
      throw new Error(`${mutant.file} does not contain "${mutant.from}" exactly once`);
    writeFileSync(path, text.replace(mutant.from, mutant.to));
  }
  const asc = resolve('node_modules/assemblyscript/bin/asc.js');
  const args = [asc, '--config', 'asconfig.consensus.json', '--target', 'consensus'];
  const { status } = spawnSync(process.execPath, args, { cwd: folder, stdio: 'inherit' });
  if (status !== 0) throw new Error(`${mutant.name}: does not build`);
  return join(folder, 'build', 'consensus.wasm');
}

function passes(suite, wasm) {
  const env = { ...process.env, VWS_CONSENSUS_WASM: wasm, VWS_DAGS: process.env.VWS_DAGS ?? '40' };
  const vitest = ['node_modules/vitest/vitest.mjs', 'run', suite, '--bail', '1'];
  return spawnSync(process.execPath, vitest, { env, stdio: 'ignore' }).status === 0;
}

const folder = mkdtempSync(join(tmpdir(), 'vws-mutants-'));
let isWrong = false;
for (const mutant of MUTANTS) {
  const wasm = build(mutant, folder);
  const failed = SUITES.filter((suite) => !passes(suite, wasm));
  const isSound = mutant.file === undefined;
  const isAsExpected = isSound ? failed.length === 0 : failed.length > 0;
  if (!isAsExpected) isWrong = true;
  const verdict = failed.length === 0 ? 'passes every suite' : `caught by ${failed.join(', ')}`;
  console.log(`${isAsExpected ? 'ok   ' : 'WRONG'} ${mutant.name}: ${verdict}`);
}
rmSync(folder, { recursive: true, force: true });
process.exitCode = isWrong ? 1 : 0;
