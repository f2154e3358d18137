// Exports into a real PostgreSQL: its tables equal what the node has, whoever writes, however often, and whatever is killed.
// Skipped by name where no server can be had.

import { readFileSync } from 'node:fs';
import pg from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { streamData } from '../../host/api/stream-events.ts';
import { DOCUMENT_KINDS, SUPPLY } from '../../host/export/batch.ts';
import { PostgresSink } from '../../host/export/postgres/sink.ts';
import { StreamSink } from '../../host/export/postgres/stream-sink.ts';
import { DOCUMENT_COLUMNS, EVENT_COLUMNS, POSTING_COLUMNS } from '../../host/export/postgres/tables.ts';
import { heldJson } from '../../host/export/postgres/values.ts';
import { PlaceWatch } from '../../host/export/reader/place-watch.ts';
import { Tables } from '../../host/export/reader/snapshot.ts';
import { TrustedStream } from '../../host/export/trusted-stream.ts';
import type { EventDoc } from '../../host/store/documents.ts';
import { rowKey } from '../../host/store/prefixes.ts';
import { readJson } from '../../host/store/write-set.ts';
import { systemClock } from '../../host/world/system/clock.ts';
import { STREAM_COLUMNS } from '../../tools/export/compare.ts';
import { CuttingProxy } from '../../tools/export/cutting-proxy.ts';
import { missingPostgres, PostgresServer } from '../../tools/export/postgres-server.ts';
import { ECONOMY_PANELS } from '../../tools/monitoring/economy.ts';
import { PlainStore } from '../host/audit/giver-source.ts';
import { exportOnce, MemorySink, openExporter } from '../host/export/memory-sink.ts';
import { GENESIS, Giver } from '../host/net/join-world.ts';

const missing = missingPostgres();
const name = `PostgreSQL${missing ? ` (${missing})` : ''}`;

