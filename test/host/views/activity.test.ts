import { expect, it } from 'vitest';
import { readU64, rowKey } from '../../../host/store/prefixes.ts';
import { WriteSet } from '../../../host/store/write-set.ts';
import { Activity } from '../../../host/views/projection/activity.ts';
import { toHex } from '../../../host/wire/bytes.ts';
import type { Store } from '../../../host/world/store.ts';

const HOUR = 3600;

/** Rows that a batch of events leaves: amounts and the hours they are of. */
class Disk {
  readonly rows = new Map<string, Uint8Array>();
  reads = 0;
  readonly #store = {
    get: (key: Uint8Array) => {
      this.reads += 1;
      return this.rows.get(toHex(key));
    },
  } as Store;

  batch(activity: Activity, events: readonly (readonly [hour: number, amount: number])[]): void {
    const set = new WriteSet(this.#store);
    for (const [hour, amount] of events) activity.add(amount, hour * HOUR + 7);
    activity.flush(set);
    for (const { key, value } of set.ops()) this.rows.set(toHex(key), value!);
  }

  /** Volume and count of an hour. */
  of(hour: number): [number, number] | undefined {
    const row = this.rows.get(toHex(rowKey.activity(hour)));
    return row && [readU64(row, 0), readU64(row, 8)];
  }
}

it('adds up what batches bring, hour by hour', () => {
  const [disk, activity] = [new Disk(), new Activity()];
  disk.batch(activity, [
    [1, 10],
    [1, 5],
  ]);
  disk.batch(activity, [
    [1, 1],
    [2, 100],
  ]);
  disk.batch(activity, []);
  disk.batch(activity, [[2, 7]]);
  expect([disk.of(1), disk.of(2), disk.of(3)]).toEqual([[16, 3], [107, 2], undefined]);
});

it('goes on from the rows after a start, and adds to an hour that came before', () => {
  const disk = new Disk();
  disk.batch(new Activity(), [[5, 10]]);
  const restarted = new Activity();
  disk.batch(restarted, [[5, 1]]);
  disk.batch(restarted, [[6, 2]]);
  disk.batch(restarted, [[5, 3]]);
  disk.batch(restarted, [[6, 4]]);
  expect([disk.of(5), disk.of(6)]).toEqual([
    [14, 3],
    [6, 2],
  ]);
});

it('reads the row of an hour once, however many batches add to it', () => {
  const [disk, activity] = [new Disk(), new Activity()];
  for (let i = 0; i < 10; i++) disk.batch(activity, [[3, i]]);
  expect([disk.of(3), disk.reads]).toEqual([[45, 10], 1]);
});

it('says of sums beyond 2^53 that they are at least that, whatever the batches', () => {
  const most = Number.MAX_SAFE_INTEGER;
  const disk = new Disk();
  const activity = new Activity();
  for (let n = 0; n < 2_100; n++) disk.batch(activity, [[1, most]]);
  disk.batch(
    activity,
    Array.from({ length: 2_100 }, () => [2, most] as const),
  );
  expect([disk.of(1), disk.of(2)]).toEqual([
    [most, 2_100],
    [most, 2_100],
  ]);
});
