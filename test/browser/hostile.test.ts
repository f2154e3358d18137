// Hostile strings in every field: written by agents as far as the node accepts them, and by a node that lies in every
// string of every answer. They are text wherever they appear: no script, no picture, no foreign host, no page wider than
// the screen, no script address in a link.

import { expect, it } from 'vitest';
import { VwsClient } from '../../host/client/index.ts';
import { newSigner } from '../../tools/load/signed-writes.ts';
import { TOKEN } from '../e2e/agent.ts';
import { describeInBrowser } from './chromium.ts';
import { type Visit, visit } from './visit.ts';
import { worldInBrowser } from './world.ts';

const MARKUP = '<img src=x onerror=alert(1)><script>alert(2)</script>"\'><svg onload=alert(3)>';
const BIDI = '\u202egnp.exe\u2066\u2069\u200f abc \u202e';
const ZALGO = 'Z\u0335\u0321\u0347a\u0300\u0301\u0302\u0303\u0304\u0305\u0306\u0307l\u0360\u0361go'.repeat(4);
const SCRIPT = 'javascript:alert(4)';
const ALL = `${SCRIPT} ${MARKUP} ${BIDI} ${ZALGO}`;
/** Half of a character, which no address can have. */
const HALF = 'x\ud800y';
/** Without a place to break the line. */
const LONG = 'W'.repeat(10_000);

/** As many characters of a text as fit a field that takes so many bytes. */
function upTo(text: string, bytes: number): string {
  let end = text.length;
  while (Buffer.byteLength(text.slice(0, end)) > bytes) end--;
  return text.slice(0, end);
}

describeInBrowser('hostile strings', () => {
  const at = worldInBrowser();

  /** What the page must not do, whatever it shows. */
  async function harmless(v: Visit, route: string): Promise<void> {
    const found = await v.page.evaluate(() => ({
      images: document.querySelectorAll('main img, main iframe, main object, main script').length,
      overflow: document.documentElement.scrollWidth - innerWidth,
      links: [...document.querySelectorAll('a, form')].flatMap((one) => {
        const to = one.getAttribute('href') ?? one.getAttribute('action') ?? '';
        return to === '' || /^(?:#|\/|blob:)/.test(to) ? [] : [to.slice(0, 80)];
      }),
    }));
    expect(found, route).toEqual({ images: 0, overflow: expect.any(Number), links: [] });
    expect(found.overflow, `${route} is wider than the screen`).toBeLessThanOrEqual(0);
  }

  async function open(width: number): Promise<Visit & { dialogs: string[] }> {
    const v = await visit(at.browser, at.world.base, { viewport: { width, height: 844 } });
    const dialogs: string[] = [];
    v.page.on('dialog', (dialog) => {
      dialogs.push(dialog.message());
      void dialog.dismiss();
    });
    return { ...v, dialogs };
  }

  it('of agents are text on every page', async () => {
    const client = new VwsClient({ baseUrl: at.world.base, key: newSigner() });
    await client.register({ display_name: upTo(ALL, 64), initial_stake: 100 * TOKEN });
    const id = client.ownKey as string;
    const { id: task } = await at.world.poster.tasks.create({
      title: upTo(ALL, 200),
      description: upTo(`${ALL} ${LONG}`, 5000),
      success_criteria: [upTo(ALL, 200)],
      budget: TOKEN,
    });
    await client.tasks.claim(task);
    await client.tasks.submit(task, {
      result_content: `${ALL} ${LONG}`,
      result_note: upTo(ALL, 200),
    });
    const { event_id: event } = await at.world.poster.transfer({
      to_agent: id,
      amount: 7,
      memo: upTo(ALL, 256),
    });
    await client.market.list({
      name: upTo(ALL, 60),
      description: upTo(ALL, 200),
      category: 'data',
      price_tok: 1,
    });
    for (const width of [1280, 390]) {
      const v = await open(width);
      for (const route of [
        '/',
        '/agents',
        `/agent/${id}`,
        '/tasks',
        `/task/${task}`,
        '/events',
        `/event/${event}`,
        `/search?q=${encodeURIComponent(upTo(ALL, 60))}`,
        `/search?q=${LONG.slice(0, 900)}`,
        `/agent/${encodeURIComponent(ALL)}`,
        `/task/${encodeURIComponent(SCRIPT)}`,
        `/tasks?status=${encodeURIComponent(MARKUP)}`,
      ]) {
        await v.go(route);
        await harmless(v, route);
      }
      // Answers of 400 and 404 are logged by the browser itself.
      const own = v.complaints.filter((text) => !text.includes('Failed to load resource'));
      expect([v.dialogs, own]).toEqual([[], []]);
      await v.close();
    }
  });

  it('of a node, in every string of every answer, are text on every page', async () => {
    const hostile = [MARKUP, BIDI, ZALGO, SCRIPT, LONG, HALF];
    let turn = 0;
    const poison = (value: unknown): unknown => {
      if (typeof value === 'string') return hostile[turn++ % hostile.length];
      if (Array.isArray(value)) return value.map(poison);
      if (typeof value !== 'object' || value === null) return value;
      return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, poison(one)]));
    };
    const v = await open(390);
    await v.page.route('**/v1/**', async (route) => {
      const answer = await route.fetch();
      if (!answer.ok()) return route.fulfill({ response: answer });
      await route.fulfill({ response: answer, json: poison(await answer.json()) });
    });
    for (const route of [
      '/',
      '/agents',
      `/agent/${at.world.worker.ownKey}`,
      '/tasks',
      `/task/${at.world.taskId}`,
      '/events',
      `/event/${at.world.eventId}`,
      '/validators',
      '/validator/v1',
      '/dag',
      '/money',
      `/vertex/${at.world.vertex}`,
      '/search?q=Tide',
      '/wallet',
      '/verify',
    ]) {
      await v.go(route);
      await harmless(v, route);
    }
    const own = v.complaints.filter((text) => !text.includes('Failed to load resource'));
    expect([v.dialogs, own]).toEqual([[], []]);
    await v.close();
  });
});
