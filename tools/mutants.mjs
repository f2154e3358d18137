// npm run mutants: breaks one rule at a time in a copy of the sources and expects the tests to fail. The rules and their
// tests are in mutants/table.mjs. Exit code 1 if a mutant survives, or if a test fails on the unchanged sources.

import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { MUTANTS } from './mutants/table.mjs';

const HELP = `npm run mutants -- [--only <words>] [--list]

Breaks the rules of tools/mutants/table.mjs one by one in a copy of the sources; the tests named there must fail.
  --only <words>   rules whose room, text or file contains these words
  --skip-sound     do not run the tests on the unchanged sources first
  --list           print the rules, run nothing
`;

const { values } = parseArgs({
  options: {
    only: { type: 'string' },
    list: { type: 'boolean' },
    'skip-sound': { type: 'boolean' },
    help: { type: 'boolean', short: 'h' },
  },
});

/** Links what is only read, copies what is changed. */
function copyTree() {
  const folder = mkdtempSync(join(tmpdir(), 'vws-mutants-'));
  const links = new Set(['node_modules', 'build', 'docs']);
  for (const name of readdirSync('.')) {
    if (name.startsWith('.')) continue;
    if (links.has(name)) symlinkSync(resolve(name), join(folder, name));
    else cpSync(name, join(folder, name), { recursive: true });
  }
  return folder;
}

/** Environment of the tests: with a module of its own if the rule is one of the engine. */
function buildEngine(folder) {
  const wasm = join(folder, 'consensus.wasm');
  const asc = resolve('node_modules/assemblyscript/bin/asc.js');
  const args = [asc, '--config', 'asconfig.consensus.json', '--target', 'consensus', '--outFile', wasm];
  const { status } = spawnSync(process.execPath, args, { cwd: folder, stdio: 'inherit' });
  if (status !== 0) throw new Error('the broken module does not build');
  return { VWS_CONSENSUS_WASM: wasm };
}

function passes(folder, test, env) {
  const vitest = ['node_modules/vitest/vitest.mjs', 'run', test, '--bail', '1'];
  const options = { cwd: folder, stdio: 'ignore', env: { ...process.env, VWS_DAGS: '40', ...env } };
  return spawnSync(process.execPath, vitest, options).status === 0;
}

/** Runs the tests of a mutant until one fails: its name, or undefined. */
function catcherOf(folder, { file, from, to, tests }) {
  const path = join(folder, file);
  const text = readFileSync(path, 'utf8');
  if (text.split(from).length !== 2) throw new Error(`${file} does not contain "${from}" exactly once`);
  writeFileSync(
    path,
    text.replace(from, () => to),
  );
  try {
    const env = file.startsWith('assembly/') ? buildEngine(folder) : {};
    return tests.find((test) => !passes(folder, test, env));
  } finally {
    writeFileSync(path, text);
  }
}

/** Tests that fail without any change would catch everything. */
function failsWhenSound(folder, mutants) {
  const tests = [...new Set(mutants.flatMap((mutant) => mutant.tests))];
  return tests.filter((test) => !passes(folder, test, {}));
}

function run(mutants) {
  const folder = copyTree();
  try {
    const broken = values['skip-sound'] ? [] : failsWhenSound(folder, mutants);
    for (const test of broken) console.log(`WRONG ${test} fails on the unchanged sources`);
    let survivors = 0;
    for (const mutant of mutants) {
      const catcher = catcherOf(folder, mutant);
      if (!catcher) survivors += 1;
      const verdict = catcher ? `caught by ${catcher}` : `passes ${mutant.tests.join(', ')}`;
      console.log(`${catcher ? 'ok   ' : 'WRONG'} ${mutant.room}: ${mutant.rule}: ${verdict}`);
    }
    console.log(`${mutants.length - survivors} of ${mutants.length} mutants caught`);
    return broken.length === 0 && survivors === 0;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const chosen = MUTANTS.filter(({ room, rule, file }) =>
  `${room} ${rule} ${file}`.toLowerCase().includes((values.only ?? '').toLowerCase()),
);
if (values.help) console.log(HELP);
else if (chosen.length === 0) {
  console.error(`no rule contains "${values.only}"`);
  process.exitCode = 2;
} else if (values.list) for (const { room, rule } of chosen) console.log(`${room}: ${rule}`);
else if (!run(chosen)) process.exitCode = 1;
