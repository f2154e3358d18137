// Writes rows of a batch: COPY for what is only ever added, upserts for what is current.
// Keeps: one statement for each table and batch; only SQL that databases with PostgreSQL's protocol have in common.

import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ClientBase } from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import type { CheckpointDoc, EventDoc } from '../../store/documents.ts';
import { addVolumes, MAX_VOLUME } from '../../views/projection/activity.ts';
import {
  DOCUMENT_KINDS,
  type ExportedDocument,
  type ExportedPosting,
  type Holding,
  type SignedHeight,
} from '../batch.ts';
import {
  type Columns,
  DOCUMENT_COLUMNS,
  EVENT_COLUMNS,
  type PlacedEvent,
  POSTING_COLUMNS,
} from './tables.ts';
import { copyLine, heldJson, heldText, type Value } from './values.ts';

/** Characters of one write to the connection: one line at a time costs more than the line. */
const PART_CHARS = 65_536;

function* linesOf<Row>(columns: Columns<Row>, rows: readonly Row[]): Generator<string> {
  let part = '';
  for (const row of rows) {
    part += copyLine(columns.map(([, , value]) => value(row)));
    if (part.length < PART_CHARS) continue;
    yield part;
    part = '';
  }
  if (part !== '') yield part;
}

async function copy<Row>(
  client: ClientBase,
  table: string,
  columns: Columns<Row>,
  rows: readonly Row[],
): Promise<void> {
  if (rows.length === 0) return;
  const names = columns.map(([name]) => name).join(', ');
  const stream = client.query(copyFrom(`copy ${table} (${names}) from stdin`));
  await pipeline(Readable.from(linesOf(columns, rows)), stream);
}

export const copyEvents = (client: ClientBase, events: readonly PlacedEvent[]): Promise<void> =>
  copy(client, 'event', EVENT_COLUMNS, events);

export const copyPostings = (client: ClientBase, postings: readonly ExportedPosting[]): Promise<void> =>
  copy(client, 'posting', POSTING_COLUMNS, postings);

const held = (value: Value): string | number | null =>
  value === undefined ? null : typeof value === 'string' ? heldText(value) : value;

/** Arrays of the values of each column, for unnest. */
const byColumn = <Row>(columns: Columns<Row>, rows: readonly Row[]): unknown[][] =>
  columns.map(([, , value]) => rows.map((row) => held(value(row))));

const HOUR_SECS = 3600;

/** Adds new events to the hours in which they were executed, as nodes count them: those that have an amount. */
export async function addActivity(client: ClientBase, events: readonly EventDoc[]): Promise<void> {
  const hours = new Map<number, { volume: number; events: number }>();
  for (const { amount, timestamp } of events) {
    if (amount === undefined) continue;
    const hour = Math.floor(timestamp / HOUR_SECS);
    const sum = hours.get(hour) ?? { volume: 0, events: 0 };
    hours.set(hour, { volume: addVolumes(sum.volume, amount), events: sum.events + 1 });
  }
  if (hours.size === 0) return;
  const sums = [...hours.values()];
  await client.query(
    `insert into activity (hour, volume, events) select * from unnest($1::bigint[], $2::bigint[], $3::bigint[])
     on conflict (hour) do update
     set volume = least(activity.volume + excluded.volume, ${MAX_VOLUME}), events = activity.events + excluded.events`,
    [[...hours.keys()], sums.map(({ volume }) => volume), sums.map((sum) => sum.events)],
  );
}

/** Older events that were settled; those that the database does not have are left out. */
export async function updateEvents(client: ClientBase, events: readonly EventDoc[]): Promise<void> {
  if (events.length === 0) return;
  const names = ['amount', 'fee', 'state', 'doc'];
  const columns = EVENT_COLUMNS.filter(([name]) => name === 'seq' || names.includes(name));
  const types = columns.map(([, type], i) => `$${i + 1}::${type}[]`).join(', ');
  await client.query(
    `update event set ${names.map((name) => `${name} = n.${name}`).join(', ')}
     from unnest(${types}) as n(${columns.map(([name]) => name).join(', ')}) where event.seq = n.seq`,
    // Positions never change.
    byColumn(
      columns,
      events.map((doc) => ({ doc, byAgent: 0, byType: 0, byBoth: 0 })),
    ),
  );
}

