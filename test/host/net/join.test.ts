// Joining from a signed checkpoint (consensus 5.12, pitfall D5): what is received equals what a replay makes, only what is
// missing goes over the link, and whatever was altered is refused and named.

import { beforeAll, describe, expect, it } from 'vitest';
import { LEAF_BYTES, LEAF_HASH_BYTES, PAGE_LEAVES } from '../../../assembly/abi.ts';
import { keyPairFromSeed } from '../../../host/crypto/key-pair.ts';
import * as recovery from '../../../host/execution/recovery.ts';
import { decodeRows, encodeRows, type Row } from '../../../host/net/join-rows.ts';
import { beginJoin, discardReceived, hasNoLog, isJoinUnfinished } from '../../../host/net/join-store.ts';
import type { Message } from '../../../host/net/messages.ts';
import { StoredProof } from '../../../host/ordering/entry-proof.ts';
import type { EpochDoc } from '../../../host/ordering/epoch.ts';
import { eventLeaf } from '../../../host/store/document-leaves.ts';
import type { CheckpointDoc } from '../../../host/store/documents.ts';
import { eventsAt } from '../../../host/store/events.ts';
import { MemoryStore } from '../../../host/store/memory-store.ts';
import { rangeOf, rowKey } from '../../../host/store/prefixes.ts';
import { decodePage, encodePage } from '../../../host/store/state-pages.ts';
import { readJson } from '../../../host/store/write-set.ts';
import { equalBytes, isZero, toHex } from '../../../host/wire/bytes.ts';
import { sha256 } from '../../../host/wire/hash.ts';
import { decodeVertex, encodeVertex, makeVertex } from '../../../host/wire/vertex.ts';
import type { Clock } from '../../../host/world/clock.ts';
import type { Store } from '../../../host/world/store.ts';
import { systemClock } from '../../../host/world/system/clock.ts';
import { assemble, freshCore, seedOf } from '../one-node/harness.ts';
import { absentKey } from '../one-node/manifests.ts';
import { GENESIS, Giver, joinFrom, NET, QUIET, rowsOf, type Tamper } from './join-world.ts';

const hex = (rows: readonly Row[]): [string, string][] =>
  rows.map(([key, value]) => [toHex(key), toHex(value)]);

/** Rows that are given. What the root of the core was at a checkpoint is known where it was made, and at the seal of the join. */
async function givenTo(store: Store): Promise<[string, string][]> {
  const { given } = await rowsOf(store);
  const rows = given.map(([key, value]): Row => {
    if (key[0] !== 'k'.charCodeAt(0)) return [key, value];
    const { core_root: _, ...doc } = readJson<CheckpointDoc>(value)!;
    return [key, Buffer.from(JSON.stringify(doc))];
  });
  return hex(rows);
}

/** The branches of the tree of documents. */
async function treeOf(store: Store): Promise<[string, string][]> {
  const rows: Row[] = [];
  for await (const row of store.scan(rangeOf('T'))) if (row[0].length > 1) rows.push(row);
  expect(rows.length).toBeGreaterThan(1);
  return hex(rows);
}

type Fetched = Extract<Message, { type: 'fetched' }>;
const EMPTY = new Uint8Array(0);

/** Alters rows in transit; they are read in any order. */
const rowsTampered =
  (alter: (rows: Row[], answer: Fetched) => Row[]): Tamper =>
  (answer) => {
    if (answer.type !== 'fetched') return answer;
    return { ...answer, rows: encodeRows(alter(decodeRows(answer.rows, EMPTY)!, answer)) };
  };

/** Alters the first row of a prefix that there is something to alter in. */
const altered = (prefix: string, alter: (value: Buffer) => Uint8Array): Tamper => {
  let isDone = false;
  return rowsTampered((rows) =>
    rows.map(([key, value]) => {
      if (isDone || key[0] !== prefix.charCodeAt(0)) return [key, value];
      const other = alter(Buffer.from(value));
      isDone = Buffer.compare(other, value) !== 0;
      return [key, other];
    }),
  );
};

