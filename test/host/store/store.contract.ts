// One suite over every store: atomic batches, order of scans, what survives closing.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Store } from '../../../host/store/store.ts';

const bytes = (text: string): Uint8Array => Buffer.from(text);
const text = (value: Uint8Array | undefined): string | undefined => value && Buffer.from(value).toString();

export function storeContract(name: string, open: (path: string) => Promise<Store>, durable: boolean): void {
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

    it('answers undefined for what was never written', () => {
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

    it('keeps binary keys and values as they are', async () => {
      const key = Uint8Array.from({ length: 256 }, (_, i) => i);
      const value = key.map((b) => 255 - b);
      await store.write([{ key, value }]);
      expect(Buffer.from(store.get(key)!).equals(Buffer.from(value))).toBe(true);
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
