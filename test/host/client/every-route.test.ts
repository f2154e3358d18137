// The client reaches every endpoint of the route table, with the method and path of the table.

import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { isObjectName } from '../../../host/api/object-schema.ts';
import { ROUTES } from '../../../host/api/routes.ts';
import { signerFromSeed, systemEnvironment, VwsClient } from '../../../host/client/index.ts';

const ID = 'x:y';
type Call = (client: VwsClient) => Promise<unknown>;

/** Pages for people; the stream and the binary log, which have their own clients (stream.ts, host/audit). */
const FILES = ['GET /llms.txt', 'GET /.well-known/agent-card.json'];
const PAGES = ['GET /', 'GET /docs', 'GET /openapi.json', 'GET /metrics', ...FILES];
const LOG = ['vertices', 'seals', 'state'].map((name) => `GET /v1/log/${name}`);
/** Not a call of its own, but many: batches.test.ts. */
const BATCH = 'POST /v1/batch';
const NOT_CALLED = [BATCH, ...PAGES, ...LOG, 'GET /v1/ws', 'POST /mcp'];

const CALLS: Record<string, Call> = {
  'GET /health': (c) => c.health(),
  'GET /health/live': (c) => c.live(),
  'GET /health/ready': (c) => c.ready(),
  'GET /v1/status': (c) => c.status(),
  'GET /v1/network/state': (c) => c.networkState(),
  'GET /v1/network/activity': (c) => c.activity({ hours: 2 }),
  'GET /v1/economics': (c) => c.economics(),
  'GET /v1/economics/supply': (c) => c.supply(),
  'GET /v1/network/trend': (c) => c.trend({ span: 'day' }),
  'GET /v1/agents': (c) => c.agents({ page: 2 }),
  'GET /v1/agents/leaderboard': (c) => c.leaderboard(),
  'GET /v1/agents/{id}': (c) => c.agent(ID),
  'GET /v1/agents/{id}/agent-card.json': (c) => c.agentCard(ID),
  'GET /v1/agents/{id}/registration.json': (c) => c.agentRegistration(ID),
  'GET /v1/agents/{id}/balance': (c) => c.balance(ID),
  'GET /v1/agents/{id}/address': (c) => c.address(ID),
  'GET /v1/agents/{id}/stake': (c) => c.stakeInfo(ID),
  'GET /v1/agents/{id}/reputation': (c) => c.reputation(ID),
  'GET /v1/address/{address}': (c) => c.addressOwner(ID),
  'GET /v1/reputation/rankings': (c) => c.rankings('code'),
  'GET /v1/pending': (c) => c.pending(),
  'GET /v1/validators': (c) => c.validators.list(),
  'GET /v1/validators/{id}': (c) => c.validators.get(ID),
  'GET /v1/platform/keys/{key}': (c) => c.apiKey(ID),
  'GET /v1/events/recent': (c) => c.recentEvents(),
  'GET /v1/events/{id}': (c) => c.event(ID),
  'GET /v1/dag/tips': (c) => c.dagTips(),
  'GET /v1/dag/stats': (c) => c.dagStats(),
  'GET /v1/dag/vertices': (c) => c.vertices({ after: 3 }),
  'GET /v1/dag/vertices/{hash}': (c) => c.vertex(ID),
  'GET /v1/genesis': (c) => c.genesis(),
  'GET /v1/checkpoints': (c) => c.checkpoints({ after: 3 }),
  'GET /v1/proof/{kind}/{id}': (c) => c.proof(ID as never, ID),
  'GET /v1/proof/{kind}': (c) => c.proofOfList(ID as never),
  'GET /v1/checkpoints/latest': (c) => c.latestCheckpoint(),
  'GET /v1/tasks': (c) => c.tasks.list(),
  'GET /v1/tasks/stats': (c) => c.tasks.stats(),
  'GET /v1/tasks/{id}': (c) => c.tasks.get(ID),
  'GET /v1/tasks/result/{id}': (c) => c.tasks.result(ID),
  'GET /v1/tasks/agent/{agent_id}': (c) => c.tasks.ofAgent(ID, { role: 'poster' }),
  'GET /v1/tasks/subtasks/{id}': (c) => c.tasks.subtasks(ID),
  'GET /v1/tasks/trajectories/{id}': (c) => c.tasks.trajectories(ID),
  'GET /v1/registry/search': (c) => c.market.search({ q: 'a' }),
  'GET /v1/registry/{agent_id}': (c) => c.market.listing(ID),
  'GET /v1/registry/categories': (c) => c.market.categories(),
  'GET /v1/discover': (c) => c.market.discover(),
  'GET /v1/router/agents': (c) => c.market.routableAgents(),
  'GET /v1/router/routes': (c) => c.market.routes(),
  'GET /v1/router/stats': (c) => c.market.routerStats(),
  'POST /v1/agents': (c) => c.register(),
  'POST /v1/faucet': (c) => c.faucet(),
  'POST /v1/stake': (c) => c.stake({ amount: 1 }),
  'POST /v1/unstake': (c) => c.unstake({ amount: 1 }),
  'POST /v1/transfer': (c) => c.transfer({ to_agent: ID, amount: 1 }),
  'POST /v1/generation': (c) => c.generation({ claimed_value: 1, evidence_hash: 'h' }),
  'POST /v1/validators': (c) => c.validators.apply({ categories: ['code'] }),
  'POST /v1/validators/{id}/resume': (c) => c.validators.resume(ID),
  'POST /v1/validators/{id}/objections': (c) => c.validators.object(ID, { reason: 'r' }),
  'POST /v1/validators/{id}/judge': (c) => c.validators.judge(ID, { announced: true }),
  'POST /v1/validators/{id}/rotate': (c) => c.validators.rotate(ID, { new_public_key: ID }),
  'POST /v1/validator/recovery': (c) => c.validators.setRecoveryKey({ recovery_public_key: ID }),
  'POST /v1/verify': (c) => c.verify({ event_id: ID, verdict: true }),
  'POST /v1/verify/commit': (c) => c.commitVote({ event_id: ID, commitment: ID }),
  'POST /v1/platform/keys': (c) => c.createApiKey({ name: 'n', issuing_node: ID }),
  'DELETE /v1/platform/keys/{key}': (c) => c.revokeApiKey(ID),
  'POST /v1/tasks': (c) => c.tasks.create({ title: 't', budget: 100_000 }),
  'POST /v1/tasks/{id}/claim': (c) => c.tasks.claim(ID),
  'POST /v1/tasks/{id}/release': (c) => c.tasks.release(ID),
  'POST /v1/tasks/{id}/decline': (c) => c.tasks.decline(ID),
  'GET /v1/programs/{program}': (c) => c.programs.get(ID),
  'POST /v1/programs': (c) => c.programs.publish({ module: 'AA==' }),
  'POST /v1/tasks/{id}/submit': (c) => c.tasks.submit(ID, { result_content: 'r' }),
  'POST /v1/tasks/{id}/approve': (c) => c.tasks.approve(ID),
  'POST /v1/tasks/{id}/dispute': (c) => c.tasks.dispute(ID),
  'POST /v1/tasks/{id}/contest': (c) => c.tasks.contest(ID),
  'POST /v1/tasks/{id}/concede': (c) => c.tasks.concede(ID),
  'POST /v1/tasks/{id}/open': (c) => c.tasks.open(ID, { content_key: '5f'.repeat(32) }),
  'POST /v1/tasks/{id}/cancel': (c) => c.tasks.cancel(ID),
  'POST /v1/tasks/{id}/subtask': (c) => c.tasks.subtask(ID, { title: 't', budget: 100_000 }),
  'POST /v1/tasks/{id}/trajectory/commit': (c) => c.tasks.commit(ID, { outcome: 'progress' }),
  'GET /v1/challenges': (c) => c.cases.challenges({ status: 'open' }),
  'GET /v1/challenges/{id}': (c) => c.cases.challenge(ID),
  'GET /v1/replay/jobs': (c) => c.cases.jobs(),
  'GET /v1/replay/jobs/{id}': (c) => c.cases.job(ID),
  'POST /v1/challenges': (c) => c.cases.open({ task_id: ID, target_id: ID }),
  'POST /v1/challenges/{id}/resolve': (c) => c.cases.vote(ID, { outcome: 'failed' }),
  'POST /v1/replay/submit': (c) =>
    c.cases.submitReplay({ job_id: ID, check_results: [{ check_type: 'c', pass: true }] }),
  'POST /v1/replay/outcome': (c) => c.cases.reportReplay({ job_id: ID, status: 'failed' }),
  'POST /v1/registry': (c) => c.market.list({ name: 'n', category: 'c' }),
  'DELETE /v1/registry/{agent_id}': (c) => c.market.unlist(ID),
  'POST /v1/router/register': (c) => c.market.register({ categories: ['c'] }),
  'DELETE /v1/router/register/{agent_id}': (c) => c.market.unregister(ID),
  'PUT /v1/router/availability/{agent_id}': (c) => c.market.setAvailable(ID, false),
};

