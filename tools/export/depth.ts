// What the pages of a reader cost in a long history: made rows, and the plans of the queries that its handlers send.
// Keeps: the queries are those of the reader itself; blocks are counted by PostgreSQL, so the load of the machine is no part.

import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import pg from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import type { ReadArgs, ReadRoute } from '../../host/api/route.ts';
import { ROUTES } from '../../host/api/routes.ts';
import type { RouteId } from '../../host/api/tags.ts';
import { CHALLENGE_STATUSES, JOB_STATUSES } from '../../host/core/case-names.ts';
import type { ExportedDocument } from '../../host/export/batch.ts';
import { migrate } from '../../host/export/postgres/migrate.ts';
import { makePartitions } from '../../host/export/postgres/partitions.ts';
import { DOCUMENT_COLUMNS, EVENT_COLUMNS } from '../../host/export/postgres/tables.ts';
import { copyLine } from '../../host/export/postgres/values.ts';
import { READERS, type Reader } from '../../host/export/reader/readers.ts';
import type { Snapshot } from '../../host/export/reader/snapshot.ts';
import type { EventDoc } from '../../host/store/documents.ts';
import { LANES } from '../../host/wire/operations/tasks.ts';
import { PostgresServer } from './postgres-server.ts';

interface DepthPlan {
  events: number;
  agents: number;
  /** Of each kind that readers list. */
  documents: number;
}

