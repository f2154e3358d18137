// Attempts to make an auditor spend or crash, and a browser with little room.

import { gzipSync } from 'node:zlib';
import { beforeAll, describe, expect, it } from 'vitest';
import { BOUNDS, BrowserStore } from '../../../host/audit/index.ts';
import { encodeRows } from '../../../host/net/join-rows.ts';
import { encodeProof } from '../../../host/net/join-seals.ts';
import { decodeMessage, encodeMessage } from '../../../host/net/messages.ts';
import { fromUtf8, utf8 } from '../../../host/wire/bytes.ts';
import { begin, giver, id, kindsOf, nodeThat, open, randomBytes, task, verdictOn } from './auditors.ts';
import { type Alter, bytesAt, jsonAt } from './giver-node.ts';

beforeAll(begin);

describe('A11: a browser without IndexedDB', () => {
  it('keeps settled events in memory, and accuses nobody of those it had to forget', async () => {
    const { parts } = giver;
    const settled: string[] = [];
    for await (const [, value] of parts.store.scan({ gte: utf8('q'), lt: utf8('r') })) {
      const doc = JSON.parse(fromUtf8(value));
      if (doc.settlement_state === 'settled') settled.push(doc.event_id);
    }
    expect(globalThis.indexedDB).toBeUndefined();
    const whole = await open(nodeThat(), { store: await BrowserStore.open('a') });
    expect(await whole.compare('event', settled[0]!)).toMatchObject({ shown: 'checked' });
    expect(await whole.compare('task', task)).toMatchObject({ shown: 'checked' });
    const small = await open(nodeThat(), { store: await BrowserStore.open('b', 100) });
    expect(await small.compare('event', settled[0]!)).toMatchObject({ shown: 'not_comparable' });
    expect(await small.compare('agent', id)).toMatchObject({ shown: 'checked' });
    await expect(BrowserStore.remove('a')).resolves.toBeUndefined();
  });
});

describe('A9: what a node can make an auditor spend', () => {
  it('a bomb of gzip is not unpacked beyond the bound', async () => {
    const bomb = gzipSync(new Uint8Array(64 * 1024 * 1024));
    let unpacked = 0;
    const stream = (): ReadableStream<Uint8Array> =>
      new Blob([bomb as BlobPart])
        .stream()
        .pipeThrough(new DecompressionStream('gzip'))
        .pipeThrough(
          new TransformStream({
            transform(chunk: Uint8Array, out) {
              unpacked += chunk.length;
              out.enqueue(chunk);
            },
          }),
        );
    const verdict = await verdictOn((path, given) =>
      path.startsWith('/v1/log/vertices') ? { ...given, body: stream() } : undefined,
    );
    expect(verdict.fault).toMatchObject({ kind: 'bound' });
    expect(unpacked).toBeLessThan(20 * 1024 * 1024);
  });

  it('an honest network that is years old stays within the bounds', () => {
    const seats = Array.from({ length: 100 }, () => ({ key: new Uint8Array(32), weight: 1n }));
    const signatures = seats.map((_, seat) => ({ seat, signature: new Uint8Array(64) }));
    const proof = encodeProof({ statement: new Uint8Array(168), seats, signatures });
    const epochsOfYear = (365 * 86_400) / 600;
    expect(BOUNDS.sealBytes).toBeGreaterThan(5 * epochsOfYear * proof.length);
    // An event is a document of half a KiB, and one every second is little.
    expect(BOUNDS.stateBytes).toBeGreaterThan(3 * 365 * 86_400 * 512);
  });

  it('a list of checkpoints ends at the newest one that was computed', async () => {
    const node = nodeThat(
      jsonAt(/^\/v1\/checkpoints\?/, (list: { height: number }[]) =>
        list.map((c) => ({ ...c, height: c.height + 1e6 })),
      ),
    );
    await (await open(node)).run();
    expect(node.requests.filter((path) => path.startsWith('/v1/checkpoints?')).length).toBeLessThan(20);
    const more = await verdictOn(
      jsonAt(/^\/v1\/checkpoints\?/, (list: unknown[]) => Array(101).fill(list[0])),
    );
    expect(more.fault).toMatchObject({ kind: 'answer' });
    const back = await verdictOn(jsonAt(/^\/v1\/checkpoints\?/, (list: unknown[]) => [...list].reverse()));
    expect(back.fault).toMatchObject({ kind: 'answer' });
  });

  it('rows of the state without end are named', async () => {
    let n = 0;
    const endless: Alter = (path, given) => {
      if (!/^\/v1\/log\/state.*after=78/.test(path)) return undefined;
      n += 1;
      const key = Uint8Array.of('x'.charCodeAt(0), 255, n >> 16, n >> 8, n);
      const rows = encodeRows([[key, new Uint8Array(50_000)]]);
      const message = decodeMessage(given.body as Uint8Array) as { type: 'fetched'; epoch: number };
      return { ...given, body: encodeMessage({ ...message, part: 'more', rows }) };
    };
    const verdict = await verdictOn(endless, { way: 'checkpoint', bounds: { stateBytes: 4_000_000 } });
    expect(verdict.fault).toMatchObject({ kind: 'bound' });
    expect(n).toBeLessThan(100);
  });

  it('the time of a run is bounded, and its end is a finding', async () => {
    let ms = 0;
    const clock = { ...giver.parts.clock, nowMs: () => giver.parts.clock.ms, monotonicMs: () => (ms += 600) };
    const v = await open(nodeThat(), { environment: { randomBytes, clock }, bounds: { runMs: 1000 } });
    expect(kindsOf(await v.run())).toContain('unfinished');
    expect((await v.compare('agent', id)).shown).toBe('not_comparable');
  });

  it('an idle node that is asked again and again is not accused of small answers', async () => {
    const v = await open(nodeThat());
    for (let n = 0; n < 1100; n++) expect((await v.run()).fault, `run ${n}`).toBe(undefined);
    expect(await v.compare('agent', id)).toMatchObject({ shown: 'checked' });
  });

  it('every malformed answer is a fault with a name', async () => {
    const garbage: unknown[] = [null, [], {}, [null], [[]], 'x', 7, { order: 'x' }, [{ height: 1 }]];
    const paths = [/^\/v1\/genesis/, /^\/v1\/status/, /^\/v1\/checkpoints\?/, /^\/v1\/checkpoints\/latest/];
    for (const path of paths) {
      for (const value of garbage) {
        const verdict = await verdictOn(jsonAt(path, () => value));
        const isEmptyList =
          path.source.includes('checkpoints\\?') && Array.isArray(value) && value.length === 0;
        if (isEmptyList) expect(verdict.isGood).toBe(false);
        else expect(verdict.fault?.kind, `${path} ${JSON.stringify(value)}`).toMatch(/^(answer|genesis)$/);
      }
      const cut = await verdictOn(bytesAt(path, (bytes) => bytes.slice(0, -1)));
      expect(cut.fault?.kind, String(path)).toBe('answer');
    }
  });

  it('a verifier that is paused when the node goes away ends with an error that can be caught', async () => {
    let unhandled = 0;
    const count = (): void => {
      unhandled += 1;
    };
    process.on('unhandledRejection', count);
    const node = nodeThat();
    const v = await open(node);
    v.pause();
    node.alter = (path, given) => (path.startsWith('/v1/log/') ? { ...given, status: 403 } : undefined);
    const running = v.run();
    await new Promise((next) => setTimeout(next, 50));
    expect(unhandled).toBe(0);
    v.resume();
    await expect(running).rejects.toMatchObject({ code: 'unreachable' });
    process.off('unhandledRejection', count);
  });
});
