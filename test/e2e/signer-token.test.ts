// Nodes whose keys are in tokens (SoftHSM 2), all as processes: keys made there by the command line, a network that nobody
// can do without them in, and a token that fails and comes back.

import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it, onTestFinished } from 'vitest';
import { createNodeKeyFile } from '../../host/crypto/node-key-file.ts';
import { builtPath } from '../../tools/load/built.ts';
import { type NodeProcess, PASSPHRASE, NodeProcess as Processes } from '../../tools/load/node-process.ts';
import { freePort } from '../../tools/localnet/free-ports.ts';
import { SOFT_PIN, softModule, softTokens } from '../host/crypto/soft-token.ts';
import { Agent, get, TOKEN, until } from './agent.ts';
import { Testbed } from './testbed.ts';

const bed = new Testbed();
afterAll(() => bed.close());

if (!softModule)
  console.warn('SoftHSM is not installed (Debian: softhsm2): nodes with keys in tokens are skipped');

const MAIN = builtPath('host/cli/main.js');

interface Running {
  child: ChildProcess;
  err: string;
  ended: Promise<number | null>;
}

/** A signer that listens. */
async function signerAt(keys: string, socket: string, env: Record<string, string>): Promise<Running> {
  const args = [MAIN, 'signer', '--data', keys, '--socket', socket];
  const child = spawn(process.execPath, args, { env, stdio: ['ignore', 'pipe', 'pipe'] });
  onTestFinished(() => void child.kill('SIGKILL'));
  const ended = new Promise<number | null>((done) => child.once('close', (code) => done(code)));
  const running: Running = { child, err: '', ended };
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

it.runIf(softModule)('seats whose keys are in tokens order with one that has a file', async () => {
  const tokens = mkdtempSync(join(tmpdir(), 'vws-tokens-'));
  onTestFinished(() => rmSync(tokens, { recursive: true, force: true }));
  // A signer sees its own tokens only.
  const folders = ['a', 'b'].map((name) => mkdtempSync(join(tokens, name)));
  const envs = folders.map((folder) => ({
    PATH: process.env.PATH!,
    SERVICE_TESTNET: 'true',
    SERVICE_PASSPHRASE: SOFT_PIN,
    ...softTokens(folder, 'seat'),
  }));
  const dirs = await Promise.all(['a', 'b', 'c'].map(() => bed.directory()));
  const held = envs.map((env, i) => {
    const keys = `${dirs[i]}.keys`;
    const place = ['--pkcs11', softModule!, '--token', 'seat'];
    const out = execFileSync(process.execPath, [MAIN, 'init', '--data', keys, ...place], {
      env,
      encoding: 'utf8',
    });
    return { keys, socket: `${dirs[i]}.sock`, env, key: /^AgentID: (\S+)$/m.exec(out)![1]! };
  });
  // The network stands still without any one of the three: 66.7 % of three equal seats.
  const keys = [...held.map(({ key }) => key), createNodeKeyFile(dirs[2]!, PASSPHRASE).publicKeyHex];
  const manifest = join(tokens, 'manifest.json');
  const entries = keys.map((key, i) => ({
    validator_id: `v${i + 1}`,
    operator_agent_id: key,
    consensus_public_key: key,
    key_epoch: 1,
    bonded_stake: 25_000 * TOKEN,
    initial_status: 'active',
  }));
  writeFileSync(manifest, JSON.stringify({ entries }));

  const signers = await Promise.all(held.map(({ keys, socket, env }) => signerAt(keys, socket, env)));
  const ports = await Promise.all(dirs.map(() => freePort()));
  const nodes: NodeProcess[] = dirs.map((dataDir, i) =>
    Processes.launch({
      dataDir,
      env: {
        SERVICE_LISTEN: `127.0.0.1:${ports[i]}`,
        SERVICE_VALIDATOR_MANIFEST: manifest,
        SERVICE_PEER: ports
          .slice(0, i)
          .map((port) => `127.0.0.1:${port}`)
          .join(','),
        ...(held[i] ? { SERVICE_SIGNER: `unix:${held[i].socket}` } : {}),
      },
    }),
  );
  onTestFinished(async () => {
    await Promise.all(nodes.map((node) => node.kill()));
  });
  await Promise.all(nodes.map((node) => node.ready()));

  /** A write at one node that all of them execute. */
  const ordered = async (at: number): Promise<void> => {
    const { event_id } = await new Agent(nodes[at]!.port).do('/v1/agents');
    for (const { port } of nodes)
      await until(
        async () => (await get(port, `/v1/events/${event_id}`)).status,
        (status) => status === 200,
        60_000,
      );
  };
  for (let at = 0; at < 3; at++) await ordered(at);

  // The token fails: its signer says so and ends, unanswered; the node asks the next one the same again.
  const away = `${folders[0]}.away`;
  renameSync(folders[0]!, away);
  expect(await signers[0]!.ended).toBe(1);
  expect(signers[0]!.err).toMatch(/^token seat/m);
  renameSync(away, folders[0]!);
  await signerAt(held[0]!.keys, held[0]!.socket, held[0]!.env);
  await ordered(0);
  await ordered(2);

  // Neither the node's data nor the signer's directory has the key, only its name.
  for (const dir of [dirs[0]!, held[0]!.keys]) {
    const files = await readdir(dir, { recursive: true });
    expect(files.filter((file) => file.endsWith('identity.json'))).toEqual([]);
  }
  expect(JSON.parse(await readFile(join(held[0]!.keys, 'node_keys', 'token.json'), 'utf8')).public_key).toBe(
    held[0]!.key,
  );
  await Promise.all(nodes.map((node) => node.stop()));
});
