// One suite over every store: atomic batches, order of scans, what survives closing.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Store } from '../../../host/world/store.ts';

const bytes = (text: string): Uint8Array => Buffer.from(text);
const text = (value: Uint8Array | undefined): string | undefined => value && Buffer.from(value).toString();

export function storeContract(
  name: string,
  open: (path: string) => Promise<Store>,
  durable: boolean,
  hasViews = true,
): void {
  describe(`store: ${name}`, () => {
    let path: string;
    let store: Store;
    beforeEach(async () => {
      path = mkdtempSync(join(tmpdir(), 'vws-store-'));
      store = await open(path);
    });
    afterEach(async () => {
      await store.close();
      rmSync(path, { recursive: true, force: true });
    });

    it('returns undefined for a key that was never written', () => {
      expect(store.get(bytes('nothing'))).toBeUndefined();
      expect(store.getMany([bytes('a'), bytes('b')])).toEqual([undefined, undefined]);
      expect(store.getMany([])).toEqual([]);
    });

    it('writes puts and deletes of a batch together, the last of a key wins', async () => {
      await store.write([
        { key: bytes('a'), value: bytes('1') },
        { key: bytes('b'), value: bytes('2') },
      ]);
      await store.write([
        { key: bytes('a'), value: undefined },
        { key: bytes('b'), value: bytes('3') },
        { key: bytes('c'), value: bytes('') },
      ]);
      expect(store.getMany([bytes('a'), bytes('b'), bytes('c')]).map(text)).toEqual([undefined, '3', '']);
    });

    it('returns rows as text, each at its position', async () => {
      await store.write([
        { key: bytes('a'), value: bytes('{"n":"größer 漢字 \u{1f600}"}') },
        { key: bytes('b'), value: bytes('') },
      ]);
      const keys = ['b', 'none', 'a', 'a'].map(bytes);
      const a = '{"n":"größer 漢字 \u{1f600}"}';
      for (const use of [undefined, 'again', 'once'] as const) {
        expect(store.getTexts(keys, use)).toEqual(['', undefined, a, a]);
      }
      expect(store.getTexts([])).toEqual([]);
    });

    it('keeps binary keys and values unchanged', async () => {
      const key = Uint8Array.from({ length: 256 }, (_, i) => i);
      const value = key.map((b) => 255 - b);
      await store.write([{ key, value }]);
      expect(Buffer.from(store.get(key)!).equals(Buffer.from(value))).toBe(true);
    });

    it('scans every row of a range that is far larger than one fetch', async () => {
      const keyOf = (n: number): Uint8Array => bytes(`row-${String(n).padStart(5, '0')}`);
      const value = (n: number): Uint8Array => new Uint8Array(n % 500 === 0 ? 600_000 : 900).fill(n & 0xff);
      await store.write(Array.from({ length: 2500 }, (_, n) => ({ key: keyOf(n), value: value(n) })));
      let n = 0;
      for await (const [key, found] of store.scan({ gte: bytes('row-'), lt: bytes('row.') })) {
        expect(Buffer.compare(key, keyOf(n))).toBe(0);
        expect(Buffer.compare(found, value(n))).toBe(0);
        n++;
      }
      expect(n).toBe(2500);
    });

    it('scans a half-open range in byte order, both ways, up to a limit', async () => {
      const keys = ['a', 'b\u0000', 'b', 'ba', 'c'];
      await store.write(keys.map((k) => ({ key: bytes(k), value: bytes(k) })));
      const scan = async (more: object): Promise<string[]> => {
        const out: string[] = [];
        for await (const [key] of store.scan({ gte: bytes('a'), lt: bytes('c'), ...more }))
          out.push(text(key)!);
        return out;
      };
      expect(await scan({})).toEqual(['a', 'b', 'b\u0000', 'ba']);
      expect(await scan({ reverse: true, limit: 2 })).toEqual(['ba', 'b\u0000']);
    });

    it.runIf(hasViews)(
      'shows in a view the rows of one moment, page by page, whatever is written meanwhile',
      async () => {
        const value = (n: number): Uint8Array => new Uint8Array(30_000).fill(n);
        const key = (n: number): Uint8Array => bytes(`v${String(n).padStart(3, '0')}`);
        await store.write(Array.from({ length: 100 }, (_, n) => ({ key: key(n), value: value(n) })));
        const view = store.view();
        await store.write([
          { key: key(5), value: undefined },
          { key: key(6), value: bytes('later') },
          { key: key(200), value: bytes('later') },
        ]);
        const seen: number[] = [];
        for (let gte = bytes('v'); ; ) {
          const rows = await view.page({ gte, lt: bytes('w') }, 100_000);
          for (const [at, found] of rows) {
            expect(Buffer.compare(at, key(seen.length))).toBe(0);
            expect(Buffer.compare(found, value(seen.length))).toBe(0);
            seen.push(seen.length);
          }
          if (rows.length === 0) break;
          expect(rows.length).toBeLessThanOrEqual(3);
          gte = Buffer.concat([rows.at(-1)![0], Uint8Array.of(0)]);
        }
        expect(seen.length).toBe(100);
        // A row alone is given however large it is; an empty range gives nothing, and both leave the view usable.
        expect((await view.page({ gte: key(1), lt: key(2) }, 10)).length).toBe(1);
        expect(await view.page({ gte: bytes('x'), lt: bytes('y') }, 10)).toEqual([]);
        expect((await view.page({ gte: key(5), lt: key(7) }, 100_000)).length).toBe(2);
        await view.close();
        expect(store.get(key(5))).toBeUndefined();
      },
    );

    it.runIf(durable)('holds what was written after closing and opening again', async () => {
      await store.write([{ key: bytes('k'), value: bytes('v') }]);
      await store.close();
      store = await open(path);
      expect(text(store.get(bytes('k')))).toBe('v');
    });

    it.runIf(durable)('refuses a second opening while it is open', async () => {
      await expect(open(path)).rejects.toThrow();
    });
  });
}
