// Registry, discovery and router on a real node: what is found, what a restart keeps, who may write, what is never shown.

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { NodeProcess } from '../../tools/load/node-process.ts';
import { SeededRandom } from '../../tools/load/seeded-random.ts';
import { Agent, call, get, type Json, TOKEN } from './agent.ts';
import { everythingShown } from './market-cases.ts';
import { testSeed } from './seed.ts';
import { Testbed } from './testbed.ts';

const bed = new Testbed();
afterAll(() => bed.close());

const WORDS = ['invoice', 'Parser', 'weather', 'data-set', 'C++', 'Größe', 'bot'];
const CATEGORIES = ['code', 'data', 'art'];

/** Every page of a list, and the number that the node says there are. */
async function whole(port: number, path: string): Promise<{ rows: Json[]; total: number }> {
  const rows: Json[] = [];
  for (let page = 1; ; page++) {
    const { status, body, headers } = await get(port, `${path}&per_page=7&page=${page}`);
    expect(status).toBe(200);
    rows.push(...body);
    const total = Number(headers.get('x-total-count'));
    if (rows.length >= total || body.length === 0) return { rows, total };
  }
}

describe('random listings and capabilities', () => {
  const seed = testSeed();
  const random = new SeededRandom(seed);
  const listings = new Map<string, Json>();
  const capabilities = new Map<string, Json>();
  let node: NodeProcess;
  let agents: Agent[];
  let options: { dataDir: string };

  beforeAll(async () => {
    options = { dataDir: await bed.directory() };
    node = await bed.start(options);
    agents = await Promise.all(Array.from({ length: 12 }, () => new Agent(node.port).register()));
    const text = (most: number): string =>
      Array.from({ length: 1 + random.below(most) }, () => random.pick(WORDS)).join(' ');
    const write = async (agent: Agent): Promise<void> => {
      if (random.below(5) === 0 && listings.has(agent.id)) {
        const { status } = await agent.send('DELETE', `/v1/registry/${agent.id}`);
        expect(status).toBe(200);
        listings.get(agent.id).active = false;
        return;
      }
      if (random.below(2) === 0) {
        const body = {
          name: text(3),
          category: random.pick(CATEGORIES),
          description: text(6),
          tags: [text(2)],
        };
        const done = await agent.do('/v1/registry', { ...body, price_tok: random.below(9) });
        expect(done).toMatchObject({ ...body, active: true });
        const old = listings.get(agent.id);
        if (old) expect(done.created_at).toBe(old.created_at);
        listings.set(agent.id, done);
        return;
      }
      const categories = CATEGORIES.filter(() => random.below(2) === 0);
      if (categories.length === 0) {
        const { status } = await agent.send('DELETE', `/v1/router/register/${agent.id}`);
        expect(status).toBe(capabilities.delete(agent.id) ? 200 : 404);
        return;
      }
      await agent.do('/v1/router/register', { categories, max_concurrent: 2 });
      const available = random.below(3) > 0;
      await agent.send('PUT', `/v1/router/availability/${agent.id}`, { available });
      capabilities.set(agent.id, { categories, available, max_concurrent: 2, has_webhook: false });
    };
    for (let round = 0; round < 8; round++) {
      await Promise.all(agents.filter(() => random.below(2) === 0).map(write));
    }
  });

  const expectAll = async (): Promise<void> => {
    const { port } = node;
    for (const [id, doc] of listings) {
      const shown = (await get(port, `/v1/registry/${id}`)).body;
      expect(shown).toMatchObject({ name: doc.name, active: doc.active, created_at: doc.created_at });
    }
    const counts: Record<string, number> = {};
    for (const { category, active } of listings.values())
      if (active) counts[category] = (counts[category] ?? 0) + 1;
    expect((await get(port, '/v1/registry/categories')).body).toEqual(counts);
    for (const query of ['', 'VOICE', 'parser', 'c++', 'GRÖSSE', 'größe', 'e', 'er we', 'nothing']) {
      for (const category of ['', ...CATEGORIES]) {
        const want = [...listings.values()].filter(
          (doc) =>
            doc.active &&
            (category === '' || doc.category === category) &&
            [doc.name, doc.description, ...doc.tags].some((t) =>
              t.toLowerCase().includes(query.toLowerCase()),
            ),
        );
        want.sort((a, b) => b.updated_at - a.updated_at || (a.agent_id < b.agent_id ? -1 : 1));
        const q = `q=${encodeURIComponent(query)}&category=${category}`;
        const found = await whole(port, `/v1/registry/search?${q}`);
        expect(found.total).toBe(want.length);
        expect(found.rows.map((row) => row.agent_id)).toEqual(want.map((doc) => doc.agent_id));
        const ranked = await whole(port, `/v1/discover?${q}&max_budget=${5 * TOKEN}`);
        const within = [...listings.values()].filter(
          (doc) => doc.active && (category === '' || doc.category === category) && doc.price_tok <= 5,
        );
        expect(ranked.rows.map((row) => row.agent_id).sort()).toEqual(
          within.map((doc) => doc.agent_id).sort(),
        );
        expect(ranked.rows.map((row) => row.overall_rank)).toEqual(ranked.rows.map((_, i) => i + 1));
        const scores = ranked.rows.map((row) => row.composite_score);
        expect(scores).toEqual([...scores].sort((a, b) => b - a));
      }
    }
    for (const [filter, fits] of [
      ['', () => true],
      ['&available=true', (c: Json) => c.available],
      ['&available=false&category=art', (c: Json) => !c.available && c.categories.includes('art')],
    ] as [string, (c: Json) => boolean][]) {
      const want = [...capabilities].filter(([, c]) => fits(c));
      const found = await whole(port, `/v1/router/agents?${filter}`);
      expect(found.total).toBe(want.length);
      for (const row of found.rows) expect(row).toMatchObject(capabilities.get(row.agent_id));
    }
    const available = [...capabilities.values()].filter((c) => c.available).length;
    expect((await get(port, '/v1/router/stats')).body).toMatchObject({
      registered_agents: capabilities.size,
      available_agents: available,
    });
  };

  it('are found like in a naive model', async () => {
    console.log(`seed ${seed} (repeat with VWS_SEED=${seed})`);
    await expectAll();
  });

  it('are all there after a restart', async () => {
    await node.stop();
    node = await bed.start(options);
    await expectAll();
  });
});

