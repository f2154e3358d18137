// A verifier over a network with several epochs: it computes the same state both ways, resumes where it was closed, and
// detects every lie and names its kind and place.

import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, it } from 'vitest';
import {
  checkedAgent,
  compileModules,
  MAX_ASKED,
  recomputed,
  type SignedCheckpoint,
  type Verdict,
  Verifier,
  type VerifierStore,
  type Way,
} from '../../../host/audit/index.ts';
import { type KeyPair, keyPairFromSeed } from '../../../host/crypto/key-pair.ts';
import { decodeRows, encodeRows } from '../../../host/net/join-rows.ts';
import { decodeProof, encodeProof } from '../../../host/net/join-seals.ts';
import { decodeMessage, encodeMessage } from '../../../host/net/messages.ts';
import { checkpointHash, checkpointSigningBytes } from '../../../host/wire/block.ts';
import { fromHex, toHex } from '../../../host/wire/bytes.ts';
import { sha256Hex } from '../../../host/wire/hash.ts';
import type { LogPage } from '../../../host/wire/log-page.ts';
import type { Manifest } from '../../../host/wire/manifest.ts';
import { decodeVertex, decodeVertexHead, headerPart } from '../../../host/wire/vertex.ts';
import { GENESIS, Giver, NET } from '../net/join-world.ts';
import { SEAT_KEY, SMALL_TABLES, seedOf } from '../one-node/harness.ts';
import { absentKey } from '../one-node/manifests.ts';
import { GiverSource, type Lies, PlainStore } from './giver-source.ts';

const NAMES = ['core', 'consensus', 'ed25519'] as const;
const bytesOf = (name: string) => new Uint8Array(readFileSync(`build/${name}.wasm`));
const module = (name: string) => new WebAssembly.Module(bytesOf(name));
const modules = { core: module('core'), consensus: module('consensus'), ed25519: module('ed25519') };
const scale = { limits: NET.limits, capacity: SMALL_TABLES };
const randomBytes = (count: number): Uint8Array => crypto.getRandomValues(new Uint8Array(count));

let giver: Giver;
beforeAll(async () => {
  giver = await Giver.make();
});

interface Begin {
  lies?: Lies;
  way?: Way;
  store?: VerifierStore;
  source?: GiverSource;
  genesisHash?: string;
  isOnce?: boolean;
}
function open(begin: Begin = {}) {
  const { lies = {}, way = 'genesis', store = new PlainStore(), source, genesisHash, isOnce = false } = begin;
  return Verifier.open({
    source: source ?? new GiverSource(giver, lies),
    modules,
    store,
    genesisHash: genesisHash ?? GENESIS.hashHex,
    way,
    environment: { randomBytes, clock: giver.parts.clock },
    scale,
    isOnce,
  });
}
const verdictOn = async (lies: Lies, way: Way = 'genesis'): Promise<Verdict> =>
  (await open({ lies, way })).run();

