// Money over HTTP: races that must have one winner, a random run against a ledger in BigInt, and deadlines.

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { NodeProcess } from '../../tools/load/node-process.ts';
import { SeededRandom } from '../../tools/load/seeded-random.ts';
import { Agent, type Answer, call, get, type Json, TOKEN, until } from './agent.ts';
import { Books } from './books.ts';
import { type Holding, playEvents } from './entries.ts';
import { testSeed } from './seed.ts';
import { Testbed } from './testbed.ts';

const SUPPLY = 1_000_000_000 * TOKEN;
const OPERATIONS = 300;

/** Those of protocol 11 that a node without peers, tasks and streams moves, rate limits aside. */
const MOVING_METRICS = ['transactions_total', 'transactions_settled_total', 'transactions_adjusted_total']
  .concat([
    'transaction_volume_microunits_total',
    'fees_collected_microunits_total',
    'fees_treasury_microunits_total',
  ])
  .concat(['slash_events_total', 'slashed_microunits_total', 'agents_registered', 'agents_active_24h'])
  .concat([
    'total_staked_microunits',
    'treasury_microunits',
    'uptime_seconds',
    'dag_size',
    'dag_tips',
    'last_order',
  ])
  .concat(
    ['resident', 'heap', 'heap_used', 'buffers', 'core_memory', 'dag_memory', 'store_memtables'].map(
      (name) => `${name}_bytes`,
    ),
  )
  .concat(['consensus_time_seconds', 'seq', 'consensus_order_latency_seconds_count', 'api_requests_total'])
  .concat(['api_errors_total', 'api_latency_ms_count', 'supply_check', 'build_info']);

const bed = new Testbed();
afterAll(() => bed.close());

const codes = (answers: readonly Answer[]): Record<string, number> => {
  const counts: Record<string, number> = {};
  for (const { status, body } of answers) {
    const code = status < 300 ? 'ok' : body.code;
    counts[code] = (counts[code] ?? 0) + 1;
  }
  return counts;
};
const many = <T>(count: number, make: (i: number) => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: count }, (_, i) => make(i)));

async function allRows(port: number, list: string): Promise<Json[]> {
  const rows: Json[] = [];
  for (let page = 1; ; page++) {
    const { body } = await get(port, `${list}?per_page=200&page=${page}`);
    rows.push(...body);
    if (body.length < 200) return rows;
  }
}

const partsSum = (supply: Json): number =>
  Object.values(supply.parts as Record<string, number>).reduce((sum, part) => sum + part, 0);

/** What no agent holds is in pools and escrow; together with the agents it is the whole supply. */
async function expectConserved(port: number): Promise<void> {
  const e = (await get(port, '/v1/economics')).body;
  const agents = await allRows(port, '/v1/agents');
  const free = agents.reduce((sum, a) => sum + a.balance, 0);
  const staked = agents.reduce((sum, a) => sum + a.staked_amount, 0);
  expect(agents.length).toBe(e.agents_registered);
  expect(staked).toBe(e.total_staked);
  expect(e.total_supply).toBe(SUPPLY);
  expect(free + staked + e.total_escrowed).toBe(e.circulating_supply);
  const { body: supply } = await get(port, '/v1/economics/supply');
  expect(supply.parts).toMatchObject({ balances: free, stakes: staked });
  const why = [
    'task_escrows',
    'subtask_escrows',
    'claim_bonds',
    'pending_transfers',
    'held',
    'replay_rewards',
  ];
  expect(why.reduce((sum, part) => sum + supply.parts[part], 0)).toBe(e.total_escrowed);
  for (const part of why) expect(supply.parts[part]).toBeGreaterThanOrEqual(0);
  expect([supply.total_supply, partsSum(supply)]).toEqual([SUPPLY, SUPPLY]);
  const metrics = (await get(port, '/metrics')).body as string;
  expect(metrics).toMatch(/^vws_supply_check 1$/m);
}

