// server.json and package.json say the same as the tables.

import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { serverJson } from '../../tools/server-json.ts';

it('server.json is what tools/server-json.ts writes', () => {
  const of = JSON.parse(readFileSync('package.json', 'utf8'));
  expect(readFileSync('server.json', 'utf8')).toBe(serverJson(of));
  expect(of.mcpName).toMatch(/^io\.github\.[a-z0-9-]+\/vws$/);
  const names = JSON.parse(serverJson(of)).packages[0].environmentVariables.map(
    ({ name }: { name: string }) => name,
  );
  for (const name of ['SERVICE_NODE', 'SERVICE_KEY', 'VWS_MCP_MAX_PER_CALL', 'VWS_MCP_SPOOL']) {
    expect(names).toContain(name);
  }
});