export async function upsertDocuments(
  client: ClientBase,
  order: number,
  documents: readonly ExportedDocument[],
): Promise<void> {
  for (const kind of DOCUMENT_KINDS) {
    const rows = documents.filter((document) => document.kind === kind);
    if (rows.length === 0) continue;
    const columns: Columns<ExportedDocument> = [
      ['id', 'text', ({ id }) => id],
      ...DOCUMENT_COLUMNS[kind],
      ['doc', 'json', ({ doc }) => heldJson(doc)],
    ];
    const names = columns.map(([name]) => name);
    const types = columns.map(([, type], i) => `$${i + 2}::${type}[]`).join(', ');
    const sets = ['ord', ...names.slice(1)].map((name) => `${name} = excluded.${name}`);
    await client.query(
      `insert into ${kind} (ord, ${names.join(', ')}) select $1::bigint, n.* from unnest(${types}) as n
       on conflict (id) do update set ${sets.join(', ')} where excluded.ord >= ${kind}.ord`,
      [order, ...byColumn(columns, rows)],
    );
  }
}

/** Adds amounts to accounts; what they hold then. */
export async function addToAccounts(
  client: ClientBase,
  order: number,
  amounts: readonly Holding[],
): Promise<Map<string, number>> {
  if (amounts.length === 0) return new Map();
  const { rows } = await client.query<{ account: string; balance: string }>(
    `insert into account (ord, account, balance)
     select $1::bigint, n.account, n.amount from unnest($2::text[], $3::bigint[]) as n(account, amount)
     on conflict (account) do update set ord = excluded.ord, balance = account.balance + excluded.balance
     returning account, balance`,
    [order, amounts.map(([account]) => heldText(account)), amounts.map(([, amount]) => amount)],
  );
  return new Map(rows.map(({ account, balance }) => [account, Number(balance)]));
}

export async function insertCheckpoints(
  client: ClientBase,
  checkpoints: readonly CheckpointDoc[],
): Promise<void> {
  const columns: Columns<CheckpointDoc> = [
    ['height', 'bigint', ({ height }) => height],
    ['ord', 'bigint', ({ order }) => order],
    ['time_ms', 'bigint', ({ consensus_time: secs }) => secs * 1000],
    ['state_root', 'text', ({ state_root }) => state_root],
    ['block_hash', 'text', ({ block_hash }) => block_hash],
    ['statement', 'text', ({ statement }) => statement],
    ['manifest_digest', 'text', ({ manifest_digest }) => manifest_digest],
    ['signatures', 'json', ({ signatures }) => heldJson(signatures)],
  ];
  await copy(client, 'checkpoint', columns, checkpoints);
}

/** Signatures of checkpoints that are there, with the same statement; up to which height a quorum has signed. */
export async function signCheckpoints(
  client: ClientBase,
  signed: readonly SignedHeight[],
  quorum: number,
): Promise<void> {
  await client.query(
    `update checkpoint set signatures = n.signatures
     from unnest($1::bigint[], $2::text[], $3::json[]) as n(height, statement, signatures)
     where checkpoint.height = n.height and checkpoint.statement = n.statement`,
    [
      signed.map(({ height }) => height),
      signed.map(({ statement }) => statement),
      signed.map(({ signatures }) => heldJson(signatures)),
    ],
  );
  await client.query(
    `update export_state set signed_height = $1
     where signed_height < $1 and exists (select 1 from checkpoint where height = $1)`,
    [quorum],
  );
}
