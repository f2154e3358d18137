// A node that answers without end: an audit ends when its time does, or when it is closed, and accuses nobody.

import { beforeAll, describe, expect, it } from 'vitest';
import { HttpSource, Verifier, VerifierClosed } from '../../../host/audit/index.ts';
import { systemClock } from '../../../host/world/system/clock.ts';
import type { Fetch } from '../../../host/world/world.ts';
import { GENESIS, NET } from '../net/join-world.ts';
import { SMALL_TABLES } from '../one-node/harness.ts';
import { begin, id, modules, nodeThat, randomBytes } from './auditors.ts';
import { PlainStore } from './giver-source.ts';

beforeAll(begin);

const RUN_MS = 3_600_000;
/** Far below the time of one request. */
const SOON_MS = 10_000;

/** The answer as a body of which a byte comes every now and then; ends with the request. */
function dripping(body: Uint8Array, signal: AbortSignal | null | undefined): ReadableStream<Uint8Array> {
  let at = 0;
  return new ReadableStream({
    start: (out) => signal?.addEventListener('abort', () => out.error(signal.reason)),
    pull: async (out) => {
      await new Promise((done) => setTimeout(done, 20));
      if (!signal?.aborted) out.enqueue(body.subarray(at, ++at));
    },
  });
}

/** What a node does with a request, if it is not honest. */
type Slow = (answer: Response, signal: AbortSignal | null | undefined) => Promise<Response>;
const drips: Slow = async (answer, signal) =>
  new Response(dripping(new Uint8Array(await answer.arrayBuffer()), signal), { headers: answer.headers });
const refuses: Slow = async () => new Response('{}', { status: 429, headers: { 'retry-after': '60' } });

interface More {
  way?: 'genesis' | 'checkpoint';
  /** The time of the audit is over soon after the first slow answer; default true. */
  ends?: boolean;
}

/** A verifier of a node that is slow where the path fits. */
function open(path: RegExp, slow: Slow, { way = 'genesis', ends = true }: More = {}): Promise<Verifier> {
  const node = nodeThat();
  const running = new Set<() => void>();
  const clock = {
    ...systemClock,
    setTimer(run: () => void, ms: number): () => void {
      if (ms !== RUN_MS) return systemClock.setTimer(run, ms);
      running.add(run);
      return () => running.delete(run);
    },
  };
  const fetch: Fetch = async (url, init) => {
    const answer = await node.fetch(url, init);
    if (!path.test(url)) return answer;
    const end = (): void => {
      for (const run of running) run();
    };
    if (ends) setTimeout(end, 100);
    return slow(answer, init?.signal);
  };
  return Verifier.open({
    source: new HttpSource('http://giver', { fetch, clock: systemClock }),
    modules,
    store: new PlainStore(),
    genesisHash: GENESIS.hashHex,
    way,
    environment: { randomBytes, clock },
    scale: { limits: NET.limits, capacity: SMALL_TABLES },
    bounds: { runMs: RUN_MS },
  });
}

describe.each([
  ['that answers a byte at a time', drips],
  ['that says: later', refuses],
] as const)('of a node %s', (_, slow) => {
  it.each([
    ['its status', /\/v1\/status/],
    ['the log', /\/v1\/log\/vertices/],
    ['the checkpoints', /\/v1\/checkpoints\?/],
  ])('an audit ends in time: %s', async (_, path) => {
    const verifier = await open(path, slow);
    const began = Date.now();
    const verdict = await verifier.run();
    expect(Date.now() - began).toBeLessThan(SOON_MS);
    expect(verdict).toMatchObject({ isGood: true });
    expect(verdict.findings.map(({ kind }) => kind)).toContain('unfinished');
    await verifier.close();
  });

  it('a comparison ends in time, and is none', async () => {
    const verifier = await open(/\/v1\/agents\//, slow);
    expect((await verifier.run()).findings.map(({ kind }) => kind)).not.toContain('unfinished');
    const began = Date.now();
    expect(await verifier.compare('agent', id)).toMatchObject({
      shown: 'not_comparable',
      text: 'the node did not answer in time',
    });
    expect(Date.now() - began).toBeLessThan(SOON_MS);
    await verifier.close();
  });

  it('a state at a seal is not waited for for ever', async () => {
    const began = Date.now();
    await expect(open(/\/v1\/log\/state/, slow, { way: 'checkpoint' })).rejects.toMatchObject({
      code: 'unreachable',
    });
    expect(Date.now() - began).toBeLessThan(SOON_MS);
  });

  it('an audit that is closed ends at once', async () => {
    const verifier = await open(/\/v1\/log\/vertices/, slow, { ends: false });
    const running = expect(verifier.run()).rejects.toThrow(VerifierClosed);
    await new Promise((done) => setTimeout(done, 100));
    const began = Date.now();
    await verifier.close();
    expect(Date.now() - began).toBeLessThan(SOON_MS);
    await running;
  });
});

it('an audit whose time is over can go on', async () => {
  let isSlow = true;
  const verifier = await open(/\/v1\/log\/vertices/, (answer, signal) =>
    isSlow ? drips(answer, signal) : Promise.resolve(answer),
  );
  expect((await verifier.run()).findings.map(({ kind }) => kind)).toContain('unfinished');
  isSlow = false;
  const verdict = await verifier.run();
  expect(verdict.findings.map(({ kind }) => kind)).not.toContain('unfinished');
  expect(verdict.order).toBe(verdict.nodeOrder);
  expect(await verifier.compare('agent', id)).toMatchObject({ shown: 'checked' });
  await verifier.close();
});

it('the bytes of the log are counted, whatever time a request had', async () => {
  const source = nodeThat().source();
  const page = await source.until(new AbortController().signal).vertices(0, 0);
  expect(source.bytes).toBe(page!.length);
});
