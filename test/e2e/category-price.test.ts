// What the name of a category costs its first poster (protocol 6.18), as a node says it beforehand.

import { afterAll, beforeAll, expect, it } from 'vitest';
import { Agent, get, TOKEN } from './agent.ts';
import { Testbed } from './testbed.ts';

const bed = new Testbed();
let port: number;
beforeAll(async () => {
  ({ port } = await bed.start({ dataDir: await bed.directory() }));
});
afterAll(() => bed.close());

const asked = async (category: string) => {
  const { status, body } = await get(port, `/v1/network/state?category=${encodeURIComponent(category)}`);
  return status === 200 ? body.category_name : body.code;
};

it('is what the first task in it costs beside its budget, and nothing afterwards', async () => {
  const alice = await new Agent(port).register();
  const free = async () => (await get(port, `/v1/agents/${alice.id}/balance`)).body.balance;
  const post = async (category: string) => {
    const before = await free();
    await alice.do('/v1/tasks', { title: 'Count', category, budget: TOKEN });
    return before - (await free()) - TOKEN;
  };
  for (const category of ['General', ' code']) {
    const stored = category.trim().toLowerCase();
    expect(await asked(category)).toEqual({ category: stored, is_known: true, fee: 0 });
  }
  for (const category of ['ships', 'größe']) {
    const { fee } = await asked(category);
    expect(await asked(category)).toEqual({ category, is_known: false, fee });
    expect(fee).toBeGreaterThanOrEqual(TOKEN);
    expect(await post(category)).toBe(fee);
    expect(await asked(category)).toEqual({ category, is_known: true, fee: 0 });
    expect(await post(category)).toBe(0);
  }
  expect(await asked('transfer')).toBe('invalid_request');
  expect(await asked('x'.repeat(51))).toBe('invalid_request');
  expect((await get(port, '/v1/network/state')).body).not.toHaveProperty('category_name');
});

it('keeps names apart that differ in a mark that text decoders drop, and answers', async () => {
  const bob = await new Agent(port).register();
  for (const category of ['\ufeffcode', '\ufeff']) {
    expect(await asked(category)).toMatchObject({ category, is_known: false });
    expect((await bob.do('/v1/tasks', { title: 'Count', category, budget: TOKEN })).category).toBe(category);
    expect(await asked(category)).toEqual({ category, is_known: true, fee: 0 });
  }
  expect(await asked('code')).toEqual({ category: 'code', is_known: true, fee: 0 });
  await bob.do('/v1/tasks', { title: 'Count', category: 'after', budget: TOKEN });
  expect(await asked('after')).toEqual({ category: 'after', is_known: true, fee: 0 });
});
