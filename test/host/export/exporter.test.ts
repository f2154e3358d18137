// The export of a network with several epochs into a sink in memory: what it writes is what the node has, each once.

import { beforeAll, describe, expect, it } from 'vitest';
import { VwsError } from '../../../host/client/vws-error.ts';
import { SUPPLY } from '../../../host/export/batch.ts';
import type { EventDoc } from '../../../host/store/documents.ts';
import { rowKey } from '../../../host/store/prefixes.ts';
import { readJson } from '../../../host/store/write-set.ts';
import type { LogPage } from '../../../host/wire/log-page.ts';
import { PlainStore } from '../audit/giver-source.ts';
import { Giver } from '../net/join-world.ts';
import { exportOnce, MemorySink, openExporter } from './memory-sink.ts';

let giver: Giver;
let whole: MemorySink;
beforeAll(async () => {
  giver = await Giver.make();
  whole = new MemorySink();
  await exportOnce({ giver, sink: whole });
});

const storedEvent = (seq: number): EventDoc | undefined =>
  readJson<EventDoc>(giver.parts.store.get(rowKey.event(seq)));

/** What the state of the node says of an agent. */
function held(id: string): number[] {
  const { state } = giver.parts.ids;
  const { balance, staked, reserved } = state.agent(state.findAgent(Buffer.from(id, 'hex'))!)!;
  return [balance, staked, reserved];
}

describe('what is exported', () => {
  it('has the display name of an agent in the batch that registers it', async () => {
    const key = giver.keyOf(240);
    await giver.write(key, '/v1/agents', { display_name: 'Carol' });
    const sink = new MemorySink();
    await exportOnce({ giver, sink });
    expect(sink.documents.get(`agent ${key.publicKeyHex}`)).toMatchObject({ display_name: 'Carol' });
    whole = sink;
  });

  it('is every event as the node has it, without a gap', () => {
    const { seq } = giver.parts.executor.head;
    expect([...whole.events.keys()].sort((a, b) => a - b)).toEqual(
      Array.from({ length: seq }, (_, i) => i + 1),
    );
    for (const [at, event] of whole.events) expect(event).toEqual(storedEvent(at));
  });

  it('is every change of every account: they end at what the state says, and sum to the supply', () => {
    const agents = [...whole.documents.keys()].flatMap((name) => name.match(/^agent (.*)$/)?.[1] ?? []);
    expect(agents.length).toBeGreaterThan(10);
    for (const id of agents)
      expect(
        ['balance', 'stake', 'escrow'].map((kind) => whole.accounts.get(`agent:${id}:${kind}`) ?? 0),
      ).toEqual(held(id));
    expect([...whole.accounts.values()].reduce((sum, amount) => sum + amount, 0)).toBe(SUPPLY);
    const { pools } = giver.parts.ids.state.header();
    expect(whole.accounts.get('pool:treasury')).toBe(pools[4]);
  });

  it('has the postings of an event beside it: a transfer leaves the balance for the escrow', () => {
    const transfer = [...whole.events.values()].find(({ event_type }) => event_type === 'transfer')!;
    const own = whole.batches.flatMap(({ postings }) =>
      postings.filter(({ cause }) => cause === transfer.event_id),
    );
    expect(own.map(({ account, amount, seq }) => [account, amount, seq])).toEqual([
      [`agent:${transfer.agent_id}:balance`, -1_000_000, transfer.seq],
      [`agent:${transfer.agent_id}:escrow`, 1_000_000, transfer.seq],
    ]);
  });

  it('has the current documents: tasks, the listing, validators', () => {
    for (const id of giver.ids) expect(whole.documents.get(`task ${id}`)).toMatchObject({ id });
    const listings = [...whole.documents].filter(([name]) => name.startsWith('listing '));
    expect(listings.map(([, doc]) => doc)).toMatchObject([{ name: 'Vessel counter' }]);
    const validators = [...whole.documents.keys()].filter((name) => name.startsWith('validator '));
    expect(validators.length).toBe(giver.parts.ids.state.header().validators);
  });

  it('has the signatures of checkpoints', () => {
    expect(whole.signatures.size).toBeGreaterThan(0);
    for (const { signatures } of whole.signatures.values()) expect(signatures.length).toBeGreaterThan(0);
  });
});

describe('an export that is interrupted', () => {
  it('computes again what the sink has, and writes only what comes after', async () => {
    const sink = new MemorySink();
    const store = new PlainStore();
    const write = sink.write.bind(sink);
    let left = 3;
    sink.write = async (batch) => {
      if (left-- === 0) throw new Error('no connection');
      await write(batch);
    };
    await expect(exportOnce({ giver, sink, store, page: 10 })).rejects.toThrow('no connection');
    const place = sink.at!;
    sink.write = write;
    // With other batches than before, and with the store of the run that broke.
    await exportOnce({ giver, sink, store, page: 7 });
    expect(sink.batches[3]!.from).toEqual(place);
    expect(sink.events).toEqual(whole.events);
    expect(sink.accounts).toEqual(whole.accounts);
  });

  it('knows its own history, wherever it was killed after a batch and before its folder had that', async () => {
    const sink = new MemorySink();
    const store = new PlainStore();
    const write = sink.write.bind(sink);
    for (let rounds = 1, end: unknown = 'killed'; end === 'killed'; rounds++) {
      let left = rounds;
      sink.write = async (batch) => {
        await write(batch);
        if (left-- === 0) throw new Error('killed');
      };
      end = await exportOnce({ giver, sink, store, page: 12 }).catch((error: Error) => error.message);
    }
    expect(sink.events).toEqual(whole.events);
  });

  it('goes on after a clean end, with what the node made meanwhile', async () => {
    const sink = new MemorySink();
    const store = new PlainStore();
    await exportOnce({ giver, sink, store });
    const before = sink.batches.length;
    await exportOnce({ giver, sink, store });
    expect(sink.batches.length).toBe(before);
  });
});

