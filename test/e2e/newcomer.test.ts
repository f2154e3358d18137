// A newcomer without a grant on mainnet: it registers, works, and is paid.

import { readFile, writeFile } from 'node:fs/promises';
import { afterAll, expect, it } from 'vitest';
import { Agent, type Answer, get, type Json, TOKEN } from './agent.ts';
import { RESULT, TASK } from './task-cases.ts';
import { Testbed } from './testbed.ts';

const MAINNET = 'vws-mainnet-1';
const bed = new Testbed();
afterAll(() => bed.close());

/** A write on mainnet that must succeed; its body. */
async function write(agent: Agent, path: string, body: object = {}): Promise<Json> {
  const answer: Answer = await agent.post(path, body, { chainId: MAINNET });
  expect([200, 201], `${path}: ${JSON.stringify(answer.body)}`).toContain(answer.status);
  return answer.body;
}

it('registers with a grant of 0, receives, claims, delivers, and is paid', async () => {
  const network = await bed.network(['active']);
  const env = { ...network.env, SERVICE_TESTNET: 'false', SERVICE_RATE_LIMITS: 'on' };
  const file = network.env.SERVICE_VALIDATOR_MANIFEST!;
  // Two seats: one grant of 50,000 tokens for each of them a day.
  const params = { onboarding_daily_budget: 100_000 * TOKEN, min_participants: 1 };
  await writeFile(file, JSON.stringify({ ...JSON.parse(await readFile(file, 'utf8')), params }));
  const { port } = await bed.start({ dataDir: network.dataDir, env });
  const [poster, newcomer] = [new Agent(port), new Agent(port)];
  const first = await write(poster, '/v1/agents');
  expect([first.onboarding_allocation, first.onboarding_limited]).toEqual([50_000 * TOKEN, false]);
  const economics = (await get(port, '/v1/economics')).body;
  // The part of the other seat is left, and cannot be had here.
  const left = [economics.onboarding_next_grant, economics.onboarding_left_today];
  expect(left).toEqual([50_000 * TOKEN, 50_000 * TOKEN]);

  const joined = await write(newcomer, '/v1/agents');
  expect([joined.onboarding_allocation, joined.onboarding_limited]).toEqual([0, true]);
  const { payload } = (await get(port, `/v1/events/${joined.event_id}`)).body;
  expect([payload.onboarding_allocation, payload.onboarding_limited]).toEqual([0, true]);

  const { id } = await write(poster, '/v1/tasks', {
    ...TASK,
    budget: 2 * TOKEN,
    worker_bond: 0,
    accept_no_judges: true,
  });
  await write(newcomer, `/v1/tasks/${id}/claim`);
  await write(newcomer, `/v1/tasks/${id}/submit`, RESULT);
  await write(poster, `/v1/tasks/${id}/approve`);
  const balance = async (): Promise<number> =>
    (await get(port, `/v1/agents/${newcomer.id}/balance`)).body.balance;
  expect(await balance()).toBe(2 * TOKEN - (2 * TOKEN) / 1000);

  // With the money it earned it can stake, which is what lets it pay others.
  const stake = await write(newcomer, '/v1/stake', { amount: TOKEN });
  expect(stake.trust_limit).toBe(TOKEN);
});
