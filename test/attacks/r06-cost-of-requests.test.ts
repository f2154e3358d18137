// R6: what requests cost is limited, not their number alone; others are served meanwhile, and nobody for ever refused.
// A node with default limits behind a trusted proxy, so that requests come from as many addresses as wanted. Nothing here
// measures how long a thing took: bounds are on bytes and counts, and follow from the seconds that passed (protocol 8.3).

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { randomBytes } from '../../host/world/system/random.ts';
import { Agent, type Answer, call, get } from '../e2e/agent.ts';
import { runAudit } from '../e2e/audit.ts';
import { Testbed } from '../e2e/testbed.ts';
import { report } from './figures.ts';

const MS_BYTES = 32_768;
/** What a body in another form than JCS is charged beforehand, in ms. */
const formMs = (body: string): number => (Buffer.byteLength(body) / 1024) * 0.1;
const bed = new Testbed();
let port = 0;
let spare: Agent;

/** A log of two megabytes, so that a page of it is as long as pages get. */
beforeAll(async () => {
  const env = { SERVICE_RATE_LIMITS: 'on', SERVICE_TRUSTED_PROXIES: '127.0.0.1' };
  ({ port } = await bed.start({ dataDir: await bed.directory(), env }));
  spare = new Agent(port);
  expect((await write('198.51.100.1', spare, '/v1/agents')).status).toBe(201);
  for (let i = 1; i <= 4; i++) await fillLog(new Agent(port), `198.51.${100 + i}.1`);
});

/** Half a megabyte: an agent claims a task and commits ten steps, each with texts as long as they may be. */
async function fillLog(worker: Agent, address: string): Promise<void> {
  const text = (): string => Buffer.from(randomBytes(12_000)).toString('base64');
  const made = async (agent: Agent, path: string, body: object): Promise<Answer> => {
    const answer = await write(address, agent, path, body);
    expect(answer.status, JSON.stringify(answer.body)).toBeLessThan(300);
    return answer;
  };
  await made(worker, '/v1/agents', {});
  const task = { title: 'Count', category: 'data', budget: 1_000_000 };
  const { id } = (await made(spare, '/v1/tasks', task)).body;
  await made(worker, `/v1/tasks/${id}/claim`, {});
  for (let i = 0; i < 10; i++) {
    const [approach_description, error_detail, evidence_snippet] = [text(), text(), text()];
    const commit = { approach_description, error_detail, evidence_snippet, outcome: 'progress' };
    await made(worker, `/v1/tasks/${id}/trajectory/commit`, commit);
  }
}
afterAll(() => bed.close());

async function write(
  address: string,
  agent: Agent,
  path: string,
  body: object | string = {},
): Promise<Answer> {
  const signed = await agent.sign('POST', path, body);
  return call(port, { ...signed, headers: { ...signed.headers, 'X-Forwarded-For': address } });
}

const read = (address: string, path: string): Promise<Answer> =>
  call(port, { method: 'GET', path, headers: { 'X-Forwarded-For': address, 'Accept-Encoding': 'identity' } });

/** Does something `count` times, eight at once, and says how often each status came, and how long all took. */
async function flood(count: number, one: (i: number) => Promise<Answer>) {
  const startMs = performance.now();
  const statuses: Record<number, number> = {};
  let bytes = 0;
  let next = 0;
  const worker = async (): Promise<void> => {
    while (next < count) {
      const answer = await one(next++);
      statuses[answer.status] = (statuses[answer.status] ?? 0) + 1;
      if (answer.status === 200 && typeof answer.body === 'string') bytes += Buffer.byteLength(answer.body);
      if (answer.status === 429) expect(answer.headers.get('retry-after')).toMatch(/^[1-9]\d*$/);
    }
  };
  await Promise.all(Array.from({ length: 8 }, worker));
  return { statuses, bytes, seconds: (performance.now() - startMs) / 1000 };
}

/** Somebody in a network of its own reads and writes, and is never refused. */
async function othersAreServed(): Promise<void> {
  expect((await read('203.0.113.5', '/v1/status')).status).toBe(200);
  expect((await write('203.0.113.5', spare, '/v1/stake', { amount: 1 })).status).not.toBe(429);
}

describe('dear reads', () => {
  it('one address gets of the log what its budget pays for', async () => {
    const { bytes, seconds, statuses } = await flood(300, () => read('10.1.0.1', '/v1/log/vertices'));
    expect(bytes).toBeLessThanOrEqual(MS_BYTES * (500 + 100 * (seconds + 1)));
    report({
      attack: 'R6',
      what: 'pages of the log that 300 requests of one address get at once',
      before: '300',
      after: String(statuses[200]),
    });
    await othersAreServed();
  });

  it('so does a network with many addresses', async () => {
    const { bytes, seconds } = await flood(400, (i) => read(`10.2.0.${i % 200}`, '/v1/log/vertices'));
    // Its burst, what refills, and what those who had not asked before got while it owed.
    expect(bytes).toBeLessThanOrEqual(MS_BYTES * (1000 + 3750 + 250 * (seconds + 1)));
    await othersAreServed();
  });

  it.each([
    ['/openapi.json', 400],
    ['/metrics', 1200],
  ] as const)('%s has a budget of its own, /health is always answered', async (path, count) => {
    const { statuses, seconds } = await flood(count, () => read(`10.3.${path.length}.1`, path));
    // One of them costs a millisecond at least.
    expect(statuses[200]).toBeLessThanOrEqual(500 + 50 * (seconds + 1));
    expect((await flood(100, () => read(`10.3.${path.length}.1`, '/health'))).statuses).toEqual({
      200: 100,
    });
    await othersAreServed();
  });
});

