// Writes server.json, by which the MCP registry finds `vws mcp`, from the tables of settings and of the package.
// Usage: node build/tools/server-json.js, after a build. A test compares the file with these tables.

import { readFileSync, writeFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { settingsOf } from '../host/config/settings.ts';

const SCHEMA = 'https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json';
/** The registry's own limit. */
const MAX_DESCRIPTION_CHARS = 100;

interface Package {
  name: string;
  version: string;
  mcpName: string;
}

/** The text of server.json. */
export function serverJson(of: Package): string {
  const description =
    'Post tasks with escrowed budgets, do them, be paid; the key stays here, spending is limited.';
  if (description.length > MAX_DESCRIPTION_CHARS) throw new Error('the description is too long');
  const environmentVariables = settingsOf('mcp').flatMap(({ env, help, fallback, defaultNote, kind }) => {
    const note = defaultNote ?? fallback;
    const text = note === undefined ? help : `${help}; default: ${note}`;
    const format = kind === 'path' ? 'filepath' : kind === 'switch' ? 'boolean' : 'string';
    return env === undefined
      ? []
      : [{ name: env, description: text, isRequired: false, isSecret: false, format }];
  });
  const server = {
    $schema: SCHEMA,
    name: of.mcpName,
    title: 'Verified Work Settlement',
    description,
    version: of.version,
    packages: [
      {
        registryType: 'npm',
        identifier: of.name,
        version: of.version,
        runtimeHint: 'npx',
        transport: { type: 'stdio' },
        packageArguments: [{ type: 'positional', value: 'mcp' }],
        environmentVariables,
      },
    ],
  };
  return `${JSON.stringify(server, null, 2)}\n`;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  writeFileSync('server.json', serverJson(JSON.parse(readFileSync('package.json', 'utf8')) as Package));
}
