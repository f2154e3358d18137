// The places of a batch's writes: each is behind all before it, whatever became of these.

import { describe, expect, it } from 'vitest';
import { Batches } from '../../../host/api/batch.ts';
import type { Charge } from '../../../host/api/cost-budget.ts';
import type { FairTurns } from '../../../host/api/fair-turns.ts';
import type { Refusals } from '../../../host/api/refusals.ts';
import type { RequestTrace } from '../../../host/api/request-trace.ts';
import { BATCHES } from '../../../host/api/routes/batch.ts';
import type { Place } from '../../../host/api/writes.ts';
import type { ServiceError } from '../../../host/errors.ts';
import { utf8 } from '../../../host/wire/bytes.ts';
import { RequestHead } from '../../../host/world/request-head.ts';

const turns = { take: ({ run }: { run(): void }) => run() } as unknown as FairTurns;
const chargeOf = (address: string, network = address): Charge =>
  ({
    run: (work: () => unknown) => work(),
    checkDebt() {},
    addBytes() {},
    address,
    network,
  }) as unknown as Charge;
const charge = chargeOf('10.0.0.1');

/** Begins a batch of so many writes; `refused` are refused at once. The order in which the others went on, and their places. */
function begun(count: number, refused: readonly number[]) {
  const places: Place[] = [];
  const went: number[] = [];
  const batches = new Batches({
    turns,
    clock: { monotonicMs: () => 0 },
    refusals: {} as Refusals,
    begin: async (_request, _charge, place) => {
      const index = places.push(place) - 1;
      if (refused.includes(index)) place.taken();
      else {
        await place.before;
        went.push(index);
      }
      return { status: 200, headers: {}, body: '{}' };
    },
  });
  const req = new RequestHead('POST', '/v1/batch', '', '10.0.0.1', []);
  req.body = utf8(JSON.stringify({ requests: Array(count).fill({ path: '/v1/stake' }) }));
  const answer = batches.handle({ req, route: BATCHES[0]!, trace: {} as RequestTrace, charge });
  return { places, went, answer };
}
const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

it('a write behind one that was refused at once waits for those before that', async () => {
  const { places, went, answer } = begun(6, [1, 2, 4]);
  await settled();
  expect(went).toEqual([0]);
  places[0]!.taken();
  await settled();
  expect(went).toEqual([0, 3]);
  places[3]!.taken();
  await answer;
  expect(went).toEqual([0, 3, 5]);
});

it('a write whose turn comes after those before it were taken waits for nothing', async () => {
  const { places } = begun(2, [0]);
  await settled();
  expect(places[1]!.before).toBeUndefined();
});

describe('requests under way', () => {
  const refusals = {
    of: (error: ServiceError) => ({ status: error.status, headers: error.headers ?? {}, body: error.code }),
  } as unknown as Refusals;

  /** Sends batches of a thousand; what became of each so far, and a way to let all writes go on. */
  function sender() {
    const begun: (() => void)[] = [];
    const batches = new Batches({
      ...{ turns, refusals, clock: { monotonicMs: () => 0 } },
      begin: (_request, _charge, place) =>
        new Promise((resolve) => {
          place.taken();
          begun.push(() => resolve({ status: 401, headers: {}, body: '{}' }));
        }),
    });
    const body = utf8(JSON.stringify({ requests: Array(1000).fill({ path: '/v1/stake' }) }));
    const send = async (address: string, network: string): Promise<number | undefined> => {
      const req = new RequestHead('POST', '/v1/batch', '', address, []);
      req.body = body;
      const trace = {} as RequestTrace;
      let status: number | undefined;
      void batches
        .handle({ req, route: BATCHES[0]!, trace, charge: chargeOf(address, network) })
        .then((reply) => {
          status = reply.status;
        });
      await settled();
      return status;
    };
    return { send, goOn: () => begun.splice(0).forEach((go) => void go()) };
  }
  const OVERLOADED = 503;

  it('are bounded for an address, and those that were answered count no more', async () => {
    const { send, goOn } = sender();
    for (let i = 0; i < 8; i++) expect(await send('a', 'n')).toBeUndefined();
    expect(await send('a', 'n')).toBe(OVERLOADED);
    expect(await send('b', 'm')).toBeUndefined();
    goOn();
    await settled();
    expect(await send('a', 'n')).toBeUndefined();
  });

  it('are bounded for a network and for all, so that others have room', async () => {
    const { send } = sender();
    const taken = async (network: string): Promise<number> => {
      let count = 0;
      for (let i = 0; i < 40; i++) if ((await send(`${network}${i}`, network)) === undefined) count += 1;
      return count;
    };
    expect([await taken('n'), await taken('m'), await taken('k')]).toEqual([8, 6, 4]);
  });

  it('of a batch that is refused hold no place', async () => {
    const { send } = sender();
    for (let i = 0; i < 8; i++) expect(await send('a', 'n')).toBeUndefined();
    for (let i = 0; i < 40; i++) expect(await send('a', 'n')).toBe(OVERLOADED);
    expect(await send('b', 'm')).toBeUndefined();
  });
});
