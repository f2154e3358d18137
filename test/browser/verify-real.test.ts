// The real verifier in the page, over a chain of many transactions: it executes all of them and reports so.
// VWS_PAGE_TRANSACTIONS sets how many.

import { readFile } from 'node:fs/promises';
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
      await page.getByText('Checked.').waitFor({ timeout: TIMEOUT_MS });
      const text = ((await page.locator('.verify').textContent()) ?? '').replaceAll(',', '');
      // The transactions above and eight registrations, at least.
      expect(Number(/executed (\d+) transactions again/.exec(text)?.[1])).toBeGreaterThanOrEqual(
        COUNT + AGENTS,
      );
      await page.getByText(/^Checked: the node reports this balance/).waitFor();
      const { staked_amount: staked } = await node.json<Balance>(`/v1/agents/${agent}/balance`);
      expect(staked).toBeGreaterThan(TOKEN);
      const { events_by_type: events } = await node.json<DagStats>('/v1/dag/stats');
      expect(events.stake).toBeGreaterThanOrEqual(COUNT);
      for (const name of ['Balance', 'Staked', 'Trust limit', 'Reputation'])
        await page.locator('.facts div', { hasText: name }).locator('.seal.here').first().waitFor();
      expect(await v.axe()).toEqual([]);
      // The page that is loaded anew resumes by itself from what was verified, and still counts it.
      await page.reload();
      await page.getByText('Checked.').waitFor({ timeout: TIMEOUT_MS });
      const again = ((await page.locator('.verify').textContent()) ?? '').replaceAll(',', '');
      expect(Number(/executed (\d+) transactions again/.exec(again)?.[1])).toBeGreaterThanOrEqual(COUNT);
      expect(v.complaints).toEqual([]);
      await v.close();
    },
    TIMEOUT_MS,
  );

  it(
    'seals numbers of every page, saves a report, and checks the report of somebody else',
    async () => {
      const v = await visit(browser, base, { viewport: { width: 1280, height: 900 } });
      const { page } = v;
      await v.go('/verify');
      await page.getByRole('button', { name: 'Verify in this browser' }).click();
      await page.getByText('Checked.').waitFor({ timeout: TIMEOUT_MS });
      const [download] = await Promise.all([
        page.waitForEvent('download'),
        page.getByRole('button', { name: 'Save the report' }).click(),
      ]);
      const text = await readFile(await download.path(), 'utf8');
      expect(JSON.parse(text)).toMatchObject({ kind: 'vws-verify-report-1', node: base, is_good: true });
      await v.go('/money');
      await page.locator('tr', { hasText: 'Treasury' }).locator('.seal.here').waitFor();
      expect(await page.locator('tr', { hasText: 'Transfers under way' }).locator('.seal.says').count()).toBe(
        1,
      );
      await v.go('/validators');
      await page.locator('[data-name="Stake"] .seal.here').first().waitFor();
      await v.go('/events?type=stake');
      await page.locator('[data-name="Amount"] .seal.here').nth(20).waitFor();
      await v.go('/');
      await page.locator('.facts div', { hasText: 'Staked' }).locator('.seal.here').first().waitFor();

      const other = await visit(browser, base, { viewport: { width: 390, height: 844 } });
      const give = async (report: string): Promise<void> => {
        await other.page
          .getByLabel('Report')
          .setInputFiles({ name: 'report.json', mimeType: 'application/json', buffer: Buffer.from(report) });
      };
      await other.go('/verify');
      await give('{"kind":"<img src=x>"}');
      await other.page.getByText('This file is not the report of a verification.').waitFor();
      await give(text);
      await other.page.getByRole('button', { name: 'Check this report' }).click();
      await other.page.getByText(/^The report holds up to checkpoint \d+/).waitFor({ timeout: TIMEOUT_MS });
      expect(await other.axe()).toEqual([]);
      const { checkpoint_code: code } = JSON.parse(text) as { checkpoint_code: string };
      const altered = `${code[0] === '0' ? '1' : '0'}${code.slice(1)}`;
      await give(text.replace(code, altered));
      await other.page.getByRole('button', { name: 'Check this report' }).click();
      await other.page
        .getByText(/^This node does not agree with the report/)
        .waitFor({ timeout: TIMEOUT_MS });
      expect([...v.complaints, ...other.complaints]).toEqual([]);
      await other.close();
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
    await v.page.getByText('Checked.').waitFor({ timeout: TIMEOUT_MS });
    expect(v.complaints).toEqual([]);
    await v.close();
  });

  it('checks a proof of a task, and names one that does not hold', { timeout: TIMEOUT_MS }, async () => {
    const client = new VwsClient({ baseUrl: base, key: signers[0]! });
    await client.stake({ amount: 40 * TOKEN }).catch(() => client.faucet());
    const { id } = await client.tasks.create({ title: 'To be proven', category: 'code', budget: TOKEN });
    // Until there is a checkpoint with it.
    const isProven = async (): Promise<boolean> => {
      const answer = await fetch(`${base}/v1/proof/task/${id}`);
      return answer.ok && (await answer.text()).includes('To be proven');
    };
    while (!(await isProven())) await client.stake({ amount: 1 });
    const v = await visit(browser, base, { viewport: { width: 1280, height: 900 } });
    const { page } = v;
    await v.go(`/task/${id}`);
    const prove = page.getByRole('button', { name: 'Check a proof' });
    await prove.click();
    await page.getByText(/^Proven: a quorum of the validators signed this/).waitFor();
    expect(await page.locator('.prove').textContent()).toMatch(
      /Title, provenTo be provenStatus, provenopen/i,
    );
    expect(await v.axe()).toEqual([]);
    await page.route(/\/v1\/proof\/task\//, async (route) => {
      const body = (await (await route.fetch()).text()).replace('To be proven', 'To be fooled');
      await route.fulfill({ body, contentType: 'application/json' });
    });
    await prove.click();
    await page.getByText(/^Not proven, the node lies or its data is damaged/).waitFor();
    expect(v.complaints).toEqual([]);
  });
});