interface DepthRow {
  question: string;
  way: Question['way'];
  place: 'newest' | 'middle' | 'first';
  /** Rows of the list. */
  total: number;
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
/** A page reads its documents, each by an index. */
const PAGE_BLOCKS = 200;
/** Of an index with the id of an agent in it. A walked list is counted and walked. */
const ENTRIES_PER_BLOCK = 40;
const VALIDATORS = 100;
const CHECKPOINTS = 100_000;

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

type MadeKind = 'task' | 'listing' | 'validator' | 'challenge' | 'replay_job';

const PART = 100;
const WORDS = 1000;
const validatorId = (n: number): string => `val-${hex(n, 24)}`;
const taskId = (n: number): string => hex(n, 32);
const turn = <T>(list: readonly T[], n: number): T => list[n % list.length]!;

/** The first task has a hundred subtasks. */
const SUBTASKS = Array.from({ length: PART }, (_, i) => taskId(i + 1));

/** Document n of a kind: its values take turns of their own, so that every filter has a list and every two have one. */
const MADE: Readonly<Record<MadeKind, (n: number, agents: number) => Omit<ExportedDocument, 'kind'>>> = {
  task(number, agents) {
    const status = turn(STATUSES, number);
    const isOpen = status === 'open';
    const doc = {
      id: taskId(number),
      title: 'made',
      status,
      poster_id: agentOf(number % agents),
      ...(isOpen ? {} : { claimer_id: agentOf((number + 1) % agents) }),
      category: `c-${number % 20}`,
      budget: 1,
      assurance_lane: turn(LANES, number),
      subtask_ids: number === 0 ? SUBTASKS : [],
    };
    const hired = isOpen ? agentOf((number + 2) % agents) : undefined;
    return { id: doc.id, doc, more: { number, hired } };
  },
  listing(number) {
    const category = `c-${Math.floor(number / WORDS) % 20}`;
    const doc = { agent_id: agentOf(number), name: `made ${number}`, category, updated_at: number };
    return { id: doc.agent_id, doc, more: { active: 1, words: `made word${number % WORDS}` } };
  },
  validator(number, agents) {
    const doc = {
      agent_id: agentOf(number % agents),
      status: 'active',
      registered_at: number,
      categories: number % 2 === 0 ? [] : ['c-1'],
    };
    return { id: validatorId(number), doc };
  },
  challenge(number, agents) {
    const doc = {
      id: `chal-${hex(number, 24)}`,
      status: turn(CHALLENGE_STATUSES, Math.floor(number / PART)),
      task_id: taskId(number % PART),
      challenger_id: agentOf(number % agents),
      target_id: validatorId(number % VALIDATORS),
    };
    return { id: doc.id, doc, more: { number } };
  },
  replay_job(number) {
    const doc = {
      id: taskId(number),
      status: turn(JOB_STATUSES, Math.floor(number / PART)),
      task_id: taskId(number % PART),
      executor_id: validatorId(number % VALIDATORS),
    };
    return { id: doc.id, doc, more: { number } };
  },
};

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
async function fill(client: pg.Client, { events, agents, documents }: DepthPlan): Promise<number> {
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
  for (const kind of Object.keys(MADE) as MadeKind[]) {
    const columns = DOCUMENT_COLUMNS[kind];
    const names = ['id', 'ord', ...columns.map(([name]) => name), 'doc'];
    await copy(
      client,
      `${kind} (${names.join(', ')})`,
      parts(kind === 'validator' ? VALIDATORS : documents, 0, (n) => {
        const made = { kind, ...MADE[kind](n, agents) };
        return copyLine([made.id, 1, ...columns.map(([, , value]) => value(made)), JSON.stringify(made.doc)]);
      }),
    );
  }
  await client.query(`
    insert into checkpoint select n, n, n, '', '', '', '', '[]'::json from generate_series(1, ${CHECKPOINTS}) n;
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
      signedHeight: CHECKPOINTS,
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
  query?: ReadArgs['query'];
  /**
   * `key`: no page costs more than the first. `walk`: the index of the list is walked up to the page, and only its own
   * documents are read. `read`: no index has the list alone, and rows of a longer one may be read.
   */
  way: 'key' | 'walk' | 'read';
}

/** Of each route with a list: its path, and of each of its filters a value that many rows have. */
function valuesOf({
  agents,
}: DepthPlan): Partial<
  Record<RouteId, { path?: Record<string, string>; filters: Record<string, string | number> }>
> {
  const agent_id = agentOf(1);
  const category = 'c-1';
  const task_id = taskId(1);
  const validator = validatorId(1);
  const lane = LANES[1];
  return {
    events_recent: { filters: { event_type: 'stake', agent_id } },
    tasks_list: {
      filters: {
        status: 'completed',
        category,
        poster_id: agent_id,
        claimer_id: agentOf(2 % agents),
        assurance_lane: lane,
      },
    },
    tasks_of_agent: { path: { agent_id }, filters: { role: 'poster', status: 'completed' } },
    tasks_subtasks: { path: { id: taskId(0) }, filters: {} },
    market_search: { filters: { q: 'word1', category } },
    market_categories: { filters: {} },
    validators_list: { filters: { status: 'active', category } },
    challenges_list: {
      filters: { status: 'failed', task_id, target_id: validator, challenger_id: agent_id },
    },
    replay_jobs: { filters: { status: 'completed', task_id, executor_id: validator } },
    log_checkpoints: { filters: { after: 7 } },
  };
}

/** Routes of a reader whose pages are found by key, with whatever filter. */
const BY_KEY: readonly RouteId[] = ['events_recent', 'tasks_subtasks', 'log_checkpoints'];
/** A page of these without a filter is found by number. */
const NUMBERED: readonly RouteId[] = ['tasks_list', 'challenges_list', 'replay_jobs'];

/** How the list of a route with some filters is to be found. */
function wayOf(id: RouteId, filters: readonly string[]): Question['way'] {
  if (BY_KEY.includes(id) || (filters.length === 0 && NUMBERED.includes(id))) return 'key';
  // Categories are few, and the listings of each are counted in an index.
  return filters.length > 1 || filters.includes('q') || id === 'market_categories' ? 'read' : 'walk';
}

/** Every list of a reader: without a filter, with each of them, and with each two. Errors: a list or a filter without a value. */
function listQuestions(plan: DepthPlan): Question[] {
  const values = valuesOf(plan);
  const routes = ROUTES.filter((route): route is ReadRoute<never> => route.method === 'GET');
  return routes.flatMap(({ id, query = [] }): Question[] => {
    if (typeof READERS[id] !== 'function' || !query.some(({ kind }) => kind === 'page')) return [];
    const list = values[id];
    if (list === undefined) throw new Error(`no rows were made for ${id}`);
    const { path = {}, filters } = list;
    const names = query.flatMap((param) => (param.kind === 'page' ? [] : [param.name]));
    const lost = names.find((name) => filters[name] === undefined);
    if (lost !== undefined) throw new Error(`no value for the filter ${lost} of ${id}`);
    const usual = query.flatMap((param) =>
      'default' in param && param.default !== undefined ? [[param.name, param.default] as const] : [],
    );
    const chosen = [
      [],
      ...names.map((name) => [name]),
      ...names.flatMap((one, i) => names.slice(i + 1).map((other) => [one, other])),
    ];
    return chosen.map((some) => ({
      name: [id, ...some].join(' '),
      route: id,
      path,
      query: Object.fromEntries([...usual, ...some.map((name) => [name, filters[name]!] as const)]),
      way: wayOf(id, some),
    }));
  });
}

const questionsOf = (plan: DepthPlan): Question[] => [
  {
    name: 'an event',
    route: 'events_get',
    path: { id: hex(Math.floor(plan.events / 2), 64) },
    way: 'key',
  },
  { name: 'a task', route: 'tasks_get', path: { id: taskId(7) }, way: 'key' },
  ...listQuestions(plan),
];

async function ask(
  client: pg.Client,
  { events }: DepthPlan,
  question: Question,
  number: number,
): Promise<{ explained: Explained; total: number }> {
  const explained = new Explained(client, events);
  const page = { number, size: PAGE, offset: (number - 1) * PAGE };
  const args: ReadArgs = { path: question.path ?? {}, query: question.query ?? {}, page };
  const { total = 1 } = await (READERS[question.route] as Reader)(explained.snapshot(), args);
  return { explained, total };
}

/** What is wrong with the cost of a page. `least`: blocks of the cheapest page of its list; `total`: rows of the list. */
function faultOf(
  { way }: Question,
  { blocks, whole }: Explained,
  least: number,
  total: number,
): string | undefined {
  if (whole !== undefined) return whole;
  if (way === 'key' && blocks > FREE_BLOCKS && blocks > MAX_RATIO * least)
    return `${blocks} blocks, and ${least} elsewhere`;
  const most = PAGE_BLOCKS + (2 * total) / ENTRIES_PER_BLOCK;
  if (way === 'walk' && blocks > most) return `${blocks} blocks for a list of ${total}: its rows are read`;
  return undefined;
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
      const { name, way } = question;
      const first = await ask(client, plan, question, 1);
      const { total } = first;
      const pages = Math.max(1, Math.floor(total / PAGE));
      const places = { newest: 1, middle: Math.ceil(pages / 2), first: pages } as const;
      let least = Number.POSITIVE_INFINITY;
      for (const [place, number] of Object.entries(places) as [DepthRow['place'], number][]) {
        const { explained } = number === 1 ? first : await ask(client, plan, question, number);
        const { blocks, ms, scans } = explained;
        least = Math.min(least, blocks);
        result.rows.push({ question: name, way, place, total, blocks, ms, scans: [...scans].join(', ') });
        const fault = faultOf(question, explained, least, total);
        if (fault !== undefined) result.faults.push(`${name}, ${place}: ${fault}`);
      }
    }
    return result;
  } finally {
    await client.end();
    await server.close();
  }
}
