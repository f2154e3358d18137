// A verifier computes a real node's order and state from its vertices alone, agrees with it, and names it when it lies.

import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { systemEnvironment } from '../../host/client/environment.ts';
import { useNativeHash } from '../../host/crypto/native-hash.ts';
import { MemoryStore } from '../../host/store/memory-store.ts';
import { HttpSource, type Modules, Verifier } from '../../host/verify/index.ts';
import { get } from './agent.ts';
import { type Story, tell } from './story.ts';
import { Testbed } from './testbed.ts';

useNativeHash();
const module = (name: string) => new WebAssembly.Module(readFileSync(`build/${name}.wasm`));
const modules: Modules = { core: module('core'), consensus: module('consensus'), ed25519: module('ed25519') };
const bed = new Testbed();
let s: Story;

beforeAll(async () => {
  s = await tell(bed, {});
});
afterAll(() => bed.close());

it('computes the same balances, tasks and events as the node', async () => {
  const base = `http://127.0.0.1:${s.alice.port}`;
  const source = new HttpSource(base, systemEnvironment);
  const v = await Verifier.open({
    source,
    modules,
    store: Object.assign(new MemoryStore(), {
      find: async function (this: MemoryStore, k: Uint8Array) {
        return this.get(k);
      },
    }),
    way: 'genesis',
    environment: systemEnvironment,
  });
  const verdict = await v.run();
  console.log(verdict, v.progress);
  expect(verdict.fault).toBeUndefined();
  for (const id of [s.alice.id, 'bob', s.operator.id])
    expect(await v.compare('agent', id)).toMatchObject({ isKnown: true, isEqual: true });
  const events = (await get(s.alice.port, '/v1/events/recent?limit=100')).body;
  for (const e of events)
    expect(await v.compare('event', e.event_id)).toMatchObject({ isKnown: true, isEqual: true });
  const tasks = (await get(s.alice.port, '/v1/tasks?limit=100')).body;
  console.log(events.length, tasks.length);
  for (const t of tasks)
    expect(await v.compare('task', t.id)).toMatchObject({ isKnown: true, isEqual: true });
});
