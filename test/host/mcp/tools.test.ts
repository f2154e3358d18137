// The table of tools: how many, how described, and that the guide says the same.

import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { toolEntry } from '../../../host/mcp/call-tool.ts';
import type { Tool } from '../../../host/mcp/tool.ts';
import { agentTools, MAX_TOOLS, NODE_TOOLS, TOOLS } from '../../../host/mcp/tools.ts';

const kindOf = (tool: Tool): string => {
  if (!tool.hints.readOnlyHint) return tool.hints.destructiveHint ? 'acts, final' : 'acts';
  return NODE_TOOLS.includes(tool) ? 'reads, node' : 'reads';
};
/** The first sentence. */
const shortOf = ({ description }: Tool): string => /^.*?[.:](?= |$)/.exec(description)![0].replace(/:$/, '.');
const guideRows = (): string[] =>
  TOOLS.map((tool) => `| \`${tool.name}\` | ${kindOf(tool)} | ${shortOf(tool)} |`);

describe('the table of tools', () => {
  it('is short, and has names that every host takes', () => {
    expect(TOOLS.length).toBeLessThanOrEqual(MAX_TOOLS);
    expect(new Set(TOOLS.map(({ name }) => name)).size).toBe(TOOLS.length);
    for (const { name } of TOOLS) expect(name).toMatch(/^[a-z_]{1,64}$/);
  });

  it('is what the guide lists', () => {
    const guide = readFileSync(new URL('../../../docs/guides/mcp.md', import.meta.url), 'utf8');
    const [, table = ''] = /<!-- tools:.*?-->\n\n([\s\S]*?)\n<!-- end of tools -->/.exec(guide) ?? [];
    expect(table.split('\n').slice(2)).toEqual(guideRows());
  });

  it('costs a model few words: its list stays below 15 kB', () => {
    expect(JSON.stringify(TOOLS.map(toolEntry)).length).toBeLessThan(15_000);
  });

  it('has plain schemas: one type for each argument, required where it must be', () => {
    for (const tool of TOOLS) {
      const schema = toolEntry(tool).inputSchema as unknown as {
        properties: Record<string, { type: unknown }>;
      };
      for (const { type } of Object.values(schema.properties)) expect(typeof type).toBe('string');
    }
  });

  it('needs an idempotency key wherever a repetition would pay again', () => {
    const needing = TOOLS.filter(({ fields }) => fields.idempotency_key?.required).map(({ name }) => name);
    expect(needing).toEqual(['post_task', 'transfer', 'stake']);
    for (const { fields, hints } of TOOLS) expect('idempotency_key' in fields).toBe(!hints.readOnlyHint);
  });

  it('offers without a key what reads, and a node what needs nothing of its own', () => {
    expect(agentTools(false, undefined).every(({ hints }) => hints.readOnlyHint)).toBe(true);
    expect(NODE_TOOLS.every(({ hints, needs }) => hints.readOnlyHint && needs === 'reads')).toBe(true);
    expect(agentTools(true, ['transfer', 'status']).map(({ name }) => name)).toEqual(['status', 'transfer']);
  });
});