describe('who may write', () => {
  it('an API key needs the scope coordination', async () => {
    const { port } = await bed.start({ dataDir: await bed.directory() });
    const alice = await new Agent(port).register();
    const withKey = async (scopes: string[]) => {
      const { key } = await alice.do('/v1/platform/keys', { name: 'k', scopes });
      const body = JSON.stringify({ name: 'A', category: 'b' });
      return call(port, { method: 'POST', path: '/v1/registry', headers: { 'X-API-Key': key }, body });
    };
    const refused = await withKey(['tasks']);
    expect([refused.status, refused.body.details]).toEqual([403, { required: 'coordination' }]);
    expect((await withKey(['coordination'])).body).toMatchObject({ agent_id: alice.id, name: 'A' });
  });

  it('with legacy_open_coordination anybody for anybody, except DELETE of a listing', async () => {
    const env = { SERVICE_LEGACY_OPEN_COORDINATION: 'true' };
    const { port, agentId } = await bed.start({ dataDir: await bed.directory(), env });
    const alice = await new Agent(port).register();
    const unsigned = (method: string, path: string, body: object = {}) =>
      call(port, { method, path, body: JSON.stringify(body) });
    const listed = await unsigned('POST', '/v1/registry', { agent_id: alice.id, name: 'A', category: 'b' });
    expect([listed.status, listed.body.agent_id]).toEqual([201, alice.id]);
    const registered = await unsigned('POST', '/v1/router/register', {
      agent_id: alice.id,
      categories: ['b'],
    });
    expect([registered.status, registered.body.agent_id]).toEqual([201, alice.id]);
    const put = await unsigned('PUT', `/v1/router/availability/${alice.id}`, { available: false });
    expect([put.status, put.body.agent_id]).toEqual([200, alice.id]);
    expect((await unsigned('DELETE', `/v1/router/register/${alice.id}`)).status).toBe(200);
    // Nobody named: the node's own identity.
    expect((await unsigned('POST', '/v1/registry', { name: 'N', category: 'b' })).body.agent_id).toBe(
      agentId,
    );
    expect((await unsigned('DELETE', `/v1/registry/${agentId}`)).body).toMatchObject({ agent_id: agentId });
    const other = await unsigned('DELETE', `/v1/registry/${alice.id}`);
    expect([other.status, other.body.code]).toEqual([401, 'auth_required']);
    const money = await unsigned('POST', '/v1/stake', { agent_id: alice.id, amount: 1 });
    expect([money.status, money.body.code]).toEqual([401, 'auth_required']);
    const event = (await get(port, '/v1/events/recent?event_type=service_listed&limit=1')).body[0];
    expect((await get(port, `/v1/events/${event.event_id}`)).body.auth).toBe('unsigned');
  });

  it('on mainnet webhooks must be https and public', async () => {
    const env = {
      SERVICE_TESTNET: 'false',
      SERVICE_RATE_LIMITS: 'on',
    };
    const { port } = await bed.start({ dataDir: await bed.directory(), env });
    const main = { chainId: 'vws-mainnet-1' };
    const alice = new Agent(port);
    expect((await alice.post('/v1/agents', {}, main)).status).toBe(201);
    const register = (webhook_url: string) =>
      alice.post('/v1/router/register', { categories: ['c'], webhook_url }, main);
    for (const url of ['http://hook.example/', 'https://10.0.0.1/']) {
      const { status, body } = await register(url);
      expect([status, body.code]).toEqual([400, 'invalid_webhook_url']);
    }
    expect((await register('https://hook.example/')).status).toBe(201);
  });
});

it('shows URL and secret of a webhook in no event, object or header', async () => {
  const { port } = await bed.start({ dataDir: await bed.directory() });
  const alice = await new Agent(port).register();
  const body = {
    categories: ['c'],
    webhook_url: 'https://hidden.example/p4th',
    webhook_secret: 's3cret-value',
  };
  const answer = await alice.post('/v1/router/register', body);
  expect(answer.status).toBe(201);
  await alice.send('PUT', `/v1/router/availability/${alice.id}`, { available: false });
  const shown = JSON.stringify(answer.body) + (await everythingShown(port));
  expect(shown).toContain(alice.id);
  expect(shown).not.toMatch(/hidden\.example|p4th|s3cret/);
});