describe('races', () => {
  let port: number;
  let operator: Agent;
  beforeAll(async () => {
    const network = await bed.network(['active']);
    ({ port } = await bed.start(network));
    operator = new Agent(port, network.operator);
  });

  it('the parts of the supply sum to it at every order that a read under load meets', async () => {
    const alice = await new Agent(port).register({ initial_stake: 100 * TOKEN });
    const bob = await new Agent(port).register();
    const writes = many(60, (i) => alice.post('/v1/transfer', { to_agent: bob.id, amount: 1 + i }));
    const orders = new Set<string>();
    let isOver = false;
    const over = writes.then(() => {
      isOver = true;
    });
    do {
      const { body, headers } = await get(port, '/v1/economics/supply');
      expect(partsSum(body)).toBe(SUPPLY);
      orders.add(headers.get('x-service-order')!);
    } while (!isOver);
    await over;
    expect(codes(await writes)).toEqual({ ok: 60 });
    expect(orders.size).toBeGreaterThan(0);
    await expectConserved(port);
  });

  it('100 parallel transfers never pass the trust limit of one stake (pitfall M11)', async () => {
    const alice = await new Agent(port).register({ initial_stake: 10 * TOKEN });
    const bob = await new Agent(port).register();
    const answers = await many(100, () => alice.post('/v1/transfer', { to_agent: bob.id, amount: TOKEN }));
    expect(codes(answers)).toEqual({ ok: 10, trust_limit_exceeded: 90 });
    const stake = (await get(port, `/v1/agents/${alice.id}/stake`)).body;
    expect([stake.exposure, stake.trust_limit]).toEqual([10 * TOKEN, 10 * TOKEN]);
    const balance = (await get(port, `/v1/agents/${alice.id}/balance`)).body;
    expect(balance).toMatchObject({
      balance: 49_980 * TOKEN,
      staked_amount: 10 * TOKEN,
      reserved: 10 * TOKEN,
    });
    await expectConserved(port);
  });

  it('parallel stakes spend a balance once, and parallel unstakes a stake', async () => {
    const alice = await new Agent(port).register();
    const stakes = await many(40, () => alice.post('/v1/stake', { amount: 5_000 * TOKEN }));
    expect(codes(stakes)).toEqual({ ok: 10, insufficient_balance: 30 });
    const unstakes = await many(40, () => alice.post('/v1/unstake', { amount: 10_000 * TOKEN }));
    expect(codes(unstakes)).toEqual({ ok: 5, insufficient_stake: 35 });
    await expectConserved(port);
  });

  it('a transfer and the withdrawal of its stake cannot both pass (pitfall M12)', async () => {
    for (let round = 0; round < 5; round++) {
      const alice = await new Agent(port).register({ initial_stake: 10 * TOKEN });
      const [pay, leave] = await Promise.all([
        alice.post('/v1/transfer', { to_agent: operator.id, amount: 10 * TOKEN }),
        alice.post('/v1/unstake', { amount: 10 * TOKEN }),
      ]);
      const refusals = [pay, leave].filter((a) => a.status >= 300).map((a) => a.body.code);
      expect(refusals.length).toBe(1);
      expect(['stake_locked', 'trust_limit_exceeded']).toContain(refusals[0]);
    }
  });

  it('50 parallel verdicts settle an event once and pay once (pitfall M5, O6)', async () => {
    const alice = await new Agent(port).register({ initial_stake: 100 * TOKEN });
    const bob = await new Agent(port).register();
    const { event_id } = await alice.do('/v1/transfer', { to_agent: bob.id, amount: 12_345_678 });
    const before = (await get(port, `/v1/agents/${operator.id}/balance`)).body.balance;
    const answers = await many(50, (i) => operator.post('/v1/verify', { event_id, verdict: i % 2 === 0 }));
    expect(codes(answers)).toEqual({ ok: 1, not_pending: 49 });
    const approved = answers.find((a) => a.status === 200)!.body.verdict;
    const paid = (await get(port, `/v1/agents/${bob.id}/balance`)).body.balance - 50_000 * TOKEN;
    // The worked example of protocol 6.2, or nothing.
    expect(paid).toBe(approved ? 12_333_333 : 0);
    const after = (await get(port, `/v1/agents/${operator.id}/balance`)).body.balance;
    expect(after - before).toBe(approved ? 9_876 : 0);
    await expectConserved(port);
  });

  it('every answer under load shows one state (pitfall P1)', async () => {
    const alice = await new Agent(port).register({ initial_stake: 1_000 * TOKEN });
    const bob = await new Agent(port).register();
    let isOver = false;
    const sums: number[] = [];
    const read = async (): Promise<void> => {
      while (!isOver) {
        const { balance, staked_amount, reserved } = (await get(port, `/v1/agents/${alice.id}/balance`)).body;
        sums.push(balance + staked_amount + reserved);
        const {
          exposure,
          trust_limit,
          staked_amount: staked,
        } = (await get(port, `/v1/agents/${alice.id}/stake`)).body;
        expect([exposure <= trust_limit, trust_limit]).toEqual([true, staked]);
      }
    };
    const readers = [read(), read()];
    await many(120, (i) => {
      if (i % 3 === 0) return alice.post('/v1/stake', { amount: TOKEN });
      if (i % 3 === 1) return alice.post('/v1/unstake', { amount: TOKEN });
      return alice.post('/v1/transfer', { to_agent: bob.id, amount: TOKEN });
    });
    isOver = true;
    await Promise.all(readers);
    // Nothing of hers is decided, so what she has moves between three places and never changes.
    expect(new Set(sums)).toEqual(new Set([50_000 * TOKEN]));
  });

  it('a registration sent by many at once is made once and granted once', async () => {
    const carol = new Agent(port);
    const same = await carol.sign('POST', '/v1/agents', {});
    const answers = [
      ...(await many(5, () => call(port, same))),
      ...(await many(5, () => carol.post('/v1/agents', { agent_id: 'carol' }))),
    ];
    expect(codes(answers)).toEqual({ ok: 1, already_registered: 9 });
    expect((await get(port, `/v1/agents/${carol.id}/balance`)).body.balance).toBe(50_000 * TOKEN);
    // One key, one agent: the name of the losers stays free.
    const other = await new Agent(port).register({ agent_id: 'carol' });
    expect((await get(port, '/v1/agents/carol')).body.public_key).toBe(
      Buffer.from(other.signer.publicKey).toString('base64'),
    );
  });
});

