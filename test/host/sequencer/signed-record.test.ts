// What was signed leaves the node only when both the store and the last-signed record have it (consensus 5.12). The two
// are written at the same time.

import { expect, it } from 'vitest';
import { keyPairFromSeed } from '../../../host/crypto/key-pair.ts';
import type { SignedVertex } from '../../../host/ordering/signed-record.ts';
import { OPEN_GATE } from '../../../host/ordering/vertex-gate.ts';
import { NO_SOURCE } from '../../../host/ordering/vertex-source.ts';
import { MemoryStore } from '../../../host/store/memory-store.ts';
import { toHex } from '../../../host/wire/bytes.ts';
import type { BatchOp } from '../../../host/world/store.ts';
import { openParts, seedOf, settle, signed } from '../one-node/harness.ts';

const alice = keyPairFromSeed(seedOf(2));

/** What happens, in order; `store` and `record` end when they are let go. */
async function recorded() {
  const events: string[] = [];
  const waiting = new Map<string, () => void>();
  const step = async (name: string): Promise<void> => {
    events.push(`${name} begins`);
    await new Promise<void>((done) => waiting.set(name, done));
  };
  let isHeld = false;
  const sent: string[] = [];
  const signatures: SignedVertex[] = [];
  class Held extends MemoryStore {
    override async write(ops: readonly BatchOp[]): Promise<void> {
      if (isHeld) await step('store');
      await super.write(ops);
    }
  }
  const parts = await openParts({
    store: new Held(),
    gate: {
      ...OPEN_GATE,
      async onSigned(vertex) {
        signatures.push(vertex);
        if (isHeld) await step('record');
      },
    },
    source: {
      ...NO_SOURCE,
      onCommitted: (vertices) => void sent.push(...vertices.map(({ id }) => toHex(id))),
    },
  });
  isHeld = true;
  void parts.sequencer.submit(signed(parts, alice, '/v1/agents', {})).catch(() => {});
  await settle();
  sent.length = 0;
  return { parts, events, sent, signatures, end: (name: string) => waiting.get(name)!() };
}

it.each([
  ['store', 'record'],
  ['record', 'store'],
])('both are under way at once; with the %s alone nothing leaves', async (first, second) => {
  const { events, sent, signatures, end } = await recorded();
  expect([...events].sort()).toEqual(['record begins', 'store begins']);
  end(first);
  await settle();
  expect(sent).toEqual([]);
  end(second);
  await settle();
  // The record names the newest of those that leave.
  expect(sent.at(-1)).toBe(signatures.at(-1)!.id);
});

it('a record that cannot be written ends the node, and nothing leaves', async () => {
  let isBroken = false;
  const sent: unknown[] = [];
  const parts = await openParts({
    gate: {
      ...OPEN_GATE,
      onSigned: () => (isBroken ? Promise.reject(new Error('no space left')) : Promise.resolve()),
    },
    source: { ...NO_SOURCE, onCommitted: (vertices) => void sent.push(...vertices) },
  });
  isBroken = true;
  sent.length = 0;
  await expect(parts.sequencer.submit(signed(parts, alice, '/v1/agents', {}))).rejects.toMatchObject({
    code: 'no_quorum',
  });
  expect([sent, parts.failure.map(String)]).toEqual([[], ['Error: no space left']]);
});
