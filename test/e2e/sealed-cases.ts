// The API contract of sealed deliveries (protocol 15.10): a submission, and the refusals of what opens it.

import { fromHex } from '../../host/wire/bytes.ts';
import { keyCommitment, sealBox } from '../../host/wire/sealed-box.ts';
import { Agent, TOKEN } from './agent.ts';
import type { Story } from './story.ts';
import type { Refused } from './task-cases.ts';

const SEALED_TASK = { title: 'Sealed harbour log', budget: 2 * TOKEN, delivery_method: 'encrypted' };
const NO_TASK = 'f'.repeat(32);
const KEY = '5e'.repeat(32);
const WRONG = { content_key: '5d'.repeat(32) };
const at = (id: string, step: string): string => `/v1/tasks/${id}/${step}`;

/** A task whose delivery is sealed with this content key. */
export async function sealedDelivery(poster: Agent, worker: Agent, key = KEY): Promise<string> {
  const { id } = await poster.do('/v1/tasks', SEALED_TASK);
  await worker.do(at(id, 'claim'));
  const bytes = fromHex(key)!;
  const readers = { poster: fromHex(poster.id)!, worker: fromHex(worker.id)! };
  await worker.do(at(id, 'submit'), {
    result_content: sealBox(id, bytes, readers, 'Vessels of May: 212.')!,
    result_encrypted: true,
    key_commitment: keyCommitment(id, bytes),
  });
  return id;
}

/** Provokes every error that a content key can meet. */
export async function refuseOpenings(s: Story, refused: Refused): Promise<void> {
  const { alice: poster, bob: worker } = s;
  const id = await sealedDelivery(poster, worker);
  await refused(poster, at(id, 'dispute'), WRONG, 'content_key_mismatch');
  await refused(worker, at(id, 'open'), { content_key: KEY }, 'invalid_state');
  await refused(worker, at(NO_TASK, 'open'), { content_key: KEY }, 'task_not_found');
  await poster.do(at(id, 'dispute'));
  await refused(worker, at(id, 'contest'), {}, 'content_key_needed');
  await refused(worker, at(id, 'contest'), WRONG, 'content_key_mismatch');
  await refused(worker, at(id, 'open'), WRONG, 'content_key_mismatch');
  const stranger = await new Agent(s.port).register();
  await refused(stranger, at(id, 'open'), { content_key: KEY }, 'not_party');

  const { id: other } = await poster.do('/v1/tasks', SEALED_TASK);
  await worker.do(at(other, 'claim'));
  const plain = { result_content: 'c2VhbGVk', result_encrypted: true };
  await refused(worker, at(other, 'submit'), plain, 'not_sealed');
  await worker.do(at(other, 'release'));
}

/** Steps that succeed: what was sealed is opened, by its poster and then with the answer of its worker. */
export async function* sealedWrites({ alice, bob }: Story): AsyncGenerator<[Agent, string, object], void> {
  const id = await sealedDelivery(alice, bob);
  yield [alice, at(id, 'dispute'), { reason: 'two weeks are missing' }];
  yield [alice, at(id, 'open'), { content_key: KEY }];
  yield [bob, at(id, 'contest'), { content_key: KEY }];
}
