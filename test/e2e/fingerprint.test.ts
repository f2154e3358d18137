// The fingerprint that a real node reports equals the one computed from its events, for agents with every kind of work.

import { afterAll, beforeAll, expect, it } from 'vitest';
import { checkFingerprint, VwsClient } from '../../host/client/index.ts';
import type { Signer } from '../../host/client/signer.ts';
import { newSigner } from '../../tools/load/signed-writes.ts';
import { TOKEN } from './agent.ts';
import { RESULT, TASK } from './task-cases.ts';
import { Testbed } from './testbed.ts';

const bed = new Testbed();
afterAll(() => bed.close());
let baseUrl: string;
let operator: VwsClient;
beforeAll(async () => {
  const network = await bed.network();
  const { port } = await bed.start(network);
  baseUrl = `http://127.0.0.1:${port}`;
  operator = new VwsClient({ baseUrl, key: network.operator });
});

async function join(key: Signer = newSigner()): Promise<VwsClient> {
  const client = new VwsClient({ baseUrl, key });
  await client.register({ initial_stake: 100 * TOKEN });
  return client;
}

it('is replayed from the events of a node', async () => {
  const [worker, poster] = [await join(), await join()];
  const id = worker.ownKey!;
  const check = () => checkFingerprint(worker, id);
  expect(await check()).toMatchObject({ isEqual: true, entries: [] });

  const paid = await poster.tasks.create({ ...TASK, category: 'content' });
  await worker.tasks.claim(paid.id);
  await worker.tasks.submit(paid.id, { result_content: RESULT.result_content });
  const { worker_net_payout } = await poster.tasks.approve(paid.id);
  const lost = await poster.tasks.create({ ...TASK, category: 'data' });
  await worker.tasks.claim(lost.id);
  await worker.tasks.submit(lost.id, { result_content: RESULT.result_content });
  const { dispute_event_id } = await poster.tasks.dispute(lost.id);
  await worker.tasks.contest(lost.id);
  const vote = await operator.newVote({ event_id: dispute_event_id!, verdict: false });
  await operator.commitVote(vote.commit);
  await operator.verify(vote.reveal);
  const value = await worker.generation({ claimed_value: 300, evidence_hash: 'e' });
  await operator.verify({ event_id: value.event_id, verdict: true, verified_value: 200 });
  const sent = await worker.transfer({ to_agent: poster.ownKey!, amount: 5 });
  await operator.verify({ event_id: sent.event_id, verdict: true });
  await operator.verify({
    event_id: (await worker.generation({ claimed_value: 9, evidence_hash: 'f' })).event_id,
    verdict: false,
  });

  const { told, isEqual, entries } = await check();
  expect(entries.map(({ event_id, score_bp, ...entry }) => entry)).toEqual([
    { category: 'content', outcome: 'completed', value: worker_net_payout },
    { category: 'data', outcome: 'failed', value: 0 },
    { category: 'generation', outcome: 'completed', value: 200 },
    { category: 'transfer', outcome: 'completed', value: 0 },
    { category: 'generation', outcome: 'failed', value: 0 },
  ]);
  expect(entries[2]!.score_bp).toBe(6666);
  expect(isEqual).toBe(true);
  expect((await worker.agent(id)).capability_fingerprint).toBe(told);
  expect(await checkFingerprint(worker, poster.ownKey!)).toMatchObject({ isEqual: true, entries: [] });

  // Work that was accepted, and whose money went back with the whole, is no step.
  const leader = await join();
  const whole = await poster.tasks.create(TASK);
  await leader.tasks.claim(whole.id);
  const part = await leader.tasks.subtask(whole.id, { title: 'Part', budget: 100_000 });
  await worker.tasks.claim(part.id);
  await worker.tasks.submit(part.id, { result_content: RESULT.result_content });
  await leader.tasks.approve(part.id);
  await poster.tasks.cancel(whole.id);
  expect(await check()).toMatchObject({ isEqual: true, told });
  await expect(checkFingerprint(worker, 'f'.repeat(64))).rejects.toMatchObject({ code: 'agent_not_found' });
});
