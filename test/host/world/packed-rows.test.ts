import { expect, it } from 'vitest';
import { JoinedRows, PackedRows, packRows, unpackRows } from '../../../host/world/packed-rows.ts';
import type { BatchOp } from '../../../host/world/store.ts';

const bytes = (text: string): Uint8Array => Buffer.from(text);
const plain = (ops: Iterable<BatchOp>): (readonly [string, string | undefined])[] =>
  [...ops].map(({ key, value }) => [
    Buffer.from(key).toString('latin1'),
    value && Buffer.from(value).toString(),
  ]);
const read = (rows: PackedRows, key: string): string | undefined | null => {
  const place = rows.placeOf(bytes(key));
  const value = place < 0 ? null : rows.valueAt(place);
  return value && Buffer.from(value).toString();
};

it('rows are packed and unpacked unchanged; a buffer that is cut off is no batch', () => {
  const rows: BatchOp[] = [
    { key: bytes('a'), value: bytes('1') },
    { key: new Uint8Array(0), value: new Uint8Array(0) },
    { key: Uint8Array.of(0, 255), value: undefined },
    { key: bytes('b'), value: new Uint8Array(100_000).fill(7) },
  ];
  const packed = packRows(rows);
  expect(plain(unpackRows(packed))).toEqual(plain(rows));
  for (const cut of [1, packed.length - 1])
    expect(() => [...unpackRows(packed.subarray(0, cut))]).toThrow(/malformed/);
});

it('a key has one row, the last that was put: a value, a deletion or a text', () => {
  const rows = new PackedRows();
  rows.put(bytes('a'), bytes('1'));
  rows.put(bytes('b'), bytes('1'));
  rows.delete(bytes('a'));
  expect(Buffer.from(rows.putText(bytes('b'), 'zwölf')).toString()).toBe('zwölf');
  expect([read(rows, 'a'), read(rows, 'b'), read(rows, 'c')]).toEqual([undefined, 'zwölf', null]);
  expect(rows.length).toBe(2);
  expect(plain(rows)).toEqual([
    ['a', undefined],
    ['b', 'zwölf'],
  ]);
  rows.put(bytes('a'), bytes('2'));
  expect(plain(unpackRows(packRows(rows)))).toEqual([
    ['b', 'zwölf'],
    ['a', '2'],
  ]);
});

it('as many rows as a map holds, whatever was put before; what was read stays as it was', () => {
  const rows = new PackedRows();
  for (const count of [10_000, 3, 2000]) {
    rows.clear();
    expect(plain(rows)).toEqual([]);
    const map = new Map<string, string | undefined>();
    let seed = count;
    for (let i = 0; i < 2 * count; i++) {
      seed = (Math.imul(seed, 1_103_515_245) + 12_345) >>> 1;
      const [key, value] = [`k${seed % count}`, i % 7 === 0 ? undefined : `${i}`.repeat(seed % 50)];
      if (value === undefined) rows.delete(bytes(key));
      else rows.put(bytes(key), bytes(value));
      map.delete(key);
      map.set(key, value);
    }
    expect(rows.length).toBe(map.size);
    expect(plain(rows)).toEqual([...map]);
    for (const [key, value] of map) expect(read(rows, key)).toBe(value);
    expect(read(rows, 'k')).toBe(null);
  }
  rows.clear();
  rows.put(bytes('kept'), bytes('as it was'));
  const kept = rows.valueAt(rows.placeOf(bytes('kept')))!;
  rows.clear();
  rows.put(bytes('kept'), bytes('other now'));
  expect(Buffer.from(kept).toString()).toBe('as it was');
});

it('joined batches are one, in their order', () => {
  const [one, two] = [new PackedRows(), new PackedRows()];
  one.put(bytes('a'), bytes('1'));
  two.delete(bytes('b'));
  const joined = new JoinedRows([one, two, [{ key: bytes('c'), value: bytes('3') }]]);
  const expected = [
    ['a', '1'],
    ['b', undefined],
    ['c', '3'],
  ];
  expect(joined.length).toBe(3);
  expect(plain(joined)).toEqual(expected);
  expect(plain(unpackRows(packRows(joined)))).toEqual(expected);
});
