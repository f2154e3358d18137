// `vws mcp` under two clients that repeat every call, each with a program of its own over one key, and a hand that kills
// the programs at random (SIGKILL): whatever was meant once happens at most once, and once if any answer says so.

import { afterAll, expect, it } from 'vitest';
import { SeededRandom } from '../../tools/load/seeded-random.ts';
import { Agent, get, type Json } from './agent.ts';
import { type McpClient, overStdio, type Started } from './mcp-clients.ts';
import { testSeed } from './seed.ts';
import { Testbed } from './testbed.ts';

const DEEDS = Number(process.env.VWS_DEEDS ?? 3);
const SEED = testSeed();
const MAX_DAY_TOKENS = 50;
/** From the sending of a call: its request is counted, kept, sent and answered within this time. */
const MAX_LIFE_MS = 250;
const KILLED_OF_TEN = 7;
const MAX_TRIES = 10;

const bed = new Testbed();
afterAll(() => bed.close());

interface Deed {
  tool: string;
  args: Record<string, unknown>;
}

/** Undefined: killed before it answered. `lifeMs`: time to live from the call on. */
async function callOnce(started: Started, deed: Deed, lifeMs: number | undefined): Promise<Json | undefined> {
  let client: McpClient | undefined;
  let timer: NodeJS.Timeout | undefined;
  try {
    client = await overStdio('modern', started);
    const { pid } = client;
    if (lifeMs !== undefined && pid !== null) timer = setTimeout(() => process.kill(pid, 'SIGKILL'), lifeMs);
    return (await client.call(deed.tool, deed.args)).value;
  } catch {
    return undefined;
  } finally {
    clearTimeout(timer);
    await client?.close().catch(() => {});
  }
}

/** Repeats a call until it was answered twice. */
async function repeat(started: Started, deed: Deed, random: SeededRandom) {
  const answers: Json[] = [];
  let kills = 0;
  for (let i = 0; answers.length < 2; i++) {
    const isKilled = i < MAX_TRIES && random.below(10) < KILLED_OF_TEN;
    const answer = await callOnce(started, deed, isKilled ? random.below(MAX_LIFE_MS) : undefined);
    if (answer === undefined) kills += 1;
    else answers.push(answer);
  }
  return { answers, kills };
}

it(
  `does each of ${DEEDS} deeds once (seed ${SEED})`,
  async () => {
    const random = new SeededRandom(SEED);
    const { port } = await bed.start({ dataDir: await bed.directory() });
    const env = { VWS_MCP_MAX_PER_DAY: String(MAX_DAY_TOKENS) };
    const started = { node: `http://127.0.0.1:${port}`, key: `${await bed.directory()}.key`, env };
    const bob = await new Agent(port).register();
    const run = async (tool: string, args: Record<string, unknown> = {}) => {
      const answer = await callOnce(started, { tool, args }, undefined);
      expect(answer?.error, JSON.stringify(answer)).toBeUndefined();
      return answer;
    };
    const { agent_id } = await run('register');
    await run('stake', { amount: '20', idempotency_key: 'stake' });

    let kills = 0;
    for (let i = 0; i < DEEDS; i++) {
      const idempotency_key = `deed ${i}`;
      const deed: Deed =
        i % 3 === 2
          ? { tool: 'post_task', args: { title: idempotency_key, budget: '1', idempotency_key } }
          : {
              tool: 'transfer',
              args: { to: bob.id, amount: '0.01', memo: idempotency_key, idempotency_key },
            };
      const both = await Promise.all([repeat(started, deed, random), repeat(started, deed, random)]);
      const answers = both.flatMap((one) => one.answers);
      for (const answer of answers) expect(answer.error, JSON.stringify(answer)).toBeUndefined();
      expect(new Set(answers.map(({ txid }) => txid)).size, idempotency_key).toBe(1);
      kills += both[0]!.kills + both[1]!.kills;
    }
    expect(kills).toBeGreaterThan(DEEDS / 2);

    // What the ledger says, whatever the programs said.
    const events = async (type: string): Promise<Json[]> =>
      (await get(port, `/v1/events/recent?event_type=${type}&agent_id=${agent_id}&per_page=200`)).body;
    const posts = Math.floor(DEEDS / 3);
    expect((await events('transfer')).length).toBe(DEEDS - posts);
    expect((await events('task_posted')).length).toBe(posts);
    const balance = (await get(port, `/v1/agents/${agent_id}/balance`)).body;
    expect(balance.reserved).toBe((DEEDS - posts) * 10_000 + posts * 1_000_000);
    // Counted at least what was spent.
    const { spending } = await run('whoami');
    const spent = balance.reserved + 20_000_000;
    expect(MAX_DAY_TOKENS * 1_000_000 - spending.left_today.micro).toBeGreaterThanOrEqual(spent);
  },
  120_000 + DEEDS * 30_000,
);