describe('an honest node', () => {
  it('passes from genesis, over epochs, with the same state', async () => {
    const v = await open();
    const verdict = await v.run();
    expect(verdict).toMatchObject({
      isGood: true,
      order: giver.parts.executor.head.order,
      stateRoot: giver.stateRoot,
    });
    expect(verdict.fault).toBeUndefined();
    expect(v.progress.epoch).toBe(giver.parts.ordering.epoch.number);
    expect(v.progress.epoch).toBeGreaterThan(1);
    expect(v.progress.transactions).toBeGreaterThan(20);
    // Seats that lost their weight for silence on the way did so by the verifier's own computation.
    expect(giver.parts.ordering.epoch.seats.filter(({ weight }) => weight > 0n)).toHaveLength(4);
    // A vertex each, and an agent's word for each transaction.
    expect(v.progress.signatures).toBeGreaterThan(verdict.order);
    expect(verdict.checkpoint).toBeGreaterThan(1);
  });

  it('gives the numbers that it computed, and none that it did not', async () => {
    const v = await open();
    await v.run();
    const header = v.replica.state.header();
    const { supply } = await recomputed(v.replica, 'supply', []);
    expect(supply).toMatchObject({ total_supply: 10 ** 15, agents_registered: header.agents });
    // These are sums over lists, which an auditor does not keep; together they are known.
    for (const name of ['task_escrows', 'subtask_escrows', 'claim_bonds', 'pending_transfers', 'held'])
      expect(supply).not.toHaveProperty(name);
    const { stakes, replay_rewards: rewards } = supply as Record<string, number>;
    expect([stakes, rewards]).toEqual([header.totalStaked, header.replayEscrow]);
    const id = v.replica.ids.agentId(0);
    const agents = await recomputed(v.replica, 'agents', [id, 'nobody']);
    expect(Object.keys(agents)).toEqual([id]);
    expect(agents[id]).toMatchObject({ balance: checkedAgent(v.replica, id)!.balance });
    const many = await recomputed(v.replica, 'agents', [...new Array(MAX_ASKED).fill('nobody'), id]);
    expect(many).toEqual({});
  });

  it('passes from its newest seal, with only the vertices after it', async () => {
    const source = new GiverSource(giver);
    const v = await open({ way: 'checkpoint', source });
    expect(v.way).toBe('checkpoint');
    expect(await v.run()).toMatchObject({ isGood: true, stateRoot: giver.stateRoot });
    const whole = new GiverSource(giver);
    await (await open({ source: whole })).run();
    expect(source.pages).toBeLessThan(whole.pages / 2);
  });

  it.each(['genesis', 'checkpoint'] as const)(
    'passes from %s with the same state where nobody asks for events, which are not made then',
    async (way) => {
      const full = await (await open({ way })).run();
      const { isGood, order, stateRoot, checkpoint } = await (await open({ way, isOnce: true })).run();
      expect({ isGood, order, stateRoot, checkpoint }).toEqual({
        isGood: true,
        order: giver.parts.executor.head.order,
        stateRoot: giver.stateRoot,
        checkpoint: full.checkpoint,
      });
    },
  );

  it('is followed: a later run checks what was added since', async () => {
    const v = await open({ way: 'checkpoint' });
    const before = await v.run();
    await giver.write(keyPairFromSeed(seedOf(77)), '/v1/agents', {});
    const after = await v.run();
    expect(after).toMatchObject({ isGood: true, stateRoot: giver.stateRoot });
    expect(after.order).toBeGreaterThan(before.order);
    const id = toHex(keyPairFromSeed(seedOf(77)).publicKey);
    expect(await v.compare('agent', id)).toMatchObject({ shown: 'proven' });
  });

  it('may be paused, closed midway and resumed, with the same state', async () => {
    const store = new PlainStore();
    for (const stopAt of [10, 20]) {
      let v: Verifier | undefined;
      const source = new GiverSource(giver);
      const closing: Promise<void>[] = [];
      v = await Verifier.open({
        ...{ source, modules, store, genesisHash: GENESIS.hashHex, way: 'genesis', scale },
        environment: { randomBytes, clock: giver.parts.clock },
        onProgress: ({ order }) => {
          if (order >= stopAt && closing.length === 0) closing.push(v!.close());
        },
      });
      await expect(v.run()).rejects.toThrow('closed');
      await Promise.all(closing);
    }
    const last = await open({ store });
    expect(await last.run()).toMatchObject({ isGood: true, stateRoot: giver.stateRoot });
    expect(last.progress.checkpoint).toBeGreaterThan(1);
    const whole = await open();
    await whole.run();
    expect(last.progress.transactions).toBe(whole.progress.transactions);
    await last.close();
    // Where nothing is new, no agent's signature is verified again.
    const again = await open({ store });
    expect(await again.run()).toMatchObject({ isGood: true, stateRoot: giver.stateRoot });
    const { vertexCount: taken } = giver.parts.ordering.dag;
    expect(again.progress.signatures - last.progress.signatures).toBeLessThanOrEqual(taken + 5);
  });

  it('is killed at any moment, without being closed, and loses nothing of what it had computed', async () => {
    const whole = await open();
    const { checkpoint } = await whole.run();
    const store = new PlainStore();
    for (const stopAt of [20, 60, Number.POSITIVE_INFINITY]) {
      const v = await Verifier.open({
        ...{
          source: new GiverSource(giver),
          modules,
          store,
          genesisHash: GENESIS.hashHex,
          way: 'genesis',
          scale,
        },
        environment: { randomBytes, clock: giver.parts.clock },
        // The process ends here: nothing is written any more.
        onProgress: ({ order, toOrder }) => {
          if (order >= Math.min(stopAt, toOrder)) throw new Error('killed');
        },
      });
      await expect(v.run()).rejects.toThrow('killed');
    }
    const last = await open({ store });
    expect(await last.run()).toMatchObject({ isGood: true, stateRoot: giver.stateRoot, checkpoint });
    expect(last.progress.transactions).toBe(whole.progress.transactions);
  });

  it('waits while it is paused', async () => {
    const v = await open();
    v.pause();
    let isDone = false;
    const running = v.run().then(() => {
      isDone = true;
    });
    await new Promise((next) => setTimeout(next, 30));
    expect([isDone, v.progress.transactions]).toEqual([false, 0]);
    v.resume();
    await running;
    expect(v.progress.transactions).toBeGreaterThan(20);
  });
});

