// `vws audit` over HTTP: a real node passes, down to the last member of every document; every altered answer is detected.

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { get, type Json } from './agent.ts';
import { runAudit } from './audit.ts';
import { LyingProxy } from './lying-proxy.ts';
import { type Story, tell } from './story.ts';
import { Testbed } from './testbed.ts';

const bed = new Testbed();
let s: Story;
let proxy: LyingProxy;
let genesis: string;

beforeAll(async () => {
  s = await tell(bed, {});
  proxy = await LyingProxy.before(s.port);
  genesis = (await get(s.port, '/v1/status')).body.genesis_hash;
});
afterAll(async () => {
  await proxy.close();
  await bed.close();
});

const audit = (...flags: string[]) => runAudit(proxy.url, ...flags);

describe('an honest node', () => {
  it('passes: order, state, checkpoints, and every document requested', async () => {
    const events: Json[] = (await get(s.port, '/v1/events/recent?limit=100')).body;
    const tasks: Json[] = (await get(s.port, '/v1/tasks?limit=100')).body;
    const before = (await get(s.port, '/v1/status')).body;
    const { height } = (await get(s.port, '/v1/checkpoints/latest')).body;
    const agents = [s.alice.id, 'bob', s.operator.id, 'nobody'];
    const asked = [
      ...agents.flatMap((id) => ['--agent', id]),
      ...tasks.flatMap(({ id }) => ['--task', id]),
      ...events.flatMap(({ event_id }) => ['--event', event_id]),
    ];
    expect(events.length).toBeGreaterThan(50);
    expect(tasks.length).toBeGreaterThan(5);
    const { code, out } = await audit('--json', '--genesis', genesis, ...asked);
    const report = JSON.parse(out);
    expect(report.answers.filter((a: Json) => a.shown !== 'checked')).toEqual([]);
    expect(report.answers).toHaveLength(agents.length + tasks.length + events.length);
    expect(report).toMatchObject({ isGood: true, shown: 'checked', findings: [], way: 'genesis' });
    expect(report.genesis_hash).toBe(genesis);
    // Deadlines go on meanwhile.
    expect(report.order).toBeGreaterThanOrEqual(before.order);
    expect(report.order).toBeLessThanOrEqual((await get(s.port, '/v1/status')).body.order);
    expect(report.checkpoint).toBeGreaterThanOrEqual(height);
    expect(code).toBe(0);
  });

  it('is described by a text report, and an audit resumes from a kept folder', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'vws-kept-'));
    try {
      const first = await audit('--keep', folder, '--agent', 'bob');
      expect(first.out).toMatch(
        /^The log holds up to order \d+, time 20\S+Z, checkpoint \d+:\S{39}; compared: agent bob: checked\.$/m,
      );
      expect(first.out).toMatch(/agent +bob: checked, computed here from the first vertex on, at order \d+/);
      expect(first.out).toContain('as the node says: compare it, or give --genesis');
      const again = await audit('--keep', folder, '--json');
      expect(JSON.parse(again.out)).toMatchObject({ isGood: true });
      expect([first.code, again.code]).toEqual([0, 0]);
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  });

  it('of another network is reported as not the expected one', async () => {
    const { code, out } = await audit('--genesis', '0'.repeat(64));
    expect([code, out]).toEqual([10, expect.stringMatching(/^LIE +genesis: the node belongs to network/m)]);
    expect((await audit('--genesis', 'abc')).code).toBe(2);
  });
});

describe('a lying node', () => {
  const changed = (alter: (document: Json) => Json) => (body: Buffer) =>
    JSON.stringify(alter(JSON.parse(body.toString())));
  async function caught(
    path: RegExp,
    alter: (body: Buffer) => Buffer | string,
    ...flags: string[]
  ): Promise<string> {
    proxy.lie = (asked, body) => (path.test(asked) ? alter(body) : undefined);
    try {
      const { code, out } = await audit(...flags);
      expect(code, out).toBe(10);
      return out;
    } finally {
      proxy.lie = () => undefined;
    }
  }

  it('about a balance, a task, an event', async () => {
    const task = (await get(s.port, '/v1/tasks?limit=1')).body[0].id;
    const richer = await caught(
      /\/balance$/,
      changed((b) => ({ ...b, balance: b.balance + 1 })),
      '--agent',
      'bob',
    );
    expect(richer).toMatch(/agent bob: balance is \d+, the node says \d+/);
    const other = await caught(
      /^\/v1\/tasks\//,
      changed((t) => ({ ...t, title: 'Another' })),
      '--task',
      task,
    );
    expect(other).toContain('the node says "Another"');
    const memo = await caught(
      /^\/v1\/events\//,
      changed((e) => ({ ...e, payload: {} })),
      '--event',
      s.settledTransfer,
    );
    expect(memo).toContain('the node says {}');
    const hidden = await caught(
      /^\/v1\/events\//,
      changed((e) => ({ ...e, amount: undefined })),
      '--event',
      s.settledTransfer,
    );
    expect(hidden).toContain('the node says nothing');
  });

  it('about a vertex, a checkpoint, how far it is', async () => {
    const flipped = await caught(/^\/v1\/log\/vertices/, (body) => {
      body[Math.floor(body.length / 2)]! ^= 1;
      return body;
    });
    expect(flipped).toMatch(/LIE +(vertex|signature|answer|missing): /);
    const forged = await caught(
      /^\/v1\/checkpoints\?/,
      changed((list) =>
        list.map((c: Json) => ({
          ...c,
          signatures: c.signatures.map((x: Json) => ({ ...x, signature: '0'.repeat(128) })),
        })),
      ),
    );
    expect(forged).toMatch(/LIE +forged: checkpoint 1 has a forged signature of seat-0/);
    const ahead = await caught(
      /^\/v1\/status/,
      changed((status) => ({ ...status, order: status.order + 5 })),
    );
    expect(ahead).toMatch(/LIE +missing: the node reports order/);
  });
});
