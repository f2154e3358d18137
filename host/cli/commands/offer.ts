// vws offer: an agent's listing in the registry, and its place with the router (protocol 4.5, 4.6).

import { type Listing, type Route, signAgentCard, type VwsClient } from '../../client/index.ts';
import { isRecord } from '../../wire/json.ts';
import { systemFiles } from '../../world/system/files.ts';
import { type Command, type CommandContext, isSwitchOn, optionText, optionTexts } from '../command.ts';
import {
  AGENT_OPTION,
  agentOf,
  amountOption,
  integerOption,
  JSON_OPTION,
  openClient,
  ownKeyPair,
  pagingOptions,
  printAnswer,
  printList,
  RESEND_OPTION,
} from '../connection.ts';
import { EXIT, type ExitCode, UsageError } from '../exit-code.ts';
import { formatTime, shortText } from '../output.ts';
import { listVerb, needed, runVerb, type Verb } from '../verbs.ts';

const NAME = 'offer';
const HEADS = ['Agent', 'Name', 'Category', 'Price', 'Since', 'Description'];
const ROUTE_HEADS = ['Task ID', 'Agent', 'Reason', 'Match', 'Time'];
const MAX_TEXT_CHARS = 50;
const BP_PER_PERCENT = 100;

const several = (context: CommandContext, option: string): string[] => [...optionTexts(context, option)];

/** The card of --card, signed with the key file. Errors: UsageError for a file that is no JSON object. */
async function cardOf(context: CommandContext): Promise<Record<string, unknown> | undefined> {
  const path = optionText(context, 'card');
  if (path === undefined) return undefined;
  let card: unknown;
  try {
    card = JSON.parse(systemFiles.readText(path));
  } catch (error) {
    throw new UsageError(`--card ${path}: ${(error as Error).message}`, NAME);
  }
  if (!isRecord(card)) throw new UsageError(`--card ${path}: not a JSON object`, NAME);
  return signAgentCard(card, await ownKeyPair(context));
}

async function post(context: CommandContext): Promise<ExitCode> {
  const [category, ...others] = several(context, 'category');
  if (category === undefined || others.length > 0) {
    throw new UsageError('offer post needs one --category', NAME);
  }
  const answer = await openClient(context).market.list({
    name: needed(context, 'name'),
    category,
    description: optionText(context, 'description'),
    endpoint: optionText(context, 'endpoint'),
    price_tok: integerOption(context, 'price'),
    tags: several(context, 'tag'),
    agent_card: await cardOf(context),
  });
  printAnswer(context, answer);
  return EXIT.DONE;
}

async function join(context: CommandContext): Promise<ExitCode> {
  const categories = several(context, 'category');
  if (categories.length === 0) throw new UsageError('offer join needs --category', NAME);
  const answer = await openClient(context).market.register({
    categories,
    tags: several(context, 'tag'),
    price_per_task: amountOption(context, 'min-budget'),
    max_concurrent: integerOption(context, 'max-concurrent', 1),
    description: optionText(context, 'description'),
    webhook_url: optionText(context, 'webhook-url'),
    webhook_secret: optionText(context, 'webhook-secret'),
  });
  printAnswer(context, answer);
  return EXIT.DONE;
}

/** A verb on one agent, by default the one of --key. */
const onAgent = (act: (client: VwsClient, agent: string) => Promise<object>): Verb => ({
  takes: AGENT_OPTION.name,
  needs: [],
  async run(context) {
    const client = openClient(context);
    printAnswer(context, await act(client, agentOf(context, client)));
    return EXIT.DONE;
  },
});

const rowOf = (listing: Listing): string[] => [
  listing.agent_id,
  shortText(listing.name, MAX_TEXT_CHARS),
  listing.category,
  `${listing.price_tok}t`,
  formatTime(listing.created_at),
  shortText(listing.description, MAX_TEXT_CHARS),
];

const routeRow = (route: Route): string[] => [
  route.task_id,
  route.agent_id,
  route.reason,
  `${Math.round(route.match_score / BP_PER_PERCENT)}%`,
  formatTime(route.routed_at),
];

async function categories(context: CommandContext): Promise<ExitCode> {
  const counts = await openClient(context).market.categories();
  if (isSwitchOn(context, 'json')) printAnswer(context, counts);
  else printList(context, ['Category', 'Offers'], Object.entries(counts), ([name, n]) => [name, String(n)]);
  return EXIT.DONE;
}

const VERBS: Readonly<Record<string, Verb>> = {
  post: { takes: 'name', needs: ['name'], run: post },
  withdraw: onAgent((client, agent) => client.market.unlist(agent)),
  show: onAgent((client, agent) => client.market.listing(agent)),
  list: listVerb(HEADS, { category: 'category' }, (client, query) => client.market.search(query), rowOf),
  categories: { needs: [], run: categories },
  routes: listVerb(ROUTE_HEADS, {}, (client, query) => client.market.routes(query), routeRow),
  join: { needs: [], run: join },
  leave: onAgent((client, agent) => client.market.unregister(agent)),
  pause: onAgent((client, agent) => client.market.setAvailable(agent, false)),
  resume: onAgent((client, agent) => client.market.setAvailable(agent, true)),
};

export const offer: Command = {
  name: NAME,
  summary: 'offer a service, be offered tasks by the router, list offers',
  about: `post      publishes your offer, in place of an earlier one; vws search finds it.
withdraw  takes it back.
show      the offer of one agent, by default your own.
list      offers, newest first; categories counts them by category.
routes    the latest tasks that the router gave to an agent, newest first.
join      registers with the router, which then offers you tasks of these categories. Costs a deposit for each
          four categories and tags.
leave     ends that; the deposit comes back.
pause     tells the router to offer you nothing; resume ends that.`,
  words: Object.keys(VERBS).join('|'),
  maxWords: 2,
  options: [
    AGENT_OPTION,
    { name: 'name', value: 'text', help: 'post: at most 64 bytes' },
    { name: 'category', value: 'name', help: 'post, join (repeatable), list', isRepeatable: true },
    { name: 'description', value: 'text', help: 'post, join' },
    { name: 'endpoint', value: 'url', help: 'post: where you can be called' },
    { name: 'card', value: 'file', help: 'post: A2A agent card (JSON), to be signed with --key and served' },
    { name: 'price', value: 'n', help: 'post: whole tokens (default 0)' },
    { name: 'tag', value: 'word', help: 'post, join', isRepeatable: true },
    { name: 'min-budget', value: 'amount', help: 'join: least budget of a task (default 0)' },
    { name: 'max-concurrent', value: 'n', help: 'join: tasks at a time, 1..100 (default 1)' },
    { name: 'webhook-url', value: 'url', help: 'join: called when a task is routed to you' },
    { name: 'webhook-secret', value: 'text', help: 'join: signs those calls; sent encrypted to the seat' },
    ...pagingOptions('list, routes'),
    RESEND_OPTION,
    JSON_OPTION,
  ],
  settings: 'client',
  examples: [
    'vws offer post --key bob.key --name "Vessel counts" --category data --price 1',
    'vws offer join --key bob.key --category data --category research --max-concurrent 3',
    'vws offer list --category data',
    'vws offer withdraw --key bob.key',
  ],
  run: (context) => runVerb(NAME, VERBS, context),
};
