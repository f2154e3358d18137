// What the pages of a reader cost in a long history: made rows, and the plans of the queries that its handlers send.
// Keeps: the queries are those of the reader itself; blocks are counted by PostgreSQL, so the load of the machine is no part.

import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import pg from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import type { ReadArgs } from '../../host/api/route.ts';
import type { RouteId } from '../../host/api/tags.ts';
import { migrate } from '../../host/export/postgres/migrate.ts';
import { makePartitions } from '../../host/export/postgres/partitions.ts';
import { DOCUMENT_COLUMNS, EVENT_COLUMNS } from '../../host/export/postgres/tables.ts';
import { copyLine } from '../../host/export/postgres/values.ts';
import { READERS, type Reader } from '../../host/export/reader/readers.ts';
import type { Snapshot } from '../../host/export/reader/snapshot.ts';
import type { EventDoc } from '../../host/store/documents.ts';
import { PostgresServer } from './postgres-server.ts';

interface DepthPlan {
  events: number;
  agents: number;
}

interface DepthRow {
  question: string;
  place: 'newest' | 'middle' | 'first';
  /** Of 8 kB, read or found in memory. */
  blocks: number;
  ms: number;
  /** How tables were reached. */
  scans: string;
}

export interface DepthResult {
  seconds: number;
  rows: DepthRow[];
  faults: string[];
}

const TYPES = ['transfer', 'settlement', 'task_posted', 'task_claimed', 'stake'] as const;
const STATUSES = ['open', 'claimed', 'submitted', 'completed', 'completed', 'completed'] as const;
const PAGE = 20;
const PARTITION = 10_000_000;
/** A deep page may cost so many times the first one: another level of an index, cold or warm. */
const MAX_RATIO = 3;
const FREE_BLOCKS = 40;

const hex = (n: number, length: number): string => n.toString(16).padStart(length, '0');
const agentOf = (n: number): string => hex(n, 64);

/** Event n of `of`: agents and types take turns, so positions in their lists are known without counting. */
function madeEvent(seq: number, agents: number): string {
  const type = TYPES[seq % TYPES.length]!;
  const agent = Math.floor(seq / TYPES.length) % agents;
  const doc: EventDoc = {
    event_id: hex(seq, 64),
    event_type: type,
    auth: 'tx_v1',
    seq,
    agent_id: agentOf(agent),
    payload: { amount: seq % 1000, note: 'made for a measurement' },
    amount: seq % 1000,
    settlement_state: 'settled',
    vertex_hash: hex(seq, 64),
    causal_refs: [],
    causal_timestamp: 1_800_000_000 + seq,
    order: seq,
    index: 0,
    timestamp: 1_800_000_000 + seq,
  };
  const turn = Math.floor(seq / TYPES.length / agents);
  const placed = {
    doc,
    byAgent: turn * TYPES.length + (seq % TYPES.length) + 1,
    byType: Math.floor(seq / TYPES.length) + 1,
    byBoth: turn + 1,
  };
  return copyLine(EVENT_COLUMNS.map(([, , value]) => value(placed)));
}

function madeTask(number: number, agents: number): string {
  const id = hex(number, 32);
  const status = STATUSES[number % STATUSES.length]!;
  const doc = {
    id,
    title: 'made',
    status,
    poster_id: agentOf(number % agents),
    category: `c-${number % 20}`,
    budget: 1,
  };
  const document = { kind: 'task' as const, id, doc, more: { number } };
  return copyLine([
    id,
    1,
    ...DOCUMENT_COLUMNS.task.map(([, , value]) => value(document)),
    JSON.stringify(doc),
  ]);
}

/** Lines in parts of some thousand: one line at a time is mostly streams. */
function* parts(count: number, from: number, line: (n: number) => string): Generator<string> {
  for (let at = from; at < from + count; ) {
    let text = '';
    for (const end = Math.min(at + 2000, from + count); at < end; at++) text += line(at);
    yield text;
  }
}

async function copy(client: pg.Client, into: string, lines: Generator<string>): Promise<void> {
  await pipeline(Readable.from(lines), client.query(copyFrom(`copy ${into} from stdin`)));
}

/** Fills the tables; the seconds that COPY of the events took. */
async function fill(client: pg.Client, { events, agents }: DepthPlan): Promise<number> {
  await migrate(client, { schema: 'vws', partitionRows: PARTITION, warn() {} });
  await makePartitions(client, PARTITION, 0, events, new Set());
  const begunMs = performance.now();
  const columns = EVENT_COLUMNS.map(([name]) => name).join(', ');
  await copy(
    client,
    `event (${columns})`,
    parts(events, 1, (seq) => madeEvent(seq, agents)),
  );
  const seconds = (performance.now() - begunMs) / 1000;
  const names = ['id', 'ord', ...DOCUMENT_COLUMNS.task.map(([name]) => name), 'doc'];
  const tasks = Math.floor(events / 10);
  await copy(
    client,
    `task (${names.join(', ')})`,
    parts(tasks, 0, (n) => madeTask(n, agents)),
  );
  await client.query(`
    insert into event_count select '', type, count(*) from event group by type;
    insert into event_count select agent_id, '', count(*) from event group by agent_id;
    insert into event_count select agent_id, type, count(*) from event group by agent_id, type;
    insert into agent (id, ord, key, public_key, doc) select agent_id, 1, agent_id, agent_id, '{}'::json from (select distinct agent_id from event) a`);
  await client.query('vacuum analyze');
  return seconds;
}

