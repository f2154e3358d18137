// Suite `http`: reads of a running node over keep-alive connections, against plain uWebSockets.js, fastify and node:http
// servers that answer the same bytes without any lookup.
// Keeps: servers and load generator are separate processes; all servers get the same requests in turns, and every
// answer must be a 200. The generator itself takes a core, so on two cores the servers share the rest.

import { createHash } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Connection, requestBytes } from '../tools/load/connection.ts';
import { cpuMs } from '../tools/load/cpu-time.ts';
import { type Driven, drive, expectStatus, perSecond } from '../tools/load/drive.ts';
import { NodeProcess } from '../tools/load/node-process.ts';
import { type PeerProcess, startPeer } from './peer-process.ts';
import type { PlainRoutes } from './peers/http-server.ts';
import { median, type Row, row, type SuiteRun, sameWork } from './row.ts';

const PEERS = ['uWebSockets.js', 'fastify', 'node:http'] as const;
type Name = 'vws' | (typeof PEERS)[number];
/** By name, for the node and each peer that runs here. */
type ByServer<T> = Partial<Record<Name, T>> & { vws: T };
/** The port and process of a server. */
type Servers = ByServer<{ port: number; pid: number }>;
const namesOf = (servers: Servers): Name[] => Object.keys(servers) as Name[];

interface Sizes {
  connections: readonly number[];
  requests: number;
  rounds: number;
  maxMs: number;
}
const FULL: Sizes = { connections: [1, 64, 256], requests: 20_000, rounds: 3, maxMs: 10_000 };
const SMALL: Sizes = { connections: [1, 8], requests: 100, rounds: 1, maxMs: 2000 };

/** The node's answer for a plain server to repeat: the headers that clients see and the value. */
async function answersOf(port: number, paths: readonly string[]): Promise<PlainRoutes> {
  const routes: PlainRoutes = {};
  const connection = await Connection.open(port);
  for (const path of paths) {
    const { status, head, body } = await connection.send(requestBytes({ method: 'GET', path }));
    if (status !== 200) throw new Error(`GET ${path}: ${status} ${body}`);
    const lines = head.split('\r\n').slice(1);
    const fields = lines.map((line) => [
      line.slice(0, line.indexOf(':')),
      line.slice(line.indexOf(':') + 1).trim(),
    ]);
    const own = fields.filter(
      ([name]) => !/^(content-length|date|connection|keep-alive|server|uwebsockets)$/i.test(name!),
    );
    routes[path] = {
      headers: Object.fromEntries(own) as Record<string, string>,
      value: JSON.parse(body.toString()),
    };
  }
  connection.close();
  return routes;
}

/** A round of requests, and the processor time of the server, ms. */
type Round = Driven & { cpuMs: number | undefined };

interface Measured {
  perSecond: number;
  /** Undefined if the system does not report it. */
  cpuUsEach: number | undefined;
  p50Ms: number;
  p99Ms: number;
  bytesEach: number;
}

function measured(rounds: readonly Round[]): Measured {
  const of = (read: (d: Round) => number): number => median(rounds.map(read));
  const knowsCpu = rounds.every((d) => d.cpuMs !== undefined);
  return {
    perSecond: of(perSecond),
    cpuUsEach: knowsCpu ? of((d) => ((d.cpuMs as number) * 1000) / d.answered) : undefined,
    p50Ms: of((d) => d.latencies.medianMs),
    p99Ms: of((d) => d.latencies.p99Ms),
    bytesEach: Math.round(of((d) => d.bodyBytes / d.answered)),
  };
}

