// A real node with SERVICE_JUDGE: a program of the operator decides disputes, and is given none of the settings of the node.

import { afterAll, expect, it } from 'vitest';
import { contentKey, sealResult, signerFromSeed, VwsClient } from '../../host/client/index.ts';
import { generateSeed } from '../../host/crypto/key-pair.ts';
import { Agent, get, type Json, until } from './agent.ts';
import { runAudit } from './audit.ts';
import { TASK } from './task-cases.ts';
import { Testbed } from './testbed.ts';
import { votes } from './vote-cases.ts';

const bed = new Testbed();
afterAll(() => bed.close());

/** Answers for the worker if the delivery has the word, and is given nothing of the node's settings. */
const PROGRAM = `
let text = '';
process.stdin.on('data', (part) => { text += part; }).on('end', () => {
  const { question, delivery } = JSON.parse(text);
  const isLeaky = Object.keys(process.env).some((name) => name.startsWith('SERVICE_'));
  const verdict = !isLeaky && delivery.content.includes('vessels') ? 'worker' : 'poster';
  console.log(JSON.stringify({ question, verdict, reason: 'it ' + verdict, confidence_bp: 9000 }));
});`;

async function contested(port: number, content: string): Promise<string> {
  const [poster, worker] = [await new Agent(port).register(), await new Agent(port).register()];
  const { id } = await poster.do('/v1/tasks', TASK);
  await worker.do(`/v1/tasks/${id}/claim`);
  await worker.do(`/v1/tasks/${id}/submit`, { result_content: content });
  await poster.do(`/v1/tasks/${id}/dispute`);
  await worker.do(`/v1/tasks/${id}/contest`);
  return id;
}

/** Sealed for the poster; the worker opens it with its answer to the dispute. */
async function sealedContest(port: number, content: string): Promise<string> {
  const [posterSeed, workerSeed] = [generateSeed(), generateSeed()];
  const [poster, worker] = [posterSeed, workerSeed].map(
    (seed) => new VwsClient({ baseUrl: `http://127.0.0.1:${port}`, key: signerFromSeed(seed) }),
  ) as [VwsClient, VwsClient];
  await poster.register();
  await worker.register();
  const { id } = await poster.tasks.create({ ...TASK, delivery_method: 'encrypted' });
  await worker.tasks.claim(id);
  const sealed = sealResult(workerSeed, signerFromSeed(posterSeed).publicKey, id, content);
  await worker.tasks.submit(id, { ...sealed });
  await poster.tasks.dispute(id, { reason: 'I cannot use it' });
  await expect(worker.tasks.contest(id)).rejects.toMatchObject({ code: 'content_key_needed' });
  const { result_content } = await worker.tasks.result(id);
  await worker.tasks.contest(id, { content_key: contentKey(workerSeed, id, result_content) });
  return id;
}

it('decides disputes by the program that SERVICE_JUDGE names, and says why', async () => {
  const env = {
    SERVICE_AUTOVALIDATOR: 'true',
    SERVICE_JUDGE: `"${process.execPath}" -e "$JUDGE_PROGRAM"`,
    JUDGE_PROGRAM: PROGRAM,
  };
  const { port } = await bed.start({ dataDir: await bed.directory(), env });
  const [good, bad] = [await contested(port, 'Forty vessels.'), await contested(port, 'done')];
  const [sealedGood, sealedBad] = [
    await sealedContest(port, 'Fifty vessels.'),
    await sealedContest(port, 'no'),
  ];
  const over = (id: string): Promise<Json> =>
    until(
      async () => (await get(port, `/v1/tasks/${id}`)).body,
      (task) => task.status !== 'disputed',
    );
  expect([(await over(good)).status, (await over(bad)).status]).toEqual(['completed', 'cancelled']);
  expect([(await over(sealedGood)).status, (await over(sealedBad)).status]).toEqual([
    'completed',
    'cancelled',
  ]);
  const shown = (await get(port, `/v1/tasks/result/${sealedGood}`)).body;
  expect(shown).toMatchObject({ result_encrypted: true, opened_content: 'Fifty vessels.' });
  // An auditor opens the boxes by itself.
  const { out } = await runAudit(`http://127.0.0.1:${port}`, '--json', '--task', sealedGood);
  expect(JSON.parse(out).answers).toMatchObject([{ kind: 'task', id: sealedGood, shown: 'checked' }]);
  const verdicts = (await get(port, '/v1/events/recent?event_type=verification')).body;
  const reasons = [];
  for (const { event_id } of verdicts)
    reasons.push((await get(port, `/v1/events/${event_id}`)).body.payload.reason);
  expect(reasons.sort()).toEqual(['it poster', 'it poster', 'it worker', 'it worker']);
  const metrics = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
  expect(metrics).toContain('vws_judge_answers_total{result="worker"} 2');
});

it('reveals after a kill -9 what it had committed, though its judge would say something else now', async () => {
  const network = await bed.network(['active'], 25_000);
  const judge = (word: string) => ({
    ...network.env,
    SERVICE_AUTOVALIDATOR: 'true',
    SERVICE_JUDGE: `"${process.execPath}" -e "$JUDGE_PROGRAM"`,
    JUDGE_PROGRAM: PROGRAM.replace("'vessels'", `'${word}'`),
  });
  const { dataDir } = network;
  const first = await bed.start({ dataDir, env: judge('vessels') });
  const id = await contested(first.port, 'Forty vessels.');
  const { dispute_event_id: event } = (await get(first.port, `/v1/tasks/${id}`)).body;
  const read = async (port: number): Promise<Json> => (await get(port, `/v1/events/${event}`)).body;
  const shown = await until(
    () => read(first.port),
    (dispute) => dispute.commitments?.length === 1,
  );
  expect(shown).toMatchObject({ voters: [], voting: { stage: 'commit', committed: 1, judges: 2 } });
  await first.kill();

  const { port } = await bed.start({ dataDir, env: judge('no such word') });
  const other = new Agent(port, network.others[0]!.signer);
  const vote = votes(other, event, { verdict: true });
  await other.do('/v1/verify/commit', vote.commit);
  const revealed = await until(
    () => read(port),
    (dispute) => dispute.voters.length === 1,
  );
  expect(revealed.voters).toMatchObject([{ validator_id: 'seat-0', verdict: true }]);
  expect(revealed.commitments).toHaveLength(1);
  await other.do('/v1/verify', vote.reveal);
  expect((await get(port, `/v1/tasks/${id}`)).body).toMatchObject({
    status: 'completed',
    resolution: 'dispute_quorum',
  });
});
