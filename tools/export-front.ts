// A command that behaves as vws does, but whose node stands behind a reader: reads go to the reader, at the node's order, and
// what it leaves to a node, like every write, goes to the node. For black-box suites: node build/tools/export-front.js start ...

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { WebSocket } from 'ws';
import { readEnv } from '../host/config/config.ts';
import { Front } from './export/front.ts';
import { NatsServer } from './export/nats-server.ts';
import { PostgresServer } from './export/postgres-server.ts';
import { Following, Serving } from './export/processes.ts';
import { freePort } from './export/programs.ts';
import { builtPath } from './load/built.ts';

const args = process.argv.slice(2);
const at = args.indexOf('--api');
const isNode = args[0] === 'start' && at >= 0;
const ports = isNode ? { front: Number(args[at + 1]!.split(':').at(-1)), node: await freePort() } : undefined;
if (ports) args[at + 1] = `127.0.0.1:${ports.node}`;
const env = { SERVICE_RATE_LIMITS: 'off', ...readEnv() } as NodeJS.ProcessEnv;
const main = builtPath('host/cli/main.js');
const child = spawn(process.execPath, [main, ...args], { stdio: 'inherit', ...(ports ? { env } : {}) });
for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => child.kill(signal));
const ended = once(child, 'exit') as Promise<[number | null]>;

/** Does a reader take streams now. */
const hasStream = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = new WebSocket(`ws://127.0.0.1:${port}/v1/ws`);
    socket.on('open', () => socket.close());
    socket.on('close', (code) => resolve(code !== 1006));
    socket.on('error', () => resolve(false));
  });

/** A node that answers, then everything in front of it. */
async function open(front: number, node: number): Promise<() => Promise<void>> {
  const [server, nats] = await Promise.all([PostgresServer.start(), NatsServer.start()]);
  const isUp = async (): Promise<boolean> =>
    (await fetch(`http://127.0.0.1:${node}/health`).catch(() => undefined))?.ok ?? false;
  while (child.exitCode === null && !(await isUp())) await sleep(50);
  const following = Following.start(server.url(), node, ['--nats', nats.url]);
  const serving = await Serving.start(server.url(), ['--nats', nats.url]);
  // Until its stream is up it would refuse one.
  while (child.exitCode === null && !(await hasStream(serving.port))) await sleep(50);
  const standing = await Front.start(front, node, serving.port);
  return async () => {
    const report = readEnv().VWS_FRONT_REPORT;
    if (report !== undefined) appendFileSync(report, `${JSON.stringify(standing.counts)}\n`);
    // It ends its streams as a node does.
    await serving.close();
    await standing.close();
    await following.close();
    await nats.close();
    await server.close();
  };
}

const opening = ports && open(ports.front, ports.node);
const [code] = await ended;
await (await opening)?.();
process.exit(code ?? 1);