interface PlanNode {
  'Node Type': string;
  'Relation Name'?: string;
  'Index Name'?: string;
  'Actual Rows': number;
  'Shared Hit Blocks': number;
  'Shared Read Blocks': number;
  Plans?: PlanNode[];
}

const nodesOf = (node: PlanNode): PlanNode[] => [node, ...(node.Plans ?? []).flatMap(nodesOf)];

/** Explains what the reader asks, and answers it. */
class Explained {
  blocks = 0;
  ms = 0;
  readonly scans = new Set<string>();
  /** A table of more than a few blocks that was read whole. */
  whole: string | undefined;

  constructor(
    private readonly client: pg.Client,
    readonly seq: number,
  ) {}

  snapshot(): Snapshot {
    return {
      seq: this.seq,
      order: this.seq,
      timeMs: 0,
      isVerified: true,
      firstOrder: 0,
      keptFrom: 0,
      signedHeight: 0,
      rows: async (sql, values = []) => {
        const explained = await this.client.query(`explain (analyze, buffers, format json) ${sql}`, [
          ...values,
        ]);
        const [{ Plan: plan, 'Execution Time': ms }] = JSON.parse(explained.rows[0]['QUERY PLAN']) as [
          { Plan: PlanNode; 'Execution Time': number },
        ];
        this.ms += ms;
        this.blocks += plan['Shared Hit Blocks'] + plan['Shared Read Blocks'];
        for (const node of nodesOf(plan)) this.#note(node);
        return (await this.client.query(sql, [...values])).rows;
      },
    };
  }

  #note(node: PlanNode): void {
    const { 'Node Type': type, 'Relation Name': table, 'Index Name': index } = node;
    if (!type.includes('Scan') || (table ?? index) === undefined) return;
    const scan = `${type} of ${index ?? table}`;
    this.scans.add(scan);
    const blocks = node['Shared Hit Blocks'] + node['Shared Read Blocks'];
    // A new partition has a row or two, and no index is quicker than that.
    if (type === 'Seq Scan' && blocks > FREE_BLOCKS) this.whole = scan;
  }
}

interface Question {
  name: string;
  route: RouteId;
  path?: Record<string, string>;
  query?: Record<string, string>;
  /** Rows of the list. */
  total: number;
  /** Found by key: no page costs more than the first. Otherwise an index is walked up to it. */
  byKey: boolean;
}

function questionsOf({ events, agents }: DepthPlan): Question[] {
  const agent_id = agentOf(1);
  const tasks = Math.floor(events / 10);
  const perType = events / TYPES.length;
  return [
    { name: 'events', route: 'events_recent', total: events, byKey: true },
    {
      name: 'events of a type',
      route: 'events_recent',
      query: { event_type: 'stake' },
      total: perType,
      byKey: true,
    },
    {
      name: 'events of an agent',
      route: 'events_recent',
      query: { agent_id },
      total: events / agents,
      byKey: true,
    },
    {
      name: 'events of an agent and a type',
      route: 'events_recent',
      query: { agent_id, event_type: 'stake' },
      total: perType / agents,
      byKey: true,
    },
    {
      name: 'an event',
      route: 'events_get',
      path: { id: hex(Math.floor(events / 2), 64) },
      total: 1,
      byKey: true,
    },
    { name: 'tasks', route: 'tasks_list', total: tasks, byKey: true },
    { name: 'a task', route: 'tasks_get', path: { id: hex(7, 32) }, total: 1, byKey: true },
    {
      name: 'tasks of a poster',
      route: 'tasks_list',
      query: { poster_id: agent_id },
      total: tasks / agents,
      byKey: false,
    },
    { name: 'open tasks', route: 'tasks_list', query: { status: 'open' }, total: tasks / 6, byKey: false },
    {
      name: 'completed tasks',
      route: 'tasks_list',
      query: { status: 'completed' },
      total: tasks / 2,
      byKey: false,
    },
  ];
}

async function ask(
  client: pg.Client,
  { events }: DepthPlan,
  question: Question,
  number: number,
): Promise<Explained> {
  const explained = new Explained(client, events);
  const page = { number, size: PAGE, offset: (number - 1) * PAGE };
  const args: ReadArgs = { path: question.path ?? {}, query: question.query ?? {}, page };
  await (READERS[question.route] as Reader)(explained.snapshot(), args);
  return explained;
}

export async function depthOf(plan: DepthPlan): Promise<DepthResult> {
  const server = await PostgresServer.start();
  const client = new pg.Client({ connectionString: server.url() });
  client.setTypeParser(20, Number);
  client.setTypeParser(114, (text) => text);
  await client.connect();
  try {
    const result: DepthResult = { seconds: await fill(client, plan), rows: [], faults: [] };
    for (const question of questionsOf(plan)) {
      const { name, byKey } = question;
      const pages = Math.max(1, Math.floor(question.total / PAGE));
      const places = { newest: 1, middle: Math.ceil(pages / 2), first: pages } as const;
      let least = Number.POSITIVE_INFINITY;
      for (const [place, number] of Object.entries(places) as [DepthRow['place'], number][]) {
        const { blocks, ms, scans, whole } = await ask(client, plan, question, number);
        least = Math.min(least, blocks);
        result.rows.push({ question: name, place, blocks, ms, scans: [...scans].join(', ') });
        if (whole !== undefined && byKey) result.faults.push(`${name}, ${place}: ${whole}`);
        if (byKey && blocks > FREE_BLOCKS && blocks > MAX_RATIO * least)
          result.faults.push(`${name}, ${place}: ${blocks} blocks, and ${least} elsewhere`);
      }
    }
    return result;
  } finally {
    await client.end();
    await server.close();
  }
}
