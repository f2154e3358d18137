// Second act, first part: three workers offer services; the registry, discovery and the router find them.

import { type VwsClient, VwsError } from '../host/client/index.ts';
import { type Cast, enter, freeOf, idOf, type Play, short, TOKEN, treasuryOf } from './demo-cast.ts';
import { DemoFault, tokens } from './demo-report.ts';

const WORKER_STAKE = 200 * TOKEN;
/** Names, prices in whole tokens for the registry and micro-units a task for the router. */
const OFFERS = [
  { name: 'bob', service: 'Harbour ledgers', priceTok: 3, priceMicro: 1_500_000 },
  { name: 'carol', service: 'Vessel counts', priceTok: 1, priceMicro: 500_000 },
  { name: 'dave', service: 'Tide tables', priceTok: 2, priceMicro: 1_000_000 },
] as const satisfies { name: keyof Cast; service: string; priceTok: number; priceMicro: number }[];
/** The router gives newcomers no task above 2 tokens. Source: protocol 6.16. */
export const ROUTED_BUDGET = 2 * TOKEN;
const MAX_TASKS = 3;

const bp = (ratio: number): number => Math.round(ratio * 10_000);

export async function offer(play: Play): Promise<void> {
  const { report, cast, category } = play;
  report.step('Carol and Dave join Bob: three workers list their services');
  await enter(play, 'Carol', cast.carol, WORKER_STAKE, TOKEN);
  await enter(play, 'Dave', cast.dave, WORKER_STAKE, TOKEN);
  for (const { name, service, priceTok, priceMicro } of OFFERS) {
    const { market } = cast[name];
    await market.list({ name: service, category, description: `${service} by ${name}`, price_tok: priceTok });
    await market.register({ categories: [category], price_per_task: priceMicro, max_concurrent: MAX_TASKS });
    report.say(`${service}: listed at ${priceTok}, ${tokens(priceMicro)} per routed task`);
  }
  const { market } = cast.alice;
  report.expect('listings of the category', (await market.categories())[category] ?? 0, OFFERS.length);
  const found = await market.search({ q: 'VESSEL', category });
  report.expect('search for "VESSEL"', found.map((one) => one.name).join(), 'Vessel counts');
  const routable = await market.routableAgents({ category, available: true });
  report.expect('agents that take routed tasks', routable.length, OFFERS.length);
}

/** Whoever posts the first task of a category pays for its name, by how many names are left. Source: protocol 6.18. */
export async function nameCategory({ report, cast, category }: Play): Promise<void> {
  report.step(`Alice posts the first task in ${category}, and takes it back`);
  const { alice, validator } = cast;
  const [free, treasury] = [await freeOf(alice), await treasuryOf(validator)];
  const { id } = await alice.tasks.create({ title: 'Name a vessel of May', category, budget: TOKEN });
  const task = await alice.tasks.cancel(id);
  report.expect('status', task.status, 'cancelled');
  const paid = free - (await freeOf(alice));
  report.checked(
    'The treasury gets for the name',
    (await treasuryOf(validator)) - treasury,
    paid,
    'as Alice paid',
  );
}

/** Alice searches for a worker. Source of the score: protocol 6.16. */
export async function discover({ report, cast, category }: Play): Promise<void> {
  report.step('Alice searches for "vessel counts", at most 4 tokens');
  const maxTok = 4;
  const rows = await cast.alice.market.discover({ q: 'vessel counts', category, max_budget: maxTok * TOKEN });
  report.expect('found', rows.length, OFFERS.length);
  for (const [i, row] of rows.entries()) {
    const wanted = OFFERS.find(({ name }) => idOf(cast[name]) === row.agent_id);
    if (!wanted) throw new DemoFault(`discovery shows ${row.agent_id}, who has not listed in this category`);
    const relevance = wanted.name === 'carol' ? 10_000 : 0;
    const price = Math.floor(((maxTok - wanted.priceTok) * 10_000) / maxTok);
    // Both count as far as standing backs them.
    const completion = Math.min(bp(row.completion_rate), row.backing);
    const reputation = Math.min(row.reputation_score, row.backing);
    const points = 3 * relevance + 3 * reputation + 2 * completion + 2 * price;
    report.expect(`relevance of ${wanted.name}`, bp(row.relevance_score), relevance);
    report.expect(`price efficiency of ${wanted.name}`, bp(row.price_efficiency), price);
    report.expect(`score of ${wanted.name}`, bp(row.composite_score), Math.floor(points / 10));
    report.expect(`rank of ${wanted.name}`, row.overall_rank, i + 1);
    report.say(`${row.overall_rank}. ${row.service_name}: score ${row.composite_score.toFixed(4)}`);
  }
  report.expect('the best', rows[0]?.agent_id, idOf(cast.carol));
}

/** Posts a task that only the chosen worker may claim for now; returns its id. */
export async function route({ report, cast, category }: Play): Promise<string> {
  report.step(`Alice posts a task of ${tokens(ROUTED_BUDGET)}, the router assigns it to one worker`);
  const task = await cast.alice.tasks.create({
    title: 'Count the vessels of May',
    description: 'Count the vessels of each week of May and name the busy weeks.',
    category,
    budget: ROUTED_BUDGET,
    routing: 'exclusive',
  });
  report.expect('worker chosen by the router', task.routed_to, idOf(cast.carol));
  const routes = await cast.alice.market.routes({ per_page: 200 });
  const made = routes.find((one) => one.task_id === task.id);
  if (!made) throw new DemoFault(`the router does not show the route of task ${task.id}`);
  // The category match and the part of the budget left by the price; both weigh more for newcomers (protocol 6.16).
  const left = (points: number): number => Math.floor((points * (ROUTED_BUDGET - 500_000)) / ROUTED_BUDGET);
  const score = made.reason === 'newcomer' ? 5_000 + left(3_000) : 4_000 + left(1_500) + 1_500;
  report.expect('match score', made.match_score, score);
  report.say(`task ${short(task.id)} goes to Carol, the cheapest: ${made.match_score} of 10,000 points`);
  report.expect(
    'a claim by another worker',
    await refusalOf(cast.bob.tasks.claim(task.id)),
    'routed_to_other',
  );
  report.say('Bob may not claim it for now (routed_to_other)');
  return task.id;
}

/** Error code of a refused write; `accepted` if it was not refused. */
async function refusalOf(write: Promise<unknown>): Promise<string> {
  try {
    await write;
    return 'accepted';
  } catch (error) {
    if (error instanceof VwsError && error.status > 0) return error.code;
    throw error;
  }
}

/** Leaves nobody to be found in the category. */
export async function leave({ report, cast, category }: Play): Promise<void> {
  report.step('The workers withdraw their offers');
  for (const { name } of OFFERS) {
    const client: VwsClient = cast[name];
    await client.market.unlist(idOf(client));
    await client.market.unregister(idOf(client));
  }
  const { market } = cast.alice;
  report.expect('listings of the category', (await market.categories())[category], undefined);
  report.expect('agents of the category', (await market.routableAgents({ category })).length, 0);
  report.say('no listing and no router entry of this run is left');
}
