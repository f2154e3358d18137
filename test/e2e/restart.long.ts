// What survives a restart, and what a node refuses to start on: nothing acknowledged is lost, nothing is deleted.

import { createHash } from 'node:crypto';
import { cp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { NodeProcess, type NodeStart } from '../../tools/load/node-process.ts';
import { Agent, call, get, type Json, TESTNET } from './agent.ts';
import { READS } from './reads.ts';
import { type Story, tell } from './story.ts';
import { Testbed } from './testbed.ts';

const bed = new Testbed();
afterAll(() => bed.close());

/** Fields that move with every vertex, and a node orders one when it starts. */
const MOVING = [
  'uptime_seconds',
  'order',
  'consensus_time',
  'dag_size',
  'last_order',
  'max_depth',
  'total_vertices',
  'tips',
];

/** A text without the address of the node that gave it, which listens at another port after each start. */
const elsewhere = (text: string): string => text.replace(/127\.0\.0\.1:\d+/g, 'node');

function still(path: string, body: Json): unknown {
  // Bytes of the log grow with it; a proof leaves out the account once the core has moved on from its checkpoint.
  if (path.startsWith('/v1/log/') || path.startsWith('/v1/proof/')) return '';
  // Samples of a node that was away for a moment.
  if (path.startsWith('/v1/network/trend')) return '';
  if (typeof body === 'string') return path === '/metrics' ? '' : elsewhere(body);
  if (path.startsWith('/v1/network/activity')) return body.buckets.filter((b: Json) => b.count > 0);
  const isMoving = [
    '/v1/status',
    '/health',
    '/health/live',
    '/v1/dag/stats',
    '/v1/dag/tips',
    '/v1/network/state',
  ];
  if (!isMoving.includes(path.replace(/\?.*/, ''))) return elsewhere(JSON.stringify(body));
  return Object.fromEntries(Object.entries(body).filter(([name]) => !MOVING.includes(name)));
}

async function allReads(s: Story, port: number): Promise<Record<string, unknown>> {
  const paths = Object.values(READS).flatMap((make) => make(s));
  for (const { event_id } of (await get(port, '/v1/events/recent?per_page=200')).body)
    paths.push(`/v1/events/${event_id}`);
  for (const { hash } of (await get(port, '/v1/dag/vertices?per_page=100')).body)
    paths.push(`/v1/dag/vertices/${hash}`);
  const shown: Record<string, unknown> = {};
  for (const path of paths) {
    const { status, body } = await get(port, path);
    // Rows of the core alone are proven as the newest checkpoint has them: not before the next one, once the core was started anew.
    const isUntilCheckpoint = path.startsWith('/v1/proof/validators') && status === 503;
    shown[path] = [isUntilCheckpoint ? 200 : status, still(path, body)];
  }
  return shown;
}

/** The reads whose answers differ: small enough to be printed, where all of them are not. */
function differing(before: Record<string, unknown>, after: Record<string, unknown>): Record<string, unknown> {
  const paths = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  const shown = paths.filter((path) => !isDeepStrictEqual(before[path], after[path]));
  return Object.fromEntries(shown.map((path) => [path, { before: before[path], after: after[path] }]));
}

/**
 * Writes until a checkpoint has what the story left, which a node that was killed could not prove otherwise, and the next one
 * is so far off that an idle node does not come to it meanwhile.
 */
async function leaveCheckpoint({ alice, port }: Story): Promise<void> {
  const order = async (): Promise<number> => (await get(port, '/v1/status')).body.order;
  const told = await order();
  for (let at = told; Math.floor(at / 100) === Math.floor(told / 100) || at % 100 > 50; at = await order())
    await alice.do('/v1/stake', { amount: 1 });
}

/** Registers agents one after the other; returns the ids of those that were acknowledged. */
async function writeSome(port: number, count: number): Promise<string[]> {
  const ids: string[] = [];
  for (let i = 0; i < count; i++) ids.push((await new Agent(port).do('/v1/agents')).event_id);
  return ids;
}

async function statusesOf(port: number, ids: readonly string[]): Promise<Record<string, number>> {
  const found: Record<string, number> = {};
  for (const id of ids) {
    const { status, body } = await get(port, `/v1/events/${id}`);
    const key = status === 200 && body.event_id !== id ? 'altered' : String(status);
    found[key] = (found[key] ?? 0) + 1;
  }
  return found;
}

/** The database's files but for the engine's lock and text log, with what is in them. */
async function filesOf(dataDir: string): Promise<Record<string, string>> {
  const found: Record<string, string> = {};
  for (const name of (await readdir(join(dataDir, 'db'))).sort()) {
    if (/^(LOCK|LOG|LOG\.old|OPTIONS-.*)$/.test(name)) continue;
    found[name] = createHash('sha256')
      .update(await readFile(join(dataDir, 'db', name)))
      .digest('hex');
  }
  return found;
}

describe('a restart', () => {
  it.each(['SIGTERM', 'SIGKILL'] as const)(
    'after %s shows every answer as it was (pitfall P3)',
    async (signal) => {
      const s = await tell(bed, {});
      await leaveCheckpoint(s);
      const executed = await s.alice.sign('POST', '/v1/stake', { amount: 1 });
      expect((await call(s.port, executed)).status).toBe(200);
      const before = await allReads(s, s.port);
      s.node.signal(signal);
      const { code } = await s.node.ended();
      expect(code).toBe(signal === 'SIGTERM' ? 0 : null);

      const { port } = await bed.start(s.options);
      expect(differing(before, await allReads(s, port))).toEqual({});
      // The memory of TxIDs is state, too (pitfall A9).
      const again = await call(port, executed);
      expect(again.body).toMatchObject({ code: 'DUPLICATE_TX', details: { executed: true, status: 200 } });
      // What is open stays open: the seat decides it now.
      const decided = await new Agent(port, s.operator.signer).do('/v1/verify', {
        event_id: s.pendingTransfer,
        verdict: true,
      });
      expect(decided.status).toBe('settled');
    },
  );

  it('by SIGTERM under load ends within 10 s with exit code 0, and every acknowledged write is there', async () => {
    const dataDir = await bed.directory();
    const node = await bed.start({ dataDir });
    const acknowledged: string[] = [];
    const refused: string[] = [];
    let isOver = false;
    const writer = async (): Promise<void> => {
      while (!isOver) {
        try {
          const { status, body } = await new Agent(node.port).post('/v1/agents');
          if (status === 201) acknowledged.push(body.event_id);
          else refused.push(body.code);
        } catch {
          return; // The connection ended: nothing was promised.
        }
      }
    };
    const writers = Promise.all(Array.from({ length: 16 }, writer));
    while (acknowledged.length < 100) await new Promise((next) => setImmediate(next));
    const askedMs = Date.now();
    node.signal('SIGTERM');
    const { code, log } = await node.ended();
    expect([code, log.replace(/^.*is out of support.*\n/m, '')]).toEqual([0, '']);
    expect(Date.now() - askedMs).toBeLessThan(10_000);
    isOver = true;
    await writers;
    expect(refused.filter((c) => c !== 'not_ready')).toEqual([]);
    const { port } = await bed.start({ dataDir });
    expect(await statusesOf(port, acknowledged)).toEqual({ 200: acknowledged.length });
  });
});

describe('a start is refused, and nothing is changed', () => {
  it('while another process holds the data directory', async () => {
    const dataDir = await bed.directory();
    const node = await bed.start({ dataDir });
    const second = await bed.refusal({ dataDir });
    expect(second.code).toBe(1);
    expect(second.log).toMatch(
      /^error: another process is using .*choose another --data directory \(failed\)$/m,
    );
    // The first one does not notice.
    await new Agent(node.port).register();
    await node.stop();
  });

  it('on the data of another chain, of other parameters, of another engine', async () => {
    const dataDir = await bed.directory();
    const node = await bed.start({ dataDir, env: { SERVICE_STORE: 'rocksdb' } });
    const ids = await writeSome(node.port, 3);
    await node.stop();
    const cases: [Record<string, string>, RegExp][] = [
      [
        { SERVICE_TESTNET: 'false', SERVICE_RATE_LIMITS: 'on' },
        /belongs to chain vws-testnet-1, not vws-mainnet-1/,
      ],
      [
        { SERVICE_PARAM_DAY_SECS: '60' },
        /has genesis [0-9a-f]{64}, the manifest and parameters give [0-9a-f]{64}/,
      ],
      [{ SERVICE_STORE: 'classic' }, /was created with SERVICE_STORE=rocksdb/],
    ];
    for (const [env, text] of cases) {
      const end = await bed.refusal({ dataDir, env });
      expect([end.code, end.log]).toEqual([1, expect.stringMatching(text)]);
      expect(end.log).toContain('Nothing was changed');
    }
    const { port } = await bed.start({ dataDir });
    expect(await statusesOf(port, ids)).toEqual({ 200: ids.length });
  });
});

describe.each(['rocksdb', 'classic'] as const)(
  'damage to the files of a stopped node: %s (pitfall P4)',
  (engine) => {
    const env = { SERVICE_STORE: engine, SERVICE_SNAPSHOT_ORDERS: '30' };
    let whole: NodeStart;
    let ids: string[];
    beforeAll(async () => {
      whole = { dataDir: await bed.directory(), env };
      let node = await bed.start(whole);
      ids = await writeSome(node.port, 40);
      await node.stop();
      // Opening moves what the log holds into a table; what is written now is in the log.
      node = await bed.start(whole);
      ids.push(...(await writeSome(node.port, 40)));
      await node.stop();
    });

    type Damage = (folder: string, names: string[]) => Promise<void>;
    const flip =
      (kind: RegExp, place: number): Damage =>
      async (folder, names) => {
        const path = join(folder, names.find((name) => kind.test(name))!);
        const bytes = await readFile(path);
        const at = Math.floor(bytes.length * place);
        for (let i = 0; i < 4; i++) bytes[at + i]! ^= 0x5a;
        await writeFile(path, bytes);
      };
    const remove =
      (kind: RegExp): Damage =>
      async (folder, names) =>
        rm(join(folder, names.find((name) => kind.test(name))!));

    /** Starts on a damaged copy. undefined: refused as it must be; else how the acknowledged events answer. */
    async function startDamaged(damage: Damage): Promise<Record<string, number> | undefined> {
      const dataDir = join(dirname(whole.dataDir), 'copy');
      await rm(dataDir, { recursive: true, force: true });
      await cp(whole.dataDir, dataDir, { recursive: true });
      await damage(join(dataDir, 'db'), await readdir(join(dataDir, 'db')));
      const before = await filesOf(dataDir);
      const node = NodeProcess.launch({ dataDir, env });
      const isUp = await Promise.race([
        node.ended().then(() => false),
        node.ready().then(
          () => true,
          () => false,
        ),
      ]);
      try {
        // A node that meets the damage while it runs ends then, between two answers.
        const answers = isUp ? await statusesOf(node.port, ids).catch(() => undefined) : undefined;
        if (answers) return answers;
        const { code, log } = await node.ended();
        // LevelDB ends the process by an assertion of its own when it meets some damage while it merges tables.
        if (engine === 'classic' && /leveldb.*: Assertion `/.test(log)) return undefined;
        expect(code).toBe(1);
        expect(log).toMatch(
          /^error: .*(damaged|cannot be opened).*restore the data directory from a copy \(failed\)$/m,
        );
        const after = await filesOf(dataDir);
        // Once it is open, an engine moves its log into a table; tables stay, and before that everything does.
        const isOpened = /is damaged: (Corruption|a row)|the log is damaged/.test(log);
        // LevelDB, too, merges tables that are read often: rows keep their own checksums in the new one.
        const stays = (name: string): boolean => engine === 'rocksdb' && name.endsWith('.sst');
        const kept = Object.entries(before).filter(([name]) => !isOpened || stays(name));
        expect(after).toMatchObject(Object.fromEntries(kept));
        return undefined;
      } finally {
        await node.kill();
      }
    }

    it.each([0.01, 0.4, 0.7])(
      'flipped bytes at %f of the log are found before anything is dropped',
      async (place) => {
        expect(await startDamaged(flip(/\.log$/, place))).toBeUndefined();
      },
    );

    it.each([0.02, 0.3, 0.6, 0.9])(
      'flipped bytes at %f of a table lose or alter no answer in silence',
      async (place) => {
        const answers = await startDamaged(flip(/\.(sst|ldb)$/, place));
        // What can't be read is an error and says so: never 404, never another text.
        if (answers)
          expect(Object.keys(answers).filter((status) => !/^(200|5\d\d)$/.test(status))).toEqual([]);
      },
    );

    it.each([
      ['the table of contents', flip(/^MANIFEST/, 0.5)],
      ['no table of contents', remove(/^MANIFEST/)],
      ['no CURRENT', remove(/^CURRENT$/)],
      ['no table', remove(/\.(sst|ldb)$/)],
    ] as const)('%s: refused', async (_, damage) => {
      expect(await startDamaged(damage)).toBeUndefined();
    });

    it('a torn end, as a crash leaves it, is not damage', async () => {
      const cut: Damage = async (folder, names) => {
        const path = join(folder, names.find((name) => name.endsWith('.log'))!);
        const bytes = await readFile(path);
        await writeFile(path, bytes.subarray(0, bytes.length - 3));
      };
      // The last record of a stopped node is its snapshot, which the log before it makes again.
      expect(await startDamaged(cut)).toEqual({ 200: ids.length });
    });

    it('undamaged, it starts with everything', async () => {
      expect(await startDamaged(async () => {})).toEqual({ 200: ids.length });
    });
  },
);

describe.each(['rocksdb', 'classic'])('a full disk: %s (pitfall D4)', (engine) => {
  it('ends the node with exit code 1 and a reason; nothing acknowledged is lost, and with room it starts again', async () => {
    const dataDir = await bed.directory();
    const env = { SERVICE_STORE: engine };
    const node = await bed.start({ dataDir, env, fileBlocks: 600 });
    const acknowledged: string[] = [];
    const refused = new Set<string>();
    const writer = async (): Promise<void> => {
      for (;;) {
        try {
          const { status, body } = await new Agent(node.port).post('/v1/agents');
          if (status === 201) acknowledged.push(body.event_id);
          else refused.add(`${status} ${body.code}`);
        } catch {
          return;
        }
      }
    };
    await Promise.all([writer(), writer(), writer(), writer()]);
    const { code, log } = await node.ended();
    expect(code).toBe(1);
    expect(log).toMatch(
      /^error: the store in .* cannot be written: the disk is full.*File too large.*make room outside of the data directory and start again \(failed\)$/m,
    );
    // What was under way may be on the disk; what came later is not.
    expect([...refused].filter((r) => r !== '503 not_ready' && r !== '503 no_quorum')).toEqual([]);
    expect(acknowledged.length).toBeGreaterThan(20);

    const next = await bed.start({ dataDir, env });
    expect(await statusesOf(next.port, acknowledged)).toEqual({ 200: acknowledged.length });
    await new Agent(next.port).register();
    expect((await next.json<Json>('/v1/status')).chain_id).toBe(TESTNET);
  });
});
