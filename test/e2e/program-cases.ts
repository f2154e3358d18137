// The API contract of programs and of the contracts that name them: reads, writes and the refusals of every step.

import { CHECK_DIGESTS } from '../../host/modules/module-digests.ts';
import { standardCheck } from '../../host/modules/standard-checks.ts';
import { Agent, type Json, TOKEN } from './agent.ts';
import type { Story } from './story.ts';
import type { Refused } from './task-cases.ts';

const UNKNOWN = 'f'.repeat(64);
const NO_TASK = 'f'.repeat(32);
const TASK = { title: 'A line of ten bytes', budget: TOKEN };
/** Passes deliveries of at most 40 bytes. */
const SHORT = { program: CHECK_DIGESTS.size, parameters: { max_bytes: 40 } };

/** A program that differs from all others by `name`, in base64: a standard check with a custom section of its own. */
export function programNamed(name: string): string {
  const text = Buffer.from(name);
  const section = Buffer.concat([Uint8Array.of(0, text.length + 2, 1, 110), text]);
  return Buffer.concat([standardCheck(CHECK_DIGESTS.size)!, section]).toString('base64');
}

export const PROGRAM_READS: Record<string, () => string[]> = {
  '/v1/programs/{program}': () =>
    ['', '?include_module=true'].map((q) => `/v1/programs/${CHECK_DIGESTS.size}${q}`),
};

export const PROGRAM_READ_REFUSALS: [string, string][] = [
  [`/v1/programs/${UNKNOWN}`, 'program_not_found'],
  [`/v1/programs/${CHECK_DIGESTS.size}?include_module=maybe`, 'invalid_request'],
];

/** Need a queue of runs that a thousand submissions filled: test/host/sequencer. */
export const PROGRAM_UNREACHED = [
  'POST /v1/tasks overloaded',
  'POST /v1/tasks/{id}/submit overloaded',
  'POST /v1/tasks/{id}/subtask overloaded',
];

const at = (id: string, step: string): string => `/v1/tasks/${id}/${step}`;

/** Provokes every error that programs, contracts and given-back claims list, but for PROGRAM_UNREACHED. */
export async function refusePrograms(s: Story, refused: Refused): Promise<void> {
  const poor = await new Agent(s.port).register({ initial_stake: 50_000 * TOKEN });
  const module = programNamed('refused');
  await refused(poor, '/v1/programs', { module }, 'insufficient_balance');
  await s.alice.do('/v1/programs', { module });
  await refused(s.bob, '/v1/programs', { module }, 'program_exists');
  const unknown = [{ ...SHORT, program: UNKNOWN }];
  await refused(s.alice, '/v1/tasks', { ...TASK, acceptance: unknown }, 'program_not_found');
  const claimed = async (worker: Agent, more: object): Promise<string> => {
    const { id } = await s.alice.do('/v1/tasks', { ...TASK, ...more });
    await worker.do(at(id, 'claim'));
    return id;
  };
  const checked = await claimed(s.bob, { acceptance: [SHORT] });
  await refused(s.bob, at(checked, 'submit'), { result_hash: UNKNOWN }, 'delivery_missing');
  await refused(s.bob, at(checked, 'submit'), { result_content: 'x'.repeat(41) }, 'acceptance_failed');
  await refused(
    s.bob,
    at(checked, 'subtask'),
    { title: 'Part', budget: 100_000, acceptance: unknown },
    'program_not_found',
  );
  // A try with a seed is the worker's to pay.
  const seeded = await claimed(poor, { acceptance: [{ ...SHORT, seeded: true }] });
  await refused(poor, at(seeded, 'submit'), { result_content: 'x' }, 'insufficient_balance');
  await refused(s.bob, at(NO_TASK, 'release'), {}, 'task_not_found');
  await refused(s.bob, at(s.tasks.completed, 'release'), {}, 'invalid_state');
  await refused(poor, at(checked, 'release'), {}, 'not_claimer');
  await s.bob.do(at(checked, 'subtask'), { title: 'Part', budget: 100_000 });
  await refused(s.bob, at(checked, 'release'), {}, 'subtasks_open');
}

/** Steps that succeed, as [who, path, body]; each answers with the object of its route. */
export async function* programWrites(s: Story): AsyncGenerator<[Agent, string, object], void, Json> {
  const { hash } = yield [s.alice, '/v1/programs', { module: programNamed('carried out') }];
  const acceptance = [{ ...SHORT, program: hash }];
  const { id: returned } = yield [s.alice, '/v1/tasks', TASK];
  yield [s.bob, at(returned, 'claim'), {}];
  yield [s.bob, at(returned, 'release'), {}];
  const { id } = yield [s.alice, '/v1/tasks', { ...TASK, acceptance, settle: 'on_pass' }];
  yield [s.bob, at(id, 'claim'), {}];
  yield [s.bob, at(id, 'submit'), { result_content: 'short' }];
}
