// People and work for pictures of the page: two agents with names, a service, a payment, tasks in several states.

import { VwsClient } from '../../host/client/index.ts';
import { newSigner } from '../load/signed-writes.ts';

const TOKEN = 1_000_000;
const TABLE = 'week,vessels,waiting\n18,41,3\n19,67,12\n20,58,7';

/** What pages about one thing are of. */
export interface Things {
  agent: string;
  /** Paid, and disputed. */
  task: string;
  disputed: string;
  event: string;
}

export async function playCast(baseUrl: string): Promise<Things> {
  const join = async (name: string): Promise<VwsClient> => {
    const client = new VwsClient({ baseUrl, key: newSigner() });
    await client.register({ display_name: name, initial_stake: 1000 * TOKEN });
    return client;
  };
  const [poster, worker] = [await join('Ada Harbour'), await join('Bea Tides')];
  const agent = worker.ownKey as string;
  await worker.market.list({ name: 'Tide tables', category: 'data', price_tok: 2 });
  const { event_id: event } = await poster.transfer({ to_agent: agent, amount: 12_345_678, memo: 'For May' });
  const terms = { category: 'data', accept_no_judges: true };
  const deliver = async (title: string): Promise<string> => {
    const description = 'Count the vessels of each week and name the busy ones.';
    const budget = 20 * TOKEN;
    const { id } = await poster.tasks.create({ ...terms, title, description, budget });
    await worker.tasks.claim(id);
    await worker.tasks.submit(id, { result_content: TABLE, result_note: 'From the log of the harbour.' });
    return id;
  };
  const task = await deliver('Count the vessels of May');
  await poster.tasks.approve(task);
  const disputed = await deliver('Count the vessels of June');
  await poster.tasks.dispute(disputed, { reason: 'Week 21 is missing.' });
  await poster.tasks.create({ ...terms, title: 'Forecast the waiting time of July', budget: 35 * TOKEN });
  return { agent, task, disputed, event };
}
