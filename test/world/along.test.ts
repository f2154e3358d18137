// The comparison of what nodes decide and answer with the plain model: what is right passes, and each wrong answer is named.

import { beforeAll, describe, expect, it } from 'vitest';
import type { Call } from '../../tools/histories/call.ts';
import { type Comparison, compareAlong } from './along.ts';
import { clientOf, registered } from './client.ts';
import { SimNetwork } from './network.ts';

const TOKEN = 1_000_000;
const calls: Call[] = [];
let net: SimNetwork;

const compare = (changed: readonly Call[]): Promise<Comparison> =>
  compareAlong(net, net.machine('n0'), changed);

/** The history with other members in the first call that fits. */
function withOther(fits: (call: Call) => boolean, change: (call: Call) => Partial<Call>): Call[] {
  const at = calls.findIndex(fits);
  expect(at).toBeGreaterThanOrEqual(0);
  return calls.map((call, i) => (i === at ? { ...call, ...change(call) } : call));
}

/** Agents with work, money on hold, and a request that is refused in the order. */
beforeAll(async () => {
  net = new SimNetwork({ seed: 3, seats: 1 });
  await net.start();
  const [poster, worker, late] = [1, 2, 3].map((agent) =>
    clientOf(net, 'n0', agent, (call) => calls.push({ agent, ...call })),
  ) as [Client, Client, Client];
  const live = async (): Promise<void> => {
    for (const client of [poster, worker, late]) await registered(net, client);
    await poster.stake({ amount: 20 * TOKEN });
    const { id } = await poster.tasks.create({
      title: 'Ships',
      description: 'count the ships of the month',
      budget: 2 * TOKEN,
    });
    await poster.balance(poster.pair.publicKeyHex);
    // Both are ordered, and one is refused there.
    await Promise.allSettled([worker, late].map((client) => client.tasks.claim(id)));
    await worker.tasks.get(id);
    await poster.transfer({ to_agent: worker.pair.publicKeyHex, amount: TOKEN });
    await late.balance(late.pair.publicKeyHex);
  };
  await net.until(live(), 120_000);
  await net.run(5000);
  for (const machine of net.machines) machine.kill();
});

type Client = ReturnType<typeof clientOf>;

describe('the comparison with the model', () => {
  it('finds nothing wrong in what nodes answer', async () => {
    const { fault, answers, unknown, blocks } = await compare(calls);
    expect(fault).toBeUndefined();
    expect(blocks).toBeGreaterThan(8);
    // None is passed over.
    expect([answers, unknown]).toEqual([calls.length, new Map()]);
    const [posted, late] = calls.filter(({ path }) => path.endsWith('/balance')).map(({ body }) => body);
    expect([posted, late]).toMatchObject([{ reserved: 2 * TOKEN }, { reserved: 0 }]);
  });

  const isBalance = ({ path }: Call): boolean => path.endsWith('/balance');
  const isTask = ({ method, path }: Call): boolean => method === 'GET' && path.startsWith('/v1/tasks/');
  const isPost = (call: Call): boolean => call.path === '/v1/tasks';
  const isRefused = ({ path, status }: Call): boolean => path.endsWith('/claim') && status === 409;
  const body = (change: object) => (call: Call) => ({ body: { ...(call.body as object), ...change } });

  it.each<[string, Call['path'], (call: Call) => boolean, (call: Call) => Partial<Call>]>([
    ['a balance', 'balance', isBalance, body({ balance: 1 })],
    ['a stake', '"staked":1', isBalance, body({ staked_amount: 1 })],
    ['money on hold', '"reserved":0', isBalance, body({ reserved: 0 })],
    ['a claimer', 'claimer', isTask, body({ claimer_id: undefined })],
    ['the place of a write', 'was answered at order', isPost, ({ order }) => ({ order: order! + 1 })],
    [
      'a refusal of what is executed',
      'and is executed',
      isPost,
      () => ({ status: 409, code: 'invalid_state' }),
    ],
    ['a success of what is refused', 'and is refused', isRefused, () => ({ status: 200, order: 9 })],
    ['another refusal', 'and not invalid_state', isRefused, () => ({ code: 'forbidden' })],
  ])('names %s that is not the one of the model', async (_, text, fits, change) => {
    const { fault } = await compare(withOther(fits, change));
    expect(fault).toMatch(/^the model differs: /);
    expect(fault).toContain(text);
  });
});
