// Random GETs to a node and to a reader of its export, at the same order: status, headers and bytes must be equal.
// Keeps: works below the system's temporary directory; ends only processes that it started. The seed repeats what is asked.

import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isDeepStrictEqual, promisify } from 'node:util';
import { EXIT } from '../../host/cli/exit-code.ts';
import { createClientKeyFile } from '../../host/crypto/client-key-file.ts';
import { generateSeed } from '../../host/crypto/key-pair.ts';
import { createNodeKeyFile } from '../../host/crypto/node-key-file.ts';
import { NATS_STREAM } from '../../host/export/nats/subjects.ts';
import { startReader } from '../../host/export/reader/index.ts';
import { createLogger } from '../../host/log.ts';
import { chainIdOf } from '../../host/wire/chain-id.ts';
import { systemWorld } from '../../host/world/system/world.ts';
import { Writer } from '../crash/writer.ts';
import { builtPath } from '../load/built.ts';
import { NodeProcess, PASSPHRASE, sleep } from '../load/node-process.ts';
import { SeededRandom } from '../load/seeded-random.ts';
import { missingNats, NatsServer } from './nats-server.ts';
import { PostgresServer } from './postgres-server.ts';
import { exportOnce, Following } from './processes.ts';
import { type Get, poolsOf, RandomGets } from './random-gets.ts';
import { compareStreams } from './same-streams.ts';

interface ComparePlan {
  requests: number;
  seed: number;
  /** How long four agents pay each other before. */
  loadSeconds: number;
}

export interface CompareResult {
  order: number;
  events: number;
  equal: number;
  /** Of these: answers with status 200. */
  found: number;
  /** Open events, for which the reader names the node. */
  asked: number;
  /** Streams that were compared, and their frames; none without NATS. */
  streams: number;
  frames: number;
  /** Requests by route. */
  routes: Record<string, number>;
  faults: string[];
}

const WRITERS = 4;
const STREAMS = 40;
const PARALLEL = 8;
const COMPARED = [
  'content-type',
  'x-service-order',
  'x-total-count',
  'x-per-page',
  'link',
  'x-service-history-from',
];
/** In these the order of members says nothing: a node lists categories as they came into its memory. */
const UNORDERED = new Set(['market_categories']);

interface Answer {
  status: number;
  headers: (string | null)[];
  text: string;
}

async function ask(base: string, url: string): Promise<Answer> {
  const response = await fetch(`${base}${url}`);
  return {
    status: response.status,
    headers: COMPARED.map((name) => response.headers.get(name)),
    text: await response.text(),
  };
}

interface ForNodes {
  settlement_state?: string;
  category_name?: unknown;
}

/** Is it the reader's word that a node alone counts the votes of an open event, and knows the price of a category. */
function isAsked(id: string, node: Answer, reader: Answer): boolean {
  if (reader.status !== 501 || (id !== 'events_get' && id !== 'network_state')) return false;
  const { settlement_state: state, category_name: name } = JSON.parse(node.text) as ForNodes;
  return id === 'events_get' ? state === 'optimistic' : name !== undefined;
}

function isEqual(id: string, node: Answer, reader: Answer): boolean {
  if (node.status !== reader.status || !isDeepStrictEqual(node.headers, reader.headers)) return false;
  return (
    node.text === reader.text ||
    (UNORDERED.has(id) && isDeepStrictEqual(JSON.parse(node.text), JSON.parse(reader.text)))
  );
}

/** A data directory with the operator's key for the demo. */
function makeKeys(dataDir: string): void {
  const seed = generateSeed();
  createNodeKeyFile(dataDir, PASSPHRASE, {}, seed);
  createClientKeyFile(join(dataDir, 'operator.key'), seed);
}

/** Makes a history: the demo with its tasks and disputes, then payments. The node that has it. */
async function liveThrough(dataDir: string, { loadSeconds, seed }: ComparePlan): Promise<NodeProcess> {
  const random = new SeededRandom(seed);
  const node = await NodeProcess.start({ dataDir });
  try {
    const demo = [builtPath('tools/demo.js'), '--node', `http://127.0.0.1:${node.port}`, '--data', dataDir];
    await promisify(execFile)(process.execPath, demo);
    const writers = Array.from(
      { length: WRITERS },
      () => new Writer(chainIdOf(true), new SeededRandom(random.next())),
    );
    await Promise.all(writers.map((writer) => writer.join(node.port)));
    const load = Promise.all(writers.map((writer) => writer.run(node.port, writers)));
    await sleep(loadSeconds * 1000);
    // The load ends with its node.
    await node.kill();
    await load;
  } finally {
    await node.kill();
  }
  return NodeProcess.start({ dataDir });
}

/** Who receives a delivery or a dispute, and whether it is judged, is not in the stream. */
export const STREAM_COLUMNS = ['recipient_id', 'state']
  .map((name) => `case when type not in ('task_submitted', 'task_disputed') then ${name} end as ${name}`)
  .join(', ');

/** What was computed, and what the stream said: other rows are faults. */
async function compareTrusted({ port }: NodeProcess, server: PostgresServer): Promise<string[]> {
  const code = await exportOnce(server.url(), port, ['--schema', 'said', '--trust-stream']);
  if (code !== EXIT.AS_THE_NODE_SAYS) return [`the export of the stream ended with ${code}`];
  const columns = `seq, ts, type, event_id, agent_id, task_id, amount, by_both, ${STREAM_COLUMNS}`;
  const rows = await server.query<{ row: string }>(
    `with computed as (select ${columns} from vws.event), said as (select ${columns} from said.event)
     select row_to_json(d)::text as row from (
       (select 'computed' as side, * from computed except select 'computed', * from said)
       union all (select 'said', * from said where seq <= (select max(seq) from computed)
                  except select 'said', * from computed)) d order by d.seq, d.side`,
  );
  return rows.map(({ row }) => `trusted stream: ${row}`);
}