describe('a node that joins', () => {
  let giver: Giver;
  beforeAll(async () => {
    giver = await Giver.make();
  });

  it('has what a node has that replayed everything, but for the history', async () => {
    let sentBytes = 0;
    giver.tamper = (answer) => {
      if (answer.type === 'fetched') sentBytes += answer.rows.length;
      return answer;
    };
    const { store, result, complaints } = await joinFrom([giver]);
    giver.tamper = (answer) => answer;
    const { given } = await rowsOf(store);
    const missingBytes = given.reduce((sum, [key, value]) => sum + key.length + value.length, 0);
    expect(sentBytes).toBeLessThanOrEqual(1.2 * missingBytes);
    expect(complaints).toEqual([]);
    const doc = readJson<EpochDoc>(giver.parts.store.get(rowKey.epoch(2)))!;
    expect(result).toMatchObject({ epoch: 2, block: doc.first_block - 1, blockHash: doc.seal_block });
    expect(isJoinUnfinished(store)).toBe(false);
    expect([...(await rowsOf(store)).others].sort()).toEqual(['E', 'T', 'c', 'm']);
    for (const key of [rowKey.epoch(1), rowKey.epoch(2)]) {
      expect(store.get(key)).toEqual(giver.parts.store.get(key));
    }

    // The running epoch is fetched by catch-up: the same vertices, the same blocks, the same rows.
    const follower = await assemble({ ...NET, store, snapshotOrders: 1 });
    follower.ordering.attach(follower.executor);
    for (let position = 0; ; position++) {
      const id = giver.parts.store.get(rowKey.epochVertex(2, position));
      if (!id) break;
      const bytes = giver.parts.store.get(rowKey.vertex(id))!;
      const proofs = () => new StoredProof(true);
      expect(follower.ordering.admit(decodeVertex(bytes)!, bytes, { proofAt: proofs })).toBe('inserted');
      follower.ordering.drain();
    }
    await follower.executor.commit();
    expect(toHex(follower.ids.state.core.stateHash())).toBe(giver.root);
    expect(recovery.readHead(store)).toEqual(recovery.readHead(giver.parts.store));
    expect(await givenTo(store)).toEqual(await givenTo(giver.parts.store));
    // It computed the tree of documents itself.
    expect(await treeOf(store)).toEqual(await treeOf(giver.parts.store));
  });

  it('knows which seats are removed for silence from the state, and seals as the others do', async () => {
    const own = await Giver.make();
    const { store } = await joinFrom([own]);
    const { seats } = own.parts.ordering.epoch;
    expect(seats.map(({ weight }) => weight > 0n)).toEqual(
      [0, 1, 2, 3, 4, 5, 6, 7].map((n) => n === 0 || n > 4),
    );
    const follower = await assemble({ ...NET, store });
    follower.ordering.attach(follower.executor);
    // The giver has granted more since the seal.
    const seatsOf = ({ ids }: Pick<typeof follower, 'ids'>) =>
      ids.state.seats().map((seat) => ({ ...seat, grantsLeft: 0 }));
    expect(seatsOf(follower)).toEqual(seatsOf(own.parts));
    // A removed seat is heard in the epoch that the joiner follows: both take it up again.
    const { id, maxParents } = own.parts.ordering.epoch;
    const header = { work: true, creator: 3, seq: 1, lamport: 1, timeMs: own.parts.clock.ms, epochId: id };
    const heard = makeVertex({ ...header, parents: [] }, [], (m) => absentKey(3).sign(m), maxParents);
    own.parts.ordering.admit(heard, encodeVertex(heard));
    for (let n = 0; own.parts.ordering.epoch.number === 2; n++)
      await own.write(keyPairFromSeed(seedOf(100 + n)), '/v1/agents', {});
    const proofs = () => new StoredProof(true);
    for (let position = 0; follower.ordering.epoch.number === 2; position++) {
      const bytes = own.parts.store.get(
        rowKey.vertex(own.parts.store.get(rowKey.epochVertex(2, position))!),
      )!;
      follower.ordering.admit(decodeVertex(bytes)!, bytes, { proofAt: proofs });
      follower.ordering.drain();
    }
    expect(follower.ordering.epoch).toEqual(own.parts.ordering.epoch);
    expect(follower.ordering.epoch.seats[3]!.weight).toBeGreaterThan(0n);
  });

  it('receives the state as of the seal, whatever is written meanwhile', async () => {
    const own = await Giver.make();
    let writes = 0;
    own.tamper = (answer) => {
      if (answer.type === 'fetched' && ++writes < 4) {
        void own.parts.store.write([{ key: rowKey.totals('totals'), value: Buffer.from('{}') }]);
      }
      return answer;
    };
    const totals = own.parts.store.get(rowKey.totals('totals'))!;
    const { result } = await joinFrom([own]);
    expect(result?.epoch).toBe(2);
    await own.parts.store.write([{ key: rowKey.totals('totals'), value: totals }]);
  });

  it('continues where a lost link broke off, and gets no row twice', async () => {
    let answers = 0;
    let rows = 0;
    giver.tamper = (answer) => {
      if (answer.type !== 'fetched') return answer;
      answers += 1;
      if (answers % 3 === 0) return 'cut';
      rows += decodeRows(answer.rows, EMPTY)!.length;
      return answer;
    };
    const before = giver.dials;
    const { store, result } = await joinFrom([giver]);
    giver.tamper = (answer) => answer;
    expect(result?.epoch).toBe(2);
    expect(answers).toBeGreaterThan(6);
    expect(giver.dials - before).toBeGreaterThan(2);
    // One checkpoint row was sent, and then written again as it was proven.
    expect((await rowsOf(store)).given.length).toBe(rows);
  });

  it('does not join a network in its first epoch, nor where nobody answers', async () => {
    const young = await Giver.make(0);
    for (const givers of [[young], []]) {
      const { store, result, complaints } = await joinFrom(givers, {
        addresses: [{ host: 'memory', port: 1 }],
      });
      expect([result, complaints]).toEqual([undefined, []]);
      expect(hasNoLog(store)).toBe(true);
      expect((await rowsOf(store)).given).toEqual([]);
    }
  });

  it('names peers that serve no state yet, and replays if a checkpoint is not required', async () => {
    giver.tamper = (answer) => (answer.type === 'sealed' ? { ...answer, offered: 0 } : answer);
    const { result, complaints } = await joinFrom([giver]);
    giver.tamper = (answer) => answer;
    expect(result).toBeUndefined();
    expect(complaints.join()).toMatch(/serves no state before its next seal/);
  });

  it('discards the data of an interrupted join, and nothing else', async () => {
    const store = new MemoryStore();
    await recovery.claimStore(store, GENESIS);
    const before = hex((await rowsOf(store)).given);
    await beginJoin(store, 2);
    await store.write([
      { key: rowKey.statePage(3), value: new Uint8Array(512) },
      { key: rowKey.event(1), value: Uint8Array.of(1) },
    ]);
    expect(isJoinUnfinished(store)).toBe(true);
    await discardReceived(store);
    expect(isJoinUnfinished(store)).toBe(false);
    expect(hex((await rowsOf(store)).given)).toEqual(before);
    expect(store.get(rowKey.meta('meta'))).toBeDefined();
  });

  it('refuses a snapshot of another layout: without a log before it there is nothing to replay', async () => {
    const { store } = await joinFrom([giver]);
    const mark = recovery.readSnapshotMark(store)!;
    const other = { ...mark, layout: 'other' };
    await store.write([{ key: rowKey.meta('snapshot'), value: Buffer.from(JSON.stringify(other)) }]);
    const start = recovery.usableSnapshot(store, freshCore(GENESIS));
    await expect(start).rejects.toThrow(/has not got the log from the beginning.*Nothing was changed/);
  });
});