describe('the client', () => {
  it('has a call for every endpoint', () => {
    const routes = ROUTES.map((route) => `${route.method} ${route.path}`);
    expect([...Object.keys(CALLS), ...NOT_CALLED].sort()).toEqual(routes.sort());
  });

  it('exports the type of every answer', () => {
    const text = readFileSync(new URL('../../../host/client/objects.ts', import.meta.url), 'utf8');
    const objects = ROUTES.filter((route) => !NOT_CALLED.includes(`${route.method} ${route.path}`))
      .map((route) => route.reply.replace('[]', ''))
      .filter(isObjectName);
    expect(objects.filter((name) => !text.includes(`= ObjectOf<'${name}'>;`))).toEqual([]);
  });

  it.each(Object.keys(CALLS))('%s', async (key) => {
    const asked: string[] = [];
    const client = new VwsClient({
      baseUrl: 'http://node',
      key: signerFromSeed(new Uint8Array(32).fill(7)),
      chainId: 'vws-testnet-1',
      environment: {
        ...systemEnvironment,
        fetch: async (url, init) => {
          asked.push(
            `${init?.method ?? 'GET'} ${String(url).replace('http://node', '').replace(/\?.*/, '')}`,
          );
          return new Response(JSON.stringify({ id: ID, task_id: ID }), {
            status: 200,
            headers: { 'content-type': 'application/json' },
          });
        },
      },
    });
    await CALLS[key]!(client);
    expect(asked).toEqual([key.replace(/\{\w+\}/g, encodeURIComponent(ID))]);
  });
});
