// What only an export needs is loaded by an export only: not by a node, the client, the auditor or the packages.

import { readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { expect, it } from 'vitest';

const ONLY_EXPORT = /^(pg|pg-copy-streams|node-pg-migrate|@nats-io\/.*)$/;

/** Packages that a module loads when it is loaded, by way of all that it imports without asking. */
function loadedBy(file: string, seen = new Set<string>()): string[] {
  if (seen.has(file)) return [];
  seen.add(file);
  const code = readFileSync(file, 'utf8');
  const imports = [...code.matchAll(/^(?:import|export) (?!type )[^;]*?from '([^']+)';/gm)];
  return imports.flatMap(([, name]) => {
    if (!name!.startsWith('.')) return [name!];
    const path = normalize(join(dirname(file), name!));
    return /\.tsx?$/.test(path) ? loadedBy(path, seen) : [];
  });
}

it.each(['host/cli/main.ts', 'host/node/node.ts', 'host/client/index.ts', 'host/packages/verify-node.ts'])(
  '%s loads no client of a database',
  (file) => {
    const loaded = loadedBy(file);
    expect(loaded.length).toBeGreaterThan(3);
    expect(loaded.filter((name) => ONLY_EXPORT.test(name))).toEqual([]);
  },
);

it('the sink does', () => {
  expect(loadedBy('host/export/postgres/sink.ts').filter((name) => ONLY_EXPORT.test(name))).toContain(
    'pg-copy-streams',
  );
});