describe('a batch of several pages', () => {
  const paged = { page: 5, batchBytes: 1_000_000 };

  it('ends with an epoch, and has the same rows as batches of a page each', async () => {
    const [pages, batches] = [new MemorySink(), new MemorySink()];
    await exportOnce({ giver, sink: pages, page: 5 });
    const store = new PlainStore();
    await exportOnce({ giver, sink: batches, store, ...paged });
    expect(batches.batches.length).toBe(giver.parts.ordering.epoch.number + 1);
    expect(pages.batches.length).toBeGreaterThan(2 * batches.batches.length);
    expect(batches.events).toEqual(whole.events);
    expect(batches.accounts).toEqual(whole.accounts);
    expect(batches.signatures).toEqual(whole.signatures);
    // What it kept is whole, too.
    await exportOnce({ giver, sink: batches, store, ...paged });
    expect(batches.batches.length).toBe(giver.parts.ordering.epoch.number + 1);
  });

  it('is written as far as it was computed when the node does not answer, and is gone on with', async () => {
    const sink = new MemorySink();
    let left = 3;
    const page = (given: LogPage): LogPage => {
      if (left-- > 0) return given;
      throw new VwsError({ status: 0, code: 'unreachable', message: 'no answer' });
    };
    const exporter = await openExporter({ giver, sink, lies: { page }, ...paged });
    await expect(exporter.once()).rejects.toThrow('no answer');
    expect(sink.batches.length).toBe(1);
    expect(exporter.place).toEqual(sink.at);
    left = Number.POSITIVE_INFINITY;
    await exporter.once();
    expect(sink.events).toEqual(whole.events);
    expect(sink.accounts).toEqual(whole.accounts);
  });

  it('is not written where a lie is in one of its pages', async () => {
    const sink = new MemorySink();
    let left = 1;
    const page = (given: LogPage): LogPage =>
      left-- > 0
        ? given
        : { ...given, vertices: [given.vertices[0]!, given.vertices[0]!], next: given.from + 2 };
    const verdict = await exportOnce({ giver, sink, lies: { page }, ...paged });
    expect(verdict.fault?.kind).toBe('vertex');
    expect(sink.batches).toEqual([]);
  });
});

describe('what an export refuses', () => {
  it('to begin behind what the sink has: that would be a hole', async () => {
    const sink = new MemorySink();
    sink.opening = whole.opening;
    sink.at = { order: 5, seq: 2 };
    await expect(exportOnce({ giver, sink, way: 'checkpoint' })).rejects.toMatchObject({ kind: 'gap' });
    expect(sink.batches).toEqual([]);
  });

  it('a sink of a history that this node no longer has: one that lost its tail, and went on otherwise', async () => {
    const [lost, present] = [await Giver.make(), await Giver.make()];
    await lost.write(lost.keyOf(241), '/v1/agents', {});
    await present.write(present.keyOf(242), '/v1/agents', {});
    const sink = new MemorySink();
    await exportOnce({ giver: lost, sink });
    const before = { batches: sink.batches.length, at: sink.at };
    // So that no account is in both.
    await present.write(present.keyOf(243), '/v1/agents', {});
    for (const page of [1, 25, 1000]) {
      await expect(exportOnce({ giver: present, sink, page })).rejects.toMatchObject({ kind: 'differs' });
      expect({ batches: sink.batches.length, at: sink.at }).toEqual(before);
    }
  });

  it('an empty sink for a folder that has verified data already', async () => {
    const store = new PlainStore();
    const exporter = await openExporter({ giver, sink: new MemorySink(), store });
    await exporter.once();
    // The process is killed: no snapshot, so the state begins behind the head.
    await expect(openExporter({ giver, sink: new MemorySink(), store })).rejects.toMatchObject({
      kind: 'gap',
    });
  });

  it('to write after a lie', async () => {
    const sink = new MemorySink();
    const lies = { order: (order: number) => order + 50 };
    const verdict = await exportOnce({ giver, sink, lies });
    expect(verdict.isGood).toBe(false);
    const exporter = await openExporter({ giver, sink: new MemorySink(), lies });
    expect((await exporter.follow())?.fault?.kind).toBe('missing');
  });
});

it('an export that begins with a signed state has the same rows from there on', async () => {
  const sink = new MemorySink();
  await exportOnce({ giver, sink, way: 'checkpoint' });
  const { seq, order } = sink.opening!;
  expect(seq).toBeGreaterThan(5);
  expect(sink.opening!.holdings.reduce((sum, [, amount]) => sum + amount, 0)).toBe(SUPPLY);
  expect(sink.events).toEqual(new Map([...whole.events].filter(([at]) => at > seq)));
  const later = (from: MemorySink) =>
    from.batches.flatMap(({ postings }) => postings.filter((posting) => posting.order > order));
  expect(later(sink)).toEqual(later(whole));
  for (const [account, amount] of whole.accounts) expect(sink.accounts.get(account) ?? 0).toBe(amount);
  for (const [name, doc] of whole.documents)
    if (name.startsWith('task ')) expect(sink.documents.get(name)).toEqual(doc);
});
