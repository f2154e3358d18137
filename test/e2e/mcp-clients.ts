// Clients of both generations of the MCP library, at both doors, behind one interface.

import {
  Client as ModernClient,
  StreamableHTTPClientTransport as ModernHttp,
} from '@modelcontextprotocol/client';
import { StdioClientTransport as ModernStdio } from '@modelcontextprotocol/client/stdio';
import { Client as LegacyClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport as LegacyStdio } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport as LegacyHttp } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { expect } from 'vitest';
import { builtPath } from '../../tools/load/built.ts';
import type { Json } from './agent.ts';

export interface ListedTool {
  name: string;
  description?: string;
  inputSchema: { properties?: Record<string, Json>; required?: string[]; additionalProperties?: unknown };
  annotations?: Record<string, unknown>;
}

export interface Called {
  isError: boolean;
  /** structuredContent. */
  value: Json;
  text: string;
}

export interface McpClient {
  /** The revision that was agreed on. */
  revision: string;
  tools(): Promise<ListedTool[]>;
  call(name: string, args?: Record<string, unknown>): Promise<Called>;
  /** Process id at the stdio door. */
  pid: number | null;
  close(): Promise<void>;
}

export type Era = 'modern' | 'legacy';
export const ERAS: readonly Era[] = ['modern', 'legacy'];
const WHO = { name: 'test', version: '1' };

export interface Started {
  node: string;
  key?: string;
  env?: Record<string, string>;
}

const commandOf = ({ node, key, env }: Started) => ({
  command: process.execPath,
  args: [builtPath('host/cli/main.js'), 'mcp', '--node', node, ...(key === undefined ? [] : ['--key', key])],
  env: { PATH: process.env.PATH ?? '', ...env },
  stderr: 'ignore' as const,
});

export async function overStdio(era: Era, started: Started): Promise<McpClient> {
  if (era === 'legacy') {
    const transport = new LegacyStdio(commandOf(started));
    return legacy(transport, () => transport.pid);
  }
  const transport = new ModernStdio(commandOf(started));
  return modern(transport, () => transport.pid);
}

export function overHttp(era: Era, url: string): Promise<McpClient> {
  return era === 'legacy'
    ? legacy(new LegacyHttp(new URL(url)), () => null)
    : modern(new ModernHttp(new URL(url)), () => null);
}

type Result = { isError?: unknown; structuredContent?: unknown; content?: unknown };
const calledOf = ({ isError, structuredContent, content }: Result): Called => ({
  isError: isError === true,
  value: structuredContent,
  text: (content as { text: string }[])[0]?.text ?? '',
});

async function modern(
  transport: Parameters<ModernClient['connect']>[0],
  pid: () => number | null,
): Promise<McpClient> {
  const client = new ModernClient(WHO, { versionNegotiation: { mode: 'auto' } });
  await client.connect(transport);
  return {
    revision: client.getNegotiatedProtocolVersion() ?? '',
    pid: pid(),
    tools: async () => (await client.listTools()).tools as ListedTool[],
    call: async (name, args = {}) => calledOf(await client.callTool({ name, arguments: args })),
    close: () => client.close(),
  };
}

async function legacy(
  transport: Parameters<LegacyClient['connect']>[0],
  pid: () => number | null,
): Promise<McpClient> {
  const client = new LegacyClient(WHO);
  let revision = '';
  const inform = transport.setProtocolVersion?.bind(transport);
  transport.setProtocolVersion = (version) => {
    revision = version;
    inform?.(version);
  };
  await client.connect(transport);
  return {
    revision,
    pid: pid(),
    tools: async () => (await client.listTools()).tools as ListedTool[],
    call: async (name, args = {}) => calledOf((await client.callTool({ name, arguments: args })) as Result),
    close: () => client.close(),
  };
}

/** The answer of a call that must succeed: the same as text and as JSON, with a next step. */
export async function done(
  client: McpClient,
  name: string,
  args: Record<string, unknown> = {},
): Promise<Called['value']> {
  const { isError, value, text } = await client.call(name, args);
  expect(isError, text).toBe(false);
  expect(JSON.parse(text)).toEqual(value);
  expect(value.next).toMatch(/\S/);
  return value;
}

export async function refused(client: McpClient, name: string, args: Record<string, unknown> = {}) {
  const { isError, value, text } = await client.call(name, args);
  expect(isError, text).toBe(true);
  expect(JSON.parse(text)).toEqual(value);
  expect(value.next).toMatch(/\S/);
  return value;
}

export const REVISIONS = { modern: '2026-07-28', legacy: '2025-11-25' };
