// Agents that post and do tasks on a whole node without sockets.

import { checkObject } from '../../../host/api/object-schema.ts';
import { type KeyPair, keyPairFromSeed } from '../../../host/crypto/key-pair.ts';
import { taskObject } from '../../../host/views/tasks/task-view.ts';
import { fromHex } from '../../../host/wire/bytes.ts';
import { taskId } from '../../../host/wire/ids.ts';
import { openParts, type Parts, seedOf, send, signed } from './harness.ts';

export const TOKEN = 1_000_000;
export const POSTER = keyPairFromSeed(seedOf(30));
export const WORKER = keyPairFromSeed(seedOf(31));
export const OTHER = keyPairFromSeed(seedOf(32));

export const TASK = { title: 'Harbour traffic summary', description: 'Count vessels', budget: 10 * TOKEN };
export const GOOD = {
  result_content:
    'Harbour traffic summary. The count of vessels was high this week, and vessels waited. Traffic grew.',
  result_note: 'done',
};
/** No delivery: the task's own words. */
export const BAD = { result_content: TASK.description };

type Json = Record<string, unknown>;

export async function withAgents(o: Parameters<typeof openParts>[0] = {}): Promise<Parts> {
  const p = await openParts(o);
  for (const key of [POSTER, WORKER, OTHER]) await send(p, key, '/v1/agents', {});
  return p;
}

/** The Task as a read shows it. Throws when it does not fit the table of objects. */
export function task(p: Parts, id: string): Json {
  const body = JSON.parse(JSON.stringify(taskObject(p.store, fromHex(id)!))) as Json;
  const problems = checkObject('Task', body);
  if (problems.length > 0) throw new Error(problems.join(', '));
  return body;
}

/** Posts a task and returns its id. */
export async function post(p: Parts, over: Json = {}, key: KeyPair = POSTER): Promise<string> {
  const s = signed(p, key, '/v1/tasks', { ...TASK, ...over });
  await p.sequencer.submit(s);
  return taskId(Buffer.from(s.input.id).toString('hex'));
}

/** One step of a task: undefined when it was taken, else the code of its refusal. */
export async function act(
  p: Parts,
  key: KeyPair,
  id: string,
  verb: string,
  body: Json = {},
): Promise<string | undefined> {
  const result = await send(p, key, `/v1/tasks/${id}/${verb}`, body);
  return typeof result === 'string' ? result : undefined;
}