describe.skipIf(missing)(name, () => {
  let server: PostgresServer;
  let giver: Giver;
  let url: string;
  let databases = 0;
  const sinks: PostgresSink[] = [];

  beforeAll(async () => {
    [server, giver] = await Promise.all([PostgresServer.start(), Giver.make()]);
  });
  beforeEach(async () => {
    databases += 1;
    url = await server.database(`export_${databases}`);
  });
  afterAll(async () => {
    for (const sink of sinks) await sink.close();
    await server?.close();
  });

  const optionsOf = () => ({
    url,
    schema: 'vws',
    clock: systemClock,
    patienceMs: 30_000,
    partitionRows: 20,
    warn: () => {},
  });

  function sinkOf(more: Partial<ConstructorParameters<typeof PostgresSink>[0]> = {}): PostgresSink {
    const sink = new PostgresSink({ ...optionsOf(), ...more });
    sinks.push(sink);
    return sink;
  }

  const rows = <Row = Record<string, unknown>>(sql: string): Promise<Row[]> => server.query<Row>(sql, url);
  const one = async (sql: string): Promise<unknown> => Object.values((await rows(sql))[0]!)[0];
  /** Everything that two exports must have alike; figures of agents that move with time are left out. */
  const tables = async (from = 0) => ({
    // Positions in lists count from where an export begins.
    events: await rows(
      `select ${EVENT_COLUMNS.map(([name]) => name).filter((name) => !name.startsWith('by_'))}
       from vws.event where seq > ${from} order by seq`,
    ),
    postings: await rows(`select * from vws.posting where seq > ${from} order by seq, ord, n`),
    accounts: await rows('select account, balance from vws.account where balance <> 0 order by account'),
    tasks: await rows('select id, status, doc from vws.task order by id'),
    agents: await rows('select id, balance, staked, name from vws.agent order by id'),
    listings: await rows('select id, doc from vws.listing order by id'),
    challenges: await rows('select id, doc from vws.challenge order by id'),
  });

  /** Each event once and in order, equal to the node's; postings in balance; accounts as the state has them. */
  async function expectEqual(from = 0): Promise<void> {
    const { seq, order } = giver.parts.executor.head;
    const events = await rows<{ seq: number; doc: EventDoc }>('select seq, doc from vws.event order by seq');
    expect(events.map((event) => event.seq)).toEqual(
      Array.from({ length: seq - from }, (_, i) => from + i + 1),
    );
    for (const event of events) {
      const stored = readJson<EventDoc>(giver.parts.store.get(rowKey.event(event.seq)));
      expect(event.doc).toEqual(JSON.parse(heldJson(stored)));
    }
    expect(await rows('select seq, ord from vws.export_state')).toEqual([{ seq, ord: order }]);
    expect(
      await rows('select ord, cause from vws.posting group by ord, cause having sum(amount) <> 0'),
    ).toEqual([]);
    expect(await one('select sum(balance) from vws.account')).toBe(SUPPLY);
    const agents = await rows<{ id: string; balance: number; staked: number }>('select * from vws.agent');
    const { state } = giver.parts.ids;
    expect(agents.length).toBe(state.header().agents);
    const accounts = await rows<{ account: string; balance: number }>('select * from vws.account');
    const held = new Map(accounts.map((account) => [account.account, account.balance]));
    for (const { id, balance, staked } of agents) {
      const agent = state.agent(state.findAgent(Buffer.from(id, 'hex'))!)!;
      expect([balance, staked]).toEqual([agent.balance, agent.staked]);
      const parts = ['balance', 'escrow', 'stake'].map((part) => held.get(`agent:${id}:${part}`) ?? 0);
      expect(parts).toEqual([agent.balance, agent.reserved, agent.staked]);
    }
  }

  it('has what the node has', async () => {
    await exportOnce({ giver, sink: sinkOf() });
    await expectEqual();
    expect(
      await one('select count(*) from vws.checkpoint where json_array_length(signatures) > 0'),
    ).toBeGreaterThan(0);
    const root = await rows(
      'select state_root = checkpoint_root as same from vws.checkpoint join vws.export_state on height = checkpoint_height',
    );
    expect(root).toEqual([{ same: true }]);
    // Twenty events in a partition.
    const partitions = await one("select count(*) from pg_class where relname ~ '^event_[0-9]+$'");
    expect(partitions).toBe(1 + Math.floor(giver.parts.executor.head.seq / 20));
  });

  it('has the columns that the exporter writes', async () => {
    await sinkOf().place('');
    const columns = async (table: string) =>
      (
        await rows<{ column_name: string; data_type: string }>(
          `select column_name, data_type from information_schema.columns
           where table_schema = 'vws' and table_name = '${table}' order by ordinal_position`,
        )
      ).map(({ column_name, data_type }) => [column_name, data_type]);
    const listed = (list: readonly (readonly [string, string, unknown])[]) => list.map(([n, t]) => [n, t]);
    expect(await columns('event')).toEqual(listed(EVENT_COLUMNS));
    expect(await columns('posting')).toEqual(listed(POSTING_COLUMNS));
    for (const kind of DOCUMENT_KINDS)
      expect(await columns(kind)).toEqual([
        ['id', 'text'],
        ['ord', 'bigint'],
        ...listed(DOCUMENT_COLUMNS[kind]),
        ['doc', 'json'],
      ]);
  });

  it('is written once by two exporters at the same time', async () => {
    await Promise.all([
      exportOnce({ giver, sink: sinkOf(), page: 3 }),
      exportOnce({ giver, sink: sinkOf(), page: 5 }),
      exportOnce({ giver, sink: sinkOf(), page: 8 }),
    ]);
    await expectEqual();
  });

  it('writes each batch once, however often a request or its answer is lost', async () => {
    let bytes = 6000;
    const proxy = await CuttingProxy.start(Number(new URL(url).port), () => {
      bytes += 6000;
      return bytes;
    });
    const cut = new URL(url);
    cut.port = String(proxy.port);
    try {
      await exportOnce({ giver, sink: sinkOf({ url: cut.href }), page: 12 });
    } finally {
      await proxy.close();
    }
    expect(proxy.cuts).toBeGreaterThan(5);
    await expectEqual();
  });

  it('goes on where an exporter ended, with the folder that it left', async () => {
    const store = new PlainStore();
    for (let rounds = 1; ; rounds++) {
      const sink = sinkOf();
      const write = sink.write.bind(sink);
      let left = rounds;
      sink.write = async (batch) => {
        await write(batch);
        // After the commit, and before the folder knows of it.
        if (left-- === 0) throw new Error('killed');
      };
      const end = await exportOnce({ giver, sink, store, page: 12 }).catch((error: Error) => error.message);
      if (end !== 'killed') break;
    }
    await expectEqual();
  });

  it('survives that the server is killed in the midst of a batch', async () => {
    const sink = sinkOf();
    const exporter = await openExporter({ giver, sink, page: 4 });
    const write = sink.write.bind(sink);
    let batches = 0;
    sink.write = async (batch) => {
      batches += 1;
      const writing = write(batch);
      if (batches % 5 === 2) {
        await server.kill();
        await server.run();
      }
      await writing;
    };
    expect((await exporter.once()).isGood).toBe(true);
    expect(batches).toBeGreaterThan(5);
    await exporter.close();
    await expectEqual();
  });

  it('has equal tables from a signed state on', async () => {
    await exportOnce({ giver, sink: sinkOf() });
    const memory = new MemorySink();
    await exportOnce({ giver, sink: memory, way: 'checkpoint' });
    const from = memory.opening!.seq;
    const whole = await tables(from);
    url = await server.database('export_from_checkpoint');
    await exportOnce({ giver, sink: sinkOf(), way: 'checkpoint' });
    expect(await one('select first_seq from vws.export_state')).toBe(from);
    expect(await tables(from)).toEqual(whole);
    await expectEqual(from);
  });

  it('refuses a hole, another network, and accounts that were changed by hand', async () => {
    const sink = sinkOf();
    await exportOnce({ giver, sink });
    const before = await tables();
    await expect(sinkOf().place('ab'.repeat(32))).rejects.toMatchObject({ kind: 'differs' });
    const task = { title: 'Buoys', description: 'Count them', budget: 10_000_000 };
    await giver.write(giver.keyOf(1), '/v1/tasks', task);
    await rows(
      `update vws.account set balance = balance + 1 where account = 'agent:${giver.keyOf(1).publicKeyHex}:balance'`,
    );
    await expect(exportOnce({ giver, sink: sinkOf() })).rejects.toMatchObject({ kind: 'differs' });
    expect((await tables()).events).toEqual(before.events);
    await rows('update vws.export_state set ord = 3, seq = 1');
    await expect(exportOnce({ giver, sink: sinkOf(), way: 'checkpoint' })).rejects.toMatchObject({
      kind: 'gap',
    });
  });

  it('refuses another history of the same network, though no account of it differs', async () => {
    const [lost, present] = [await Giver.make(), await Giver.make()];
    await lost.write(lost.keyOf(241), '/v1/agents', {});
    await exportOnce({ giver: lost, sink: sinkOf() });
    const before = await tables();
    for (const n of [242, 243]) await present.write(present.keyOf(n), '/v1/agents', {});
    await expect(exportOnce({ giver: present, sink: sinkOf() })).rejects.toMatchObject({ kind: 'differs' });
    expect(await tables()).toEqual(before);
    await exportOnce({ giver: lost, sink: sinkOf() });
    expect(await tables()).toEqual(before);
  });

  it('drops old partitions, and lets a reader only read', async () => {
    await exportOnce({ giver, sink: sinkOf({ partitionRows: 5, retainEvents: 7, reader: 'analyst' }) });
    const { seq } = giver.parts.executor.head;
    const first = Math.floor((seq - 7) / 5) * 5;
    expect(await one('select min(seq) from vws.event')).toBe(first);
    expect(await one('select kept_from from vws.export_state')).toBe(first);
    expect(await one('select sum(balance) from vws.account')).toBe(SUPPLY);
    await rows('alter role analyst login');
    const reader = url.replace('vws@', 'analyst@');
    expect((await server.query('select count(*) as n from vws.event', reader))[0]).toEqual({
      n: seq - first + 1,
    });
    await expect(server.query('delete from vws.event', reader)).rejects.toThrow('permission denied');
  });

  it('says what to do where it may not make the role of a reader', async () => {
    await rows('create role plain login');
    await rows(`grant create on database export_${databases} to plain`);
    const sink = sinkOf({ url: url.replace('vws@', 'plain@'), reader: 'missing' });
    await expect(exportOnce({ giver, sink })).rejects.toThrow('create role "missing" nologin');
  });

  it('refuses a database that lacks characters, before anything is written', async () => {
    const options = "encoding 'LATIN1' lc_collate 'C' lc_ctype 'C' template template0";
    await server.query(`create database latin_${databases} ${options}`);
    url = server.url(`latin_${databases}`);
    await expect(exportOnce({ giver, sink: sinkOf() })).rejects.toThrow(
      'encoding LATIN1, which lacks characters',
    );
    expect(await one("select count(*) from pg_namespace where nspname = 'vws'")).toBe(0);
  });

  it('tells a reader that is not let in, and lets it in as soon as it may', async () => {
    await exportOnce({ giver, sink: sinkOf({ reader: 'reader_to_be' }) });
    const from = url.replace('vws@', 'reader_to_be@');
    const tables = await Tables.open({ url: from, schema: 'vws', connections: 1 });
    const told: string[] = [];
    const orders = { onExecuted: () => {} };
    const watch = new PlaceWatch(tables, orders, systemClock, (reason) => told.push(reason));
    for (let i = 0; i < 2; i++) await watch.look();
    expect(told).toEqual(['role "reader_to_be" is not permitted to log in']);
    await expect(tables.read(async () => 1)).rejects.toMatchObject({ code: 'not_ready' });
    await rows('alter role reader_to_be login');
    await watch.look();
    expect([watch.isReady, watch.order]).toEqual([true, giver.parts.executor.head.order]);
    await tables.close();
  });

  it('is not held up by a reader', async () => {
    const more = { partitionRows: 5, retainEvents: 7 };
    const store = new PlainStore();
    await exportOnce({ giver, sink: sinkOf({ partitionRows: 5 }), store });
    const reader = new pg.Client({ connectionString: url });
    await reader.connect();
    await reader.query('begin; select count(*) from vws.event');
    await giver.write(giver.keyOf(1), '/v1/stake', { amount: 1 });
    const warnings: string[] = [];
    await exportOnce({ giver, sink: sinkOf({ ...more, warn: (text) => warnings.push(text) }), store });
    expect(warnings).toEqual([expect.stringContaining('is being read')]);
    await expectEqual();
    await reader.end();
    await giver.write(giver.keyOf(1), '/v1/stake', { amount: 1 });
    await exportOnce({ giver, sink: sinkOf(more), store });
    const { seq } = giver.parts.executor.head;
    expect(await one('select min(seq) from vws.event')).toBe(Math.floor((seq - 7) / 5) * 5);
  });

  it('answers the questions of the example and of the dashboard', async () => {
    await exportOnce({ giver, sink: sinkOf() });
    const sql = readFileSync('examples/analytics.sql', 'utf8').replaceAll(/^--.*$/gm, '');
    const results = (await server.query(sql, url)) as unknown[];
    expect(results.length).toBeGreaterThan(0);
    for (const panel of ECONOMY_PANELS) await rows(panel.sql);
    // What the views say follows from the events.
    const events = await rows<{ doc: EventDoc }>("select doc from vws.event where type = 'transfer'");
    const sent = events.reduce((sum, { doc }) => sum + doc.amount!, 0);
    expect(await one("select sum(amount) from vws.volume_by_hour where type = 'transfer'")).toBe(sent);
    expect(await one('select sum(amount) from vws.holder')).toBe(
      await one('select amount from vws.circulating'),
    );
    expect(await one('select holders from vws.concentration')).toBeGreaterThan(5);
    const [{ top_10, gini }] = (await rows('select top_10, gini from vws.concentration')) as [
      { top_10: number; gini: number },
    ];
    expect(top_10 > 0 && top_10 <= 1 && gini >= 0 && gini < 1).toBe(true);
  });

  it('says of each agent what it holds, though an id may begin as another and have colons', async () => {
    await exportOnce({ giver, sink: sinkOf() });
    const accounts = ['ann:balance', 'ann:stake', 'ann:escrow', 'ann:stake:balance', 'ann:b:balance'];
    await server.query(
      accounts.map((name, i) => `insert into vws.account values ('agent:${name}', 1, ${10 ** i})`).join(';'),
      url,
    );
    expect(await rows("select agent, amount from vws.holder where agent like 'ann%' order by agent")).toEqual(
      [
        { agent: 'ann', amount: 111 },
        { agent: 'ann:b', amount: 10_000 },
        { agent: 'ann:stake', amount: 1_000 },
      ],
    );
  });

  /** Exports what the stream of the node says. */
  async function exportStream(to: number): Promise<void> {
    const { store, executor } = giver.parts;
    const docs = Array.from(
      { length: Math.min(to, executor.head.seq) },
      (_, i) => readJson<EventDoc>(store.get(rowKey.event(i + 1)))!,
    );
    const sink = new StreamSink(optionsOf());
    const exporter = new TrustedStream({
      async *follow(since) {
        for (const doc of docs.slice(since)) {
          const { seq, event_type: type, timestamp } = doc;
          yield { seq, type, timestamp, data: streamData(doc) } as never;
        }
      },
      sink,
      genesisHash: GENESIS.hashHex,
      clock: systemClock,
    });
    try {
      await exporter.run(docs.length);
    } finally {
      await sink.close();
    }
  }

  it('has the events of a trusted stream as those that were computed, and says what they rest on', async () => {
    const columns = `seq, ts, type, event_id, agent_id, task_id, amount, fee, ${STREAM_COLUMNS}`;
    await exportOnce({ giver, sink: sinkOf() });
    const computed = await rows(`select ${columns}, by_agent, by_type, by_both from vws.event order by seq`);
    const activity = await rows('select * from vws.activity order by hour');
    url = await server.database(`streamed_${databases}`);
    await exportStream(25);
    await Promise.all([exportStream(60), exportStream(1e6), exportStream(1e6)]);
    expect(await rows(`select ${columns}, by_agent, by_type, by_both from vws.event order by seq`)).toEqual(
      computed,
    );
    expect(await rows('select * from vws.activity order by hour')).toEqual(activity);
    expect(await rows('select source, seq from vws.export_state')).toEqual([
      { source: 'stream', seq: computed.length },
    ]);
    expect(await one('select count(*) from vws.event where ord is not null')).toBe(0);
  });

  it('takes claims of value whose sum is more than a column holds: they cost nothing', async () => {
    const sink = new StreamSink(optionsOf());
    await sink.open(GENESIS.hashHex);
    const claims = Array.from({ length: 1_100 }, (_, i) => {
      const seq = i + 1;
      const claim = { seq, event_id: String(seq), event_type: 'generation', timestamp: 3_600 };
      return {
        ...claim,
        agent_id: 'ann',
        amount: Number.MAX_SAFE_INTEGER,
        settlement_state: 'optimistic',
      } as EventDoc;
    });
    await sink.write(claims.slice(0, 1_060));
    await sink.write(claims.slice(1_060));
    await sink.close();
    expect(await rows('select volume, events from vws.activity')).toEqual([
      { volume: Number.MAX_SAFE_INTEGER, events: 1_100 },
    ]);
  });

  it('has an index for the search in every schema of a database', async () => {
    const warnings: string[] = [];
    const warn = (text: string): void => void warnings.push(text);
    for (const schema of ['vws', 'other']) await sinkOf({ schema, warn }).place('');
    expect(warnings).toEqual([]);
    expect(await one("select count(*) from pg_class where relname = 'listing_by_words'")).toBe(2);
  });

  it('never has both in one schema', async () => {
    await exportStream(25);
    await expect(exportOnce({ giver, sink: sinkOf() })).rejects.toThrow('nothing in it was recomputed');
    expect(await one('select count(*) from vws.posting')).toBe(0);
    url = await server.database(`computed_${databases}`);
    await exportOnce({ giver, sink: sinkOf() });
    await expect(exportStream(1e6)).rejects.toThrow('has recomputed history');
    await expectEqual();
  });

  it('works without partitions', async () => {
    await exportOnce({ giver, sink: sinkOf({ partitionRows: 0 }) });
    await expectEqual();
    expect(await one("select count(*) from pg_class where relname ~ '^event_[0-9]+$'")).toBe(0);
  });

  it('holds whatever a stranger writes into a text', async () => {
    const title = 'Zero \0 tab\t"quote" \\u0000 \\ 😀';
    await giver.write(giver.keyOf(1), '/v1/tasks', { title, description: 'a\\N\nb', budget: 10_000_000 });
    await exportOnce({ giver, sink: sinkOf() });
    await expectEqual();
  });
});
