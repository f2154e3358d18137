// Suite `verify`: the cost of full verification. A log with real signatures on a node; verifiers in Node and in
// Chromium read it over HTTP, from genesis and from the newest seal.
// Keeps: every verdict must be good and reach the node's order number; the peer of the first figure is a node that
// replays the same log from its own disk, where signatures were verified before.

import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { createNodeKeyFile } from '../host/crypto/node-key-file.ts';
import { makeSignedLog, seal } from '../tools/history/signed-log.ts';
import { builtPath } from '../tools/load/built.ts';
import { findChromium } from '../tools/load/chromium.ts';
import { memoryBytes } from '../tools/load/memory.ts';
import { NodeProcess, PASSPHRASE, sleep } from '../tools/load/node-process.ts';
import { type Row, row, type SuiteRun } from './row.ts';
import { type Checked, PageVerifier } from './verify-page.ts';

const TRANSACTIONS = 100_000;
const SMALL_TRANSACTIONS = 2_000;
const SAMPLE_MS = 50;

type Way = 'genesis' | 'checkpoint';

/** Peak memory of a process while it runs. */
async function peakMemory(child: ChildProcess, ended: Promise<unknown>): Promise<number> {
  let peak = 0;
  let isDone = false;
  void ended.finally(() => {
    isDone = true;
  });
  while (!isDone) {
    peak = Math.max(peak, memoryBytes(child.pid!) ?? 0);
    await sleep(SAMPLE_MS);
  }
  return peak;
}

async function audit(port: number, way: Way): Promise<Checked> {
  const flags = [
    '--json',
    '--node',
    `http://127.0.0.1:${port}`,
    ...(way === 'checkpoint' ? ['--checkpoint'] : []),
  ];
  const child = spawn(process.execPath, [builtPath('host/cli/main.js'), 'audit', ...flags], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let out = '';
  child.stdout.on('data', (part) => {
    out += part;
  });
  child.stderr.resume();
  const ended = new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', resolve);
  });
  const [memory] = await Promise.all([peakMemory(child, ended), ended]);
  const report = JSON.parse(out);
  if (!report.isGood || report.way !== way) throw new Error(`the audit from ${way} reports ${out}`);
  return { ...report, memoryBytes: memory };
}

const megabytes = (bytes: number): number => bytes / 2 ** 20;

function rowsOf(
  place: string,
  transactions: number,
  whole: Checked,
  tail: Checked,
  peers: { rate: number; name: string; memory: number; memoryName: string },
): Row[] {
  const params = { where: place, transactions };
  const rate = whole.transactions / whole.seconds;
  return [
    row('verify', 'transactions verified', params, 'transactions/s', rate, {
      name: peers.name,
      value: peers.rate,
    }),
    row('verify', 'from a checkpoint', params, 's', tail.seconds, {
      name: 'from genesis',
      value: whole.seconds,
    }),
    row('verify', 'memory', params, 'MB', megabytes(whole.memoryBytes), {
      name: peers.memoryName,
      value: megabytes(peers.memory),
    }),
  ];
}

export async function run(suite: SuiteRun): Promise<Row[]> {
  const dir = await mkdtemp(join(tmpdir(), 'vws-bench-verify-'));
  const dataDir = join(dir, 'data');
  const identity = createNodeKeyFile(dataDir, PASSPHRASE, {});
  const count = suite.many ?? (suite.small ? SMALL_TRANSACTIONS : TRANSACTIONS);
  try {
    const { transactions, replaySecs } = await makeSignedLog(dataDir, identity, count, suite.say);
    suite.say(`  log of ${transactions} transactions made`);
    const node = await NodeProcess.start({ dataDir, flags: ['--no-auth'] });
    try {
      await seal(node);
      const [whole, tail] = [await audit(node.port, 'genesis'), await audit(node.port, 'checkpoint')];
      const rate = whole.transactions / whole.seconds;
      const rows = rowsOf(`Node ${process.versions.node}`, transactions, whole, tail, {
        rate: transactions / replaySecs,
        name: 'replay from disk, signatures verified before',
        memory: memoryBytes(node.pid) ?? Number.NaN,
        memoryName: 'the node itself',
      });
      const path = findChromium();
      if (!path) {
        suite.say('  SKIPPED: Chromium, which is not installed');
        return rows;
      }
      const page = await PageVerifier.open(path, `http://127.0.0.1:${node.port}`);
      try {
        const [far, near] = [await page.check('genesis'), await page.check('checkpoint')];
        const peers = { rate, name: 'in Node', memory: whole.memoryBytes, memoryName: 'in Node' };
        return [...rows, ...rowsOf('Chromium', transactions, far, near, peers)];
      } finally {
        await page.close();
      }
    } finally {
      await node.kill();
    }
  } finally {
    await rm(dir, { recursive: true, force: true });
  }
}
