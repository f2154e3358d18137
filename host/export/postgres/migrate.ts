// Brings the tables of a database to the form that this program writes, and lets a role read them.
// Keeps: migrations run once each, in their order, one exporter at a time; their names are in the table export_migrations.

import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Client } from 'pg';
import { ExportFault } from '../batch.ts';
import { quoted } from './connection.ts';

/** With it a text inside of words is found by an index. Where it cannot be had, listings are searched one by one. */
const SEARCH = 'pg_trgm';

interface MigrateOptions {
  schema: string;
  partitionRows: number;
  reader?: string | undefined;
  warn(text: string): void;
}

/** Everything in the folder but the types and maps that a build puts beside a migration. */
const NO_MIGRATION = '(\\..*|.*\\.d\\.ts|.*\\.map)';

export async function migrate(
  client: Client,
  { schema, partitionRows, reader, warn }: MigrateOptions,
): Promise<void> {
  await expectAllCharacters(client);
  const { runner } = await import('node-pg-migrate');
  // The first migration reads it: there is no other way to pass it a choice.
  await client.query("select set_config('vws.partitioned', $1, false)", [partitionRows > 0 ? 'on' : 'off']);
  await runner({
    dbClient: client,
    dir: join(dirname(fileURLToPath(import.meta.url)), 'migrations'),
    ignorePattern: NO_MIGRATION,
    direction: 'up',
    migrationsTable: 'export_migrations',
    schema,
    createSchema: true,
    migrationsSchema: schema,
    advisoryLockMode: 'wait',
    log: () => {},
  });
  await client.query(`set search_path to ${quoted(schema)}`);
  await indexSearch(client).catch((error: Error) => warn(`search has no index: ${error.message}`));
  if (reader !== undefined) await allowReading(client, schema, reader);
}

/** Another encoding lacks characters: the first text with one of them, from any stranger, would end the export for good. */
async function expectAllCharacters(client: Client): Promise<void> {
  const { rows } = await client.query<{ server_encoding: string }>('show server_encoding');
  const encoding = rows[0]?.server_encoding ?? '';
  // SQL_ASCII takes any bytes as they are.
  if (/^(utf-?8|sql_ascii)$/i.test(encoding)) return;
  throw new ExportFault(
    'differs',
    `the database has the encoding ${encoding}, which lacks characters of texts: make one with encoding 'UTF8'`,
  );
}

async function indexSearch(client: Client): Promise<void> {
  const { rowCount } = await client.query('select 1 from pg_available_extensions where name = $1', [SEARCH]);
  if (rowCount === 0) return;
  await client.query(`create extension if not exists ${SEARCH}`);
  // It is in the schema of whichever export asked for it first.
  const { rows } = await client.query<{ schema: string }>(
    `select nspname as schema from pg_extension join pg_namespace n on n.oid = extnamespace where extname = $1`,
    [SEARCH],
  );
  const operators = `${quoted(rows[0]!.schema)}.gin_trgm_ops`;
  await client.query(`create index if not exists listing_by_words on listing using gin (words ${operators})`);
}

/** Whether the tables of this database have partitions. */
export async function mustBePartitioned(client: Client): Promise<boolean> {
  const { rows } = await client.query<{ kind: string }>(
    "select relkind as kind from pg_class where oid = 'event'::regclass",
  );
  return rows[0]?.kind === 'p';
}

/** A role that reads everything and writes nothing; made without a login where it is not there. */
async function allowReading(client: Client, schema: string, reader: string): Promise<void> {
  const [role, space] = [quoted(reader), quoted(schema)];
  const { rowCount } = await client.query('select 1 from pg_roles where rolname = $1', [reader]);
  if (rowCount === 0) await makeRole(client, role);
  await client.query(`grant usage on schema ${space} to ${role}`);
  await client.query(`grant select on all tables in schema ${space} to ${role}`);
  await client.query(`alter default privileges in schema ${space} grant select on tables to ${role}`);
}

const MAY_NOT = '42501';

async function makeRole(client: Client, role: string): Promise<void> {
  try {
    await client.query(`create role ${role} nologin`);
  } catch (cause) {
    if ((cause as { code?: string }).code !== MAY_NOT) throw cause;
    throw new Error(
      `the reader's role is not there, and this user may not make it: "create role ${role} nologin" as one who may, then start again`,
      { cause },
    );
  }
}
