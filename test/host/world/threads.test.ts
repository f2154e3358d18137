// Pools of worker threads.

import { spawn } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { builtPath } from '../../../tools/load/built.ts';

/** Opens a pool and closes it again, after a time that differs. */
const PROGRAM = `
import { setTimeout as pause } from 'node:timers/promises';
import { systemThreads } from ${JSON.stringify(builtPath('host/world/system/threads.js'))};
const file = ${JSON.stringify(builtPath('host/crypto/worker.js'))};
for (let i = 0; i < 15; i++) {
  const pool = systemThreads.open({ file, threads: 2, name: 'signatures', data: { implementation: 'wasm' } });
  await pause((i * 7) % 120);
  await pool.close();
}
`;

it('a pool that is closed while its threads start does not end the process', async () => {
  const child = spawn(process.execPath, ['--input-type=module', '-e', PROGRAM], { stdio: 'ignore' });
  const end = await new Promise((resolve) => child.once('exit', (code, signal) => resolve(code ?? signal)));
  expect(end).toBe(0);
});

/** The same with a room, whose driver never listens. */
const ROOMS = `
import { setTimeout as pause } from 'node:timers/promises';
import { systemThreads } from ${JSON.stringify(builtPath('host/world/system/threads.js'))};
const file = ${JSON.stringify(builtPath('host/ingress/thread.js'))};
const facts = { bodyLimits: [], usualBodyBytes: 1, refusals: {}, batch: { path: '/', maxRequests: 1 } };
const data = { facts, driver: 'auto', verifier: 'wasm', trustedProxies: [], threads: 1 };
for (let i = 0; i < 10; i++) {
  const room = systemThreads.room({ name: 'ingress', file, data, onBytes() {}, onFailure() {}, onEnd: (error) => { throw error; } });
  await pause((i * 29) % 240);
  await room.close();
}
`;

it('a room that is closed while its thread starts does not end the process', {
  timeout: 60_000,
}, async () => {
  // A thread takes the flags of the process, and those of a program that is no file are not for threads.
  const folder = await mkdtemp(join(tmpdir(), 'vws-rooms-'));
  const file = join(folder, 'rooms.mjs');
  await writeFile(file, ROOMS);
  const child = spawn(process.execPath, [file], { stdio: 'ignore' });
  const end = await new Promise((resolve) => child.once('exit', (code, signal) => resolve(code ?? signal)));
  await rm(folder, { recursive: true });
  expect(end).toBe(0);
});

/** Opens a room and closes it as soon as it works. */
const ONE_ROOM = `
import { systemThreads } from ${JSON.stringify(builtPath('host/world/system/threads.js'))};
const file = ${JSON.stringify(builtPath('host/world/system/rocksdb-writer.js'))};
const room = systemThreads.room({ name: 'store', file, data: undefined, onBytes() {}, onFailure() {}, onEnd: (error) => { throw error; } });
await room.close();
`;

it.each([
  { of: 'a program that is a file', isText: false },
  { of: 'a program that is a text', isText: true },
])('a room opens whatever flags its process has: $of', async ({ isText }) => {
  const folder = await mkdtemp(join(tmpdir(), 'vws-flags-'));
  const file = join(folder, 'room.mjs');
  await writeFile(file, ONE_ROOM);
  const program = isText ? ['--input-type=module', '-e', ONE_ROOM] : [file];
  // Of V8, of the process, of the operator's shell.
  for (const flag of ['--max-semi-space-size=32', '--expose-gc', '--title=vws']) {
    const child = spawn(process.execPath, [flag, ...program], { stdio: 'ignore' });
    const end = await new Promise((resolve) => child.once('exit', (code, signal) => resolve(code ?? signal)));
    expect(end, flag).toBe(0);
  }
  await rm(folder, { recursive: true });
});

/** Prints the names of the threads that tell their memory: before, while and after pools are open. */
const ASKS = `
import { systemThreads } from ${JSON.stringify(builtPath('host/world/system/threads.js'))};
import { packJobs } from ${JSON.stringify(builtPath('host/crypto/job-codec.js'))};
const file = ${JSON.stringify(builtPath('host/crypto/worker.js'))};
const data = { implementation: 'wasm' };
const names = async () => (await systemThreads.memory()).filter(({ heapBytes, usedBytes }) => heapBytes >= usedBytes && usedBytes > 1e6).map(({ name }) => name);
const told = [await names()];
const two = systemThreads.open({ name: 'two', file, threads: 2, data });
const one = systemThreads.open({ name: 'one', file, threads: 1, data });
await Promise.all([two, one].map((pool) => pool.run(packJobs([]))));
told.push(await names());
await two.close();
told.push(await names());
await one.close();
told.push(await names());
console.log(JSON.stringify(told));
`;
const [major, minor] = process.versions.node.split('.').map(Number) as [number, number];
const canAsk = major > 22 || (major === 22 && minor >= 16);

it('each thread tells its memory while it is there, where Node can ask it', async () => {
  const child = spawn(process.execPath, ['--input-type=module', '-e', ASKS], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let text = '';
  child.stdout.on('data', (part) => {
    text += part;
  });
  await new Promise((resolve) => child.once('close', resolve));
  const [before, both, oneLeft, after] = JSON.parse(text);
  const others = (names: string[]): string[] => (canAsk ? names : []);
  expect(before).toEqual(['main']);
  expect(both).toEqual(['main', ...others(['two-1', 'two-2', 'one'])]);
  expect(oneLeft).toEqual(['main', ...others(['one'])]);
  expect(after).toEqual(['main']);
});
