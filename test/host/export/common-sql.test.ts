// The SQL of an export keeps to what docs/operate/export.md states, so that CockroachDB and YugabyteDB can take it. No server
// of theirs is asked here.

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const FOLDER = 'host/export';
/** Constructs that only PostgreSQL has, or that others have in another form. */
const OWN: readonly (readonly [name: string, pattern: RegExp])[] = [
  ['partitions', /partition by|partition of|attach partition/],
  [
    'functions, triggers, rules, types',
    /create (or replace )?(function|trigger|rule|type|domain|procedure)\b/,
  ],
  ['blocks of code', /\bdo \$|plpgsql/],
  ['extensions', /create extension|pg_available_extensions|pg_extension/],
  ['other kinds of indexes', /using (gin|gist|brin|hash|spgist)\b/],
  ['full text', /tsvector|tsquery/],
  ['merge', /\bmerge into\b/],
  ['notifications', /\b(un)?listen \w|\bnotify \w/],
  ['table locks, time limits of locks', /\block table\b|lock_timeout|advisory_lock/],
  ['rows by place', /\bctid\b|\bxmin\b/],
  ['tables without a log', /\bunlogged\b/],
  ['joins that look aside', /\blateral\b/],
  ['inheritance, generated columns, exclusion', /\binherits \(|generated always|exclude using/],
  ['system catalogues', /\bpg_(class|roles|namespace|index|inherits)\b|to_regclass|::regclass/],
  ['copies of definitions', /\(like [\w$]/],
];
/** What each file may use all the same: only with partitions, or where it is there. */
const ALLOWED: Readonly<Record<string, readonly string[]>> = {
  // Partitions are made only if they are wanted (--partition 0).
  'postgres/partitions.ts': [
    'partitions',
    'table locks, time limits of locks',
    'system catalogues',
    'copies of definitions',
  ],
  'postgres/migrations/1800000000001_tables.ts': ['partitions'],
  // The index of the search is left out, with a warning, where it cannot be made. The catalogues are those of pg_catalog.
  'postgres/migrate.ts': ['extensions', 'other kinds of indexes', 'system catalogues'],
};

/** A file without its comments: SQL is in its texts. */
const sqlOf = (code: string): string => code.replaceAll(/\/\*[\s\S]*?\*\/|\/\/ .*$/gm, '').toLowerCase();

const files = readdirSync(FOLDER, { recursive: true, encoding: 'utf8' }).filter((name) =>
  name.endsWith('.ts'),
);

it.each(files)('%s keeps to the common subset', (name) => {
  const sql = sqlOf(readFileSync(join(FOLDER, name), 'utf8'));
  const used = OWN.filter(([, pattern]) => pattern.test(sql)).map(([what]) => what);
  expect(used.sort()).toEqual([...(ALLOWED[name] ?? [])].sort());
});

it('finds what is not common', () => {
  const found = sqlOf("await client.query('create index a on b using gin (c)')");
  expect(OWN.filter(([, pattern]) => pattern.test(found)).map(([what]) => what)).toEqual([
    'other kinds of indexes',
  ]);
});

it('reads texts, and not what is said about them', () => {
  expect(sqlOf("/** lateral */ // lateral\nquery('select 1')")).toBe(" \nquery('select 1')");
});
