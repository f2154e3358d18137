// npm run test:embed: the same calls to the same modules in every runtime available on this machine, and their speeds
// side by side. A host whose tool or registry is missing is skipped by name.

import { spawnSync } from 'node:child_process';
import { parseArgs } from 'node:util';
import { hosts, named } from './embed-hosts.mjs';
import { lastLines, perform, prepare, Skipped } from './embed-prepare.mjs';

const HELP = `npm run test:embed: the same calls to the same modules in every runtime available on this machine.

Usage: npm run test:embed -- [flags]

Flags:
  --write        regenerates test/embed/vectors.txt from the built modules
  --all          fail instead of skipping a host that is not available here
  --rounds <n>   runs of each module, of which the best time is shown [default 3]
  --only <text>  only hosts whose name contains this, e.g. Go [default all]
  --help, -h     show this text`;

function readOptions() {
  try {
    const { values } = parseArgs({
      options: {
        write: { type: 'boolean', default: false },
        all: { type: 'boolean', default: false },
        rounds: { type: 'string', default: '3' },
        only: { type: 'string', default: '' },
        help: { type: 'boolean', short: 'h' },
      },
    });
    if (!/^[1-9]\d*$/.test(values.rounds)) throw new Error('--rounds is a whole number from 1 on');
    return { ...values, asked: named(hosts(), [values.only]) };
  } catch (error) {
    console.error(`error: ${error.message}\nSee: npm run test:embed -- --help`);
    process.exit(2);
  }
}

const options = readOptions();
if (options.help) {
  console.log(HELP);
  process.exit(0);
}
const MODULES = ['core.wasm', 'core-scalar.wasm', 'consensus.wasm', 'ed25519.wasm', 'ed25519-scalar.wasm'];
/** Throws if a host judges a proof of documents otherwise than this code. */
async function checkProofs(host) {
  const { ok, stdout, stderr } = await perform([...host.run, '--proofs', 'test/embed/proofs.txt']);
  process.stdout.write(stdout.replace(/^(?=.)/gm, '  '));
  if (!ok || !/^proofs cases=[1-9]\d* mismatches=0$/m.test(stdout))
    throw new Error(`proofs are judged otherwise:\n    ${lastLines(stderr)}`);
}

/** Times of one host by module. Throws if an answer differs, or if a module did not run all its cases. */
async function measure(host) {
  await prepare(host);
  const { ok, stdout, stderr } = await perform([
    ...host.run,
    'test/embed/vectors.txt',
    'build',
    options.rounds,
  ]);
  process.stdout.write(stdout.replace(/^(?=.)/gm, '  '));
  const figures = /^(\S+) cases=(\d+) mismatches=(\d+) load_ms=([\d.]+) run_ms=([\d.]+)$/gm;
  const rows = [...stdout.matchAll(figures)].map(([, name, cases, mismatches, loadMs, runMs]) => {
    return {
      name,
      cases: Number(cases),
      mismatches: Number(mismatches),
      load: Number(loadMs),
      run: Number(runMs),
    };
  });
  if (!ok || rows.some((row) => row.mismatches > 0))
    throw new Error(`answers differ:\n    ${lastLines(stderr)}`);
  const silent = MODULES.filter((name) => !new RegExp(`^${name} (cases=[1-9]|skipped)`, 'm').test(stdout));
  if (silent.length > 0) throw new Error(`no answers from ${silent.join(', ')}`);
  if (host.hasProofs) await checkProofs(host);
  return rows;
}

function table(results) {
  const head = ['run, ms', ...MODULES, 'loading all'];
  const ran = results.filter(({ rows }) => rows);
  const best = (name) => ran[0]?.rows.find((row) => row.name === name)?.run;
  const lines = ran.map(({ host, rows }) => [
    host.name,
    ...MODULES.map((name) => {
      const row = rows.find((one) => one.name === name);
      return row ? `${row.run.toFixed(1)} (${(row.run / best(name)).toFixed(2)}x)` : '-';
    }),
    rows.reduce((sum, row) => sum + row.load, 0).toFixed(1),
  ]);
  const widths = head.map((_, i) => Math.max(...[head, ...lines].map((line) => line[i].length)));
  for (const line of [head, ...lines]) console.log(line.map((cell, i) => cell.padEnd(widths[i])).join('  '));
}

if (options.write) {
  const env = { ...process.env, VWS_WRITE_VECTORS: '1' };
  const args = ['node_modules/vitest/vitest.mjs', 'run', 'test/embed'];
  process.exit(spawnSync(process.execPath, args, { env, stdio: 'inherit' }).status ?? 1);
}
const results = [];
for (const host of options.asked) {
  console.log(`${host.name}:`);
  try {
    results.push({ host, rows: await measure(host) });
  } catch (error) {
    results.push({ host, error });
    console.log(`  ${error instanceof Skipped ? 'SKIPPED' : 'FAILED'} ${host.name}: ${error.message}`);
  }
}
table(results);
const failed = results.filter(({ error }) => error && (options.all || !(error instanceof Skipped)));
const skipped = results.filter(({ error }) => error instanceof Skipped).map(({ host }) => host.name);
if (skipped.length > 0) console.log(`skipped: ${skipped.join(', ')}`);
const ran = results.filter(({ rows }) => rows).length;
if (failed.length > 0) console.log(`FAILED: ${failed.map(({ host }) => host.name).join(', ')}`);
else console.log(`${ran} of ${results.length} hosts ran, and agree`);
process.exit(failed.length > 0 ? 1 : 0);
