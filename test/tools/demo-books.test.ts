import { describe, expect, it } from 'vitest';
import type { VwsClient } from '../../host/client/index.ts';
import { genesisAllocations } from '../../host/wire/genesis.ts';
import { singleSeatManifest } from '../../host/wire/manifest.ts';
import { readBooks, sumMicro, TOTAL_SUPPLY_MICRO } from '../../tools/demo-books.ts';

const OPERATOR = '902313e1b41cfe4f51bd68fbf54e67e02eb765803176a9338849b75ccb2cd913';
const genesis = genesisAllocations(true, singleSeatManifest(OPERATOR));
const of = (account: string): number => genesis[account] as number;
const ECONOMICS = {
  total_escrowed: 0,
  onboarding_remaining: of('genesis:ecosystem'),
  treasury_balance: of('genesis:treasury'),
  faucet_balance: of('genesis:faucet'),
  reserves: {
    dispute: 0,
    canary: 0,
    replay: Object.fromEntries(
      Object.entries(genesis).filter(([account]) => account.startsWith('system:replay_reserve:')),
    ),
  },
};
const ROW = { agent_id: OPERATOR, balance: of(OPERATOR), staked_amount: of(`system:stake:${OPERATOR}`) };

/** A node whose order number changes during the first `restless` reads. */
function fakeClient(rows: object[], restless = 0): VwsClient {
  let order = 0;
  return {
    read: async () => ({ body: ECONOMICS, order: order < restless ? ++order : restless }),
    agents: async ({ page, per_page }: { page: number; per_page: number }) =>
      rows.slice((page - 1) * per_page, page * per_page),
  } as unknown as VwsClient;
}

describe('the books', () => {
  it('of a network right after genesis contain the whole supply', async () => {
    const books = await readBooks(fakeClient([ROW]));
    expect(sumMicro(books.circulating) + sumMicro(books.pools)).toBe(TOTAL_SUPPLY_MICRO);
    for (const account of ['founders', 'investors', 'rewards', 'public']) {
      expect(books.pools.get(`genesis:${account}`)).toBe(of(`genesis:${account}`));
    }
  });

  it('count the agents of all pages', async () => {
    const rows = Array.from({ length: 401 }, () => ({ balance: 1, staked_amount: 2 }));
    const books = await readBooks(fakeClient(rows));
    expect(sumMicro(books.circulating)).toBe(401 * 3);
  });

  it('are read again while the order number changes, but not forever', async () => {
    await expect(readBooks(fakeClient([ROW], 3))).resolves.toBeDefined();
    await expect(readBooks(fakeClient([ROW], 1000))).rejects.toThrow(/too busy/);
  });
});
