// Nodes that are wrong on purpose: copies of the build with one place changed, in a temporary folder.
// Keeps: this build is never touched; a place that is not there exactly once is an error, so that no mutant goes stale.

import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { builtPath } from '../load/built.ts';
import { type Change, changedText } from '../mutants/changed-text.ts';
import type { FaultKind } from './faults.ts';

/** A changed source of the core is built anew. */
export interface Mutant extends Change {
  name: string;
  /** The faults under which it shows. */
  kinds: readonly FaultKind[];
}

/** Writes that are read from memory at once and reach the disk later. */
const LATE_WRITE = `async write(ops) {
            const hex = (key) => Buffer.from(key).toString('hex');
            globalThis.lateRows ??= new Map();
            const rows = globalThis.lateRows;
            const copy = Array.from(ops, ({ key, value }) => ({ key: key.slice(), value: value?.slice() }));
            for (const op of copy) rows.set(hex(op.key), op.value);
            this.getMany = (keys) => keys.map((key) => rows.has(hex(key)) ? rows.get(hex(key)) : db._getManySync([key], RAW)[0] ?? undefined);
            this.get = (key) => this.getMany([key])[0];
            this.getTexts = (keys) => this.getMany(keys).map((row) => row && Buffer.from(row).toString());
            setTimeout(() => this.writeLate(copy), 2000);
        },
        async writeLate(ops) {`;

export const MUTANTS: readonly Mutant[] = [
  {
    name: 'an answer before the sync: writes are on disk two seconds later',
    file: 'build/host/world/system/rocksdb-store.js',
    from: 'async write(ops) {',
    to: LATE_WRITE,
    kinds: ['kill', 'kill_all'],
  },
  {
    name: 'a stale read as fresh: X-Service-Order is two orders too new',
    file: 'build/host/api/reads.js',
    from: "'X-Service-Order': String(order)",
    to: "'X-Service-Order': String(order + 2)",
    kinds: [],
  },
  {
    name: 'a node that ignores X-Service-Min-Order',
    file: 'build/host/api/reads.js',
    from: "isStateRead(found) ? req.header('x-service-min-order') : undefined",
    to: 'undefined',
    kinds: ['pause'],
  },
  {
    name: 'a claim given twice: the core does not look at the status of the task',
    file: 'assembly/tasks/claims.ts',
    from: 'if (task.status != TASK_OPEN) return refuse(TASK_STATE);',
    to: 'if (task.status != TASK_OPEN && task.status != TASK_CLAIMED) return refuse(TASK_STATE);',
    kinds: [],
  },
  {
    name: 'a claim given twice: a node answers a refused claim with the task',
    file: 'build/host/sequencer/sequencer.js',
    from: 'if (outcome.code === abi.OK)',
    to: "if (outcome.code === abi.OK || (input.parsed.name === 'taskClaim' && outcome.code === abi.TASK_STATE))",
    kinds: [],
  },
];

/** The folder of this build. */
export const root = (): string => dirname(dirname(dirname(dirname(builtPath('host/cli/main.js')))));

/** Makes the mutant; gives its program, and `remove` for the folder. */
export function buildMutant(mutant: Mutant): { main: string; remove(): void } {
  const { file, name } = mutant;
  const folder = mkdtempSync(join(tmpdir(), 'vws-mutant-'));
  const isCore = file.startsWith('assembly/');
  mkdirSync(join(folder, 'build'));
  for (const part of ['build/host', 'build/assembly', 'package.json', 'assembly', 'asconfig.json'])
    cpSync(join(root(), part), join(folder, part), { recursive: true });
  for (const module of ['core', 'core-scalar', 'consensus', 'ed25519', 'ed25519-scalar'])
    cpSync(join(root(), `build/${module}.wasm`), join(folder, `build/${module}.wasm`));
  symlinkSync(join(root(), 'node_modules'), join(folder, 'node_modules'));
  writeFileSync(join(folder, file), changedText(folder, mutant));
  if (isCore) {
    const asc = join(root(), 'node_modules/assemblyscript/bin/asc.js');
    const args = [asc, '--config', 'asconfig.json', '--target', 'core'];
    const { status, stderr } = spawnSync(process.execPath, args, { cwd: folder, encoding: 'utf8' });
    if (status !== 0) throw new Error(`${name}: does not build: ${stderr}`);
  }
  return {
    main: join(folder, 'build/host/cli/main.js'),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}
