// Other engines on the same DAG files: lachesis-base (a Go module) and the linearizer of autobase (an npm package).
// Both are fetched into build/ when the benchmark runs; if that fails they are left out, and the benchmark reports so.
// Their code is not part of this repository (consensus 8.2).
// Keeps: versions are pinned by go.sum and package-lock.json below peers/; no install script runs.

import { spawnSync } from 'node:child_process';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { builtPath } from '../tools/load/built.ts';
import { decodeWords, encodeDag } from './dag-file.ts';
import type { DagWork } from './dag-work.ts';
import { median, type SuiteRun } from './row.ts';

const ROOT = fileURLToPath(new URL(import.meta.url.endsWith('.ts') ? '..' : '../..', import.meta.url));
const SOURCES = join(ROOT, 'bench', 'peers');
const FETCHED = join(ROOT, 'build', 'peers');
const FETCH_MS = 300_000;

interface PeerAnswer {
  /** Vertices per second, median of the runs. */
  perSecond: number;
  /** For each vertex the index of the one that made it final, or -1. */
  finalAt: number[];
}

export interface DagPeer {
  name: string;
  /** Orders the first `count` vertices `runs` times. */
  order(work: DagWork, count: number, runs: number): PeerAnswer;
}

/** Runs a command; returns its output. Throws with the first line of its errors. */
function run(command: string, args: readonly string[], cwd: string, timeout?: number): string {
  const { status, stdout, stderr, error } = spawnSync(command, args, { cwd, encoding: 'utf8', timeout });
  if (error) throw error;
  if (status !== 0) {
    const why = stderr.split('\n').find((line) => line !== '' && !/warn|downloading/.test(line));
    throw new Error(`${command} ended with ${status}: ${why}`);
  }
  return stdout;
}

/** A peer that reads a DAG file, writes an answer file and prints the seconds of each run. */
function filePeer(name: string, command: string, before: readonly string[]): DagPeer {
  return {
    name,
    order(work, count, runs) {
      const folder = mkdtempSync(join(tmpdir(), 'vws-dag-'));
      const [dag, answer] = [join(folder, 'dag'), join(folder, 'answer')];
      try {
        writeFileSync(dag, encodeDag(work.shape.seats, work.vertices.slice(0, count)));
        const seconds = run(command, [...before, dag, answer, String(runs)], folder)
          .trim()
          .split('\n')
          .map(Number);
        return { perSecond: count / median(seconds), finalAt: decodeWords(readFileSync(answer)) };
      } finally {
        rmSync(folder, { recursive: true });
      }
    },
  };
}

function buildLachesis(): DagPeer {
  mkdirSync(FETCHED, { recursive: true });
  const program = join(FETCHED, 'lachesis');
  run('go', ['build', '-o', program, '.'], join(SOURCES, 'lachesis'), FETCH_MS);
  return filePeer('lachesis-base', program, []);
}

function installAutobase(): DagPeer {
  const folder = join(FETCHED, 'autobase');
  mkdirSync(folder, { recursive: true });
  for (const file of ['package.json', 'package-lock.json']) {
    copyFileSync(join(SOURCES, 'autobase', file), join(folder, file));
  }
  const lock = JSON.parse(readFileSync(join(folder, 'package-lock.json'), 'utf8'));
  const wanted = lock.packages['node_modules/autobase'].version;
  const manifest = join(folder, 'node_modules', 'autobase', 'package.json');
  const has = existsSync(manifest) && JSON.parse(readFileSync(manifest, 'utf8')).version === wanted;
  if (!has) run('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund'], folder, FETCH_MS);
  // The ordering is plain JavaScript; native dependencies are never loaded.
  run(process.execPath, ['-e', "require('autobase/lib/linearizer.js')"], folder);
  return filePeer('autobase', process.execPath, [builtPath('bench/peers/autobase-linearizer.js'), folder]);
}

/** The peers available here. None in a small run, which needs neither Go nor a network. */
export function dagPeers(suite: SuiteRun): {
  lachesis?: DagPeer | undefined;
  autobase?: DagPeer | undefined;
} {
  const fetched = (name: string, fetch: () => DagPeer): DagPeer | undefined => {
    if (suite.small) {
      suite.say(`  SKIPPED ${name}: not part of a small run`);
      return undefined;
    }
    try {
      return fetch();
    } catch (error) {
      suite.say(`  SKIPPED ${name}, its figures are missing below: ${(error as Error).message}`);
      return undefined;
    }
  };
  return {
    lachesis: fetched('lachesis-base', buildLachesis),
    autobase: fetched('autobase', installAutobase),
  };
}