/** Waits until a reader is at the order of the node. */
async function caughtUp(node: string, reader: string, following: Following): Promise<void> {
  for (;;) {
    const [said, read] = await Promise.all([ask(node, '/v1/economics'), ask(reader, '/v1/economics')]);
    if (read.status === 200 && said.headers[ORDER] === read.headers[ORDER]) return;
    if (following.hasEnded) throw new Error('the export ended');
    await sleep(TRY_MS);
  }
}

const ORDER = COMPARED.indexOf('x-service-order');
/** Signatures come when they come, and the export a moment later: the order does not tell. */
const SIGNED = new Set(['log_checkpoints', 'network_latest_checkpoint']);
const MAX_TRIES = 200;
const TRY_MS = 100;

/** Both answers, at the same order: a node moves on now and then, and the export follows. */
async function askBoth({ id, url }: Get, node: string, reader: string): Promise<[Answer, Answer]> {
  for (let tries = 1; ; tries++) {
    const answers = await Promise.all([ask(node, url), ask(reader, url)]);
    const [said, read] = answers;
    // An open event is refused without an order.
    const isSame = said.headers[ORDER] === read.headers[ORDER] || read.status === 501;
    const isDone = isSame && (!SIGNED.has(id) || isEqual(id, said, read));
    if (isDone || tries === MAX_TRIES) return answers;
    await sleep(TRY_MS);
  }
}

/** Asks both; what differs is a fault. */
async function compareOne(get: Get, node: string, reader: string, result: CompareResult): Promise<void> {
  const { id, url } = get;
  const [said, read] = await askBoth(get, node, reader);
  result.routes[id] = (result.routes[id] ?? 0) + 1;
  if (isEqual(id, said, read)) {
    result.equal += 1;
    if (said.status === 200) result.found += 1;
  } else if (isAsked(id, said, read)) result.asked += 1;
  else
    result.faults.push(
      `${url}\n  node   ${JSON.stringify(said).slice(0, 600)}\n  reader ${JSON.stringify(read).slice(0, 600)}`,
    );
}

export async function compareReader(plan: ComparePlan): Promise<CompareResult> {
  const dir = await mkdtemp(join(tmpdir(), 'vws-compare-'));
  const server = await PostgresServer.start();
  const nats = missingNats() === undefined ? await NatsServer.start() : undefined;
  let node: NodeProcess | undefined;
  try {
    makeKeys(dir);
    node = await liveThrough(dir, plan);
    const following = Following.start(server.url(), node.port, [
      ...['--partition', '500'],
      ...(nats ? ['--nats', nats.url] : []),
    ]);
    const events = nats && { servers: nats.url, stream: NATS_STREAM };
    const settings = { schema: 'vws', host: '127.0.0.1', port: 0, connections: PARALLEL, trustedProxies: [] };
    const options = {
      ...settings,
      url: server.url(),
      nodeUrl: undefined,
      events,
      isLimited: false,
    };
    const reader = await startReader(options, systemWorld, createLogger('error'));
    try {
      const url = `http://127.0.0.1:${reader.port}`;
      await caughtUp(`http://127.0.0.1:${node.port}`, url, following);
      const result = await compareAll(plan, node, url, server);
      if (nats) await compareEvents(plan, node, url, server, result);
      await following.close();
      result.faults.push(...(await compareTrusted(node, server)));
      return result;
    } finally {
      await reader.close();
      await following.close();
    }
  } finally {
    await node?.kill();
    await nats?.close();
    await server.close();
    await rm(dir, { recursive: true, force: true });
  }
}

async function compareAll(
  { requests, seed }: ComparePlan,
  { port }: NodeProcess,
  reader: string,
  server: PostgresServer,
): Promise<CompareResult> {
  const node = `http://127.0.0.1:${port}`;
  const [state] = await server.query<{ seq: number; ord: number }>('select seq, ord from vws.export_state');
  const result: CompareResult = {
    order: state!.ord,
    events: state!.seq,
    equal: 0,
    found: 0,
    asked: 0,
    streams: 0,
    frames: 0,
    routes: {},
    faults: [],
  };
  const pools = await poolsOf(async (path) => (await fetch(`${node}${path}`)).json());
  const gets = new RandomGets(new SeededRandom(seed), pools);
  let left = requests;
  const workers = Array.from({ length: PARALLEL }, async () => {
    while (left-- > 0) await compareOne(gets.next(), node, reader, result);
  });
  await Promise.all(workers);
  return result;
}

async function compareEvents(
  { seed }: ComparePlan,
  { port }: NodeProcess,
  reader: string,
  server: PostgresServer,
  result: CompareResult,
): Promise<void> {
  const rows = await server.query<{ type: string; seq: number }>(
    'select type, max(seq) as seq from vws.event group by type',
  );
  const last = new Map(rows.map(({ type, seq }) => [type, seq]));
  const plan = { count: STREAMS, random: new SeededRandom(seed), last };
  const { streams, frames, faults } = await compareStreams(`http://127.0.0.1:${port}`, reader, plan);
  Object.assign(result, { streams, frames });
  result.faults.push(...faults);
}