/** A checkpoint with another statement, signed by these keys. */
function signedAnew(c: SignedCheckpoint, at: number, keys: readonly KeyPair[]): SignedCheckpoint {
  const statement = fromHex(c.statement)!;
  statement[at]! ^= 1;
  const message = checkpointSigningBytes(checkpointHash(statement));
  const signatures = keys.map((key) => ({
    validator_id: `seat of ${key.publicKeyHex.slice(0, 4)}`,
    public_key: key.publicKeyHex,
    signature: toHex(key.sign(message)),
  }));
  return { ...c, statement: toHex(statement), signatures };
}
/** Where the parts of a statement stand (consensus 5.17): from its end, digest, state root, block hash. */
const [STATE_AT, BLOCK_AT] = [168 - 64, 168 - 96];
/** A seat with a small part of the weight. */
const SMALL_SEAT = 1;
const SMALL = absentKey(SMALL_SEAT);

describe('a lying node is caught, and named', () => {
  it.each([
    ['another network', { genesis: (d) => ({ ...d, chain_id: 'vws-mainnet-1' }) }],
    [
      'another seat',
      {
        genesis: (d) => {
          const { entries } = d.manifest as Manifest;
          return { ...d, manifest: { entries: entries.slice(1) } };
        },
      },
    ],
    [
      'another parameter',
      { genesis: (d) => ({ ...d, params: { ...(d.params as object), dispute_deadline_secs: 1234 } }) },
    ],
  ] as [string, Lies][])('genesis: %s', async (_, lies) => {
    await expect(open({ lies })).rejects.toMatchObject({ name: 'LogFault', kind: 'genesis' });
  });

  it('a wrong module', async () => {
    const all = { core: bytesOf('core'), consensus: bytesOf('consensus'), ed25519: bytesOf('ed25519') };
    const digests = Object.fromEntries(NAMES.map((name) => [name, [sha256Hex(all[name])]])) as never;
    await expect(compileModules(all, digests)).resolves.toBeDefined();
    for (const name of NAMES) {
      const wrong = { ...all, [name]: all[name].slice() };
      wrong[name][wrong[name].length - 20]! ^= 1;
      await expect(compileModules(wrong, digests)).rejects.toMatchObject({
        kind: 'module',
        message: expect.stringContaining(`${name}.wasm`),
      });
    }
  });

  /** Alters the n-th vertex that is given, counted over all pages. */
  function vertexAt(n: number, alter: (page: LogPage, at: number) => Uint8Array[]): Lies {
    let seen = 0;
    return {
      page(page) {
        const at = n - seen;
        seen += page.vertices.length;
        if (at < 0 || at >= page.vertices.length) return page;
        const vertices = alter(page, at);
        return { ...page, vertices, next: page.from + vertices.length };
      },
    };
  }
  let victim = '';
  const idOf = (bytes: Uint8Array): string => toHex(decodeVertex(bytes)!.id);

  it('a dropped vertex: the report names the vertex that references it', async () => {
    const lies = vertexAt(20, ({ vertices }, at) => {
      victim = idOf(vertices[at + 1]!);
      return vertices.toSpliced(at, 1);
    });
    const { isGood, fault } = await verdictOn(lies);
    expect(isGood).toBe(false);
    expect(fault).toMatchObject({ kind: 'missing', vertex: victim });
  });

  it('swapped vertices', async () => {
    const lies = vertexAt(20, ({ vertices }, at) => {
      victim = idOf(vertices[at + 1]!);
      return vertices.with(at, vertices[at + 1]!).with(at + 1, vertices[at]!);
    });
    expect((await verdictOn(lies)).fault).toMatchObject({ kind: 'missing', vertex: victim });
  });

  it('a vertex sent twice', async () => {
    const lies = vertexAt(20, ({ vertices }, at) => {
      victim = idOf(vertices[at]!);
      return vertices.toSpliced(at, 0, vertices[at]!);
    });
    expect((await verdictOn(lies)).fault).toMatchObject({ kind: 'vertex', vertex: victim });
  });

  it('everything after some vertex left out', async () => {
    let given = 0;
    const { fault } = await verdictOn({
      page(page) {
        const vertices = page.epoch === giver.parts.ordering.epoch.number ? [] : page.vertices;
        given += vertices.length;
        return {
          ...page,
          vertices,
          next: page.from + vertices.length,
          end: vertices.length > 0 ? page.end : 'now',
        };
      },
    });
    expect(given).toBeGreaterThan(0);
    expect(fault).toMatchObject({ kind: 'missing' });
    expect(fault!.text).toContain('reports order');
  });

  it('an epoch reported as sealed too early', async () => {
    const early = (page: LogPage): LogPage => {
      const vertices = page.vertices.slice(0, 4);
      return { ...page, vertices, next: page.from + vertices.length, end: 'sealed' };
    };
    const { fault } = await verdictOn({ page: early });
    expect(fault).toMatchObject({ kind: 'missing', epoch: 0 });
  });

  it.each([
    ['a byte of its payload', (b: Uint8Array) => b.length - 3, 'vertex'],
    ['a byte of its time', () => 17, 'signature'],
    ['a byte of its signature', (b: Uint8Array) => headerPart(b)!.length + 5, 'signature'],
  ] as [string, (bytes: Uint8Array) => number, string][])(
    'a vertex with %s changed',
    async (_, place, kind) => {
      let isDone = false;
      const { fault } = await verdictOn({
        page(page) {
          const at = page.vertices.findIndex((bytes) => decodeVertexHead(bytes)!.header.entryCount > 0);
          if (isDone || at < 0) return page;
          isDone = true;
          const other = page.vertices[at]!.slice();
          other[place(other)]! ^= 1;
          return { ...page, vertices: page.vertices.with(at, other) };
        },
      });
      expect(fault).toMatchObject({ kind, epoch: 0 });
    },
  );

  it('another state, signed by a quorum', async () => {
    const { fault } = await verdictOn({
      checkpoint: (c) => (c.height === 2 ? signedAnew(c, STATE_AT, [SEAT_KEY]) : c),
    });
    expect(fault).toMatchObject({ kind: 'state', checkpoint: 2 });
  });

  it('another order of a block, signed by a quorum', async () => {
    const { fault } = await verdictOn({
      checkpoint: (c) => (c.height === 2 ? signedAnew(c, BLOCK_AT, [SEAT_KEY]) : c),
    });
    expect(fault).toMatchObject({ kind: 'order', checkpoint: 2 });
  });

  it.each([
    ['too little weight for another state', STATE_AT, [SMALL], 'weight'],
    ['nobody for another order', BLOCK_AT, [], 'weight'],
  ] as [string, number, KeyPair[], string][])(
    'a checkpoint that is signed by %s',
    async (_, at, keys, kind) => {
      const { fault } = await verdictOn({
        checkpoint: (c) => (c.height === 2 ? signedAnew(c, at, keys) : c),
      });
      expect(fault).toMatchObject({ kind, checkpoint: 2 });
    },
  );

  it('a checkpoint reported as signed, without the signatures', async () => {
    const { fault } = await verdictOn({ checkpoint: (c) => ({ ...c, signatures: [] }) });
    expect(fault).toMatchObject({ kind: 'weight' });
  });

  it.each([
    ['of another key', (c: SignedCheckpoint) => ({ ...c.signatures[0]!, signature: '00'.repeat(64) })],
    ['of nobody', (c: SignedCheckpoint) => ({ ...c.signatures[0]!, public_key: '00'.repeat(32) })],
  ])('a forged signature %s', async (_, forge) => {
    const { fault } = await verdictOn({ checkpoint: (c) => ({ ...c, signatures: [forge(c)] }) });
    expect(fault).toMatchObject({ kind: 'forged', checkpoint: 1 });
  });

  it('more orders than exist', async () => {
    const { fault } = await verdictOn({ order: (order) => order + 1 });
    expect(fault).toMatchObject({ kind: 'missing', order: giver.parts.executor.head.order });
  });

  it('another balance', async () => {
    const v = await open({
      lies: { document: (told) => ({ ...told, balance: (told.balance as number) + 1 }) },
    });
    const answer = await v.compare('agent', SEAT_KEY.publicKeyHex);
    expect(answer).toMatchObject({ shown: 'lie' });
    expect(answer.text).toMatch(/balance is \d+, the node says \d+/);
    expect(await v.compare('agent', 'ab'.repeat(32))).toMatchObject({ shown: 'checked' });
  });

  const text =
    (from: RegExp, to: string) =>
    (value: Uint8Array): Uint8Array =>
      Buffer.from(Buffer.from(value).toString().replace(from, to));
  const flipped = (value: Uint8Array): Uint8Array => {
    const other = value.slice();
    other[40]! ^= 1;
    return other;
  };
  // A1 and A2 of the findings on auditors: what decides later submissions is in these rows.
  it.each([
    ['a leaf of the state', 's', flipped],
    ['the text of an open task', 'x', text(/Lighthouse/, 'Warehouse')],
    ['the budget of a task', 'x', text(/"budget":1/, '"budget":7')],
    ['the claimer of a task', 'x', text(/"claimer_id":"./, '"claimer_id":"x')],
    ['the status of a task', 'x', text(/"status":"open"/, '"status":"cancelled"')],
    ['the amount of an open transfer', 'q', text(/"amount":1000000/, '"amount":7000000')],
    ['the payload of an open transfer', 'q', text(/for May/, 'for Mai')],
    ['a listing', 'L', text(/Vessel/, 'Barrel')],
  ] as [string, string, (value: Uint8Array) => Uint8Array][])(
    'rows of the state that were changed, at a seal: %s',
    async (_, prefix, alter) => {
      let isDone = false;
      const bytes = (answer: Uint8Array): Uint8Array => {
        const message = decodeMessage(answer);
        if (message?.type !== 'fetched') return answer;
        const rows = decodeRows(message.rows, new Uint8Array(0))!.map(([key, value]) => {
          if (key[0] !== prefix.charCodeAt(0)) return [key, value];
          const other = alter(value);
          isDone ||= Buffer.compare(other, value) !== 0;
          return [key, other];
        }) as [Uint8Array, Uint8Array][];
        return encodeMessage({ ...message, rows: encodeRows(rows) });
      };
      await expect(open({ lies: { bytes }, way: 'checkpoint' })).rejects.toMatchObject({ kind: 'state' });
      expect(isDone).toBe(true);
    },
  );

  it('a seal signed by seats with too little weight', async () => {
    const bytes = (answer: Uint8Array): Uint8Array => {
      const message = decodeMessage(answer);
      if (message?.type !== 'sealed') return answer;
      const proofs = message.proofs.map((proof) => {
        const { signatures, ...rest } = decodeProof(proof)!;
        const sign = checkpointSigningBytes(checkpointHash(rest.statement));
        return encodeProof({ ...rest, signatures: [{ seat: SMALL_SEAT, signature: SMALL.sign(sign) }] });
      });
      return encodeMessage({ ...message, proofs });
    };
    await expect(open({ lies: { bytes }, way: 'checkpoint' })).rejects.toMatchObject({
      kind: 'weight',
      place: { epoch: 0 },
    });
  });

  it('arbitrary bytes instead of an answer', async () => {
    for (const bytes of [new Uint8Array(0), new Uint8Array(40), new Uint8Array(400).fill(255)]) {
      await expect(open({ lies: { bytes: () => bytes }, way: 'checkpoint' })).rejects.toMatchObject({
        kind: 'answer',
      });
    }
    const page = (page: LogPage): LogPage => ({ ...page, next: page.next + 1 });
    expect((await verdictOn({ page })).fault).toMatchObject({ kind: 'answer' });
    const empty = (page: LogPage): LogPage => ({ ...page, vertices: [], next: page.from, end: 'more' });
    expect((await verdictOn({ page: empty })).fault).toMatchObject({ kind: 'answer' });
  });
});
