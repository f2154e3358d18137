// Pools of worker threads.

import { spawn } from 'node:child_process';
import { expect, it } from 'vitest';
import { builtPath } from '../../../tools/load/built.ts';

/** Opens a pool and closes it again, after a time that differs. */
const PROGRAM = `
import { setTimeout as pause } from 'node:timers/promises';
import { systemThreads } from ${JSON.stringify(builtPath('host/world/system/threads.js'))};
const file = ${JSON.stringify(builtPath('host/crypto/worker.js'))};
for (let i = 0; i < 40; i++) {
  const pool = systemThreads.open({ file, threads: 2, data: { implementation: 'wasm' } });
  await pause((i * 7) % 120);
  await pool.close();
}
`;

it('a pool that is closed while its threads start does not end the process', async () => {
  const child = spawn(process.execPath, ['--input-type=module', '-e', PROGRAM], { stdio: 'ignore' });
  const end = await new Promise((resolve) => child.once('exit', (code, signal) => resolve(code ?? signal)));
  expect(end).toBe(0);
});
