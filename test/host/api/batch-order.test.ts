// The places of a batch's writes: each is behind all before it, whatever became of these.

import { expect, it } from 'vitest';
import { Batches } from '../../../host/api/batch.ts';
import type { Charge } from '../../../host/api/cost-budget.ts';
import type { FairTurns } from '../../../host/api/fair-turns.ts';
import type { Refusals } from '../../../host/api/refusals.ts';
import type { RequestTrace } from '../../../host/api/request-trace.ts';
import { BATCHES } from '../../../host/api/routes/batch.ts';
import type { Place } from '../../../host/api/writes.ts';
import { utf8 } from '../../../host/wire/bytes.ts';
import { RequestHead } from '../../../host/world/request-head.ts';

const turns = { take: ({ run }: { run(): void }) => run() } as unknown as FairTurns;
const charge = { run: (work: () => unknown) => work(), checkDebt() {}, addBytes() {} } as unknown as Charge;

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
