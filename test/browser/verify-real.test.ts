// The real verifier in the page, over a chain of many transactions: it executes all of them and reports so.
// VWS_PAGE_TRANSACTIONS sets how many; `npm run test:browser` takes 10,000.

import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Balance, type DagStats, VwsClient } from '../../host/client/index.ts';
import { readEnv } from '../../host/config/config.ts';
import { drive } from '../../tools/load/drive.ts';
import type { NodeProcess } from '../../tools/load/node-process.ts';
import { newSigner, signedWrite } from '../../tools/load/signed-writes.ts';
import { TOKEN } from '../e2e/agent.ts';
import { Testbed } from '../e2e/testbed.ts';
import { describeInBrowser, openChromium } from './chromium.ts';
import { visit } from './visit.ts';

const COUNT = Number(readEnv().VWS_PAGE_TRANSACTIONS ?? 1000);
const AGENTS = 8;
const TIMEOUT_MS = 240_000;

describeInBrowser('verifier in the page', () => {
  const bed = new Testbed();
  let browser: Browser;
  let node: NodeProcess;
  let base: string;
  const signers = Array.from({ length: AGENTS }, newSigner);

  beforeAll(async () => {
    const { dataDir, env } = await bed.network();
    [node, browser] = await Promise.all([bed.start({ dataDir, env }), openChromium()]);
    base = `http://127.0.0.1:${node.port}`;
    const clients = signers.map((key) => new VwsClient({ baseUrl: base, key }));
    for (const client of clients) await client.register({ initial_stake: TOKEN });
    const chainId = await clients[0]!.chainId();
    const writes = await Promise.all(
      Array.from({ length: COUNT }, (_, i) =>
        signedWrite(signers[i % AGENTS]!, chainId, '/v1/stake', { amount: 1 + i }),
      ),
    );
    const { byStatus } = await drive({
      port: node.port,
      connections: 64,
      count: COUNT,
      request: (i) => writes[i]!.bytes,
      mostMs: TIMEOUT_MS,
    });
    expect([...byStatus]).toEqual([[200, COUNT]]);
  }, TIMEOUT_MS);
  afterAll(async () => {
    await browser?.close();
    await bed.close();
  });

  it(
    `executes ${COUNT} transactions again, reports so, and computes the balance that the node reports`,
    async () => {
      const v = await visit(browser, base, { viewport: { width: 1280, height: 900 } });
      const { page } = v;
      const agent = signers[0]!.publicKeyHex;
      await v.go(`/agent/${agent}`);
      await page.getByRole('button', { name: 'Verify in this browser' }).click();
      await page.getByRole('progressbar').waitFor();
      await page.getByText('Verified.').waitFor({ timeout: TIMEOUT_MS });
      const text = ((await page.locator('.verify').textContent()) ?? '').replaceAll(',', '');
      // The transactions above and eight registrations, at least.
      expect(Number(/executed (\d+) transactions again/.exec(text)?.[1])).toBeGreaterThanOrEqual(
        COUNT + AGENTS,
      );
      await page.getByText('Equal: the node reports this balance correctly.').waitFor();
      const { staked_amount: staked } = await node.json<Balance>(`/v1/agents/${agent}/balance`);
      expect(staked).toBeGreaterThan(TOKEN);
      const { events_by_type: events } = await node.json<DagStats>('/v1/dag/stats');
      expect(events.stake).toBeGreaterThanOrEqual(COUNT);
      expect(await v.axe()).toEqual([]);
      // A later visit resumes from what this one verified, and still counts it.
      await page.reload();
      await page.getByRole('button', { name: 'Verify in this browser' }).click();
      await page.getByText('Verified.').waitFor({ timeout: TIMEOUT_MS });
      const again = ((await page.locator('.verify').textContent()) ?? '').replaceAll(',', '');
      expect(Number(/executed (\d+) transactions again/.exec(again)?.[1])).toBeGreaterThanOrEqual(COUNT);
      expect(v.complaints).toEqual([]);
      await v.close();
    },
    TIMEOUT_MS,
  );

  it('names the checkpoint that a node forged, and stores nothing of it', async () => {
    const v = await visit(browser, base, { viewport: { width: 390, height: 844 } });
    let isForging = true;
    await v.page.route(/\/v1\/checkpoints\?/, async (route) => {
      const answer = await route.fetch();
      const list: { signatures: { signature: string }[] }[] = await answer.json();
      if (isForging) for (const { signatures } of list) signatures[0]!.signature = '0'.repeat(128);
      await route.fulfill({ response: answer, json: list });
    });
    await v.go('/verify');
    await v.page.getByRole('button', { name: 'Verify in this browser' }).click();
    const verdict = v.page.locator('.verify .notice.bad');
    await verdict.getByText('checkpoint 1 has a forged signature').waitFor({ timeout: TIMEOUT_MS });
    expect(await v.axe()).toEqual([]);
    isForging = false;
    await v.page.getByRole('button', { name: 'Verify again' }).click();
    await v.page.getByText('Verified.').waitFor({ timeout: TIMEOUT_MS });
    expect(v.complaints).toEqual([]);
    await v.close();
  });
});
