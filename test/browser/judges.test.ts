// A dispute on its task's page: each judge with its state, vote and reason as written, and what both parties said; and a
// delivered image, of which the page says what it is and draws nothing.

import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Signer, VwsClient } from '../../host/client/index.ts';
import { newSigner } from '../../tools/load/signed-writes.ts';
import { TOKEN } from '../e2e/agent.ts';
import { Testbed } from '../e2e/testbed.ts';
import { describeInBrowser, openChromium } from './chromium.ts';
import { type Visit, visit } from './visit.ts';

const HOSTILE = '<img src=x onerror=alert(1)>\u202e</td><script>alert(2)</script>\n\njavascript:alert(3)';
/** A PNG of one pixel. */
const DOT =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
const BUDGET = 40 * TOKEN;

describeInBrowser('judges', () => {
  const bed = new Testbed();
  let base: string;
  let browser: Browser;
  let judges: { id: string; client: VwsClient }[];
  const open = (key: Signer): VwsClient => new VwsClient({ baseUrl: base, key });
  const join = async (): Promise<VwsClient> => {
    const client = open(newSigner());
    await client.register({ initial_stake: 100 * TOKEN });
    return client;
  };

  beforeAll(async () => {
    const { dataDir, env, operator, others } = await bed.network(['active', 'active'], 25_000);
    const { port } = await bed.start({ dataDir, env });
    base = `http://127.0.0.1:${port}`;
    judges = [{ id: 'seat-0', signer: operator }, ...others].map(({ id, signer }) => ({
      id,
      client: open(signer),
    }));
    for (const { id, client } of judges) await client.validators.judge(id, { announced: true });
    browser = await openChromium();
  });
  afterAll(async () => {
    await browser?.close();
    await bed.close();
  });

  /** Cells of the table of judges, by validator. */
  const cellsOf = async (v: Visit): Promise<Record<string, string[]>> => {
    const rows = v.page.locator('table[aria-label="The judges of the dispute"] tbody tr');
    await rows.first().waitFor();
    const cells = await rows.evaluateAll((all) =>
      all.map((row) => [...row.querySelectorAll('td')].map((cell) => cell.textContent ?? '')),
    );
    return Object.fromEntries(cells.map(([id, ...rest]) => [id, rest]));
  };
  const fact = (v: Visit, name: string) =>
    v.page.locator('.facts div', { has: v.page.locator('dt', { hasText: name }) }).locator('dd');

  it('are shown with their states, votes and reasons, and both parties with their words', async () => {
    const [poster, worker] = [await join(), await join()];
    const { id } = await poster.tasks.create({ title: 'Count them', description: 'All.', budget: BUDGET });
    await worker.tasks.claim(id);
    await worker.tasks.submit(id, { result_content: 'Two weeks of four.' });
    await poster.tasks.dispute(id, { reason: `two_weeks are missing ${HOSTILE}` });
    const v = await visit(browser, base, { viewport: { width: 1280, height: 844 } });
    const dialogs: string[] = [];
    v.page.on('dialog', (dialog) => {
      dialogs.push(dialog.message());
      void dialog.dismiss();
    });
    await v.go(`/task/${id}`);
    await fact(v, 'The worker answers').getByText('Nothing so far').waitFor();
    const { dispute_event_id: event_id = '' } = await worker.tasks.contest(id, {
      reason: `They are in the appendix ${HOSTILE}`,
    });
    const verdicts = [
      { verdict: true, worker_share_bp: 4000, reason: `Half of it ${HOSTILE}` },
      { verdict: true, worker_share_bp: 5000, reason: '' },
      { verdict: false, ground: 'fraud' as const, reason: 'I do not believe it.' },
    ];
    const cast = [];
    for (const [i, { client }] of judges.entries())
      cast.push(await client.newVote({ event_id, ...verdicts[i]! }));
    await judges[0]!.client.commitVote(cast[0]!.commit);

    await v.page.reload();
    await v.go(`/task/${id}`);
    expect(Object.values(await cellsOf(v)).map(([state]) => state)).toHaveLength(3);
    expect((await cellsOf(v))['seat-0']!.slice(0, 2)).toEqual(['Committed', '–']);
    expect((await cellsOf(v))['seat-1']!.slice(0, 2)).toEqual(['Drawn', '–']);
    await fact(v, 'The poster says').getByText('two_weeks are missing <img').waitFor();
    await fact(v, 'The worker answers').getByText('They are in the appendix <img').waitFor();

    for (const i of [1, 2]) await judges[i]!.client.commitVote(cast[i]!.commit);
    for (const i of [0, 1, 2]) await judges[i]!.client.verify(cast[i]!.reveal);
    await v.page.getByText('I do not believe it.').waitFor();
    const shown = await cellsOf(v);
    expect(shown['seat-0']!.slice(0, 2)).toEqual(['Revealed', '40 % to the worker']);
    expect(shown['seat-0']![3]).toBe(`Half of it ${HOSTILE}`);
    expect(shown['seat-1']!.slice(0, 2)).toEqual(['Revealed', '50 % to the worker']);
    expect(shown['seat-1']![3]).toBe('None given');
    expect(shown['seat-2']!.slice(0, 2)).toEqual(['Revealed', 'For the poster: fraud']);
    expect(await v.axe()).toEqual([]);
    await v.page.setViewportSize({ width: 390, height: 844 });
    expect(
      await v.page.evaluate(() => document.documentElement.scrollWidth - innerWidth),
    ).toBeLessThanOrEqual(0);
    expect(await v.page.locator('main img, main script').count()).toBe(0);
    expect([dialogs, v.complaints]).toEqual([[], []]);
    await v.close();
  });

  it('an image is named by format, size and hash, and not drawn', async () => {
    const [poster, worker] = [await join(), await join()];
    const { id } = await poster.tasks.create({ title: 'Draw a dot', budget: BUDGET });
    await worker.tasks.claim(id);
    await worker.tasks.submit(id, { result_content: `data:image/png;base64,${DOT}` });
    const v = await visit(browser, base, { viewport: { width: 390, height: 844 } });
    await v.go(`/task/${id}`);
    await fact(v, 'Format').getByText('PNG', { exact: true }).waitFor();
    await fact(v, 'Size').getByText('1 × 1 pixels').waitFor();
    await fact(v, 'SHA-256 of the image')
      .getByText(/^[0-9a-f]{64}$/)
      .waitFor();
    expect(await v.page.locator('main img').count()).toBe(0);
    expect(await v.axe()).toEqual([]);
    await v.page.getByRole('button', { name: 'Show as it was delivered' }).click();
    await v.page.locator('pre', { hasText: 'data:image/png' }).waitFor();
    expect(await v.page.locator('main img').count()).toBe(0);
    expect(v.complaints).toEqual([]);
    await v.close();
  });

  it("a validator's verdicts are shown over time, older ones when asked for", async () => {
    const [one, other] = [await join(), await join()];
    const [first, second] = judges;
    for (let i = 0; i < 23; i++) {
      const { event_id } = await one.transfer({ to_agent: other.ownKey as string, amount: 1_000_000 });
      await second!.client.verify({ event_id, verdict: i > 0 });
      await first!.client.verify({ event_id, verdict: true });
    }
    const v = await visit(browser, base, { viewport: { width: 390, height: 844 } });
    await v.go(`/validator/${second!.id}`);
    const figure = v.page.locator('.figure', { hasText: 'Its verdicts over time' });
    await figure.getByText('Of its newest 20 verdicts, 20 of 20 that were decided agree').waitFor();
    expect(await figure.locator('.bad').count()).toBe(0);
    await v.page.getByRole('button', { name: 'Take 20 older verdicts into account' }).click();
    await figure.getByText(/^Of its newest 2[34] verdicts, 2[23] of 2[34] that were decided agree/).waitFor();
    expect(await figure.locator('.bad').count()).toBe(1);
    await figure.locator('summary').click();
    await figure.locator('table tbody tr').first().waitFor();
    await v.page.getByText('Nobody has challenged it').waitFor();
    expect(await v.axe()).toEqual([]);
    expect(v.complaints).toEqual([]);
    await v.close();
  });

  it('a slash and challenges are in the chart of its cases', async () => {
    const v = await visit(browser, base, { viewport: { width: 1280, height: 844 } });
    const { page } = v;
    const { agent_id } = await judges[2]!.client.validators.get('seat-2');
    const altered = (url: string, change: (body: never) => unknown) =>
      page.route(url, async (route) => {
        const response = await route.fetch();
        await route.fulfill({ response, json: change((await response.json()) as never) });
      });
    await altered('**/v1/validators/seat-2', (body: object) => ({ ...body, slash_count: 2 }));
    const id = 'ab'.repeat(32);
    const row = { event_id: id, seq: 3, event_type: 'slash', agent_id: 'system:node', timestamp: 86_400 };
    await altered('**/v1/events/recent?event_type=slash*', () => [row]);
    const payload = { target_agent: agent_id, amount: 5_000_000, reason: HOSTILE };
    await page.route(`**/v1/events/${id}`, (route) => route.fulfill({ json: { ...row, payload } }));
    const challenge = {
      id: 'chal-1',
      created_at: 90_000,
      offense: 'collusion',
      status: 'failed',
      task_id: 'x',
    };
    await altered('**/v1/challenges?*', () => [challenge]);
    await v.go('/validator/seat-2');
    const figure = page.locator('.figure', { hasText: 'Challenges, slashes and replays' });
    await figure.getByText('1 challenge, 1 slash, 0 replays').waitFor();
    await figure.getByText('It was slashed 2 times in all.').waitFor();
    expect(await figure.locator('.bad').count()).toBe(1);
    await figure.locator('summary').click();
    expect(await figure.locator('tbody tr').count()).toBe(2);
    await figure.getByText('5.00', { exact: true }).waitFor();
    expect(await page.locator('main img').count()).toBe(0);
    expect(await v.axe()).toEqual([]);
    await v.close();
  });
});
