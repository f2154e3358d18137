// Joining from a signed checkpoint (consensus 5.12, pitfall D5): what is received equals what a replay makes, only what is
// missing goes over the link, and whatever was altered is refused and named.

import { beforeAll, describe, expect, it } from 'vitest';
import { keyPairFromSeed } from '../../../host/crypto/key-pair.ts';
import * as recovery from '../../../host/execution/recovery.ts';
import { decodeRows, encodeRows, type Row } from '../../../host/net/join-rows.ts';
import { beginJoin, discardReceived, hasNoLog, isJoinUnfinished } from '../../../host/net/join-store.ts';
import type { Message } from '../../../host/net/messages.ts';
import { StoredProof } from '../../../host/ordering/entry-proof.ts';
import type { EpochDoc } from '../../../host/ordering/epoch.ts';
import { MemoryStore } from '../../../host/store/memory-store.ts';
import { rowKey } from '../../../host/store/prefixes.ts';
import { readJson } from '../../../host/store/write-set.ts';
import { toHex } from '../../../host/wire/bytes.ts';
import { decodeVertex, encodeVertex, makeVertex } from '../../../host/wire/vertex.ts';
import { assemble, freshCore, seedOf } from '../one-node/harness.ts';
import { absentKey } from '../one-node/manifests.ts';
import { GENESIS, Giver, joinFrom, NET, rowsOf, type Tamper } from './join-world.ts';

const hex = (rows: readonly Row[]): [string, string][] =>
  rows.map(([key, value]) => [toHex(key), toHex(value)]);

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
    expect([...(await rowsOf(store)).others].sort()).toEqual(['E', 'c', 'm']);
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
    expect(hex((await rowsOf(store)).given)).toEqual(hex((await rowsOf(giver.parts.store)).given));
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
    expect(follower.ids.state.seats()).toEqual(own.parts.ids.state.seats());
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
      { key: rowKey.leaf(3), value: new Uint8Array(512) },
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
    await expect(start).rejects.toThrow(/joined from a checkpoint.*Nothing was changed/);
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
  const LIES: [string, Tamper, RegExp][] = [
    ['an altered leaf', altered('s', byte), /the state has root|the leaves are not a valid state/],
    ['a leaf of another size', altered('s', (v) => v.subarray(1)), /a leaf of the state has another size/],
    ['a missing leaf', rowsTampered(without('s')), /the state has root|the leaves are not a valid state/],
    ['another name of an agent', altered('a', text(/"id":"./, '"id":"x')), /the name of agent \d+ is not/],
    ['a row that is no JSON', altered('a', () => Buffer.from('{')), /JSON/],
    ['a missing name', rowsTampered(without('a')), /of \d+ agents have names/],
    ['another address', altered('d', byte), /a deposit address is not/],
    ['an altered result', altered('u', byte), /the content of the result of task [0-9a-f]{32} was altered/],
    ['other totals', altered('w', text(/"checkpoints":\d+/, '"checkpoints":9')), /count of checkpoints/],
    ['rows in disorder', rowsTampered((rows) => rows.reverse()), /rows are out of order/],
    [
      'rows that are never served',
      rowsTampered(withHead),
      /rows are out of order, or of a kind that is not served/,
    ],
    ['an end too early', cutShort, /the state has root|agents have names|leaves are not a valid state/],
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

  it('does not keep a node from joining through another peer', async () => {
    liar.tamper = altered('s', byte);
    const { result, complaints } = await joinFrom([liar, honest]);
    expect(result?.epoch).toBe(2);
    expect(complaints.length).toBe(1);
  });

  it('the newest proven state is used, and a peer that offers an unproven one is skipped', async () => {
    liar.tamper = higherOffer;
    const older = honest.twin(true);
    expect((await joinFrom([older])).result?.epoch).toBe(1);
    const { result, complaints } = await joinFrom([liar, older, honest]);
    expect([result?.epoch, complaints]).toEqual([2, []]);
  });
});

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
