// Runs every test: static checks, the core's own (as-pect), the host's (vitest). Stops at the first that fails.

import { spawn } from 'node:child_process';

const ASP = ['node_modules/@as-pect/cli/bin/asp.js', '--summary'];
/** Each is a list of processes that run side by side. */
const SUITES = [
  // The core's two parts compile and run on one core each; the static checks fill what they leave.
  [
    'static checks and core',
    [
      { args: ['tools/check.mjs'] },
      ...['1/2', '2/2'].map((part) => ({ args: ASP, env: { VWS_SPECS: part } })),
    ],
  ],
  ['host', [{ args: ['node_modules/vitest/vitest.mjs', 'run'] }]],
];

/** Exit code of a process; what one of several says is shown when it is done, so that they do not mix. */
function run({ args, env = {} }, isAlone) {
  const child = spawn(process.execPath, args, {
    env: { ...process.env, ...env },
    stdio: ['inherit', isAlone ? 'inherit' : 'pipe', isAlone ? 'inherit' : 'pipe'],
  });
  let text = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8').on('data', (part) => {
      text += part;
    });
  }
  return new Promise((resolve) => {
    child.on('close', (code) => {
      process.stdout.write(text);
      resolve(code ?? 1);
    });
  });
}

for (const [name, processes] of SUITES) {
  const started = Date.now();
  const codes = await Promise.all(processes.map((process) => run(process, processes.length === 1)));
  const secs = ((Date.now() - started) / 1000).toFixed(0);
  const failed = codes.find((code) => code !== 0);
  if (failed !== undefined) {
    console.error(`${name}: FAILED after ${secs} s`);
    process.exit(failed);
  }
  console.log(`${name}: passed in ${secs} s`);
}
