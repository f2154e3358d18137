import { expect, it } from 'vitest';
import type { State } from '../../../host/core/state.ts';
import { Identities } from '../../../host/execution/identity.ts';
import { MemoryStore } from '../../../host/store/memory-store.ts';
import { toHex } from '../../../host/wire/bytes.ts';
import { agentKey } from '../../../host/wire/ids.ts';

const KEY = 'ab'.repeat(32);

/** Identities over agents that a test adds, and how often the core was asked. */
function open() {
  const rows: Uint8Array[] = [];
  const byKey = new Map<string, number>();
  const add = (...keys: Uint8Array[]): void => {
    for (const key of keys) byKey.set(toHex(key), rows.push(key) - 1);
  };
  const asked = { find: 0, read: 0 };
  const validators = new Map<number, number>();
  const state = {
    findAgent(key: Uint8Array) {
      asked.find += 1;
      return byKey.get(toHex(key));
    },
    agentIdentity(index: number) {
      asked.read += 1;
      return { index, key: rows[index]!, publicKey: rows[index]!, validator: validators.get(index) };
    },
  } as unknown as State;
  const manifest = { entries: [] } as unknown as Identities['manifest'];
  const ids = new Identities(state, new MemoryStore(), { manifest, testnet: true });
  return { ids, add, asked, validators };
}

it('finds an agent by every form of its name once it is registered, and not before', () => {
  const { ids, add } = open();
  for (const name of [KEY, KEY.toUpperCase(), 'alice']) expect(ids.named(name)).toBeUndefined();
  add(agentKey(KEY), agentKey('alice'));
  expect([KEY, KEY.toUpperCase(), 'alice', 'Alice'].map((name) => ids.named(name)?.index)).toEqual([
    0,
    0,
    1,
    undefined,
  ]);
});

it('asks the core once for a name, and again only for its validator, which may change', () => {
  const { ids, add, asked, validators } = open();
  add(agentKey('alice'));
  for (let i = 0; i < 3; i++) expect(ids.named('alice')).toMatchObject({ index: 0, key: agentKey('alice') });
  expect(ids.find(agentKey('alice'))).toBe(ids.named('alice'));
  expect(asked).toEqual({ find: 2, read: 1 });
  const alice = ids.named('alice')!;
  expect(alice.validator).toBeUndefined();
  validators.set(0, 7);
  expect([alice.validator, ids.named('alice')!.validator]).toEqual([7, 7]);
});

it('keeps agents apart whose rows share a slot, and forgets names rather than keep them all', () => {
  const { ids, add } = open();
  for (let i = 0; i < 9000; i++) add(agentKey(`agent-${i}`));
  for (const round of [1, 2])
    for (const i of [0, 4096, 8192, 1, 8999])
      expect([round, ids.named(`agent-${i}`)?.index, ids.find(agentKey(`agent-${i}`))?.index]).toEqual([
        round,
        i,
        i,
      ]);
  for (let i = 0; i < 9000; i++) expect(ids.named(`agent-${i}`)?.index).toBe(i);
});
