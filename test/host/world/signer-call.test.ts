// A signer that is slow to answer, or away: each question gets its own answer, or none.

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { signerCall } from '../../../host/world/system/signer-call.ts';

const PATIENCE_MS = 200;
/** Beyond the patience and what the caller gives it on top. */
const LATE_MS = 2600;

/** Answers each question with its bytes; one that begins with 1 after a while. In a process of its own: who asks waits. */
const SIGNER = `
const { createServer } = require('node:net');
createServer((socket) => {
  let waiting = Promise.resolve();
  socket.on('error', () => {});
  socket.on('data', (data) => {
    for (let at = 0; at < data.length; at += 4 + data.readUInt32LE(at)) {
      const frame = data.subarray(at, at + 4 + data.readUInt32LE(at));
      waiting = waiting.then(() => new Promise((next) => setTimeout(next, frame[4] === 1 ? ${LATE_MS} : 0)));
      waiting.then(() => socket.write(frame));
    }
  });
}).listen(process.argv[1], () => console.log('listening'));
`;

let folder: string;
let signer: ChildProcess;
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'vws-signer-'));
  signer = spawn(process.execPath, ['-e', SIGNER, join(folder, 's')], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await once(signer.stdout!, 'data');
});
afterEach(() => {
  signer.kill('SIGKILL');
  rmSync(folder, { recursive: true, force: true });
});

it('an answer that comes too late is not taken for that of a later question', () => {
  const ask = signerCall(join(folder, 's'), PATIENCE_MS);
  expect(ask(Uint8Array.of(2, 1))).toEqual(Uint8Array.of(2, 1));
  expect(() => ask(Uint8Array.of(1, 2))).toThrow('does not answer');
  for (const n of [3, 4, 5]) {
    let answer: Uint8Array | undefined;
    try {
      answer = ask(Uint8Array.of(2, n));
    } catch {
      // As long as it is away there is none.
    }
    if (answer) expect(answer).toEqual(Uint8Array.of(2, n));
  }
  expect(ask(Uint8Array.of(2, 6))).toEqual(Uint8Array.of(2, 6));
});
