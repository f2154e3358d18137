// One key, one signer: each keeps the record of what it signed in memory, so two would sign two vertices of one number.

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { createNodeKeyFile } from '../../../../host/crypto/node-key-file.ts';
import { FakeIo, type Ran, runToEnd, scratch, vws } from '../harness.ts';

const env = { SERVICE_TESTNET: 'true', SERVICE_PASSPHRASE: 'secret' };

function signerAt(data: string, socket: string): { io: FakeIo; ended: Promise<Ran> } {
  const io = new FakeIo();
  return { io, ended: vws(['signer', '--data', data, '--socket', socket], { env, io }) };
}

async function ready(io: FakeIo): Promise<void> {
  while (!io.outLines.includes('ready')) await new Promise((done) => setTimeout(done, 10));
}

it('a second signer of a key is refused at another socket, too, until the first has ended', async () => {
  const data = join(scratch(), 'keys');
  createNodeKeyFile(data, 'secret');
  const first = signerAt(data, join(data, 'a.sock'));
  await ready(first.io);
  const second = signerAt(data, join(data, 'b.sock'));
  void ready(second.io).then(() => second.io.signal());
  const refused = await second.ended;
  expect([refused.code, refused.err]).toEqual([1, expect.stringMatching(/another signer .* stop it first/)]);
  expect(existsSync(join(data, 'b.sock'))).toBe(false);
  first.io.signal();
  expect((await first.ended).code).toBe(0);
  const third = signerAt(data, join(data, 'b.sock'));
  await ready(third.io);
  third.io.signal();
  expect((await third.ended).code).toBe(0);
});

it('a node does not start with the key file of a signer that runs', async () => {
  const data = join(scratch(), 'keys');
  createNodeKeyFile(data, 'secret');
  const { io, ended } = signerAt(data, join(data, 'a.sock'));
  await ready(io);
  const { code, err } = await runToEnd(['start', '--data', data], env);
  io.signal();
  await ended;
  expect([code, err]).toEqual([3, expect.stringMatching(/a signer has the key in .*SERVICE_SIGNER/)]);
  expect((await runToEnd(['start', '--data', data], env)).code).toBe(0);
});

it('a path that is too long for a socket is refused as such, and a directory of one is reached from here', async () => {
  const long = join(scratch(), 'd'.repeat(100));
  const data = join(long, 'keys');
  createNodeKeyFile(data, 'secret');
  const refused = await signerAt(data, join(long, 'a.sock')).ended;
  expect([refused.code, refused.err]).toEqual([1, expect.stringMatching(/ 103 bytes.*shorter path/)]);
  const here = process.cwd();
  process.chdir(long);
  onTestFinished(() => process.chdir(here));
  const { io, ended } = signerAt(data, 'a.sock');
  await ready(io);
  io.signal();
  expect((await ended).code).toBe(0);
});