describe('bodies before any signature', () => {
  const submit = `/v1/tasks/${'0'.repeat(32)}/submit`;
  /** A megabyte of small members: a fifth of a second to parse and write anew. */
  const members = `{${Array.from({ length: 60_000 }, (_, i) => `"k${900_000 - i}":[1]`).join(',')}}`;
  /** What takes longest among bodies of few values, in JCS form and in another one. */
  const inForm = `{"a":"${'\\"'.repeat(490_000)}"}`;
  const inOtherForm = ` ${inForm}`;
  const stranger = new Agent(0);
  const forged = async (address: string, path: string, body: string): Promise<Answer> => {
    const signed = await stranger.sign('POST', path, '{}');
    return call(port, { ...signed, body, headers: { ...signed.headers, 'X-Forwarded-For': address } });
  };

  it('a megabyte of small members is refused without being parsed, whatever signed it', async () => {
    const codes = new Set<string>();
    const send = async (answer: Promise<Answer>): Promise<Answer> => {
      codes.add((await answer).body.code);
      return answer;
    };
    const { statuses } = await flood(12, () => send(forged('10.4.1.1', submit, members)));
    expect(statuses).toEqual({ 400: 12 });
    expect([...codes]).toEqual(['invalid_request']);
    report({
      attack: 'R6',
      what: 'bodies of a megabyte of small members that are parsed, of 12 with a forged signature',
      before: '12',
      after: String(codes.has('invalid_request') && codes.size === 1 ? 0 : 12),
    });
    expect((await write('10.4.2.1', spare, submit, members)).body.code).toBe('invalid_request');
    await othersAreServed();
  });

  it('a megabyte in another form than JCS is parsed for as long as the address can pay', async () => {
    const { statuses, seconds } = await flood(60, () => forged('10.4.0.1', submit, inOtherForm));
    expect(statuses[400]).toBeLessThanOrEqual((600 + 50 * (seconds + 1)) / formMs(inOtherForm));
    expect(statuses[429]! + statuses[400]!).toBe(60);
    await othersAreServed();
  });

  it('a megabyte in JCS form is not parsed, so it passes more often, and fails by its signature', async () => {
    const { statuses } = await flood(12, () => forged('10.5.0.1', submit, inForm));
    // In another form six of them at most would pass.
    expect(statuses[400]).toBeGreaterThan(6);
  });

  it.each(['/v1/registry', '/v1/nowhere'])('64 kB to %s, which has no count, are limited', async (path) => {
    const small = ` {"a":"${'x'.repeat(65_000)}"}`;
    const { statuses, seconds } = await flood(500, () => forged(`10.6.${path.length}.1`, path, small));
    expect(statuses[400]).toBeLessThanOrEqual((600 + 50 * (seconds + 1)) / formMs(small));
    expect(statuses[429]).toBeGreaterThan(0);
    await othersAreServed();
  });
});

it('one answer holds a quarter of a mebibyte of the log, so nobody waits for a longer one', async () => {
  const headers = { 'X-Forwarded-For': '198.51.101.3' };
  const page = await fetch(`http://127.0.0.1:${port}/v1/log/vertices`, { headers });
  // A vertex may be begun before that and end behind it.
  expect((await page.arrayBuffer()).byteLength).toBeLessThanOrEqual(2 ** 18 + 70_000);
});

it('a page of vertices reads a mebibyte of what others sent, and its links lead to the rest', async () => {
  const seen = new Set<string>();
  let next: string | undefined = '/v1/dag/vertices?per_page=200';
  let [first, total] = [0, 0];
  for (let pages = 0; next !== undefined && pages < 400; pages++) {
    const page = await read('198.51.102.7', next);
    for (const row of page.body) seen.add(row.hash);
    first ||= Number(page.headers.get('x-per-page'));
    total ||= Number(page.headers.get('x-total-count'));
    next = /<([^>]*)>; rel="next"/.exec(page.headers.get('link')!)?.[1];
  }
  // The log has two megabytes.
  expect(first).toBeLessThan(Math.min(200, total));
  expect(seen.size).toBeGreaterThanOrEqual(total);
});

it('the auditor is slowed, not refused: it reads the whole log from an address that a flood has used up', async () => {
  await flood(400, () => get(port, '/v1/log/vertices'));
  const { code, out } = await runAudit(`http://127.0.0.1:${port}`);
  expect([code, out.includes('The log holds up to order')]).toEqual([0, true]);
});

it('the metrics say what was refused for its cost, and by whose budget', async () => {
  const metrics = (await read('203.0.113.6', '/metrics')).body as string;
  expect(metrics).toMatch(/^vws_api_cost_refused_total\{lane="form",by="address"\} [1-9]/m);
  expect(metrics).toMatch(/^vws_api_cost_ms_total\{lane="write"\} [1-9]/m);
});
