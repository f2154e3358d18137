// Snapshots: what is restored is what a joining node gets, whatever was altered is refused, and a refused one leaves nothing.

import { createHash } from 'node:crypto';
import { existsSync, readFileSync, truncateSync, writeFileSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { BOUNDS, checkpointCode, type LogSource } from '../../../../host/audit/index.ts';
import { createSnapshot, restoreSnapshot } from '../../../../host/cli/snapshot/snapshot.ts';
import { claimStore } from '../../../../host/execution/recovery.ts';
import { beginJoin, hasNoLog, isJoinUnfinished } from '../../../../host/net/join-store.ts';
import { decodeMessage, encodeMessage } from '../../../../host/net/messages.ts';
import { readGate } from '../../../../host/ordering/stored-gate.ts';
import type { CheckpointDoc } from '../../../../host/store/documents.ts';
import { MemoryStore } from '../../../../host/store/memory-store.ts';
import { rowKey } from '../../../../host/store/prefixes.ts';
import { readJson } from '../../../../host/store/write-set.ts';
import { checkpointHash } from '../../../../host/wire/block.ts';
import { ByteWriter, fromHex, toHex } from '../../../../host/wire/bytes.ts';
import { modules, randomBytes } from '../../audit/auditors.ts';
import { GiverSource } from '../../audit/giver-source.ts';
import { GENESIS, Giver, joinFrom, NET, rowsOf } from '../../net/join-world.ts';
import { SMALL_TABLES } from '../../one-node/harness.ts';
import { scratch, vws } from '../harness.ts';

const DAY_MS = 86_400_000;
const HASH_BYTES = 32;
const END_FRAME_BYTES = 7 + HASH_BYTES;
const genesisHash = GENESIS.hashHex;

let giver: Giver;
beforeAll(async () => {
  giver = await Giver.make();
});
const tools = (laterMs = 0) => ({
  modules,
  randomBytes,
  nowMs: () => giver.parts.clock.ms + laterMs,
  scale: { limits: NET.limits, capacity: SMALL_TABLES },
});
async function made(source: LogSource = new GiverSource(giver)): Promise<string> {
  const path = join(scratch(), 'a.vwssnap');
  await createSnapshot(source, path, new MemoryStore(), tools());
  return path;
}
const hex = async (store: MemoryStore) =>
  (await rowsOf(store)).given.map(([key, value]) => `${toHex(key)}=${toHex(value)}`);
const pinAt = (height: number): { height: number; code: string } => {
  const { statement } = readJson<CheckpointDoc>(giver.parts.store.get(rowKey.checkpoint(height)))!;
  return { height, code: checkpointCode(checkpointHash(fromHex(statement)!)) };
};

/** Writes take at most so many bytes, as on a disk that is nearly full. */
async function shortWrites(max: number): Promise<{ mockRestore(): void }> {
  const handle = await open(join(scratch(), 'other'), 'w');
  await handle.close();
  const proto = Object.getPrototypeOf(handle) as Record<'write', (...args: never[]) => Promise<unknown>>;
  const { write } = proto;
  return vi.spyOn(proto, 'write').mockImplementation(function (
    this: unknown,
    ...[bytes, offset, length, position]: readonly [Uint8Array, number, number, number] | never[]
  ) {
    return write.call(this, ...([bytes, offset, Math.min(length!, max), position] as never[]));
  });
}

describe('a snapshot', () => {
  it('is whole although the disk takes its parts in pieces', async () => {
    const short = await shortWrites(999);
    const path = await made().finally(() => short.mockRestore());
    await restoreSnapshot(path, { genesisHash }, new MemoryStore(), tools());
  });

  it('restores what a node has that joined from the same state', async () => {
    const path = await made();
    const store = new MemoryStore();
    const report = await restoreSnapshot(path, { genesisHash }, store, tools());
    expect(report).toMatchObject({ epoch: 2, genesis_hash: genesisHash, signers: 1, seats: 8 });
    expect(report.bytes).toBe(readFileSync(path).length);
    const joined = (await joinFrom([giver])).store as MemoryStore;
    expect(await hex(store)).toEqual(await hex(joined));
    for (const name of ['head', 'snapshot', 'signed', 'history'])
      expect(store.get(rowKey.meta(name))).toEqual(joined.get(rowKey.meta(name)));
    expect(isJoinUnfinished(store)).toBe(false);
  });

  it('has the rows of one state, although the node sealed while they were fetched', async () => {
    const source = new GiverSource(giver);
    let answers = 0;
    const honest = source.state.bind(source);
    source.state = async (epoch: number, after: string) => {
      answers += 1;
      const gone = { type: 'fetched', epoch, part: 'gone', rows: new Uint8Array(0) } as const;
      return answers === 3 ? encodeMessage(gone) : honest(epoch, after);
    };
    const [whole, torn] = [await made(), await made(source)];
    const store = new MemoryStore();
    await restoreSnapshot(torn, { genesisHash }, store, tools());
    expect(await hex(store)).toEqual(await hex((await joinFrom([giver])).store as MemoryStore));
    // Only the question for seals is there once more.
    expect(readFileSync(torn).length).toBeLessThan(readFileSync(whole).length + 3000);
  });

  it('is measured by a pin, which may be any checkpoint of its epochs', async () => {
    const path = await made();
    const top = (await restoreSnapshot(path, { genesisHash }, new MemoryStore(), tools())).checkpoint;
    const ask = (height: number, code: string) =>
      restoreSnapshot(path, { pin: { height, code } }, new MemoryStore(), tools());
    expect(top).toBeGreaterThan(1);
    for (const height of [1, top])
      expect(await ask(height, pinAt(height).code)).toMatchObject({ checkpoint: top });
    await expect(ask(top, pinAt(1).code)).rejects.toThrow(/is .* here, not the pinned/);
    await expect(ask(top + 1, pinAt(1).code)).rejects.toThrow('which is pinned, is not in the snapshot');
  });

  it('says when the point that it hangs on is older than a month', async () => {
    const path = await made();
    const ask = async (days: number, pin?: { height: number; code: string }) =>
      (await restoreSnapshot(path, { genesisHash, pin }, new MemoryStore(), tools(days * DAY_MS)))
        .is_badly_anchored;
    expect([await ask(29), await ask(31)]).toEqual([false, true]);
  });

  it('of a seat that decides alone is held in an incarnation of its own', async () => {
    const store = new MemoryStore();
    await restoreSnapshot(await made(), { genesisHash }, store, tools());
    expect(readGate(store)).toEqual({
      until: null,
      resumed: { incarnation: expect.any(Number), until: 2 },
    });
    expect(readGate(store)!.resumed!.incarnation).toBeGreaterThan(0);
  });
});

describe('a snapshot is refused', () => {
  const refused = async (path: string, anchor = { genesisHash }): Promise<string> => {
    const store = new MemoryStore();
    const error = await restoreSnapshot(path, anchor, store, tools()).catch((found: Error) => found);
    expect(hasNoLog(store)).toBe(true);
    expect((await rowsOf(store)).given).toEqual([]);
    return error instanceof Error ? error.message : 'it was taken';
  };
  const altered = async (alter: (bytes: Buffer) => Buffer): Promise<string> => {
    const path = join(scratch(), 'b.vwssnap');
    writeFileSync(path, alter(readFileSync(await made())));
    return path;
  };
  /** With a hash that fits again, as a liar writes it. */
  const rehashed = (bytes: Buffer): Buffer => {
    const body = bytes.subarray(0, bytes.length - END_FRAME_BYTES);
    createHash('sha256')
      .update(body)
      .digest()
      .copy(bytes, bytes.length - HASH_BYTES);
    return bytes;
  };

  it('of another network', async () => {
    expect(await refused(await made(), { genesisHash: '0'.repeat(64) })).toContain(
      `is of network ${genesisHash}`,
    );
  });

  it('that is cut anywhere', async () => {
    for (const part of [0, 0.001, 0.3, 0.7, 0.999])
      expect(await refused(await altered((b) => b.subarray(0, Math.floor(part * b.length))))).toMatch(
        /no usable snapshot/,
      );
    expect(await refused(await altered((b) => Buffer.concat([b, Buffer.of(0)])))).toMatch(/altered/);
  });

  it('with a frame that is longer than an answer of a node may be', async () => {
    const path = join(scratch(), 'long.vwssnap');
    const bytes = BOUNDS.answerBytes + 1;
    const head = Buffer.concat([Buffer.from('VWSSNAP1'), new ByteWriter(7).u8(1).u16(0).u32(bytes).finish()]);
    writeFileSync(path, head);
    truncateSync(path, head.length + bytes);
    expect(await refused(path)).toMatch(/a frame that is too large/);
  });

  it('with a flipped bit anywhere', async () => {
    for (const part of [0.0001, 0.01, 0.5, 0.9, 0.9999])
      expect(
        await refused(
          await altered((b) => {
            b[Math.floor(part * b.length)]! ^= 1;
            return b;
          }),
        ),
      ).toMatch(/no usable snapshot/);
  });

  it('whose maker altered the state, a name, a seal, and made the hash fit', async () => {
    const at = (find: string) => async (): Promise<string> =>
      altered((b) => {
        const place = b.indexOf(find);
        expect(place).toBeGreaterThan(0);
        b[place]! ^= 1;
        return rehashed(b);
      });
    const top = (await restoreSnapshot(await made(), { genesisHash }, new MemoryStore(), tools())).checkpoint;
    const seal = readJson<CheckpointDoc>(giver.parts.store.get(rowKey.checkpoint(top)))!;
    const { signature } = seal.signatures[0]!;
    const raw = await altered((b) => {
      b[b.indexOf(Buffer.from(signature, 'hex'))]! ^= 1;
      return rehashed(b);
    });
    expect(await refused(raw)).toMatch(/forged|invalid/);
    expect(await refused(await at('Vessels of May')())).toMatch(/has root/);
    const leaf = await altered((b) => {
      const key = giver.parts.ids.state.agent(1)!.key;
      b[b.lastIndexOf(Buffer.from(key))]! ^= 1;
      return rehashed(b);
    });
    expect(await refused(leaf)).toMatch(
      /not a valid state|has root|is not the one in the state|not as it was written/,
    );
  });

  it('for a store that has a log', async () => {
    const store = new MemoryStore();
    const path = await made();
    await restoreSnapshot(path, { genesisHash }, store, tools());
    const before = await hex(store);
    await expect(restoreSnapshot(path, { genesisHash }, store, tools())).rejects.toThrow(
      'the store has a log: restore into an empty data directory',
    );
    expect(await hex(store)).toEqual(before);
  });

  it('and data of an interrupted restore is discarded first', async () => {
    const store = new MemoryStore();
    await claimStore(store, GENESIS);
    await beginJoin(store, 1);
    await store.write([{ key: rowKey.agent(99), value: Uint8Array.of(1) }]);
    await restoreSnapshot(await made(), { genesisHash }, store, tools());
    expect(store.get(rowKey.agent(99))).toBeUndefined();
  });
});

describe('making a snapshot', () => {
  it('leaves no file when the node lies, and overwrites none', async () => {
    const path = join(scratch(), 'a.vwssnap');
    const liar = new GiverSource(giver, {
      bytes: (bytes) => {
        const answer = decodeMessage(bytes);
        if (answer?.type === 'fetched' && answer.rows.length > 600) answer.rows[answer.rows.length - 1]! ^= 1;
        return answer ? encodeMessage(answer) : bytes;
      },
    });
    await expect(createSnapshot(liar, path, new MemoryStore(), tools())).rejects.toThrow();
    expect([existsSync(path), existsSync(`${path}.part`)]).toEqual([false, false]);
    writeFileSync(path, 'mine');
    await expect(createSnapshot(new GiverSource(giver), path, new MemoryStore(), tools())).rejects.toThrow(
      'exists and is not overwritten',
    );
    expect(readFileSync(path, 'utf8')).toBe('mine');
  });

  it('is refused by a node that has no seal yet', async () => {
    const young = await Giver.make(0);
    const path = join(scratch(), 'a.vwssnap');
    await expect(createSnapshot(new GiverSource(young), path, new MemoryStore(), tools())).rejects.toThrow(
      'there is no state to take yet',
    );
    expect(existsSync(path)).toBe(false);
  });
});

describe('vws snapshot', () => {
  it('wants a file, a verb, and something known from elsewhere', async () => {
    expect((await vws(['snapshot'])).err).toContain('takes one of create, verify, restore');
    expect((await vws(['snapshot', 'verify'])).err).toContain('needs --file');
    const { code, err } = await vws(['snapshot', 'verify', '--file', 'x']);
    expect([code, err]).toEqual([2, expect.stringContaining('give --genesis or --pin')]);
    expect((await vws(['snapshot', 'verify', '--file', 'x', '--pin', '3'])).code).toBe(2);
  });

  it('says that a file is none', async () => {
    const path = join(scratch(), 'x');
    writeFileSync(path, 'hello');
    const { code, err } = await vws(['snapshot', 'verify', '--file', path, '--genesis', genesisHash]);
    expect([code, err]).toEqual([
      1,
      expect.stringContaining('is no usable snapshot: it does not begin as one'),
    ]);
  });
});