describe('data from a liar', () => {
  let liar: Giver;
  let honest: Giver;
  beforeAll(async () => {
    honest = await Giver.make();
    liar = honest.twin();
  });

  const byte = (value: Buffer): Buffer => {
    value[value.length >> 1]! ^= 1;
    return value;
  };
  const text = (from: RegExp, to: string) => (value: Buffer) =>
    Buffer.from(value.toString().replace(from, to));
  const OTHER_ROOT = /the state with its documents has root/;
  const NO_STATE = /the state with its documents has root|the leaves are not a valid state/;
  const NO_FORM = /is not of the form of its kind/;
  const passing = (number: 'own' | 'other'): Tamper => {
    let tamper: Tamper | undefined;
    return (answer) => {
      tamper ??= passedForSettled(liar, number);
      return tamper(answer);
    };
  };
  const LIES: [string, Tamper, RegExp][] = [
    ['an altered leaf', altered('s', byte), /a page of the state is not as it was written/],
    ['an altered leaf, with its hash', altered('s', rewritten), NO_STATE],
    ['hashes of other leaves', altered('s', otherHashes), /has other hashes than its leaves/],
    ['money moved from one agent to another', (answer) => moneyMoved(liar)(answer), OTHER_ROOT],
    [
      'a page of another size',
      altered('s', (v) => v.subarray(1)),
      /a page of the state is not as it was written/,
    ],
    ['a page of zeros, which is as none', altered('s', (v) => repaged(v, (leaf) => leaf.fill(0))), NO_STATE],
    ['another name of an agent', altered('a', text(/"id":"./, '"id":"x')), OTHER_ROOT],
    ['a missing name', rowsTampered(without('a')), OTHER_ROOT],
    ['the text of an open task', altered('x', text(/Lighthouse/, 'Warehouse')), OTHER_ROOT],
    ['a task with another budget', altered('x', text(/"budget":1/, '"budget":7')), OTHER_ROOT],
    ['a task with another status', altered('x', text(/"status":"open"/, '"status":"cancelled"')), OTHER_ROOT],
    ['a task with another verdict', altered('x', text(/"verdict":"./, '"verdict":"x')), OTHER_ROOT],
    ['a missing task', rowsTampered(without('x')), OTHER_ROOT],
    [
      'an open transfer of another amount',
      altered('q', text(/"amount":1000000,(?=.*optimistic)/, '"amount":7000000,')),
      OTHER_ROOT,
    ],
    ['an open transfer with another memo', altered('q', text(/for May/, 'for Mai')), OTHER_ROOT],
    ['an open transfer that passes for settled', altered('q', text(/"optimistic"/, '"settled"')), OTHER_ROOT],
    ['a listing with another text', altered('L', text(/Vessel/, 'Barrel')), OTHER_ROOT],
    ['a document that is no JSON', altered('q', () => Buffer.from('{')), /a document cannot be read.*JSON/],
    ['an open event under another number', rowsTampered(renumbered), /is not stored under its id and number/],
    [
      'a false event in the place of an open one, said to be dropped',
      passing('own'),
      /open event [0-9a-f]{64} is missing/,
    ],
    [
      'a false event under another number, the open one said to be dropped',
      passing('other'),
      /open event [0-9a-f]{64} is missing/,
    ],
    ['other counts of tasks', altered('w', text(/"count":\d+/, '"count":9')), /the counts of tasks/],
    ['another address', altered('d', byte), /a deposit address is not/],
    ['an altered result', altered('u', byte), OTHER_ROOT],
    ['other totals', altered('w', text(/"checkpoints":\d+/, '"checkpoints":9')), /count of checkpoints/],
    ['sums without events', altered('w', text(/"events":\{[^}]*\}/, '"events":0')), NO_FORM],
    ['a sum of tasks that is none', altered('w', text(/"open":\d+/, '"open":"x"')), NO_FORM],
    ['a counter of a category that is none', altered('w', text(/"name":"[a-z]+"/, '"name":7')), NO_FORM],
    [
      'a missing counter of a category',
      rowsTampered(withoutCategory),
      /the counter of category 0 is missing/,
    ],
    ['activity of an hour that cannot be read', altered('h', (v) => v.subarray(1)), NO_FORM],
    ['an old checkpoint without a statement', altered('k', text(/"statement":"/, '"statement":"z')), NO_FORM],
    ['an old checkpoint without signatures', altered('k', text(/"signatures":\[/, '"others":[')), NO_FORM],
    ['rows in disorder', rowsTampered((rows) => rows.reverse()), /rows are out of order/],
    [
      'rows that are never served',
      rowsTampered(withHead),
      /rows are out of order, or of a kind that is not served/,
    ],
    ['an end too early', cutShort, NO_STATE],
    ['answers without rows', rowsTampered(() => []), /an answer has no rows/],
    ['no state any more', gone, /the peer no longer has the state/],
    [
      'an epoch that did not open',
      withoutOpeners,
      /it shows vertices of less than a third of the weight in epoch 2/,
    ],
    ['a seal that is not proven', higherOffer, /the seals up to epoch 9 are not proven/],
  ];

  it.each(LIES)('%s: rejected and reported, and nothing of it is kept', async (_name, tamper, fault) => {
    liar.tamper = tamper;
    const { store, result, complaints } = await joinFrom([liar]);
    expect(result).toBeUndefined();
    expect(complaints.join()).toMatch(fault);
    expect(hasNoLog(store)).toBe(true);
    expect((await rowsOf(store)).given).toEqual([]);
    expect(isJoinUnfinished(store)).toBe(false);
  });

  it('without end fills half of the disk at most, and all that is free where nobody else is left', async () => {
    const ROOM = 2_000_000;
    let isEndless = false;
    let sent = 0;
    liar.tamper = (answer) => {
      if (answer.type !== 'fetched') return answer;
      isEndless ||= decodeRows(answer.rows, EMPTY)!.at(-1)?.[0][0] === 'q'.charCodeAt(0);
      const rows = isEndless ? endless() : answer.rows;
      sent += rows.length;
      return { ...answer, rows, part: 'more' };
    };
    const first = await joinFrom([liar, honest], { roomBytes: () => ROOM });
    expect(first.complaints.join()).toMatch(/it sends more than the disk has room for/);
    expect(first.result?.epoch).toBe(2);
    expect(sent).toBeLessThan(0.6 * ROOM);
    [isEndless, sent] = [false, 0];
    const alone = await joinFrom([liar], { roomBytes: () => ROOM });
    expect(alone.complaints.join()).toMatch(/it sends more than the disk has room for/);
    expect((await rowsOf(alone.store)).given).toEqual([]);
    expect(sent).toBeGreaterThan(ROOM);
  });

  it('does not keep a node from joining through another peer', async () => {
    liar.tamper = altered('s', byte);
    const { result, complaints } = await joinFrom([liar, honest]);
    expect(result?.epoch).toBe(2);
    // None where the other one answered first.
    expect(complaints.length).toBeLessThanOrEqual(1);
  });

  it('the newest proven state is used, and a peer that offers an unproven one is skipped', async () => {
    liar.tamper = higherOffer;
    const older = honest.twin(true);
    expect((await joinFrom([older])).result?.epoch).toBe(1);
    const { result, complaints } = await joinFrom([liar, older, honest]);
    expect([result?.epoch, complaints]).toEqual([2, []]);
  });
});

/** A clock whose waits last a twentieth; `skip` passes time at once. */
function hurried(): Clock & { skip(ms: number): void } {
  let skipped = 0;
  return {
    ...systemClock,
    monotonicMs: () => systemClock.monotonicMs() * 20 + skipped,
    setTimer: (fn, ms) => systemClock.setTimer(fn, ms / 20),
    skip: (ms) => {
      skipped += ms;
    },
  };
}

describe('lists and sums of a peer, which nothing proves', () => {
  /** The root after a node that joined has executed the vertices of the running epoch. */
  async function followed(giver: Giver, store: Store): Promise<string> {
    const follower = await assemble({ ...NET, store, snapshotOrders: 1 });
    follower.ordering.attach(follower.executor);
    for (let position = 0; ; position++) {
      const id = giver.parts.store.get(rowKey.epochVertex(2, position));
      if (!id) break;
      const bytes = giver.parts.store.get(rowKey.vertex(id))!;
      follower.ordering.admit(decodeVertex(bytes)!, bytes, { proofAt: () => new StoredProof(true) });
      follower.ordering.drain();
    }
    await follower.executor.commit();
    return toHex(follower.ids.state.core.stateHash());
  }

  /** Of tasks, and of the first category. */
  const otherSums = (value: Buffer): Buffer =>
    Buffer.from(value.toString().replace(/"(budget|paid|open|tasks)":\d+/g, '"$1":3'));
  const NUMBERS = Uint8Array.from([0, ...Array.from({ length: 9 }, (_, n) => [0, 0, 0, n]).flat()]);
  const LISTS: [string, (value: Uint8Array) => Uint8Array | undefined][] = [
    ['lack everything', () => undefined],
    ['are no lists', (value) => value.map((byte) => byte ^ 0xff)],
    ['are lists of another kind', (value) => Uint8Array.of(1, ...value.subarray(1))],
    ['have numbers of tasks to come', () => NUMBERS],
  ];

  it.each(LISTS)('that %s are made anew from what is proven', async (_, change) => {
    const giver = await Giver.make();
    const [poster, worker] = [giver.keyOf(1), giver.keyOf(2)];
    const open = [...giver.ids].at(-1)!;
    await giver.write(worker, `/v1/tasks/${open}/claim`, {});
    await giver.write(worker, `/v1/tasks/${open}/submit`, { result_content: 'Copied, all of it.' });
    await giver.write(poster, '/v1/tasks', { title: 'Tides', description: 'List them', budget: 10_000_000 });
    expect(giver.parts.ordering.epoch.number).toBe(2);
    giver.tamper = rowsTampered((rows) =>
      rows.flatMap(([key, value], i): Row[] => {
        const kind = String.fromCharCode(key[0]!);
        if (kind === 'w') return [[key, otherSums(Buffer.from(value))]];
        if (!'efjN'.includes(kind)) return [[key, value]];
        const other = change(value);
        // The last of an answer would be asked for again.
        return other ? [[key, other]] : i < rows.length - 1 ? [] : [[key, EMPTY]];
      }),
    );
    const { store, result } = await joinFrom([giver]);
    expect(result?.epoch).toBe(2);
    expect(await followed(giver, store)).toBe(giver.root);
    expect(await givenTo(store)).toEqual(await givenTo(giver.parts.store));
  });

  it('two events of one id are not taken', async () => {
    const giver = await Giver.make();
    let id = '';
    giver.tamper = rowsTampered((rows) =>
      rows.map(([key, value]) => {
        if (key[0] !== 'q'.charCodeAt(0)) return [key, value];
        const doc = JSON.parse(Buffer.from(value).toString());
        if (doc.settlement_state === 'optimistic') return [key, value];
        id ||= doc.event_id;
        return [key, Buffer.from(JSON.stringify({ ...doc, event_id: id }))];
      }),
    );
    const { complaints } = await joinFrom([giver]);
    expect(complaints.join()).toMatch(/two events have the id/);
  });
});

describe('a liar that comes before everybody else', () => {
  let liar: Giver;
  let honest: Giver;
  /** The honest node lets its snapshot go while the joining one is busy with the liar. */
  let isGone: boolean;
  beforeAll(async () => {
    honest = await Giver.make();
    liar = honest.twin();
    honest.tamper = (answer) => {
      if (answer.type === 'sealed') isGone = false;
      return answer.type === 'fetched' && isGone ? gone(answer) : answer;
    };
  });

  const busy =
    (lie: Tamper): Tamper =>
    (answer) => {
      isGone ||= answer.type === 'fetched';
      return lie(answer);
    };

  it.each([
    ['required', true],
    ['tried', false],
  ])('is asked last in the next attempt, where a checkpoint is %s', async (_, isWanted) => {
    liar.tamper = busy(cutShort);
    let lies = 0;
    const { result } = await joinFrom([liar, honest], {
      isWanted,
      clock: hurried(),
      log: { ...QUIET, error: () => ++lies },
    });
    expect(result?.epoch).toBe(2);
    expect(lies).toBeLessThanOrEqual(2);
  });

  it('is left when it sends row by row', async () => {
    const clock = hurried();
    let answers = 0;
    liar.tamper = (answer) => {
      if (answer.type !== 'fetched') return answer;
      clock.skip(5000);
      answers += 1;
      const rows = decodeRows(answer.rows, EMPTY)!;
      return { ...answer, part: rows.length > 1 ? 'more' : answer.part, rows: encodeRows(rows.slice(0, 1)) };
    };
    isGone = false;
    const { result, complaints } = await joinFrom([liar, honest], { clock });
    expect(result?.epoch).toBe(2);
    expect(complaints.join()).toMatch(/sends the state too slowly/);
    expect(answers).toBeLessThan(30);
  });

  it('is left when it answers no question for rows', async () => {
    liar.tamper = (answer) => (answer.type === 'fetched' ? undefined : answer);
    const { result, complaints } = await joinFrom([liar, honest], { clock: hurried() });
    expect(result?.epoch).toBe(2);
    expect(complaints.join()).toMatch(/sends the state too slowly/);
  });

  it('shows its seals slowly, while others prove theirs', async () => {
    const many = await Giver.make(6);
    const slow = many.twin();
    many.tamper = (answer) =>
      answer.type === 'sealed' ? { ...answer, proofs: answer.proofs.slice(0, 1) } : answer;
    slow.tamper = (answer) => (answer.type === 'sealed' ? { ...answer, offered: 0, proofs: [] } : answer);
    slow.delayMs = 500;
    let asked = 0;
    slow.onQuestion = ({ type }) => {
      if (type === 'seals') asked += 1;
    };
    const { result } = await joinFrom([slow, many]);
    expect(result?.epoch).toBe(6);
    expect(asked).toBeLessThanOrEqual(3);
  });
});

/**
 * The open transfer is among what was dropped with older history, as the value of its leaf; a settled one with its id, which nothing
 * proves, is under its number or under another one.
 */
function passedForSettled({ parts }: Giver, number: 'own' | 'other'): Tamper {
  const { store, totals } = parts;
  const seqs = Array.from({ length: 200 }, (_, i) => i + 1);
  const doc = eventsAt(store, seqs).find((one) => one?.settlement_state === 'optimistic')!;
  const told = { ...doc, amount: 7_000_000, settlement_state: 'settled' };
  const own = rowKey.event(doc.seq);
  const start = { seq: 2, order: 2, time_secs: 1 };
  const json = (value: object): Buffer => Buffer.from(JSON.stringify(value));
  const added: Row[] = [
    [rowKey.droppedLeaf(eventLeaf(doc.seq)), sha256(store.get(own)!)],
    [number === 'own' ? own : rowKey.event(1_000_000 + totals.checkpoints), json(told)],
    [rowKey.totals('history'), json(start)],
  ];
  let last: Uint8Array = EMPTY;
  return rowsTampered((rows, { part }) => {
    const kept = rows.filter(([key]) => !equalBytes(key, own));
    const to = part === 'last' ? Uint8Array.of(0xff) : rows.at(-1)![0];
    const here = added.filter(([key]) => Buffer.compare(key, last) > 0 && Buffer.compare(key, to) <= 0);
    last = to;
    return [...kept, ...here].sort(([a], [b]) => Buffer.compare(a, b));
  });
}

/** Bytes of an agent's row in a leaf, and where its balance is. */
const AGENT_BYTES = 256;
const BALANCE_AT = 160;

/** A state that is whole and has the right sums, and that nobody signed: the first agent's money is its neighbour's. */
function moneyMoved({ parts }: Giver): Tamper {
  const [from, to] = [parts.ids.state.agent(0)!, parts.ids.state.agent(1)!];
  const isTheirs = (leaf: Uint8Array): boolean =>
    equalBytes(leaf.subarray(0, 32), from.key) &&
    equalBytes(leaf.subarray(AGENT_BYTES, AGENT_BYTES + 32), to.key);
  return rowsTampered((rows) =>
    rows.map(([key, value]) => {
      if (key[0] !== 's'.charCodeAt(0)) return [key, value];
      return [
        key,
        repaged(value, (leaf) => {
          if (!isTheirs(leaf)) return;
          leaf.writeBigUInt64LE(BigInt(from.balance - 1), BALANCE_AT);
          leaf.writeBigUInt64LE(BigInt(to.balance + 1), AGENT_BYTES + BALANCE_AT);
        }),
      ];
    }),
  );
}

/** A page with other leaves, whose hashes and checksum are right. */
function repaged(row: Uint8Array, change: (leaf: Buffer) => void): Buffer {
  const page = decodePage(row)!;
  const [leaves, hashes] = [Buffer.from(page.leaves), Buffer.from(page.hashes)];
  for (let i = 0; i < PAGE_LEAVES; i++) {
    const leaf = leaves.subarray(i * LEAF_BYTES, (i + 1) * LEAF_BYTES);
    change(leaf);
    hashes.set(
      isZero(leaf) ? new Uint8Array(LEAF_HASH_BYTES) : sha256(leaf, Uint8Array.of(0)),
      i * LEAF_HASH_BYTES,
    );
  }
  return Buffer.from(encodePage({ leaves, hashes }));
}

const rewritten = (row: Buffer): Buffer =>
  repaged(row, (leaf) => {
    if (!isZero(leaf)) leaf[100]! ^= 1;
  });

function otherHashes(row: Buffer): Buffer {
  const { leaves, hashes } = decodePage(row)!;
  const other = Buffer.from(hashes);
  other[0]! ^= 1;
  return Buffer.from(encodePage({ leaves, hashes: other }));
}

/** Ids of events name other events. */
let events = 0;
/** The next event of a list without end, of some length. */
function endless(): Uint8Array {
  events += 1;
  const doc = { event_id: sha256(Buffer.from(`${events}`)), text: 'x'.repeat(20_000) };
  return encodeRows([[rowKey.event(2 ** 40 + events), Buffer.from(JSON.stringify(doc))]]);
}

/** Each event in the place of its neighbour. */
function renumbered(rows: Row[]): Row[] {
  const isEvent = (row: Row | undefined): boolean => row?.[0][0] === 'q'.charCodeAt(0);
  const values = rows.map(([, value]) => value);
  for (let i = 0; i + 1 < rows.length; i++) {
    if (!isEvent(rows[i]) || !isEvent(rows[i + 1])) continue;
    [values[i], values[i + 1]] = [values[i + 1]!, values[i]!];
    i += 1;
  }
  return rows.map(([key], i) => [key, values[i]!]);
}

function without(prefix: string): (rows: Row[]) => Row[] {
  let isDone = false;
  return (rows) =>
    rows.filter(([key], i) => {
      // The last of an answer would be asked for again.
      const isIt = !isDone && key[0] === prefix.charCodeAt(0) && i < rows.length - 1;
      isDone ||= isIt;
      return !isIt;
    });
}

/** The last of an answer would be asked for again. */
const withoutCategory = (rows: Row[]): Row[] =>
  rows.filter(
    ([key], i) => i === rows.length - 1 || !Buffer.from(key).toString().startsWith('wtask-category-0'),
  );

function withHead(rows: Row[], { part }: Fetched): Row[] {
  return part === 'last' ? rows : [...rows.slice(0, -1), [rowKey.meta('head'), Buffer.from('{}')]];
}

function cutShort(answer: Message): Message {
  return answer.type === 'fetched' ? { ...answer, part: 'last' } : answer;
}

function gone(answer: Message): Message {
  return answer.type === 'fetched' ? { ...answer, part: 'gone', rows: EMPTY } : answer;
}

function withoutOpeners(answer: Message): Message {
  return answer.type === 'sealed' ? { ...answer, openers: [] } : answer;
}

function higherOffer(answer: Message): Message {
  return answer.type === 'sealed' ? { ...answer, offered: 9 } : answer;
}
