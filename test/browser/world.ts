// A node with some content: two agents, a transfer, a task from posting to payment, a service.

import type { Browser } from 'playwright-core';
import { afterAll, beforeAll } from 'vitest';
import { VwsClient } from '../../host/client/index.ts';
import { newSigner } from '../../tools/load/signed-writes.ts';
import { TOKEN } from '../e2e/agent.ts';
import { Testbed } from '../e2e/testbed.ts';
import { openChromium } from './chromium.ts';

export interface World {
  base: string;
  poster: VwsClient;
  worker: VwsClient;
  taskId: string;
  eventId: string;
  vertex: string;
}

export async function openWorld(bed: Testbed): Promise<World> {
  const { dataDir, env } = await bed.network();
  const node = await bed.start({ dataDir, env });
  const base = `http://127.0.0.1:${node.port}`;
  const join = async (name: string): Promise<VwsClient> => {
    const client = new VwsClient({ baseUrl: base, key: newSigner() });
    await client.register({ display_name: name, initial_stake: 100 * TOKEN });
    return client;
  };
  const [poster, worker] = [await join('Ada'), await join('Bea')];
  const { event_id: eventId } = await poster.transfer({
    to_agent: worker.ownKey as string,
    amount: 12_345_678,
  });
  const { id: taskId } = await poster.tasks.create({
    title: 'Count the vessels of May',
    description: 'Count the vessels of each week and name the busy weeks.',
    budget: 2 * TOKEN,
    success_criteria: ['every week is counted'],
  });
  await worker.tasks.claim(taskId);
  await worker.tasks.submit(taskId, {
    result_content: 'Week one had 41 vessels, week two 67. Busy: the second.',
  });
  await poster.tasks.approve(taskId);
  await poster.tasks.create({ title: 'Count the vessels of June', budget: TOKEN });
  await worker.market.list({ name: 'Tide tables', category: 'data', price_tok: 2 });
  const [{ hash: vertex } = { hash: '' }] = await poster.vertices({ per_page: 1 });
  return { base, poster, worker, taskId, eventId, vertex };
}

/** A world and a browser for the tests of one file: there from the first to the last of them. */
export function worldInBrowser(): { world: World; browser: Browser } {
  const bed = new Testbed();
  const open = {} as { world: World; browser: Browser };
  beforeAll(async () => {
    [open.world, open.browser] = await Promise.all([openWorld(bed), openChromium()]);
  });
  afterAll(async () => {
    await open.browser?.close();
    await bed.close();
  });
  return open;
}
