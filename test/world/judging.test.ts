// The node of a judge dies between the commitment of its vote and the reveal (protocol 15.8, 15.9): started again in time it
// reveals what it committed, whatever its judge would say now; otherwise its vote is a miss.

import { expect, it } from 'vitest';
import type { VwsClient } from '../../host/client/client.ts';
import { clientOf, clientWith } from './client.ts';
import { SimNetwork, seatKey } from './network.ts';

const DISPUTE_SECS = 120;
const JUDGED = { SERVICE_AUTOVALIDATOR: 'true', SERVICE_JUDGE: 'judge' };

/** Four seats, of which the last one's node has a judge; each start of that node changes the judge's mind. */
async function begin(seed: number) {
  let asked = 0;
  const judge = (input: string): string => {
    asked += 1;
    const { question } = JSON.parse(input) as { question: string };
    const verdict = asked === 1 ? 'worker' : 'poster';
    return JSON.stringify({ question, verdict, reason: `question ${asked}`, confidence_bp: 9000 });
  };
  const net = new SimNetwork({
    seed,
    seats: 4,
    params: { dispute_deadline_secs: String(DISPUTE_SECS) },
    machines: { n3: { env: JUDGED, judge } },
  });
  await net.start();
  const get = <T>(promise: Promise<T>): Promise<T> => net.until(promise, 30_000);
  const [poster, worker] = [clientOf(net, 'n0', 1), clientOf(net, 'n1', 2)];
  for (const one of [poster, worker]) await get(one.register({}));
  const others = [0, 1, 2].map((seat) => clientWith(net, `n${seat}`, seatKey(seat)));
  await get(clientWith(net, 'n3', seatKey(3)).validators.judge('v3', { announced: true }));
  const { id } = await get(poster.tasks.create({ title: 'Count the vessels', budget: 1_000_000 }));
  await get(worker.tasks.claim(id));
  await get(worker.tasks.submit(id, { result_content: 'Vessels of May: 212.' }));
  await get(poster.tasks.dispute(id, { reason: 'two weeks are missing' }));
  const { dispute_event_id: event } = await get(worker.tasks.contest(id, {}));
  const task = () => get(poster.tasks.get(id));
  const isCommitted = async (): Promise<boolean> =>
    (await task()).dispute_judges?.some((j) => j.validator_id === 'v3' && j.vote === 'committed') === true;
  for (let i = 0; i < 100 && !(await isCommitted()); i++) await net.run(100);
  expect((await task()).dispute_judges).toEqual([{ validator_id: 'v3', vote: 'committed' }]);
  net.machine('n3').kill();
  // The others commit and reveal; all have committed, so they need not wait.
  const voteOf = (one: VwsClient) => one.newVote({ event_id: event!, verdict: true });
  const votes = [];
  for (const one of others) {
    const vote = await get(voteOf(one));
    await get(one.commitVote(vote.commit));
    votes.push({ one, vote });
  }
  for (const { one, vote } of votes) await get(one.verify(vote.reveal));
  expect((await task()).dispute_judges?.map((j) => [j.validator_id, j.vote])).toEqual([
    ['v0', 'revealed'],
    ['v1', 'revealed'],
    ['v2', 'revealed'],
    ['v3', 'committed'],
  ]);
  expect(await task()).toMatchObject({ status: 'disputed' });
  const voters = async () => (await get(poster.event(event!))).voters?.map((v) => v.validator_id).sort();
  const isJudge = async () => (await get(poster.validators.get('v3'))).is_judge;
  return { net, task, voters, isJudge, asked: () => asked };
}

it('reveals what it committed when it is started again', async () => {
  const { net, task, voters, isJudge, asked } = await begin(31);
  void net.machine('n3').start();
  for (let i = 0; i < 60 && (await task()).status === 'disputed'; i++) await net.run(500);
  expect(await task()).toMatchObject({ status: 'completed', resolution: 'dispute_quorum' });
  expect(await voters()).toEqual(['v0', 'v1', 'v2', 'v3']);
  expect(await isJudge()).toBe(true);
  // The judge was asked once: the answer was on the disk.
  expect(asked()).toBe(1);
  expect(net.watch.fault).toBeUndefined();
});

it('has missed when it stays away, and votes no more when it comes back', async () => {
  const { net, task, voters, isJudge } = await begin(32);
  await net.run((DISPUTE_SECS + 10) * 1000);
  expect(await task()).toMatchObject({ status: 'completed', resolution: 'dispute_quorum' });
  expect(await isJudge()).toBe(false);
  void net.machine('n3').start();
  await net.run(20_000);
  expect(net.machine('n3').isUp).toBe(true);
  expect(await voters()).toEqual(['v0', 'v1', 'v2']);
  expect(net.watch.fault).toBeUndefined();
});
