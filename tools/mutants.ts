// npm run mutants: breaks one rule at a time in a copy of the sources and expects the tests to fail. The rules and their
// tests are in mutants/table.ts. Exit code 1 if a mutant survives, or if a test fails on the unchanged sources.

import { spawnSync } from 'node:child_process';
import {
  copyFileSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { readEnv } from '../host/config/config.ts';
import { changedText } from './mutants/changed-text.ts';
import type { Mutant } from './mutants/mutant.ts';
import { MUTANTS } from './mutants/table.ts';
import { optionsOf, refuse } from './options.ts';

const NAME = 'mutants';
const wanted = optionsOf({
  name: NAME,
  about:
    'breaks the rules of tools/mutants/table.ts one by one in a copy of the sources; the tests that are named there must fail.',
  options: {
    only: { kind: 'text', value: 'WORDS', help: 'rules whose room, text or file contains these words' },
    'skip-sound': { kind: 'flag', help: 'do not run the tests on the unchanged sources first' },
    list: { kind: 'flag', help: 'print the rules, run nothing' },
  },
});

const BUILD = 'build';

/** Links what is only read, copies what is changed: of the build, the modules. */
function copyTree(): string {
  const folder = mkdtempSync(join(tmpdir(), 'vws-mutants-'));
  const links = new Set(['node_modules', 'docs']);
  for (const name of readdirSync('.')) {
    if (name.startsWith('.') || name === BUILD) continue;
    if (links.has(name)) symlinkSync(resolve(name), join(folder, name));
    else cpSync(name, join(folder, name), { recursive: true });
  }
  mkdirSync(join(folder, BUILD));
  for (const entry of readdirSync(BUILD, { withFileTypes: true })) {
    const name = join(BUILD, entry.name);
    if (entry.isDirectory()) symlinkSync(resolve(name), join(folder, name));
    else copyFileSync(name, join(folder, name));
  }
  return folder;
}

/** The modules that a change in assembly/ can break, by the configuration that builds each. */
const MODULES = { core: 'asconfig.json', consensus: 'asconfig.consensus.json' };

function buildModules(folder: string): void {
  const asc = resolve('node_modules/assemblyscript/bin/asc.js');
  for (const [target, config] of Object.entries(MODULES)) {
    const args = [asc, '--config', config, '--target', target];
    const { status } = spawnSync(process.execPath, args, { cwd: folder, stdio: 'inherit' });
    if (status !== 0) throw new Error(`the broken module ${target} does not build`);
  }
}

function restoreModules(folder: string): void {
  for (const name of Object.keys(MODULES))
    copyFileSync(join(BUILD, `${name}.wasm`), join(folder, BUILD, `${name}.wasm`));
}

function passes(folder: string, test: string): boolean {
  const vitest = ['node_modules/vitest/vitest.mjs', 'run', test, '--bail', '1'];
  const env = { ...readEnv(), VWS_DAGS: '40' };
  return spawnSync(process.execPath, vitest, { cwd: folder, stdio: 'ignore', env }).status === 0;
}

/** Runs the tests of a mutant until one fails: its name, or undefined. */
function catcherOf(folder: string, mutant: Mutant): string | undefined {
  const path = join(folder, mutant.file);
  const text = readFileSync(path, 'utf8');
  const isBuilt = mutant.file.startsWith('assembly/');
  writeFileSync(path, changedText(folder, mutant));
  try {
    if (isBuilt) buildModules(folder);
    return mutant.tests.find((test) => !passes(folder, test));
  } finally {
    writeFileSync(path, text);
    if (isBuilt) restoreModules(folder);
  }
}

/** Tests that fail without any change would catch everything. */
function failsWhenSound(folder: string, mutants: readonly Mutant[]): string[] {
  const tests = [...new Set(mutants.flatMap((mutant) => mutant.tests))];
  return tests.filter((test) => !passes(folder, test));
}

function run(mutants: readonly Mutant[]): boolean {
  const folder = copyTree();
  try {
    const broken = wanted['skip-sound'] ? [] : failsWhenSound(folder, mutants);
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

const words = wanted.only ?? '';
const chosen = MUTANTS.filter(({ room, rule, file }) =>
  `${room} ${rule} ${file}`.toLowerCase().includes(words.toLowerCase()),
);
if (chosen.length === 0) refuse(NAME, `no rule contains '${words}'`);
else if (wanted.list) for (const { room, rule } of chosen) console.log(`${room}: ${rule}`);
else if (!run(chosen)) process.exitCode = 1;