describe('a random run', () => {
  it(`of ${OPERATIONS} operations ends where a ledger in BigInt ends`, async () => {
    const network = await bed.network();
    const { port } = await bed.start(network);
    const operator = new Agent(port, network.operator);
    const seed = testSeed();
    const random = new SeededRandom(seed);
    const genesis = (await get(port, '/v1/economics')).body;
    const own = (await get(port, `/v1/agents/${operator.id}`)).body;
    const books = new Books(operator.id, {
      treasury: genesis.treasury_balance,
      balance: own.balance,
      staked: own.staked_amount,
    });
    const agents: Agent[] = [];
    const decided: string[] = [];
    const amount = (): number =>
      random.pick([1, 9_999, 10_000, 12_345_678, 1_000 * TOKEN, 30_000 * TOKEN]) + random.below(3);

    const step = async (): Promise<[expected: string, answer: Answer, what: string]> => {
      const dice = agents.length < 4 ? 0 : random.below(100);
      if (dice < 3) {
        const agent = new Agent(port);
        const initial_stake = random.pick([0, 1_000 * TOKEN, 50_000 * TOKEN, 50_001 * TOKEN]);
        const answer = await agent.post('/v1/agents', { initial_stake });
        const expected = books.register(agent.id, BigInt(initial_stake));
        if (expected === 'ok') agents.push(agent);
        return [expected, answer, 'register'];
      }
      const agent = random.pick(agents);
      const n = amount();
      if (dice < 15)
        return [books.stake(agent.id, BigInt(n)), await agent.post('/v1/stake', { amount: n }), `stake ${n}`];
      if (dice < 25)
        return [
          books.unstake(agent.id, BigInt(n)),
          await agent.post('/v1/unstake', { amount: n }),
          `unstake ${n}`,
        ];
      const to = random.pick(agents.filter((a) => a !== agent)).id;
      if (dice < 50) {
        const signed = await agent.sign('POST', '/v1/transfer', { to_agent: to, amount: n });
        return [
          books.transfer(signed.txid, agent.id, to, BigInt(n)),
          await call(port, signed),
          `transfer ${n}`,
        ];
      }
      if (dice < 65) {
        const body = { claimed_value: n, evidence_hash: 'e', beneficiary: to };
        const signed = await agent.sign('POST', '/v1/generation', body);
        return [
          books.generation(signed.txid, agent.id, to, BigInt(n)),
          await call(port, signed),
          `generation ${n}`,
        ];
      }
      const open = [...books.pending.keys()];
      const isLate = open.length === 0 || (decided.length > 0 && random.below(8) === 0);
      if (isLate && decided.length === 0) return step();
      const event_id = random.pick(isLate ? decided : open);
      const verdict = random.below(4) > 0;
      const claimed = books.pending.get(event_id)?.amount ?? 1n;
      const verified_value = verdict ? Math.max(1, Number(claimed) - random.below(2)) : undefined;
      decided.push(event_id);
      const answer = await operator.post('/v1/verify', {
        event_id,
        verdict,
        ...(verified_value ? { verified_value } : {}),
      });
      return [books.verify(event_id, verdict, BigInt(verified_value ?? 0)), answer, `verify ${verdict}`];
    };

    for (let i = 0; i < OPERATIONS; i++) {
      const [expected, answer, what] = await step();
      const found = answer.status < 300 ? 'ok' : answer.body.code;
      expect(found, `seed ${seed}, operation ${i}: ${what}: ${JSON.stringify(answer.body)}`).toBe(expected);
      if (i % 100 === 99) await expectConserved(port);
    }

    for (const [id, a] of books.accounts) {
      const profile = (await get(port, `/v1/agents/${id}`)).body;
      const { exposure } = (await get(port, `/v1/agents/${id}/stake`)).body;
      const found = [profile.balance, profile.staked_amount, exposure];
      found.push(profile.total_value_generated, profile.total_value_transferred);
      expect(found.map(BigInt), `seed ${seed}, agent ${id}`).toEqual([
        a.balance,
        a.staked,
        a.exposure,
        a.generated,
        a.transferred,
      ]);
    }
    const end = (await get(port, '/v1/economics')).body;
    expect([end.treasury_balance, end.total_fees_collected].map(BigInt)).toEqual([
      books.treasury,
      books.fees,
    ]);
    const pending = await allRows(port, '/v1/pending');
    expect(pending.map((e) => e.event_id).sort()).toEqual([...books.pending.keys()].sort());
    await expectHourlySums(port);
    await expectEntries(port, operator.id, { balance: own.balance, staked: own.staked_amount });
    expectMetricsMoved((await get(port, '/metrics')).body);
  });

  /** pitfall M2: ids are unique, and every balance is the sum of what the events tell. */
  async function expectEntries(port: number, operator: string, genesis: Holding): Promise<void> {
    const rows = (await allRows(port, '/v1/events/recent')).reverse();
    expect(new Set(rows.map((e) => e.event_id)).size).toBe(rows.length);
    expect(rows.map((e) => e.seq)).toEqual(rows.map((_, i) => i + 1));
    const events: Json[] = [];
    for (const { event_id } of rows) events.push((await get(port, `/v1/events/${event_id}`)).body);
    const held = playEvents(new Map([[operator, genesis]]), events, operator);
    const agents = await allRows(port, '/v1/agents');
    const shown = agents.map((a) => [a.agent_id, { balance: a.balance, staked: a.staked_amount }]);
    expect(Object.fromEntries(held)).toEqual(Object.fromEntries(shown));
  }

  /** pitfall O1: what can move under this load has moved. */
  function expectMetricsMoved(text: string): void {
    const sums = new Map<string, number>();
    for (const line of text.split('\n').filter((l) => l && !l.startsWith('#'))) {
      const name = line.slice(0, line.search(/[{ ]/));
      sums.set(name, (sums.get(name) ?? 0) + Number(line.slice(line.lastIndexOf(' ') + 1)));
    }
    const still = MOVING_METRICS.filter((name) => !((sums.get(`vws_${name}`) ?? 0) > 0));
    expect(still).toEqual([]);
  }

  /** pitfall O1: the chart of the hours is the sum of the events. */
  async function expectHourlySums(port: number): Promise<void> {
    const events = await allRows(port, '/v1/events/recent');
    const { buckets } = (await get(port, '/v1/network/activity?hours=168')).body;
    const withAmount = events.filter((e) => e.amount !== undefined);
    expect(buckets.reduce((n: number, b: Json) => n + b.count, 0)).toBe(withAmount.length);
    expect(buckets.reduce((n: number, b: Json) => n + b.volume, 0)).toBe(
      withAmount.reduce((n, e) => n + e.amount, 0),
    );
  }
});

describe('deadlines', () => {
  let node: NodeProcess;
  beforeAll(async () => {
    const env = { SERVICE_PARAM_VERIFICATION_DEADLINE_SECS: '2', SERVICE_PARAM_FAUCET_COOLDOWN_SECS: '2' };
    node = await bed.start({ dataDir: await bed.directory(), env });
  });

  it('an event without verdict returns everything, without fee or slash (pitfall C5)', async () => {
    const { port } = node;
    const alice = await new Agent(port).register({ initial_stake: 10 * TOKEN });
    const bob = await new Agent(port).register();
    const transfer = await alice.do('/v1/transfer', { to_agent: bob.id, amount: 7 * TOKEN });
    const generation = await alice.do('/v1/generation', { claimed_value: 7, evidence_hash: 'e' });
    for (const id of [transfer.event_id, generation.event_id]) {
      const read = async (): Promise<Json> => (await get(port, `/v1/events/${id}`)).body;
      const event = await until(read, (e) => e.settlement_state !== 'optimistic');
      expect([event.settlement_state, event.settlement_reason]).toEqual(['adjusted', 'expired']);
      expect(event.fee ?? 0).toBe(0);
    }
    const balance = (await get(port, `/v1/agents/${alice.id}/balance`)).body;
    expect(balance).toMatchObject({ balance: 49_990 * TOKEN, staked_amount: 10 * TOKEN, reserved: 0 });
    expect((await get(port, '/v1/pending')).body).toEqual([]);
    const settlement = (await get(port, '/v1/events/recent?event_type=settlement&limit=2')).body;
    expect(settlement.map((e: Json) => e.agent_id)).toEqual(['system:node', 'system:node']);
    // Not before its time, and at most five seconds late.
    expect(settlement[1].timestamp).toBeGreaterThanOrEqual(transfer.deadline);
    expect(settlement[1].timestamp).toBeLessThanOrEqual(transfer.deadline + 5);
    await expectConserved(port);
  });

  it('the faucet pays again after its cooldown', async () => {
    const { port } = node;
    const alice = await new Agent(port).register();
    const { next_at } = await alice.do('/v1/faucet');
    const early = await alice.post('/v1/faucet');
    expect([early.status, early.body.code]).toEqual([429, 'faucet_cooldown']);
    const answer = await until(
      () => alice.post('/v1/faucet'),
      (a) => a.status === 200,
    );
    expect(answer.body.next_at).toBeGreaterThanOrEqual(next_at + 2);
    expect(answer.body.balance).toBe(60_000 * TOKEN);
  });
});
