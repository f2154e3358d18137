// Every field of every write, every parameter of every read, and every method of every path, each with every odd value: refused
// with a code of the catalogue or carried out, never a 5xx, and the node keeps running.
// Deterministic, where fuzz.long.ts draws: what it draws seldom, such as a number behind the border of 64 bits in a member of a member, is here.

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { checkObject } from '../../host/api/object-schema.ts';
import { ROUTES } from '../../host/api/routes.ts';
import { ERRORS } from '../../host/errors.ts';
import type { Field } from '../../host/wire/fields.ts';
import { OPERATIONS, type Operation } from '../../host/wire/operations.ts';
import { fillPlaceholders } from '../../host/wire/placeholders.ts';
import { type Agent, type Answer, call, get, type Json } from './agent.ts';
import { valuesOf } from './placeholder-values.ts';
import { type Story, tell } from './story.ts';
import { TASK } from './task-cases.ts';
import { Testbed } from './testbed.ts';

/** JSON as it is sent: numbers at borders, texts that few expect, and other kinds than any field has. */
const NUMBERS = [
  '-0',
  '-1',
  '0.5',
  '1e2',
  '1e400',
  '-1e400',
  '1e-400',
  '4294967296',
  '9007199254740991',
  '9007199254740992',
  '9223372036854775807',
  '9223372036854775808',
  '18446744073709551616',
  '1'.repeat(400),
];
const TEXTS = [
  '""',
  '"\\u0000"',
  '"\\ud800"',
  '"\\udc00\\ud800"',
  '"\\ufeff\\u202e"',
  '"__proto__"',
  '"9007199254740992"',
  `"${'\u{1f600}'.repeat(70)}"`,
  `"${'x'.repeat(6_000)}"`,
];
const OTHERS = [
  'null',
  'true',
  '[]',
  '{}',
  '[null]',
  '[[[]]]',
  '{"__proto__":1}',
  '{"a":{"a":{"a":0}}}',
  '["a","a"]',
  '[-0]',
];
const VALUES = [...NUMBERS, ...TEXTS, ...OTHERS];
/** Whole bodies. */
const BODIES = [
  '',
  ' ',
  'null',
  '0',
  '1e400',
  '"text"',
  '[]',
  '{',
  '{"a":1,"a":2}',
  '{"":0}',
  '{"__proto__":{"agent_id":"x"}}',
  '{"constructor":0,"toString":0}',
  '\ufeff{}',
  '{}{}',
  '{"\\ud800":0}',
  '{"a":NaN}',
  `${'['.repeat(2_047)}${']'.repeat(2_047)}`,
  `{"a":${'['.repeat(31)}${']'.repeat(31)}}`,
  `{"a":${'{"a":'.repeat(40)}0${'}'.repeat(40)}}`,
  '['.repeat(60_000),
  `{${Array.from({ length: 2_047 }, (_, i) => `"k${i}":0`).join(',')}}`,
  `{${Array.from({ length: 2_100 }, (_, i) => `"k${i}":0`).join(',')}}`,
  `{"a":${'9'.repeat(60_000)}}`,
  `{"a":"${'\\u0000'.repeat(9_000)}"}`,
  `{}${' '.repeat(3_000)}`,
];
/** In a path or a query, as it is sent. */
const PARTS = [
  '%00',
  '%',
  '%zz',
  '%ED%A0%80',
  '%F4%90%80%80',
  '%2F..%2F',
  '..',
  '-0',
  '-1',
  '+1',
  '1.0',
  '0x10',
  '1e400',
  '4294967296',
  '9007199254740992',
  '18446744073709551616',
  '9'.repeat(400),
  '%D9%A1',
  '__proto__',
  'valueOf',
  'f'.repeat(64),
  '0'.repeat(32),
  '%F0%9F%98%80'.repeat(300),
  'a'.repeat(4_000),
  'a%20'.repeat(1_000),
];
const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS', 'PROPFIND'];
const IN_A_BATCH = 200;

