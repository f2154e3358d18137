// A node whose key is in a signer, both as processes: killed at random under load, from an old copy of its data, and with a
// second node at the signer. No number of a seat is ever that of two vertices, and nothing acknowledged is lost.

import { type ChildProcess, spawn } from 'node:child_process';
import { cp, rm } from 'node:fs/promises';
import { afterAll, expect, it, onTestFinished } from 'vitest';
import { createNodeKeyFile } from '../../host/crypto/node-key-file.ts';
import { toHex } from '../../host/wire/bytes.ts';
import { decodeLogPage } from '../../host/wire/log-page.ts';
import { decodeVertex } from '../../host/wire/vertex.ts';
import { builtPath } from '../../tools/load/built.ts';
import { type NodeProcess, type NodeStart, PASSPHRASE } from '../../tools/load/node-process.ts';
import { Agent, get, until } from './agent.ts';
import { testSeed } from './seed.ts';
import { Testbed } from './testbed.ts';

const bed = new Testbed();
afterAll(() => bed.close());

interface RunningSigner {
  child: ChildProcess;
  err: string;
}

/** A signer that listens. */
async function signerAt(keys: string, socket: string): Promise<RunningSigner> {
  const args = [builtPath('host/cli/main.js'), 'signer', '--data', keys, '--socket', socket];
  const env = { PATH: process.env.PATH, SERVICE_TESTNET: 'true', SERVICE_PASSPHRASE: PASSPHRASE };
  const child = spawn(process.execPath, args, { env, stdio: ['ignore', 'pipe', 'pipe'] });
  onTestFinished(() => void child.kill('SIGKILL'));
  const running = { child, err: '' };
  child.stderr.on('data', (part) => {
    running.err += part;
  });
  await new Promise<void>((done, fail) => {
    let out = '';
    child.stdout.on('data', (part) => {
      out += part;
      if (/^ready$/m.test(out)) done();
    });
    child.once('exit', (code) => fail(new Error(`the signer ended with ${code}: ${running.err}`)));
  });
  return running;
}

async function killed({ child }: RunningSigner): Promise<void> {
  const gone = new Promise((done) => child.once('exit', done));
  child.kill('SIGKILL');
  await gone;
}

/** Notes every vertex that a node has; two of one number are a fault. */
async function note(seen: Map<string, string>, port: number): Promise<void> {
  for (let epoch = 0; ; epoch++) {
    for (let from = 0; ; ) {
      const answer = await fetch(`http://127.0.0.1:${port}/v1/log/vertices?epoch=${epoch}&from=${from}`);
      if (answer.status !== 200) return;
      const page = decodeLogPage(new Uint8Array(await answer.arrayBuffer()))!;
      for (const bytes of page.vertices) {
        const { header, id } = decodeVertex(bytes)!;
        const name = `${toHex(header.epochId)} ${header.seq}`;
        expect(seen.get(name) ?? toHex(id)).toBe(toHex(id));
        seen.set(name, toHex(id));
      }
      if (page.next === from || page.end !== 'more') break;
      from = page.next;
    }
  }
}

it('never signs two vertices of one number, whoever is killed when, and from an old copy', async () => {
  const seed = testSeed();
  console.log(`seed ${seed}: VWS_SEED=${seed} repeats it`);
  let state = seed >>> 0;
  const below = (n: number): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * n);
  };
  const [keys, dataDir] = [await bed.directory(), await bed.directory()];
  createNodeKeyFile(keys, PASSPHRASE);
  const socket = `${keys}.sock`;
  const options: NodeStart = { dataDir, env: { SERVICE_SIGNER: `unix:${socket}` } };
  let signer = await signerAt(keys, socket);
  let node: NodeProcess = await bed.start(options);
  const [seen, acknowledged] = [new Map<string, string>(), [] as string[]];
  /** Registers agents until the node is gone. */
  const load = async (port: number): Promise<void> => {
    for (;;) {
      try {
        acknowledged.push((await new Agent(port).do('/v1/agents')).event_id);
      } catch {
        return;
      }
    }
  };
  for (let round = 0; round < 4; round++) {
    const loading = Promise.all([load(node.port), load(node.port)]);
    const enough = acknowledged.length + 6 + below(10);
    await until(
      async () => acknowledged.length,
      (count) => count >= enough,
      60_000,
    );
    if (round % 2 === 1) {
      // The node bears it: what it asked is asked again of the next one.
      await killed(signer);
      signer = await signerAt(keys, socket);
      await new Promise((done) => setTimeout(done, below(200)));
    }
    await node.kill();
    await loading;
    node = await bed.start(options);
    await note(seen, node.port);
  }
  for (const id of acknowledged) expect((await get(node.port, `/v1/events/${id}`)).status).toBe(200);
  expect(acknowledged.length).toBeGreaterThan(20);

  // An old copy of the data: the signer's record tells the node what it lacks, and it goes on in a new incarnation.
  await node.stop();
  await cp(dataDir, `${dataDir}.old`, { recursive: true });
  node = await bed.start(options);
  for (let i = 0; i < 5; i++) await new Agent(node.port).do('/v1/agents');
  await note(seen, node.port);
  await node.kill();
  await rm(dataDir, { recursive: true });
  await cp(`${dataDir}.old`, dataDir, { recursive: true });
  node = await bed.start(options);
  for (let i = 0; i < 5; i++) await new Agent(node.port).do('/v1/agents');
  await note(seen, node.port);

  // A second node at the signer, which is in use; then alone with it, from data that is older than what was signed.
  const second = { ...options, dataDir: await bed.directory() };
  const refused = await bed.refusal(second);
  expect(refused).toEqual({
    code: 3,
    signal: null,
    log: expect.stringContaining('another node is connected to this signer'),
  });
  await note(seen, node.port);
  await node.stop();
  expect(signer.err).toBe('');
}, 600_000);

it('is needed: without it the node does not start, and without its record it signs nothing', async () => {
  const [keys, dataDir] = [await bed.directory(), await bed.directory()];
  createNodeKeyFile(keys, PASSPHRASE);
  const socket = `${keys}.sock`;
  const env = { SERVICE_SIGNER: `unix:${socket}` };
  expect(await bed.refusal({ dataDir, env })).toMatchObject({
    code: 3,
    log: expect.stringContaining(`the signer at ${socket} does not answer`),
  });
  const signer = await signerAt(keys, socket);
  const node = await bed.start({ dataDir, env });
  await new Agent(node.port).do('/v1/agents');
  await expect(signerAt(keys, socket)).rejects.toThrow(/another signer has the key in/);
  await node.stop();
  await killed(signer);
  await rm(`${keys}/signed_vertices.json`);
  await expect(signerAt(keys, socket)).rejects.toThrow(/ended with 3: error: there is no record/);
}, 300_000);