/** Sends the same requests to every server in turns; the first round is a warm-up. */
async function raceServers(
  servers: Servers,
  path: string,
  connections: number,
  sizes: Sizes,
): Promise<ByServer<Measured>> {
  const request = requestBytes({ method: 'GET', path });
  const rounds = new Map<Name, Round[]>(namesOf(servers).map((name) => [name, []]));
  for (let i = 0; i <= sizes.rounds; i++) {
    for (const [name, done] of rounds) {
      const count = i === 0 ? Math.ceil(sizes.requests / 10) : sizes.requests;
      const { port, pid } = servers[name]!;
      const before = cpuMs(pid);
      const driven = await drive({ port, connections, count, request: () => request, mostMs: sizes.maxMs });
      const after = cpuMs(pid);
      expectStatus(driven, 200);
      const used = before === undefined || after === undefined ? undefined : after - before;
      if (i > 0) done.push({ ...driven, cpuMs: used });
    }
  }
  return Object.fromEntries([...rounds].map(([name, done]) => [name, measured(done)])) as ByServer<Measured>;
}

function rowsOf(name: string, connections: number, found: ByServer<Measured>): Row[] {
  const params = { connections, body_bytes: found.vws.bytesEach };
  return PEERS.flatMap((peer) => {
    const [ours, theirs] = [found.vws, found[peer]];
    if (!theirs) return [];
    const beside = (suffix: string, unit: string, value: number, of: number): Row =>
      row('http', name + suffix, params, unit, value, { name: peer, value: of });
    const rows = [
      beside('', 'requests/s', ours.perSecond, theirs.perSecond),
      beside(', p50', 'ms', ours.p50Ms, theirs.p50Ms),
      beside(', p99', 'ms', ours.p99Ms, theirs.p99Ms),
    ];
    // Below one clock tick there is nothing to compare.
    if (ours.cpuUsEach && theirs.cpuUsEach) {
      rows.push(beside(', CPU of the server', 'us', ours.cpuUsEach, theirs.cpuUsEach));
    }
    return rows;
  });
}

/** The answers of all servers to one path, without members that change with time. */
async function sameAnswers(suite: SuiteRun, servers: Servers, path: string): Promise<void> {
  const bodies: Record<string, string> = {};
  for (const name of namesOf(servers)) {
    const { value } = (await answersOf(servers[name]!.port, [path]))[path]!;
    const { uptime_seconds, order, consensus_time, dag_size, ...rest } = value as Record<string, unknown>;
    bodies[name] = createHash('sha256').update(JSON.stringify(rest)).digest('hex');
  }
  sameWork(suite, `GET ${path.slice(0, 24)}`, bodies);
}

export async function run(suite: SuiteRun): Promise<Row[]> {
  const sizes = suite.small ? SMALL : FULL;
  const dir = await mkdtemp(join(tmpdir(), 'vws-bench-http-'));
  const node = await NodeProcess.start({ dataDir: join(dir, 'data') });
  const peers: PeerProcess[] = [];
  try {
    const reads = { 'GET status': '/v1/status', 'GET balance': `/v1/agents/${node.agentId}/balance` };
    const routes = JSON.stringify(await answersOf(node.port, Object.values(reads)));
    const fastify = await startPeer('http-server.js', ['fastify', routes]);
    peers.push(fastify);
    const plain = await startPeer('http-server.js', ['node', routes]);
    peers.push(plain);
    const servers: Servers = { vws: node, fastify, 'node:http': plain };
    try {
      const bare = await startPeer('http-server.js', ['uws', routes]);
      peers.push(bare);
      servers['uWebSockets.js'] = bare;
    } catch (error) {
      suite.say(`  SKIPPED uWebSockets.js, its figures are missing below: ${(error as Error).message}`);
    }
    const rows: Row[] = [];
    for (const [name, path] of Object.entries(reads)) {
      await sameAnswers(suite, servers, path);
      for (const connections of sizes.connections) {
        rows.push(...rowsOf(name, connections, await raceServers(servers, path, connections, sizes)));
      }
    }
    await node.stop();
    return rows;
  } finally {
    for (const peer of peers) await peer.stop();
    await node.kill();
    await rm(dir, { recursive: true, force: true });
  }
}