const bed = new Testbed();
afterAll(() => bed.close());

/** Members of a body, each with the way to write another value in its place. */
function places(name: string, value: Json, field: Field | undefined): ((json: string) => string)[] {
  const here = (json: string): string => `${JSON.stringify(name)}:${json}`;
  if (field?.kind === 'object' && value)
    return [here, ...inside(value, field.fields).map((at) => (json: string) => here(at(json)))];
  if (field?.kind === 'objects' && value?.length > 0)
    return [here, ...inside(value[0], field.fields).map((at) => (json: string) => here(`[${at(json)}]`))];
  if (field?.kind === 'strs') return [here, (json) => here(`[${json}]`)];
  return [here];
}

function inside(
  example: Record<string, Json>,
  fields: Readonly<Record<string, Field>>,
): ((json: string) => string)[] {
  return Object.keys(fields).flatMap((name) => {
    const others = Object.entries(example).filter(([other]) => other !== name);
    const rest = others.map(([other, value]) => `${JSON.stringify(other)}:${JSON.stringify(value)}`);
    return places(name, example[name], fields[name]).map(
      (at) => (json: string) => `{${[...rest, at(json)].join(',')}}`,
    );
  });
}

describe('odd values', () => {
  let story: Story;
  let port: number;
  let alice: Agent;
  let values: ReturnType<typeof valuesOf> & { task_id: string };
  beforeAll(async () => {
    story = await tell(bed, {});
    ({ port, alice } = story);
    values = { ...valuesOf(story), task_id: (await alice.do('/v1/tasks', TASK)).id };
  });

  const check = (what: string, { status, body }: Pick<Answer, 'status' | 'body'>): void => {
    const at = `${what.slice(0, 300)}: ${status} ${JSON.stringify(body)?.slice(0, 300)}`;
    expect(status, at).toBeLessThan(500);
    if (status < 400) return;
    expect(checkObject('Error', body), at).toEqual([]);
    expect(ERRORS[body.code as keyof typeof ERRORS]?.[0], at).toBe(status);
  };
  const isWell = async (): Promise<void> => {
    expect((await get(port, '/health')).status).toBe(200);
    expect((await get(port, '/metrics')).body).toMatch(/^vws_supply_check 1$/m);
  };
  const filled = (path: string): string =>
    path.replace(/\{(\w+)\}/g, (_, name) =>
      encodeURIComponent(String(values[name as keyof typeof values] ?? alice.id)),
    );

  /** Many signed writes in batches, each checked. Returns how many were carried out. */
  const inBatches = async (
    writes: readonly { method: string; path: string; body: string }[],
  ): Promise<number> => {
    let done = 0;
    for (let from = 0; from < writes.length; from += IN_A_BATCH) {
      const part = writes.slice(from, from + IN_A_BATCH);
      const requests = await Promise.all(
        part.map(async ({ method, path, body }) => {
          const { headers } = await alice.sign(method, path, body);
          return { method, path, headers, body };
        }),
      );
      const answer = await call(port, {
        method: 'POST',
        path: '/v1/batch',
        body: JSON.stringify({ requests }),
      });
      expect(answer.status).toBe(200);
      for (const [i, outcome] of (answer.body.results as Json[]).entries()) {
        const { method, path, body } = part[i]!;
        check(`${method} ${path} ${body}`, outcome);
        if (outcome.status < 300) done += 1;
      }
    }
    return done;
  };

  it('in each field of each write', async () => {
    const writes = Object.values<Operation>(OPERATIONS)
      .filter(({ isNodeOnly }) => !isNodeOnly)
      .flatMap(({ method, path, fields, example }) => {
        const body = fillPlaceholders(example, (name) => values[name as keyof typeof values]) as Record<
          string,
          Json
        >;
        return inside(body, fields).flatMap((at) =>
          VALUES.map((json) => ({ method, path: filled(path), body: at(json) })),
        );
      });
    expect(writes.length).toBeGreaterThan(4_000);
    // Some odd values are good ones.
    expect(await inBatches(writes)).toBeGreaterThan(20);
    await isWell();
  }, 600_000);

  it('as the body of each write, also in a request of its own', async () => {
    for (const route of ROUTES) {
      if (!('operation' in route)) continue;
      for (const body of BODIES)
        check(
          `${route.method} ${route.path} ${body}`,
          await alice.send(route.method, filled(route.path), body),
        );
    }
    await isWell();
  }, 600_000);

  it('as the body of what is no signed write', async () => {
    const rpc = (value: string): string[] => [
      `{"jsonrpc":"2.0","id":${value},"method":"tools/list"}`,
      `{"jsonrpc":"2.0","id":1,"method":${value}}`,
      `{"jsonrpc":${value},"id":1,"method":"tools/list"}`,
      `{"jsonrpc":"2.0","id":1,"method":"tools/list","params":${value}}`,
      `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":${value}}}`,
      `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"find_tasks","arguments":${value}}}`,
      `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"find_tasks","arguments":{"page":${value}}}}`,
    ];
    const headers = { 'Content-Type': 'application/json', Accept: 'application/json, text/event-stream' };
    for (const body of [...BODIES, ...VALUES.flatMap(rpc)]) {
      const answer = await call(port, { method: 'POST', path: '/mcp', headers, body });
      expect(answer.status, `POST /mcp ${body.slice(0, 200)}: ${JSON.stringify(answer.body)}`).toBeLessThan(
        500,
      );
    }
    const item = (value: string): string[] => [
      `{"requests":${value}}`,
      `{"requests":[${value}]}`,
      `{"requests":[{"path":${value}}]}`,
      `{"requests":[{"path":"/v1/stake","method":${value}}]}`,
      `{"requests":[{"path":"/v1/stake","body":${value}}]}`,
      `{"requests":[{"path":"/v1/stake","headers":${value}}]}`,
      `{"requests":[{"path":"/v1/stake","headers":{"X-Service-Actor":${value}}}]}`,
    ];
    for (const body of [...BODIES, ...VALUES.flatMap(item)]) {
      const answer = await call(port, { method: 'POST', path: '/v1/batch', body });
      check(`POST /v1/batch ${body}`, answer);
      for (const outcome of answer.body.results ?? []) check(`of a batch ${body}`, outcome);
    }
    await isWell();
  }, 600_000);

  it('in each part of each path and each parameter of each read', async () => {
    for (const route of ROUTES) {
      if (route.method !== 'GET') continue;
      const path = filled(route.path);
      const names = (route.query ?? []).flatMap((q) =>
        q.kind === 'page' ? ['page', 'per_page', 'limit'] : [q.name],
      );
      const segments = [...route.path.matchAll(/\{\w+\}/g)];
      for (const part of PARTS) {
        for (const { 0: name } of segments) {
          const odd = filled(route.path.replace(name, '\0')).replace('\0', part);
          check(`GET ${odd}`, await get(port, odd));
        }
        for (const name of names)
          check(`GET ${path}?${name}=${part}`, await get(port, `${path}?${name}=${part}`));
        check(`GET ${path}?${part}=1`, await get(port, `${path}?${part}=1`));
      }
    }
    await isWell();
  }, 600_000);

  it('every method at every path', async () => {
    for (const path of new Set(ROUTES.map((route) => filled(route.path)))) {
      for (const method of METHODS) {
        const hasBody = !['GET', 'HEAD', 'OPTIONS'].includes(method);
        const answer = await call(port, { method, path, ...(hasBody ? { body: '{}' } : {}) });
        // MCP has errors of its own.
        if (method === 'HEAD' || path === '/mcp')
          expect(answer.status, `${method} ${path}`).toBeLessThan(500);
        else check(`${method} ${path}`, answer);
      }
    }
    await isWell();
  }, 600_000);
});
