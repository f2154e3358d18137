// A short scenario on a fresh network, after which every read of the API returns something.

import type { NodeProcess, NodeStart } from '../../tools/load/node-process.ts';
import { Agent, get, TOKEN } from './agent.ts';
import { type CaseStory, type Court, tellCases } from './case-cases.ts';
import { tellMarket } from './market-cases.ts';
import { type TaskStory, tellTasks } from './task-cases.ts';
import type { Testbed } from './testbed.ts';

/** What the reads need to find something, and who writes. */
export interface Story {
  node: NodeProcess;
  /** To start it again. */
  options: NodeStart;
  port: number;
  alice: Agent;
  bob: Agent;
  operator: Agent;
  second: Agent;
  probationer: Agent;
  address: string;
  keyId: string;
  key: string;
  pendingTransfer: string;
  settledTransfer: string;
  stakeEvent: string;
  vertex: string;
  tasks: TaskStory;
  /** Who judges tasks here. */
  court: Court;
  cases: CaseStory;
}

/** Agents, events of each kind, a key, and enough vertices for a checkpoint. */
export async function tell(bed: Testbed, env: Record<string, string>): Promise<Story> {
  const network = await bed.network(['active', 'probationary', 'active', 'active'], 25_000);
  const options = { dataDir: network.dataDir, env: { ...network.env, ...env } };
  const node = await bed.start(options);
  const { port } = node;
  const operator = new Agent(port, network.operator);
  const [second, probationer] = network.others.map((v) => new Agent(port, v.signer)) as [Agent, Agent];
  const alice = await new Agent(port).register({ initial_stake: 10_000 * TOKEN, display_name: 'Alice' });
  const bob = await new Agent(port).register({ agent_id: 'bob' });
  const pay = async (): Promise<string> =>
    (await alice.do('/v1/transfer', { to_agent: 'bob', amount: 5 * TOKEN, memo: 'hi' })).event_id;
  const settledTransfer = await pay();
  await operator.do('/v1/verify', { event_id: settledTransfer, verdict: true });
  const claim = { claimed_value: 700, evidence_hash: 'e', task_description: 'd' };
  const generation = (await bob.do('/v1/generation', { ...claim, beneficiary: alice.id })).event_id;
  await operator.do('/v1/verify', { event_id: generation, verdict: true, verified_value: 600 });
  await bob.do('/v1/generation', claim);
  const pendingTransfer = await pay();
  await probationer.do('/v1/verify', { event_id: pendingTransfer, verdict: true });
  await tellMarket(alice);
  // Backs twenty claims.
  const stakeEvent = (await bob.do('/v1/stake', { amount: 1_900 * TOKEN })).event_id;
  const created = await alice.do('/v1/platform/keys', {
    issuing_node: operator.id,
    name: 'k',
    scopes: ['transfers'],
    expires_at: 4_000_000_000,
  });
  const tasks = await tellTasks(alice, bob);
  const seats = Object.fromEntries(network.others.map((v) => [v.id, new Agent(port, v.signer)]));
  const court = { port, poster: alice, worker: bob, seats: { ...seats, 'seat-0': operator } };
  const cases = await tellCases(court);
  const { address } = (await get(port, `/v1/agents/${alice.id}/address`)).body;
  const vertex = (await get(port, '/v1/dag/vertices?limit=1')).body[0].hash;
  // The first checkpoint stands at order 100.
  for (let order = 0; order < 100; )
    order = Number((await bob.post('/v1/stake', { amount: 1 })).headers.get('x-service-order'));
  return {
    node,
    options,
    port,
    alice,
    bob,
    operator,
    second,
    probationer,
    address,
    keyId: created.key_id,
    key: created.key,
    pendingTransfer,
    settledTransfer,
    stakeEvent,
    vertex,
    tasks,
    court,
    cases,
  };
}
